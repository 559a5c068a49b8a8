/*
 * Writers of vector files. All that could be refused is looked at before the
 * sink is opened, so a refusal never costs an older file.
 */
#include "vec/write.h"

#include "base/num.h"
#include "base/utf8.h"
#include "io/sink.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------- names */

static bool ends_with(const char *text, size_t n, const char *suffix)
{
    const size_t m = strlen(suffix);
    return n >= m && memcmp(text + n - m, suffix, m) == 0;
}

w2v_format vec_format_of_name(const char *path)
{
    size_t n = strlen(path);
    if (sink_name_is_gzip(path)) {
        n -= strlen(".gz");
    }
    if (ends_with(path, n, ".txt") || ends_with(path, n, ".vec")) {
        return W2V_FORMAT_TEXT;
    }
    return ends_with(path, n, ".glove") ? W2V_FORMAT_GLOVE : W2V_FORMAT_BINARY;
}

/* ------------------------------------------------------------------ checks */

#define SHOWN_BYTES 80 /* of a word in an error; enough to find it by */
#define SHOWN_TEXT (4 * (SHOWN_BYTES + 4) + (int)sizeof "…")

/* The word as one line of UTF-8: control characters and stray bytes as \xHH, a long tail left out.
 */
static const char *shown(const char *word, size_t n, char out[SHOWN_TEXT])
{
    size_t used = 0;
    size_t i = 0;
    while (i < n && i < SHOWN_BYTES) {
        uint32_t code;
        const size_t length = utf8_decode(word + i, n - i, &code);
        const bool escape = code == UTF8_INVALID || code < 0x20 || (code >= 0x7f && code < 0xa0) ||
                            code == 0x2028 || code == 0x2029;
        for (size_t k = 0; k < length; k++) {
            if (escape) {
                used += (size_t)snprintf(out + used, 5, "\\x%02x", (unsigned char)word[i + k]);
            } else {
                out[used++] = word[i + k];
            }
        }
        i += length;
    }
    memcpy(out + used, i < n ? "…" : "", i < n ? sizeof "…" : 1);
    return out;
}

/*
 * Readers of binary take the bytes up to the first space and let a newline
 * end the row before; readers of text take the last `dim` fields of a line as
 * numbers and know ASCII white space only, of which CR, LF, VT and FF may end
 * a line or be trimmed from its ends.
 */
static bool breaks_row(char c, bool binary)
{
    return c == ' ' || c == '\n' || (!binary && (c == '\t' || c == '\r' || c == '\v' || c == '\f'));
}

static w2v_status check_word(const char *word, size_t n, size_t row, const char *path, bool binary,
                             w2v_error *err)
{
    if (n == 0) {
        return error_set(err, W2V_ERR_ARGUMENT, "'%s': the word of row %zu is empty", path,
                         row + 1);
    }
    bool bad = false;
    bool bad_in_binary = false;
    for (size_t i = 0; i < n; i++) {
        bad = bad || breaks_row(word[i], binary);
        bad_in_binary = bad_in_binary || breaks_row(word[i], true);
    }
    if (!bad) {
        return W2V_OK;
    }
    char text[SHOWN_TEXT];
    error_set(err, W2V_ERR_ARGUMENT,
              "'%s': the word '%s' of row %zu has white space inside, which %s cannot hold", path,
              shown(word, n, text), row + 1, binary ? "the binary format" : "a text format");
    if (!bad_in_binary) {
        error_hint(err, "the binary format can hold it");
    }
    return W2V_ERR_ARGUMENT;
}

static w2v_status check_row(const table_view *table, size_t row, const char *path, bool binary,
                            w2v_error *err)
{
    size_t n;
    const char *word = words_get(table->names, (uint32_t)row, &n);
    const w2v_status status = check_word(word, n, row, path, binary, err);
    if (status != W2V_OK) {
        return status;
    }
    const float *values = table->values + row * table->stride;
    int bad = 0; /* no early exit: the compiler makes vectors of this loop */
    for (size_t i = 0; i < table->dim; i++) {
        bad |= !isfinite(values[i]);
    }
    if (bad) {
        char text[SHOWN_TEXT];
        return error_set(err, W2V_ERR_ARGUMENT,
                         "'%s': the vector of '%s' holds a value that is not finite", path,
                         shown(word, n, text));
    }
    return W2V_OK;
}

static bool is_whole_number(const char *text, size_t n)
{
    const size_t sign = n > 1 && (text[0] == '-' || text[0] == '+');
    for (size_t i = sign; i < n; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
    }
    return n > 0;
}

/*
 * A GloVe file has no header, so what it is must be seen from its first row. A
 * row like "3 4" is a word2vec header to every reader, a byte order mark is
 * taken off, and gzip's two bytes open a compressed file.
 */
static w2v_status check_glove_start(const table_view *table, const char *path, int precision,
                                    w2v_error *err)
{
    size_t n;
    const char *word = words_get(table->names, 0, &n);
    const char *as = NULL;
    char number[NUM_FLOAT_TEXT];
    if (n >= 3 && memcmp(word, "\xef\xbb\xbf", 3) == 0) {
        as = "a byte order mark";
    } else if (n >= 2 && memcmp(word, "\x1f\x8b", 2) == 0) {
        as = "a gzip file";
    } else if (table->dim == 1 && is_whole_number(word, n) &&
               is_whole_number(number, num_format_float(table->values[0], precision, number))) {
        as = "the header of a word2vec file";
    }
    if (!as) {
        return W2V_OK;
    }
    char text[SHOWN_TEXT];
    error_set(err, W2V_ERR_ARGUMENT, "'%s': the first word '%s' would be read as %s", path,
              shown(word, n, text), as);
    error_hint(err, "word2vec text and binary files have a header of their own and can hold it");
    return W2V_ERR_ARGUMENT;
}

static w2v_status check_table(const table_view *table, const char *path, w2v_format format,
                              int precision, w2v_error *err)
{
    if (precision < 0 || precision > 9) {
        return error_set(err, W2V_ERR_ARGUMENT, "precision '%d' is not in 0..9", precision);
    }
    if (table->rows == 0 || table->dim == 0) {
        return error_set(err, W2V_ERR_ARGUMENT, "'%s': a table of %zu rows of length %zu is empty",
                         path, table->rows, table->dim);
    }
    for (size_t row = 0; row < table->rows; row++) {
        const w2v_status status = check_row(table, row, path, format == W2V_FORMAT_BINARY, err);
        if (status != W2V_OK) {
            return status;
        }
    }
    return format == W2V_FORMAT_GLOVE ? check_glove_start(table, path, precision, err) : W2V_OK;
}

/* -------------------------------------------------------------------- rows */

/* Numbers are formatted straight into the sink's buffer, this many at a time: the room asked for
   stays small beside the buffer, and the call is paid once for all of them. */
#define TEXT_RUN 64
#define BINARY_RUN 1024

static w2v_status write_text_row(sink *s, const float *values, size_t dim, int precision,
                                 w2v_error *err)
{
    for (size_t i = 0; i < dim; i += TEXT_RUN) {
        const size_t run = dim - i < TEXT_RUN ? dim - i : TEXT_RUN;
        char *const room = sink_room(s, run * (1 + NUM_FLOAT_TEXT), err);
        if (!room) {
            break; /* the newline's write below returns the sink's status */
        }
        char *at = room;
        for (size_t k = 0; k < run; k++) {
            *at++ = ' ';
            at += num_format_float(values[i + k], precision, at);
        }
        sink_advance(s, (size_t)(at - room));
    }
    return sink_write(s, "\n", 1, err);
}

static void put_little_endian(float value, char out[4])
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (unsigned k = 0; k < 4; k++) {
        out[k] = (char)(unsigned char)(bits >> (8 * k) & 0xffu);
    }
}

static w2v_status write_binary_row(sink *s, const float *values, size_t dim, w2v_error *err)
{
    sink_write(s, " ", 1, err);
    for (size_t i = 0; i < dim; i += BINARY_RUN) {
        const size_t run = dim - i < BINARY_RUN ? dim - i : BINARY_RUN;
        char *const room = sink_room(s, run * 4, err);
        if (!room) {
            break; /* as in write_text_row() */
        }
        for (size_t k = 0; k < run; k++) {
            put_little_endian(values[i + k], room + 4 * k);
        }
        sink_advance(s, run * 4);
    }
    return sink_write(s, "\n", 1, err);
}

static w2v_status write_rows(sink *s, const table_view *table, w2v_format format, int precision,
                             w2v_error *err)
{
    w2v_status status = W2V_OK;
    if (format != W2V_FORMAT_GLOVE) {
        status = sink_printf(s, err, "%zu %zu\n", table->rows, table->dim);
    }
    for (size_t row = 0; row < table->rows && status == W2V_OK; row++) {
        size_t n;
        const char *word = words_get(table->names, (uint32_t)row, &n);
        const float *values = table->values + row * table->stride;
        sink_write(s, word, n, err); /* a failure stays in the sink and comes back below */
        status = format == W2V_FORMAT_BINARY
                     ? write_binary_row(s, values, table->dim, err)
                     : write_text_row(s, values, table->dim, precision, err);
    }
    return status;
}

w2v_status vec_write(const table_view *table, const char *path, w2v_format format, int precision,
                     uint64_t *bytes, w2v_error *err)
{
    if (format == W2V_FORMAT_AUTO) {
        format = vec_format_of_name(path);
    }
    w2v_status status = check_table(table, path, format, precision, err);
    if (status != W2V_OK) {
        return status;
    }
    sink *s;
    status = sink_open(path, sink_name_is_gzip(path), &s, err);
    if (status != W2V_OK) {
        return status;
    }
    status = write_rows(s, table, format, precision, err);
    if (status != W2V_OK) {
        sink_abort(s);
        return status;
    }
    return sink_commit(s, bytes, err);
}
