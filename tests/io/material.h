/* What the tests of the source share: gzip members, sample text, reading to the end. */
#ifndef W2V_TESTS_IO_MATERIAL_H
#define W2V_TESTS_IO_MATERIAL_H

#ifndef ZLIB_CONST
#define ZLIB_CONST
#endif
#include "support.h"

#include "io/source.h"

#include <zlib.h>

typedef struct bytes {
    unsigned char *data;
    size_t n;
} bytes;

static inline bytes join(bytes a, const void *more, size_t n)
{
    a.data = realloc(a.data, a.n + n + 1);
    assert_non_null(a.data);
    if (n) {
        memcpy(a.data + a.n, more, n);
    }
    a.n += n;
    return a;
}

/* Appends one gzip member, made by zlib itself. */
static inline bytes member(bytes a, const void *text, size_t n)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    const size_t room = deflateBound(&z, (uLong)n) + 64;
    unsigned char *packed = malloc(room);
    assert_non_null(packed);
    z.next_in = text;
    z.avail_in = (uInt)n;
    z.next_out = packed;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    const size_t size = room - z.avail_out;
    deflateEnd(&z);
    a = join(a, packed, size);
    free(packed);
    return a;
}

/* Text that neither packs to nothing nor stays as it is; free() it. */
static inline char *sample_text(size_t n)
{
    char *text = malloc(n + 1);
    assert_non_null(text);
    uint32_t x = 12345;
    for (size_t i = 0; i < n; i++) {
        x = x * 1664525 + 1013904223;
        text[i] = (x >> 28) < 3 ? ' ' : (char)('a' + (x >> 24) % 20);
    }
    text[n] = '\0';
    return text;
}

typedef struct outcome {
    w2v_status status;
    w2v_error err;
    char *text; /* free() it */
    size_t n;
    bool gzip, trailing;
} outcome;

/* Reads it all in pieces of the given size, until the end or an error; closes the source. */
static inline outcome read_all(source *s, size_t piece)
{
    outcome o = {0};
    char *buffer = malloc(piece);
    assert_non_null(buffer);
    size_t capacity = 0;
    for (;;) {
        size_t got = 77;
        o.status = source_read(s, buffer, piece, &got, &o.err);
        if (o.status != W2V_OK || got == 0) {
            assert_int_equal(got, 0);
            break;
        }
        assert_true(got <= piece);
        if (o.n + got + 1 > capacity) {
            capacity = 2 * (o.n + got + 1);
            o.text = realloc(o.text, capacity);
            assert_non_null(o.text);
        }
        memcpy(o.text + o.n, buffer, got);
        o.n += got;
    }
    if (o.status == W2V_OK) { /* the end stays the end */
        size_t got = 77;
        assert_int_equal(source_read(s, buffer, piece, &got, &o.err), W2V_OK);
        assert_int_equal(got, 0);
    } else {
        size_t got = 77;
        assert_int_equal(source_read(s, buffer, piece, &got, NULL), o.status);
        assert_int_equal(got, 0);
    }
    o.gzip = source_is_gzip(s);
    o.trailing = source_trailing(s);
    source_close(s);
    free(buffer);
    return o;
}

static inline outcome read_memory(const void *data, size_t n, size_t piece)
{
    source *s = NULL;
    w2v_error err = {0};
    assert_int_equal(source_open_memory(data, n, "x.gz", &s, &err), W2V_OK);
    return read_all(s, piece);
}

static inline outcome read_path(const char *path, size_t piece)
{
    source *s = NULL;
    w2v_error err = {0};
    assert_int_equal(source_open(path, NULL, &s, &err), W2V_OK);
    assert_string_equal(source_name(s), path);
    return read_all(s, piece);
}

static inline void assert_text(outcome o, const char *expected, size_t n)
{
    if (o.status != W2V_OK) {
        fail_msg("%s", o.err.text);
    }
    assert_int_equal(o.n, n);
    if (n) {
        assert_memory_equal(o.text, expected, n);
    }
    free(o.text);
}

static inline void assert_fails(outcome o, w2v_status status, const char *text)
{
    assert_int_equal(o.status, status);
    assert_int_equal(o.err.code, status);
    assert_string_equal(o.err.text, text);
    free(o.text);
}

static const size_t pieces[] = {1, 2, 7, 1000, 300000, 5000000};

#endif
