/* Worked examples of the parallel pass: which words come out, and what is said of the rest. */
#include "text/texts.h"

#include "base/mem.h"
#include "text/chunk.h"
#include "text/codes.h"

#include <fcntl.h>

/* The same text whole, in pieces cut at line ends, packed, and through a FIFO. */
static void test_encode_text_same_codes_however_stored(void **state)
{
    char whole[SUPPORT_PATH], first[SUPPORT_PATH], second[SUPPORT_PATH], fifo[SUPPORT_PATH];
    const char text[] = "b a\nc a b\nd d d a\n";
    const size_t cut = strlen("b a\nc a b\n");
    support_write(support_path(*state, "whole.txt", whole), text, strlen(text));
    text_write_gzip(support_path(*state, "first.gz", first), text, cut);
    support_write_text(support_path(*state, "second", second), text + cut);
    assert_int_equal(mkfifo(support_path(*state, "fifo", fifo), 0600), 0);
    const char *const paths[3][2] = {{whole, NULL}, {first, second}, {fifo, NULL}};
    for (int i = 0; i < 3; i++) {
        pid_t writer = -1;
        if (i == 2) {
            writer = fork();
            if (writer == 0) {
                const int fd = open(fifo, O_WRONLY);
                for (const char *p = text; *p; p++) {
                    if (write(fd, p, 1) != 1) {
                        _exit(1);
                    }
                }
                _exit(0);
            }
        }
        w2v_inputs *inputs = text_inputs(paths[i], paths[i][1] ? 2 : 1);
        const w2v_text_options options = text_options(1);
        w2v_corpus *corpus = NULL;
        assert_int_equal(w2v_corpus_create(inputs, &options, NULL, NULL, &corpus, NULL), W2V_OK);
        assert_codes(corpus, "b a | c a b | d d d a");
        assert_word(corpus, 0, "a", 3);
        assert_word(corpus, 1, "d", 3);
        assert_word(corpus, 2, "b", 2);
        assert_word(corpus, 3, "c", 1);
        assert_int_equal(corpus->stats.lines, 3);
        assert_int_equal(corpus->stats.sentences, 3);
        w2v_corpus_free(corpus);
        w2v_inputs_free(inputs);
        if (writer > 0) {
            int status;
            waitpid(writer, &status, 0);
            assert_int_equal(status, 0);
        }
    }
}

/* Case 25: a table that grows loses nothing. */
static void test_encode_text_many_types(void **state)
{
    char path[SUPPORT_PATH];
    support_path(*state, "manytypes.txt", path);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < 200000; i++) {
        fprintf(f, "k%07d k%07d\n", i, i);
    }
    fclose(f);
    const char *const paths[] = {path};
    w2v_inputs *inputs = text_inputs(paths, 1);
    w2v_text_options options = text_options(2);
    options.threads = 3;
    w2v_corpus *corpus = NULL;
    assert_int_equal(w2v_corpus_create(inputs, &options, NULL, NULL, &corpus, NULL), W2V_OK);
    assert_int_equal(corpus->stats.types, 200000);
    assert_int_equal(corpus->stats.types_kept, 200000);
    for (uint32_t i = 0; i < 200000; i++) { /* all alike: in the order of the text */
        char word[16];
        snprintf(word, sizeof word, "k%07u", i);
        assert_string_equal(w2v_vocab_word(corpus->vocab, i, NULL), word);
        assert_int_equal(w2v_vocab_count(corpus->vocab, i), 2);
    }
    w2v_corpus_free(corpus);
    w2v_inputs_free(inputs);
}

/* Long words of several workers, at every count: each comes out whole. */
static void test_encode_text_many_long_words(void **state)
{
    enum { WORDS = 9000 };
    char path[SUPPORT_PATH], list[SUPPORT_PATH], word[400];
    FILE *f = fopen(support_path(*state, "long.txt", path), "w");
    FILE *g = fopen(support_path(*state, "list.txt", list), "w");
    assert_non_null(f);
    assert_non_null(g);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < WORDS; i++) {
            const int width = 10 + i % 300;
            if (round <= i % 4) {
                fprintf(f, "%0*d\n", width, i);
            }
            if (round == 0 && i % 2) {
                fprintf(g, "%0*d\n", width, i);
            }
        }
    }
    fclose(f);
    fclose(g);
    const char *const paths[] = {path};
    w2v_inputs *inputs = text_inputs(paths, 1);
    for (int k = 0; k < 8; k++) {
        w2v_text_options options = text_options(k & 1 ? 2 : 1);
        options.threads = k & 2 ? 3 : 1;
        options.read_vocab = k & 4 ? list : NULL;
        const encode_request request = {.inputs = inputs,
                                        .options = &options,
                                        .sizes = {.chunk = 20000, .block_codes = 1000},
                                        .encode = true};
        w2v_corpus *corpus = NULL;
        assert_int_equal(encode_text(&request, &corpus, NULL), W2V_OK);
        uint32_t kept = 0;
        for (int i = 0; i < WORDS; i++) {
            const uint64_t count = i % 4 < 2 ? (uint64_t)(i % 4) + 1 : 3;
            const bool in = k & 4 ? i % 2 : count >= options.min_count;
            snprintf(word, sizeof word, "%0*d", 10 + i % 300, i);
            const uint32_t id = w2v_vocab_find(corpus->vocab, word, strlen(word));
            assert_true((id != UINT32_MAX) == in);
            kept += in;
            if (in) {
                assert_string_equal(w2v_vocab_word(corpus->vocab, id, NULL), word);
                assert_int_equal(w2v_vocab_count(corpus->vocab, id), count);
            }
        }
        assert_int_equal(w2v_vocab_size(corpus->vocab), kept);
        w2v_corpus_free(corpus);
    }
    w2v_inputs_free(inputs);
}

/* Words may have 4,096 bytes and no more. */
static void test_encode_text_longest_word(void **state)
{
    char path[SUPPORT_PATH];
    char *text = malloc(4 * 4100);
    assert_non_null(text);
    for (size_t n = 4095; n <= 4097; n++) {
        memset(text, 'w', n);
        support_write(support_path(*state, "text.txt", path), text, n);
        const char *const paths[] = {path};
        w2v_inputs *inputs = text_inputs(paths, 1);
        const w2v_text_options options = text_options(1);
        w2v_corpus *corpus = NULL;
        w2v_error err = {0};
        const w2v_status status = w2v_corpus_create(inputs, &options, NULL, NULL, &corpus, &err);
        if (n <= 4096) {
            size_t length;
            assert_int_equal(status, W2V_OK);
            w2v_vocab_word(corpus->vocab, 0, &length);
            assert_int_equal(length, n);
            assert_int_equal(corpus->stats.long_tokens, 0);
        } else {
            assert_int_equal(status, W2V_ERR_INPUT);
            assert_non_null(strstr(err.text, "has no words but 1 over 4,096 bytes"));
        }
        w2v_corpus_free(corpus);
        w2v_inputs_free(inputs);
    }
    free(text);
}

/* The first byte that is not UTF-8 is named by its input and its place there. */
static void test_encode_text_first_invalid(void **state)
{
    char first[SUPPORT_PATH], second[SUPPORT_PATH];
    support_write_text(support_path(*state, "first", first), "all is fine here\n");
    text_write_gzip(support_path(*state, "second.gz", second),
                    "\xef\xbb\xbf"
                    "ab \xff c \xfe",
                    11);
    const char *const paths[] = {first, second};
    w2v_inputs *inputs = text_inputs(paths, 2);
    w2v_text_options options = text_options(1);
    for (int threads = 1; threads <= 3; threads++) {
        options.threads = threads;
        options.invalid_utf8 = W2V_UTF8_KEEP;
        const encode_request request = {.inputs = inputs,
                                        .options = &options,
                                        .sizes = {CHUNK_SIZE_MIN, CODES_BLOCK_MIN},
                                        .encode = true};
        w2v_corpus *corpus = NULL;
        w2v_error err = {0};
        assert_int_equal(encode_text(&request, &corpus, NULL), W2V_OK);
        assert_int_equal(corpus->stats.invalid_utf8, 2);
        assert_int_equal(corpus->stats.invalid_input, 1);
        assert_int_equal(corpus->stats.invalid_offset, 6);
        w2v_corpus_free(corpus);
        options.invalid_utf8 = W2V_UTF8_FAIL;
        assert_int_equal(encode_text(&request, &corpus, &err), W2V_ERR_INPUT);
        assert_null(corpus);
        assert_int_equal(err.offset, 6);
        assert_non_null(strstr(err.text, second));
        assert_non_null(strstr(err.text, "is not UTF-8 at byte 6"));
    }
    w2v_inputs_free(inputs);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_encode_text_same_codes_however_stored),
        TEST(test_encode_text_many_types),
        TEST(test_encode_text_many_long_words),
        TEST(test_encode_text_longest_word),
        TEST(test_encode_text_first_invalid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
