#include "support.h"

#include "base/mem.h"
#include "base/words.h"

static void test_words_append_and_get(void **state)
{
    (void)state;
    words w = {0};
    assert_true(words_append(&w, "cat", 3));
    assert_true(words_append(&w, "", 0));
    assert_true(words_append(&w, "caf\xc3\xa9!", 5));
    assert_int_equal(w.count, 3);
    assert_int_equal(w.offsets[3], 4 + 1 + 6);
    size_t n;
    assert_string_equal(words_get(&w, 0, &n), "cat");
    assert_int_equal(n, 3);
    assert_string_equal(words_get(&w, 1, &n), "");
    assert_int_equal(n, 0);
    assert_string_equal(words_get(&w, 2, NULL), "caf\xc3\xa9");
    words_clear(&w);
    assert_int_equal(w.count, 0);
    words_clear(&w);
}

static void test_words_append_many(void **state)
{
    (void)state;
    words w = {0};
    char text[16];
    for (unsigned i = 0; i < 20000; i++) {
        const int n = snprintf(text, sizeof text, "w%u", i * i);
        assert_true(words_append(&w, text, (size_t)n));
    }
    for (unsigned i = 0; i < 20000; i++) {
        size_t n;
        const int expected = snprintf(text, sizeof text, "w%u", i * i);
        assert_string_equal(words_get(&w, i, &n), text);
        assert_int_equal(n, expected);
    }
    words_clear(&w);
}

static void test_words_append_failure_keeps_the_list(void **state)
{
    (void)state;
    for (uint64_t at = 1;; at++) {
        words w = {0};
        mem_fail_at(at, false);
        uint32_t added = 0;
        for (int i = 0; i < 200; i++) {
            added += words_append(&w, "twelve bytes", 12);
        }
        const bool reached = mem_tries() >= at;
        mem_fail_at(0, false);
        assert_int_equal(w.count, added);
        assert_int_equal(added, reached ? 199 : 200);
        for (uint32_t i = 0; i < added; i++) {
            assert_string_equal(words_get(&w, i, NULL), "twelve bytes");
        }
        words_clear(&w);
        if (!reached) {
            assert_true(at > 4);
            return;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_append_and_get),
        cmocka_unit_test(test_words_append_many),
        cmocka_unit_test(test_words_append_failure_keeps_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
