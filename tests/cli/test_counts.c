#include "support.h"

#include "cli/counts.h"

static const char vocabulary[] = "the 900\nnew york 12\r\ncat\t7\n\nthe 1\n";

static void test_counts_find_values(void **state)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(*state, "vocab.txt", path), vocabulary);
    const w2v_term words[] = {{"the", 3, 1}, {"dog", 3, 1}, {"new york", 8, 1}, {"the", 3, 1},
                              {"cat", 3, 1}, {"th", 2, 1},  {"york", 4, 1}};
    const uint64_t want[] = {900, COUNT_UNKNOWN, 12, 900, 7, COUNT_UNKNOWN, COUNT_UNKNOWN};
    uint64_t counts[SUPPORT_COUNT(words)];
    w2v_error err = {0};
    assert_int_equal(counts_find(path, words, SUPPORT_COUNT(words), counts, &err), W2V_OK);
    for (size_t i = 0; i < SUPPORT_COUNT(words); i++) {
        assert_true(counts[i] == want[i]);
    }
}

static void test_counts_find_refuses_other_files(void **state)
{
    static const char *const wrong[] = {"cat 1 0.5\n", "cat\n", "7\n", " 7\n", "cat -1\n"};
    char path[SUPPORT_PATH];
    const w2v_term word = {"cat", 3, 1};
    uint64_t count;
    for (size_t i = 0; i < SUPPORT_COUNT(wrong); i++) {
        w2v_error err = {0};
        support_write_text(support_path(*state, "vocab.txt", path), wrong[i]);
        assert_int_equal(counts_find(path, &word, 1, &count, &err), W2V_ERR_INPUT);
        assert_non_null(strstr(err.text, "line 1 is not 'word count'"));
    }
    w2v_error err = {0};
    assert_int_equal(counts_find(support_path(*state, "none", path), &word, 1, &count, &err),
                     W2V_ERR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_counts_find_values, support_setup, support_teardown),
        cmocka_unit_test_setup_teardown(test_counts_find_refuses_other_files, support_setup,
                                        support_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
