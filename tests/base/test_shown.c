#include "support.h"

#include "base/shown.h"

static void test_shown_char_values(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *shown;
        size_t length;
    } cases[] = {
        {"ab", "a", 1},
        {"\\x", "\\", 1},
        {"\xc3\xa9x", "\xc3\xa9", 2},
        {"\xf0\x9f\x90\x88", "\xf0\x9f\x90\x88", 4},
        {"\tx", "\\t", 1},
        {"\n", "\\n", 1},
        {"\r", "\\r", 1},
        {"\x1b[", "\\x1b", 1},
        {"\x7f", "\\x7f", 1},
        {"\xff\xfe", "\\xff", 1},
        {"\xf0\x9f\x90", "\\xf0\\x9f\\x90", 3}, /* cut off: one part that is not UTF-8 */
        {"\xc2\x85", "\\u0085", 2},
        {"\xe2\x80\xa8", "\\u2028", 3},
        {"\xe2\x80\xae", "\\u202e", 3},
        {"\xef\xbb\xbf", "\\ufeff", 3},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        char out[SHOWN_CHAR];
        size_t length = 0;
        const size_t n = shown_char(cases[i].bytes, strlen(cases[i].bytes), out, &length);
        assert_int_equal(n, strlen(cases[i].shown));
        assert_memory_equal(out, cases[i].shown, n);
        assert_int_equal(length, cases[i].length);
    }
    char out[SHOWN_CHAR];
    size_t length;
    assert_int_equal(shown_char("\0", 1, out, &length), 4);
    assert_memory_equal(out, "\\x00", 4);
}

static void test_shown_word_leaves_a_long_tail_out(void **state)
{
    (void)state;
    char out[SHOWN_WORD], word[200], expected[SHOWN_WORD];
    assert_string_equal(shown_word("a\nb\xff", 4, out), "a\\nb\\xff");
    assert_string_equal(shown_word("", 0, out), "");
    memset(word, 'w', sizeof word);
    snprintf(expected, sizeof expected, "%.80s…", word);
    assert_string_equal(shown_word(word, 81, out), expected);
    assert_int_equal(strlen(shown_word(word, 80, out)), 80);
    memset(word, 'w', 79); /* the longest there is: the last part begins inside the limit */
    memcpy(word + 79, "\xf0\x9f\x90x", 4);
    assert_int_equal(strlen(shown_word(word, 83, out)), 79 + 12 + 3);
    memset(word, '\xff', sizeof word);
    assert_int_equal(strlen(shown_word(word, sizeof word, out)), 80 * 4 + 3);
}

static void test_shown_fit_leaves_the_middle_out(void **state)
{
    (void)state;
    char out[16];
    shown_fit("fifteen letters", 15, out, sizeof out);
    assert_string_equal(out, "fifteen letters");
    shown_fit("0123456789abcdefghijk", 21, out, sizeof out);
    assert_string_equal(out, "012345…fghijk");
    /* no character is cut in two, at neither end */
    shown_fit("01234\xc3\xa9-------------\xc3\xa9"
              "12345",
              27, out, sizeof out);
    assert_string_equal(out, "01234…12345");
    shown_fit("", 0, out, sizeof out);
    assert_string_equal(out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shown_char_values),
        cmocka_unit_test(test_shown_word_leaves_a_long_tail_out),
        cmocka_unit_test(test_shown_fit_leaves_the_middle_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
