/* Vocabulary files: how they are read, and what they decide. */
#include "text/texts.h"

static const char *write_list(const char *folder, const char *text)
{
    static char path[SUPPORT_PATH];
    support_write_text(support_path(folder, "list.vocab", path), text);
    return path;
}

static w2v_corpus *corpus_with(const char *folder, const char *list, const char *text,
                               uint64_t min_count, w2v_error *err)
{
    w2v_text_options options = text_options(min_count);
    options.read_vocab = write_list(folder, list);
    return text_corpus(text, strlen(text), &options, err);
}

static void assert_row_refused(const char *folder, const char *list, uint64_t line,
                               const char *what)
{
    vocab_list out;
    w2v_error err = {0};
    char expected[SUPPORT_PATH + 100];
    const char *path = write_list(folder, list);
    assert_int_equal(vocab_list_read(path, &out, &err), W2V_ERR_INPUT);
    snprintf(expected, sizeof expected, "'%s' line %d: %s", path, (int)line, what);
    assert_string_equal(err.text, expected);
    assert_int_equal(err.line, line);
    assert_int_equal(out.names.count, 0);
}

/* Case 29: bad rows are named by their line. */
static void test_vocab_list_read_bad_rows(void **state)
{
    const char *f = *state;
    const char not_whole[] = "the count is not a whole number below 2^64";
    assert_row_refused(f, "cat 10\ndog x\n\nbird 3 extra\n", 2, not_whole);
    assert_row_refused(f, "cat 10\r\n\r\nbird 3 extra\r\n", 3, "more than a word and a count");
    assert_row_refused(f, "cat 10\ncow -1\n", 2, not_whole);
    assert_row_refused(f, "cat 10\ncow 1.5\n", 2, not_whole);
    assert_row_refused(f, "cat 18446744073709551616", 1, not_whole);
    assert_row_refused(f, "a 1\rb 2\ra 3", 3, "the word stands in line 1 already");
    assert_row_refused(f, "a\nb 2\n", 2, "a count, although the words before have none");
    assert_row_refused(f, "a 1\nb\n", 2, "no count, although the words before have one");
    assert_row_refused(f, "x\xc2\xa0y 1\n", 1, "more than a word and a count");
    char *row = malloc(200001);
    assert_non_null(row);
    memset(row, 'r', 200000);
    row[1] = '\n';
    row[200000] = '\0';
    assert_row_refused(f, row, 2, "too long for a word and its count");
    free(row);
}

static void test_vocab_list_read_forms(void **state)
{
    vocab_list list;
    const char text[] = "\xef\xbb\xbfthe\t5000000000\r\n\r\n  of   3000000000  \rrare 6";
    assert_int_equal(vocab_list_read(write_list(*state, text), &list, NULL), W2V_OK);
    assert_int_equal(list.names.count, 3);
    assert_string_equal(words_get(&list.names, 0, NULL), "the");
    assert_string_equal(words_get(&list.names, 1, NULL), "of");
    assert_string_equal(words_get(&list.names, 2, NULL), "rare");
    assert_true(list.counts[0] == 5000000000u && list.counts[1] == 3000000000u);
    assert_int_equal(list.counts[2], 6);
    vocab_list_clear(&list);
    w2v_error err = {0};
    assert_int_equal(vocab_list_read(write_list(*state, " \n\n"), &list, &err), W2V_ERR_INPUT);
    assert_non_null(strstr(err.text, "has no words"));
    err = (w2v_error){0};
    assert_int_equal(vocab_list_read("no/such/file", &list, &err), W2V_ERR_INPUT);
}

/* Case 27: counts beyond 32 bits. */
static void test_corpus_create_big_counts(void **state)
{
    w2v_error err = {0};
    w2v_corpus *corpus = corpus_with(*state, "of 3000000000\nthe 5000000000\nrare 6\n",
                                     "the rare of the\n", 5, &err);
    assert_non_null(corpus);
    assert_true(w2v_vocab_total(corpus->vocab) == 8000000006u);
    assert_word(corpus, 0, "the", 5000000000u);
    assert_word(corpus, 1, "of", 3000000000u);
    assert_codes(corpus, "the rare of the");
    assert_int_equal(corpus->stats.tokens_kept, 4);
    w2v_corpus_free(corpus);
}

/* Case 29: words without counts are counted in the text and kept however rare they are. */
static void test_corpus_create_words_only(void **state)
{
    w2v_error err = {0};
    w2v_corpus *corpus =
        corpus_with(*state, "yak\ncat\ndog\nant\n", "dog cat dog emu\nemu ant\n", 5, &err);
    assert_non_null(corpus);
    assert_int_equal(w2v_vocab_size(corpus->vocab), 4);
    assert_word(corpus, 0, "dog", 2);
    assert_word(corpus, 1, "cat", 1); /* ties as in the file */
    assert_word(corpus, 2, "ant", 1);
    assert_word(corpus, 3, "yak", 0);
    assert_codes(corpus, "dog cat dog | ant");
    assert_int_equal(corpus->stats.unseen, 1);
    assert_int_equal(corpus->stats.tokens, 6);
    assert_int_equal(corpus->stats.types, 4);
    assert_int_equal(corpus->stats.types_kept, 4);
    w2v_corpus_free(corpus);
}

static void test_corpus_create_given_counts(void **state)
{
    w2v_error err = {0};
    /* Counts of the file decide order and min-count; what it lacks is dropped. */
    w2v_corpus *corpus =
        corpus_with(*state, "low 4\na 7\nb 9\nnever 7\n", "a a a b low emu\n", 5, &err);
    assert_non_null(corpus);
    assert_int_equal(w2v_vocab_size(corpus->vocab), 3);
    assert_word(corpus, 0, "b", 9);
    assert_word(corpus, 1, "a", 7);
    assert_word(corpus, 2, "never", 7);
    assert_codes(corpus, "a a a b");
    assert_int_equal(corpus->stats.unseen, 1);
    w2v_corpus_free(corpus);

    assert_null(corpus_with(*state, "a 1\n", "a a\n", 5, &err));
    assert_int_equal(err.code, W2V_ERR_INPUT);
    assert_non_null(strstr(err.text, "list.vocab' has no word with a count of 5 or more"));
    err = (w2v_error){0};
    assert_null(corpus_with(*state, "yak\n", "a a\n", 1, &err));
    assert_int_equal(err.code, W2V_ERR_INPUT);
    assert_non_null(strstr(err.text, "text.txt' has none of the words of"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_vocab_list_read_bad_rows, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_vocab_list_read_forms, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_corpus_create_big_counts, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_corpus_create_words_only, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_corpus_create_given_counts, support_setup,
                                        support_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
