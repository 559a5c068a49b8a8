#include "support.h"

#include "query/word_set.h"

static void test_word_set_numbers_in_order(void **state)
{
    (void)state;
    word_set *set = calloc(1, sizeof *set);
    assert_non_null(set);
    assert_int_equal(word_set_find(set, "cat", 3), WORD_SET_NONE);
    assert_int_equal(word_set_add(set, "cat", 3), 0);
    assert_int_equal(word_set_add(set, "dog", 3), 1);
    assert_int_equal(word_set_add(set, "cat", 3), 0);
    assert_int_equal(word_set_find(set, "dog", 3), 1);
    assert_int_equal(word_set_find(set, "do", 2), WORD_SET_NONE);
    assert_int_equal(word_set_find(set, "dig", 3), WORD_SET_NONE); /* same length and ends */
    assert_int_equal(word_set_add(set, "", 0), WORD_SET_NONE);
    assert_int_equal(word_set_find(set, "", 0), WORD_SET_NONE);
    assert_true(word_set_is(set, 1, "dog", 3));
    assert_false(word_set_is(set, 1, "dogs", 4));
    word_set_clear(set);
    free(set);
}

static void test_word_set_grows(void **state)
{
    (void)state;
    word_set *set = calloc(1, sizeof *set);
    assert_non_null(set);
    char word[32];
    for (uint32_t i = 0; i < 5000; i++) {
        const int n = snprintf(word, sizeof word, "a rather long word %u", i * 7);
        assert_int_equal(word_set_add(set, word, (size_t)n), i);
    }
    for (uint32_t i = 0; i < 35000; i++) {
        const int n = snprintf(word, sizeof word, "a rather long word %u", i);
        assert_int_equal(word_set_find(set, word, (size_t)n), i % 7 ? WORD_SET_NONE : i / 7);
    }
    word_set_clear(set);
    free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_word_set_numbers_in_order),
        cmocka_unit_test(test_word_set_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
