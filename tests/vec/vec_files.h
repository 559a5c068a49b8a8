/* Helpers of the tests of vector files: bytes to table and back. */
#ifndef W2V_TESTS_VEC_FILES_H
#define W2V_TESTS_VEC_FILES_H

#include "support.h"

#include "vec/file.h"

#include <zlib.h>

static char folder[SUPPORT_PATH];

static inline int set_up(void **state)
{
    (void)state;
    support_folder(folder);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    support_remove(folder);
    return 0;
}

static inline const char *in_folder(const char *name)
{
    static char path[4][SUPPORT_PATH];
    static unsigned turn;
    turn = (turn + 1) % 4;
    return support_path(folder, name, path[turn]);
}

/** Opens and loads; NULL and *err filled when that fails. */
static inline w2v_vectors *load_with(const char *path, const w2v_load_options *options,
                                     w2v_error *err)
{
    w2v_vectors *v;
    *err = (w2v_error){0};
    if (w2v_vectors_open(path, options, &v, err) != W2V_OK) {
        assert_null(v);
        assert_int_not_equal(err->code, W2V_OK);
        return NULL;
    }
    if (w2v_vectors_load(v, err) != W2V_OK) {
        assert_int_not_equal(err->code, W2V_OK);
        w2v_vectors_free(v);
        return NULL;
    }
    assert_int_equal(err->code, W2V_OK);
    return v;
}

static inline w2v_vectors *load_well(const char *path, const w2v_load_options *options)
{
    w2v_error err;
    w2v_vectors *v = load_with(path, options, &err);
    if (!v) {
        fail_msg("%s", err.text);
    }
    return v;
}

/** Writes the bytes to a file of the folder and loads it. */
static inline w2v_vectors *load_bytes(const char *name, const void *bytes, size_t n)
{
    support_write(in_folder(name), bytes, n);
    return load_well(in_folder(name), NULL);
}

static inline w2v_vectors *load_text(const char *text)
{
    return load_bytes("t.vec", text, strlen(text));
}

/** Loads what must be refused, and compares the error after the file's name. */
static inline void refuse_bytes(const void *bytes, size_t n, const w2v_load_options *options,
                                const char *part)
{
    support_write(in_folder("bad.vec"), bytes, n);
    w2v_error err;
    w2v_vectors *v = load_with(in_folder("bad.vec"), options, &err);
    assert_null(v);
    assert_int_equal(err.code, W2V_ERR_INPUT);
    if (!strstr(err.text, part) || !strstr(err.text, "bad.vec'")) {
        fail_msg("'%s' is not in: %s", part, err.text);
    }
}

static inline void refuse_text(const char *text, const char *part)
{
    refuse_bytes(text, strlen(text), NULL, part);
}

static inline void assert_row(const w2v_vectors *v, uint32_t id, const char *word,
                              const float *values)
{
    size_t n;
    const char *got = w2v_vectors_word(v, id, &n);
    assert_string_equal(got, word);
    assert_int_equal(n, strlen(word));
    assert_memory_equal(w2v_vectors_row(v, id), values, w2v_vectors_dim(v) * sizeof *values);
}

/** Same words, same bits. */
static inline void assert_same_tables(const w2v_vectors *a, const w2v_vectors *b)
{
    assert_int_equal(w2v_vectors_size(a), w2v_vectors_size(b));
    assert_int_equal(w2v_vectors_dim(a), w2v_vectors_dim(b));
    for (uint32_t i = 0; i < w2v_vectors_size(a); i++) {
        assert_row(b, i, w2v_vectors_word(a, i, NULL), w2v_vectors_row(a, i));
    }
}

static inline void write_gzip(const char *path, const void *bytes, size_t n)
{
    gzFile f = gzopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(gzwrite(f, bytes, (unsigned)n), n);
    assert_int_equal(gzclose(f), Z_OK);
}

/** A word2vec binary with a newline behind each row, or without. Returns its length. */
static inline size_t make_binary(char *out, const char *const *list, const float *values,
                                 size_t rows, size_t dim, bool newline)
{
    size_t n = (size_t)sprintf(out, "%zu %zu\n", rows, dim);
    for (size_t i = 0; i < rows; i++) {
        n += (size_t)sprintf(out + n, "%s ", list[i]);
        memcpy(out + n, values + i * dim, dim * sizeof *values);
        n += dim * sizeof *values;
        if (newline) {
            out[n++] = '\n';
        }
    }
    return n;
}

#endif
