/* What a user of the library sees: the cases of text, vocabulary and empty input. */
#include "text/texts.h"

static void test_corpus_create_no_final_newline(void **state)
{
    (void)state;
    const w2v_text_options options = text_options(1);
    static const char *const texts[] = {"one two three", "one two three\n",
                                        "\n\none two three\n\n"};
    static const uint64_t lines[] = {1, 1, 4};
    for (size_t i = 0; i < SUPPORT_COUNT(texts); i++) {
        w2v_corpus *corpus = text_corpus_ok(texts[i], &options);
        assert_codes(corpus, "one two three");
        assert_int_equal(corpus->stats.sentences, 1);
        assert_int_equal(corpus->stats.lines, lines[i]);
        w2v_corpus_free(corpus);
    }
}

/* Case 22. */
static void test_corpus_create_sentences(void **state)
{
    (void)state;
    w2v_text_options options = text_options(1);
    const char text[] = "left1 left2\nright1 right2\n\nleft1\n";
    w2v_corpus *corpus = text_corpus_ok(text, &options);
    assert_codes(corpus, "left1 left2 | right1 right2 | left1");
    assert_int_equal(corpus->stats.sentences, 3);
    w2v_corpus_free(corpus);
    options.lines_are_sentences = false;
    corpus = text_corpus_ok(text, &options);
    assert_codes(corpus, "left1 left2 right1 right2 left1");
    assert_int_equal(corpus->stats.sentences, 1);
    w2v_corpus_free(corpus);
}

/* Dropped words leave no empty sentence and no doubled break. */
static void test_corpus_create_rare_words_go(void **state)
{
    (void)state;
    const w2v_text_options options = text_options(2);
    w2v_corpus *corpus = text_corpus_ok("r1\na r2 b\nr3 r4\nr5 a b r6\nr7\n", &options);
    assert_codes(corpus, "a b | a b");
    assert_int_equal(corpus->stats.tokens, 11);
    assert_int_equal(corpus->stats.tokens_kept, 4);
    assert_int_equal(corpus->stats.types, 9);
    assert_int_equal(corpus->stats.types_kept, 2);
    assert_int_equal(corpus->stats.sentences, 2);
    w2v_corpus_free(corpus);
}

/* Case 87: files never glue, and a file end is a break whatever the lines are. */
static void test_corpus_create_file_boundaries(void **state)
{
    char a[SUPPORT_PATH], b[SUPPORT_PATH], c[SUPPORT_PATH], f[SUPPORT_PATH];
    support_write_text(support_path(*state, "a.txt", a), "end of one");
    support_write_text(support_path(*state, "b.txt", b), "start of two\n");
    text_write_gzip(support_path(*state, "c.txt.gz", c), "in gzip\n", 8);
    support_write_text(support_path(*state, "f.txt", f), "");
    const char *const paths[] = {a, f, b, c};
    w2v_inputs *inputs = text_inputs(paths, 4);
    w2v_text_options options = text_options(1);
    for (int lines = 0; lines < 2; lines++) {
        options.lines_are_sentences = lines;
        w2v_corpus *corpus = NULL;
        assert_int_equal(w2v_corpus_create(inputs, &options, NULL, NULL, &corpus, NULL), W2V_OK);
        assert_codes(corpus, "end of one | start of two | in gzip");
        w2v_corpus_free(corpus);
    }
    w2v_inputs_free(inputs);
}

static void test_corpus_create_sentinels_are_words(void **state)
{
    (void)state;
    const w2v_text_options options = text_options(1);
    w2v_corpus *corpus = text_corpus_ok("x </s> y <unk> z\nx </s> y <unk> z\n", &options);
    assert_int_equal(w2v_vocab_size(corpus->vocab), 5);
    assert_codes(corpus, "x </s> y <unk> z | x </s> y <unk> z");
    w2v_corpus_free(corpus);
}

/* Case 26: exactly N, the most frequent, ties to the first seen. */
static void test_corpus_create_vocab_size(void **state)
{
    (void)state;
    w2v_text_options options = text_options(1);
    for (uint64_t n = 1; n <= 6; n++) {
        static const char *const order[] = {"c", "b", "a", "e"};
        options.vocab_size = n;
        w2v_corpus *corpus = text_corpus_ok("b a c c b e c a e", &options);
        const uint32_t kept = n < 4 ? (uint32_t)n : 4;
        assert_int_equal(w2v_vocab_size(corpus->vocab), kept);
        for (uint32_t i = 0; i < kept; i++) {
            assert_word(corpus, i, order[i], i ? 2 : 3);
        }
        w2v_corpus_free(corpus);
    }
}

/* Words of a base keep their ids and counts, whether they are met or not; others follow by count.
 */
static void test_corpus_create_onto_a_base(void **state)
{
    (void)state;
    w2v_text_options options = text_options(1);
    w2v_corpus *old = text_corpus_ok("b b b a a c", &options);
    options.base = old->vocab;
    options.min_count = 2;
    static const struct {
        const char *word;
        uint64_t count;
    } expected[] = {{"b", 4}, {"a", 2}, {"c", 1}, {"e", 4}, {"d", 3}, {"g", 2}};
    for (uint64_t limit = 0; limit <= 7; limit++) {
        options.vocab_size = limit;
        w2v_corpus *corpus = text_corpus_ok("d e\nb d e e f d g\ne g", &options);
        const uint32_t kept = limit == 0 || limit > 6 ? 6 : limit < 3 ? 3 : (uint32_t)limit;
        assert_int_equal(w2v_vocab_size(corpus->vocab), kept);
        for (uint32_t i = 0; i < kept; i++) {
            assert_word(corpus, i, expected[i].word, expected[i].count);
        }
        if (limit == 0) {
            const uint32_t codes[] = {4, 3, CORPUS_BREAK, 0, 4, 3, 3, 4, 5, CORPUS_BREAK, 3, 5};
            assert_int_equal(corpus->length, SUPPORT_COUNT(codes));
            assert_memory_equal(corpus->codes, codes, sizeof codes);
            assert_int_equal(corpus->stats.tokens_kept, 10);
            assert_int_equal(corpus->base_words, 3);
            assert_int_equal(corpus->base_counts[0], 3);
            assert_int_equal(corpus->base_counts[2], 1);
        }
        w2v_corpus_free(corpus);
    }
    w2v_error err = {0};
    options.vocab_size = 3;
    assert_null(text_corpus("x y", 3, &options, &err));
    assert_int_equal(err.code, W2V_ERR_INPUT);
    assert_non_null(strstr(err.text, "none of the words of the checkpoint"));
    err = (w2v_error){0};
    options.read_vocab = "v";
    assert_null(text_corpus("a", 1, &options, &err));
    assert_int_equal(err.code, W2V_ERR_ARGUMENT);
    w2v_corpus_free(old);
}

/* The same for plain and spilled text; another for another text, break or order. */
static void test_corpus_fingerprint(void **state)
{
    (void)state;
    char folder[SUPPORT_PATH];
    support_folder(folder);
    w2v_text_options options = text_options(1);
    options.tmp_dir = folder;
    static const char *const texts[] = {"a b\nc a", "a b\nc a", "a b c a", "a a\nb c",
                                        "a b\nc a a"};
    uint64_t prints[SUPPORT_COUNT(texts)];
    for (size_t i = 0; i < SUPPORT_COUNT(texts); i++) {
        options.max_memory = i == 1;
        options.fingerprint = i % 2;
        w2v_corpus *corpus = text_corpus_ok(texts[i], &options);
        assert_int_equal(corpus->fingerprinted, options.fingerprint);
        assert_int_equal(corpus_fingerprint(corpus, &prints[i], NULL), W2V_OK);
        w2v_corpus_free(corpus);
    }
    assert_true(prints[0] == prints[1]);
    for (size_t i = 1; i < SUPPORT_COUNT(texts); i++) {
        for (size_t k = i + 1; k < SUPPORT_COUNT(texts); k++) {
            assert_true(prints[i] != prints[k]);
        }
    }
    support_remove(folder);
}

/* Case 11 and 14. */
static void test_corpus_create_one_line(void **state)
{
    (void)state;
    enum { N = 200000 };
    char *text = malloc(12 * N);
    assert_non_null(text);
    size_t n = 0;
    for (int i = 0; i < N; i++) {
        n += (size_t)sprintf(text + n, "t%d\xe1\x9e\x80%s", i % 500, i + 1 < N ? " " : "");
    }
    w2v_error err = {0};
    const w2v_text_options options = text_options(1);
    w2v_corpus *corpus = text_corpus(text, n, &options, &err);
    assert_non_null(corpus);
    assert_int_equal(corpus->stats.types, 500);
    assert_int_equal(corpus->length, N);
    assert_int_equal(corpus->stats.sentences, 1);
    for (uint64_t i = 0; i < N; i++) {
        assert_int_equal(corpus->codes[i], i % 500);
    }
    w2v_corpus_free(corpus);
    free(text);
}

static void test_corpus_create_latin1_hint(void **state)
{
    (void)state;
    w2v_text_options options = text_options(1);
    w2v_corpus *corpus = text_corpus_ok("caf\xe9 na\xefve caf\xe9\n", &options);
    assert_true(corpus->stats.looks_latin1);
    assert_int_equal(corpus->stats.invalid_utf8, 3);
    assert_int_equal(corpus->stats.invalid_offset, 3);
    w2v_corpus_free(corpus);
    corpus = text_corpus_ok("good bad\xffword \xc3( tail \xe9t\xe9", &options);
    assert_false(corpus->stats.looks_latin1);
    w2v_corpus_free(corpus);
    corpus = text_corpus_ok("caf\xc3\xa9", &options);
    assert_false(corpus->stats.looks_latin1);
    w2v_corpus_free(corpus);
    options.invalid_utf8 = W2V_UTF8_REPLACE;
    corpus = text_corpus_ok("caf\xe9 caf\xfd x", &options);
    assert_word(corpus, 0, "caf\xef\xbf\xbd", 2);
    w2v_corpus_free(corpus);
}

static void assert_refused(const char *text, size_t n, uint64_t min_count, const char *message,
                           const char *hint)
{
    w2v_error err = {0};
    const w2v_text_options options = text_options(min_count);
    w2v_corpus *corpus = text_corpus(text, n, &options, &err);
    assert_null(corpus);
    assert_int_equal(err.code, W2V_ERR_INPUT);
    if (!strstr(err.text, message)) {
        fail_msg("'%s' is not in '%s'", message, err.text);
    }
    assert_string_equal(err.hint, hint);
}

/* Case 7: three kinds of nothing. */
static void test_corpus_create_nothing_there(void **state)
{
    assert_refused("", 0, 5, "text.txt' has no bytes", "");
    assert_refused(" \n\t\n\r\n\0\xe3\x80\x80", 11, 5, "text.txt' has no words", "");
    assert_refused("\xef\xbb\xbf", 3, 5, "text.txt' has no words", "");
    assert_refused("a x b x y x", 11, 5,
                   "text.txt' has no word that reaches min-count 5 (most frequent: 'x', count 3)",
                   "lower min-count to 3 or less, or give more text");
    assert_refused("a\x1b[1m\xff", 6, 2, "(most frequent: 'a\\x1b[1m\\xff', count 1)",
                   "lower min-count to 1 or less, or give more text");
    char one[SUPPORT_PATH], two[SUPPORT_PATH];
    support_write_text(support_path(*state, "one", one), "");
    text_write_gzip(support_path(*state, "two.gz", two), "", 0);
    const char *const paths[] = {one, two};
    w2v_inputs *inputs = text_inputs(paths, 2);
    w2v_corpus *corpus = NULL;
    w2v_error err = {0};
    assert_int_equal(w2v_corpus_create(inputs, NULL, NULL, NULL, &corpus, &err), W2V_ERR_INPUT);
    assert_string_equal(err.text, "the 2 inputs have no bytes");
    w2v_inputs_free(inputs);
}

/* Cases 2 and 3: damage is found here, before any training. */
static void test_corpus_create_damaged_gzip(void **state)
{
    char path[SUPPORT_PATH];
    static char text[300000];
    for (size_t i = 0; i < sizeof text; i++) {
        text[i] = (char)(i % 7 ? 'a' + (i * i / 11) % 26 : ' ');
    }
    text_write_gzip(support_path(*state, "whole.gz", path), text, sizeof text);
    size_t n;
    char *packed = support_read(path, &n);
    const char *const paths[] = {path};
    for (int kind = 0; kind < 2; kind++) {
        if (kind == 0) {
            support_write(path, packed, n * 2 / 3);
        } else {
            packed[n - 6] ^= 0x55;
            support_write(path, packed, n);
        }
        w2v_text_options options = text_options(1);
        for (options.threads = 1; options.threads <= 4; options.threads += 3) {
            w2v_inputs *inputs = text_inputs(paths, 1);
            w2v_corpus *corpus = NULL;
            w2v_error err = {0};
            const encode_request request = {
                .inputs = inputs, .options = &options, .sizes = {1000, 1000}, .encode = true};
            assert_int_equal(encode_text(&request, &corpus, &err), W2V_ERR_INPUT);
            assert_null(corpus);
            assert_non_null(strstr(err.text, path));
            w2v_inputs_free(inputs);
        }
    }
    free(packed);
}

static void test_corpus_create_arguments(void **state)
{
    (void)state;
    w2v_error err = {0};
    w2v_text_options options = text_options(0);
    assert_null(text_corpus("a", 1, &options, &err));
    assert_int_equal(err.code, W2V_ERR_ARGUMENT);
    options = text_options(1);
    options.threads = 0;
    err = (w2v_error){0};
    assert_null(text_corpus("a", 1, &options, &err));
    assert_int_equal(err.code, W2V_ERR_ARGUMENT);
    options = text_options(1);
    options.invalid_utf8 = (w2v_invalid_utf8)9;
    err = (w2v_error){0};
    assert_null(text_corpus("a", 1, &options, &err));
    assert_int_equal(err.code, W2V_ERR_ARGUMENT);
    options = text_options(1);
    options.normal_form = (w2v_normal_form)2;
    err = (w2v_error){0};
    assert_null(text_corpus("a", 1, &options, &err));
    assert_string_equal(err.text, "there is no normal form 2");
    options = text_options(1);
    w2v_corpus *base = text_corpus_ok("a b", &options);
    options.base = w2v_corpus_vocab(base);
    options.read_vocab = "some.vocab";
    err = (w2v_error){0};
    assert_null(text_corpus("a", 1, &options, &err));
    assert_string_equal(err.text, "words come from a vocabulary file or from a base, not from both");
    w2v_corpus_free(base);
}

typedef struct watch {
    int calls, stop_at;
    uint64_t done, total, tokens;
} watch;

static int watch_progress(void *user, uint64_t done, uint64_t total, uint64_t tokens)
{
    watch *w = user;
    assert_true(done >= w->done && tokens >= w->tokens && done <= total);
    w->done = done;
    w->total = total;
    w->tokens = tokens;
    return ++w->calls == w->stop_at;
}

static void test_corpus_create_progress(void **state)
{
    char path[SUPPORT_PATH];
    support_path(*state, "text.txt", path);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < 10000; i++) {
        fprintf(f, "ten bytes\n");
    }
    fclose(f);
    const char *const paths[] = {path};
    w2v_inputs *inputs = text_inputs(paths, 1);
    w2v_text_options options = text_options(1);
    for (int threads = 1; threads <= 4; threads++) {
        options.threads = threads;
        watch w = {0};
        encode_request request = {.inputs = inputs,
                                  .options = &options,
                                  .sizes = {1000, 1000},
                                  .encode = true,
                                  .progress = watch_progress,
                                  .user = &w};
        w2v_corpus *corpus = NULL;
        assert_int_equal(encode_text(&request, &corpus, NULL), W2V_OK);
        assert_true(w.calls >= 100);
        assert_int_equal(w.done, 100000);
        assert_int_equal(w.total, 100000);
        w2v_corpus_free(corpus);
        w = (watch){.stop_at = 7};
        w2v_error err = {0};
        assert_int_equal(encode_text(&request, &corpus, &err), W2V_ERR_INTERRUPTED);
        assert_null(corpus);
        assert_int_equal(w.calls, 7); /* none after it said stop */
    }
    w2v_inputs_free(inputs);
}

static void test_corpus_count(void **state)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(*state, "abc", path), "abc");
    const char *const paths[] = {path};
    w2v_inputs *inputs = text_inputs(paths, 1);
    w2v_text_options options = text_options(1);
    options.hash_inputs = true;
    w2v_corpus *corpus = NULL;
    assert_int_equal(w2v_corpus_count(inputs, &options, NULL, NULL, &corpus, NULL), W2V_OK);
    assert_true(corpus->counted_only);
    assert_null(corpus->codes);
    assert_int_equal(w2v_corpus_stats(corpus)->tokens_kept, 1);
    assert_int_equal(w2v_vocab_size(w2v_corpus_vocab(corpus)), 1);
    assert_string_equal(w2v_corpus_input_hash(corpus, 0),
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    w2v_corpus_free(corpus);
    options.hash_inputs = false;
    assert_int_equal(w2v_corpus_count(inputs, &options, NULL, NULL, &corpus, NULL), W2V_OK);
    assert_null(w2v_corpus_input_hash(corpus, 0));
    w2v_corpus_free(corpus);
    w2v_inputs_free(inputs);
    w2v_corpus_free(NULL);
}

static void test_corpus_read_spilled(void **state)
{
    (void)state;
    char folder[SUPPORT_PATH];
    support_folder(folder);
    w2v_text_options options = text_options(1);
    options.max_memory = 1;
    options.tmp_dir = folder;
    w2v_corpus *corpus = text_corpus_ok("a b\nc a", &options);
    uint32_t codes[4];
    const uint32_t expected[] = {1, CORPUS_BREAK, 2};
    w2v_error err = {0};
    assert_null(corpus->codes);
    assert_int_equal(corpus->stats.spilled, 20);
    assert_int_equal(support_count(folder), 0); /* the file has no name */
    assert_ptr_equal(corpus_read(corpus, 1, 4, codes, NULL), codes);
    assert_memory_equal(codes, expected, sizeof expected);
    assert_null(corpus_read(corpus, 3, 7, codes, &err));
    assert_int_equal(err.code, W2V_ERR_IO);
    w2v_corpus_free(corpus);
    support_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corpus_create_no_final_newline),
        cmocka_unit_test(test_corpus_create_sentences),
        cmocka_unit_test(test_corpus_create_rare_words_go),
        cmocka_unit_test_setup_teardown(test_corpus_create_file_boundaries, support_setup,
                                        support_teardown),
        cmocka_unit_test(test_corpus_create_sentinels_are_words),
        cmocka_unit_test(test_corpus_create_vocab_size),
        cmocka_unit_test(test_corpus_create_onto_a_base),
        cmocka_unit_test(test_corpus_fingerprint),
        cmocka_unit_test(test_corpus_create_one_line),
        cmocka_unit_test(test_corpus_create_latin1_hint),
        cmocka_unit_test_setup_teardown(test_corpus_create_nothing_there, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_corpus_create_damaged_gzip, support_setup,
                                        support_teardown),
        cmocka_unit_test(test_corpus_create_arguments),
        cmocka_unit_test_setup_teardown(test_corpus_create_progress, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_corpus_count, support_setup, support_teardown),
        cmocka_unit_test(test_corpus_read_spilled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
