#include "support.h"

#include "render/text.h"

static void test_render_escape_values(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", ""},
        {"caf\xc3\xa9 \xe7\x8c\xab", "caf\xc3\xa9 \xe7\x8c\xab"},
        {"a\tb\nc\r", "a\\tb\\nc\\r"},
        {"\x1b[2J\x7f", "\\x1b[2J\\x7f"},
        {"caf\xe9", "caf\\xe9"},
        {"\xc2\x9b"
         "31m",
         "\\u009b31m"}, /* a control character beyond ASCII */
        {"a\xe2\x80\xae"
         "b",
         "a\\u202eb"}, /* right-to-left override */
        {"a\xe2\x80\xa8"
         "b",
         "a\\u2028b"},              /* line separator */
        {"\xe2\x82", "\\xe2\\x82"}, /* cut character */
        {"back\\slash", "back\\slash"},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        buf out = {0};
        assert_true(render_escape(&out, cases[i][0], strlen(cases[i][0])));
        assert_int_equal(out.size, strlen(cases[i][1]));
        assert_string_equal(out.data, cases[i][1]);
        buf_clear(&out);
    }
    buf out = {0};
    assert_true(render_escape(&out, "a\0b", 3));
    assert_string_equal(out.data, "a\\x00b");
    buf_clear(&out);
}

static void test_render_duration_values(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *duration, *countdown;
    } cases[] = {
        {0, "0.00 s", "0:00"},
        {0.244, "0.24 s", "0:00"},
        {0.999, "1.0 s", "0:01"},
        {8.26, "8.3 s", "0:08"},
        {99.96, "1:40", "1:40"},
        {125, "2:05", "2:05"},
        {3599.6, "1:00:00", "1:00:00"},
        {3725, "1:02:05", "1:02:05"},
        {273600, "3 d 04:00", "3 d 04:00"},
        {-1, "?", "?"},
        {1e300, "?", "?"},
    };
    char out[RENDER_DURATION];
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        assert_string_equal(render_duration(cases[i].seconds, out), cases[i].duration);
        assert_string_equal(render_countdown(cases[i].seconds, out), cases[i].countdown);
    }
    assert_string_equal(render_duration(strtod("nan", NULL), out), "?");
}

static void test_render_share_values(void **state)
{
    (void)state;
    static const struct {
        double share;
        const char *text;
    } cases[] = {{0, "none"},         {1, "all"},           {0.9762, "97.6 %"},
                 {0.99999, "99.9 %"}, {0.0000001, "0.1 %"}, {1.5, "?"}};
    char out[RENDER_DURATION];
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        assert_string_equal(render_share(cases[i].share, out), cases[i].text);
    }
}

static void test_render_wrap_breaks_at_blanks(void **state)
{
    (void)state;
    buf out = {0};
    assert_true(render_wrap(&out, "one two three four", 0, 2, 9));
    assert_string_equal(out.data, "one two\n  three\n  four");
    buf_clear(&out);
    assert_true(render_wrap(&out, "a verylongword b", 4, 4, 8));
    assert_string_equal(out.data, "a\n    verylongword\n    b");
    buf_clear(&out);
    assert_true(render_wrap(&out, "one\n\ntwo", 0, 0, 20));
    assert_string_equal(out.data, "one\n\ntwo");
    buf_clear(&out);
    assert_true(render_wrap(&out, "", 0, 0, 20));
    assert_string_equal(out.data, "");
    buf_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_render_escape_values),
        cmocka_unit_test(test_render_duration_values),
        cmocka_unit_test(test_render_share_values),
        cmocka_unit_test(test_render_wrap_breaks_at_blanks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
