/* Inputs of the tests of the text room: files in a folder, and corpora made of them. */
#ifndef W2V_TESTS_TEXT_TEXTS_H
#define W2V_TESTS_TEXT_TEXTS_H

#include "support.h"

#include "text/encode.h"

#include <zlib.h>

/** A gzip file of one member. */
static inline void text_write_gzip(const char *path, const void *bytes, size_t n)
{
    gzFile f = gzopen(path, "wb6");
    assert_non_null(f);
    assert_int_equal(n ? gzwrite(f, bytes, (unsigned)n) : 0, n);
    assert_int_equal(gzclose(f), Z_OK);
}

/** The inputs paths[0..n-1]. */
static inline w2v_inputs *text_inputs(const char *const *paths, size_t n)
{
    w2v_inputs *inputs = NULL;
    w2v_error err = {0};
    if (w2v_inputs_create(paths, n, false, &inputs, &err) != W2V_OK) {
        fail_msg("%s", err.text);
    }
    return inputs;
}

/** A corpus of one file with this text, from a fresh folder that is gone again; NULL with *err. */
static inline w2v_corpus *text_corpus(const void *text, size_t n, const w2v_text_options *options,
                                      w2v_error *err)
{
    char folder[SUPPORT_PATH], path[SUPPORT_PATH];
    support_folder(folder);
    support_path(folder, "text.txt", path);
    support_write(path, text, n);
    const char *const paths[] = {path};
    w2v_inputs *inputs = text_inputs(paths, 1);
    w2v_corpus *corpus = NULL;
    const w2v_status status = w2v_corpus_create(inputs, options, NULL, NULL, &corpus, err);
    assert_int_equal(status, err->code);
    assert_true((status == W2V_OK) == (corpus != NULL));
    w2v_inputs_free(inputs);
    support_remove(folder);
    return corpus;
}

/** The same, and it must be possible. */
static inline w2v_corpus *text_corpus_ok(const char *text, const w2v_text_options *options)
{
    w2v_error err = {0};
    w2v_corpus *corpus = text_corpus(text, strlen(text), options, &err);
    if (!corpus) {
        fail_msg("%s", err.text);
    }
    return corpus;
}

static inline w2v_text_options text_options(uint64_t min_count)
{
    w2v_text_options options = w2v_text_options_default();
    options.min_count = min_count;
    return options;
}

/** The codes as words with `|` for breaks, in order: "aa bb | cc". free() it. */
static inline char *text_of_codes(const w2v_corpus *corpus)
{
    char *out = calloc(1, 1);
    size_t used = 0;
    for (uint64_t i = 0; i < corpus->length; i++) {
        uint32_t buffer;
        const uint32_t *code = corpus_read(corpus, i, i + 1, &buffer, NULL);
        assert_non_null(code);
        size_t n = 1;
        const char *word = *code == CORPUS_BREAK ? "|" : w2v_vocab_word(corpus->vocab, *code, &n);
        out = realloc(out, used + n + 2);
        assert_non_null(out);
        if (used) {
            out[used++] = ' ';
        }
        memcpy(out + used, word, n);
        used += n;
        out[used] = '\0';
    }
    return out;
}

/** Checks the whole encoded text. */
static inline void assert_codes(const w2v_corpus *corpus, const char *expected)
{
    char *text = text_of_codes(corpus);
    assert_string_equal(text, expected);
    free(text);
}

static inline void assert_word(const w2v_corpus *corpus, uint32_t id, const char *word,
                               uint64_t count)
{
    assert_true(id < w2v_vocab_size(corpus->vocab));
    assert_string_equal(w2v_vocab_word(corpus->vocab, id, NULL), word);
    assert_int_equal(w2v_vocab_count(corpus->vocab, id), count);
}

#endif
