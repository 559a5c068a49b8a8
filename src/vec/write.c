/*
 * Writers of vector files. All that could be refused is looked at before the
 * sink is opened, so a refusal never costs an older file.
 */
#include "vec/write.h"

#include "base/mem.h"
#include "base/num.h"
#include "io/magic.h"
#include "io/sink.h"
#include "vec/file.h"
#include "vec/text_row.h"
#include "vec/write_parts.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------- names */

static bool ends_with(const char *text, size_t n, const char *suffix)
{
    const size_t m = strlen(suffix);
    return n >= m && memcmp(text + n - m, suffix, m) == 0;
}

w2v_format vec_format_of_name(const char *path)
{
    static const struct {
        const char *suffix;
        w2v_format format;
    } endings[] = {
        {".txt", W2V_FORMAT_TEXT},
        {".vec", W2V_FORMAT_TEXT},
        {".glove", W2V_FORMAT_GLOVE},
        {".npy", W2V_FORMAT_NPY},
        {".safetensors", W2V_FORMAT_SAFETENSORS},
        {".tsv", W2V_FORMAT_TSV},
    };
    size_t n = strlen(path);
    if (sink_name_is_gzip(path)) {
        n -= strlen(".gz");
    }
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (ends_with(path, n, endings[i].suffix)) {
            return endings[i].format;
        }
    }
    return W2V_FORMAT_BINARY;
}

/* ------------------------------------------------------------------ checks */

static void put_little_endian(float value, char out[4])
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (unsigned k = 0; k < 4; k++) {
        out[k] = (char)(unsigned char)(bits >> (8 * k) & 0xffu);
    }
}

/*
 * Readers of binary take the bytes up to the first space and let a newline
 * end the row before; readers of text take the last `dim` fields of a line as
 * numbers and know ASCII white space only, of which CR, LF, VT and FF may end
 * a line or be trimmed from its ends. A list of words has a line for each.
 */
static bool breaks_row(char c, w2v_format format)
{
    switch (format) {
    case W2V_FORMAT_TSV:
        return false; /* escaped */
    case W2V_FORMAT_NPY:
    case W2V_FORMAT_SAFETENSORS:
        return c == '\n' || c == '\r';
    case W2V_FORMAT_BINARY:
        return c == ' ' || c == '\n';
    default:
        return c == ' ' || (c >= '\t' && c <= '\r');
    }
}

static bool holds_break(const char *word, size_t n, w2v_format format)
{
    for (size_t i = 0; i < n; i++) {
        if (breaks_row(word[i], format)) {
            return true;
        }
    }
    return false;
}

static w2v_status check_word(const char *word, size_t n, size_t row, const char *path,
                             w2v_format format, w2v_error *err)
{
    if (n == 0 && format != W2V_FORMAT_TSV) {
        return error_set(err, W2V_ERR_ARGUMENT, "'%s': the word of row %zu is empty", path,
                         row + 1);
    }
    char text[SHOWN_WORD];
    if (n > VEC_WORD_MAX && format != W2V_FORMAT_TSV) {
        return error_set(err, W2V_ERR_ARGUMENT,
                         "'%s': the word '%s' of row %zu is longer than %zu bytes", path,
                         shown_word(word, n, text), row + 1, VEC_WORD_MAX);
    }
    if (!holds_break(word, n, format)) {
        return W2V_OK;
    }
    const bool list = format == W2V_FORMAT_NPY || format == W2V_FORMAT_SAFETENSORS;
    error_set(err, W2V_ERR_ARGUMENT,
              "'%s': the word '%s' of row %zu has %s inside, which %s cannot hold", path,
              shown_word(word, n, text), row + 1, list ? "a line end" : "white space",
              list                          ? "a list of words"
              : format == W2V_FORMAT_BINARY ? "the binary format"
                                            : "a text format");
    if (!holds_break(word, n, W2V_FORMAT_BINARY)) {
        error_hint(err, "the binary format can hold it");
    } else if (!list && !holds_break(word, n, W2V_FORMAT_NPY)) {
        error_hint(err, "the .npy and .safetensors formats can hold it");
    }
    return W2V_ERR_ARGUMENT;
}

static bool is_fraction(const char *text, size_t n)
{
    bool finite;
    return memchr(text, '.', n) && number_is_one(text, n, &finite);
}

/*
 * A GloVe file has no header, so what it is must be seen from its first rows.
 * Rows of one number are lists of counts to our reader, a row like "3 4" is a
 * word2vec header to any, a byte order mark is taken off, and some words begin
 * files of another kind. A list of words has no header either.
 */
static w2v_status check_start(const table_view *table, const char *path, w2v_format format,
                              w2v_error *err)
{
    size_t n;
    const char *word = table_word(table, 0, &n);
    const char *as = NULL, *hint;
    const bool glove = format == W2V_FORMAT_GLOVE;
    if (n >= 3 && memcmp(word, "\xef\xbb\xbf", 3) == 0) {
        as = "a byte order mark";
    } else if (magic_find((const unsigned char *)word, n).kind == MAGIC_GZIP) {
        as = "a gzip file";
    } else if (magic_find((const unsigned char *)word, n).kind == MAGIC_OTHER) {
        as = "a compressed file";
    } else if (glove && vec_foreign(word, n, &hint)) {
        as = vec_foreign(word, n, &hint);
    } else if (glove && n >= 6 && memcmp(word, "\x93NUMPY", 6) == 0) {
        as = "a NumPy file";
    } else if (glove && is_fraction(word, n)) {
        as = "a number of a table without words";
    } else if (glove && table->dim == 1) {
        as = "the first of a list of words with counts";
    }
    if (!as) {
        return W2V_OK;
    }
    char text[SHOWN_WORD];
    error_set(err, W2V_ERR_ARGUMENT, "'%s': the first word '%s' would be read as %s", path,
              shown_word(word, n, text), as);
    error_hint(err, "word2vec text and binary files have a header of their own and can hold it");
    return W2V_ERR_ARGUMENT;
}

#define START_FLOATS 64 /* so many floats in a row are never all digits and spaces */

/* Floats whose bytes are digits and spaces would make a line of a text file. */
static w2v_status check_binary_start(const table_view *table, const char *path, w2v_error *err)
{
    char line[2 + 4 * START_FLOATS] = "w ";
    if (table->dim > START_FLOATS || table->unit) {
        return W2V_OK;
    }
    for (size_t i = 0; i < table->dim; i++) {
        put_little_endian(table_values(table, 0)[i], line + 2 + 4 * i);
    }
    const char *newline = memchr(line, '\n', 2 + 4 * table->dim);
    const size_t n = newline ? (size_t)(newline - line) : 2 + 4 * table->dim;
    if (text_row_numbers(line, n) < table->dim) {
        return W2V_OK;
    }
    error_set(err, W2V_ERR_ARGUMENT, "'%s': the first row would be read as text", path);
    error_hint(err, "its numbers are, byte for byte, digits: write it as text");
    return W2V_ERR_ARGUMENT;
}

w2v_status vec_write_check(const table_view *table, const char *path, w2v_format format,
                           int precision, w2v_error *err)
{
    format = format == W2V_FORMAT_AUTO ? vec_format_of_name(path) : format;
    if (precision < 0 || precision > 9) {
        return error_set(err, W2V_ERR_ARGUMENT, "precision '%d' is not in 0..9", precision);
    }
    if (table->rows == 0 || table->dim == 0) {
        return error_set(err, W2V_ERR_ARGUMENT, "'%s': a table of %zu rows of length %zu is empty",
                         path, table->rows, table->dim);
    }
    for (size_t row = 0; row < table->rows; row++) {
        size_t n;
        const char *word = table_word(table, row, &n);
        const w2v_status status = check_word(word, n, row, path, format, err);
        if (status != W2V_OK) {
            return status;
        }
    }
    const bool header =
        format == W2V_FORMAT_BINARY || format == W2V_FORMAT_TEXT || format == W2V_FORMAT_TSV;
    return header ? W2V_OK : check_start(table, path, format, err);
}

static w2v_status check_values(const table_view *table, const char *path, w2v_format format,
                               w2v_error *err)
{
    for (size_t row = 0; row < table->rows; row++) {
        if (!number_all_finite(table_values(table, row), table->dim)) {
            size_t n;
            const char *word = table_word(table, row, &n);
            char text[SHOWN_WORD];
            return error_set(err, W2V_ERR_ARGUMENT,
                             "'%s': the vector of '%s' holds a value that is not finite", path,
                             shown_word(word, n, text));
        }
    }
    return format == W2V_FORMAT_BINARY ? check_binary_start(table, path, err) : W2V_OK;
}

/* -------------------------------------------------------------------- rows */

/* Numbers are formatted straight into the sink's buffer, this many at a time: the room asked for
   stays small beside the buffer, and the call is paid once for all of them. */
#define TEXT_RUN 64
#define BINARY_RUN 1024

w2v_status write_numbers(sink *s, const float *values, size_t dim, char gap, bool lead,
                         int precision, w2v_error *err)
{
    for (size_t i = 0; i < dim; i += TEXT_RUN) {
        const size_t run = dim - i < TEXT_RUN ? dim - i : TEXT_RUN;
        char *const room = sink_room(s, run * (1 + NUM_FLOAT_TEXT), err);
        if (!room) {
            break; /* the newline's write below returns the sink's status */
        }
        char *at = room;
        for (size_t k = 0; k < run; k++) {
            if (lead || i + k > 0) {
                *at++ = gap;
            }
            at += num_format_float(values[i + k], precision, at);
        }
        sink_advance(s, (size_t)(at - room));
    }
    return sink_write(s, "\n", 1, err);
}

w2v_status write_floats(sink *s, const float *values, size_t dim, w2v_error *err)
{
    for (size_t i = 0; i < dim; i += BINARY_RUN) {
        const size_t run = dim - i < BINARY_RUN ? dim - i : BINARY_RUN;
        char *const room = sink_room(s, run * 4, err);
        if (!room) {
            break; /* as in write_numbers(): the failure stays in the sink */
        }
        for (size_t k = 0; k < run; k++) {
            put_little_endian(values[i + k], room + 4 * k);
        }
        sink_advance(s, run * 4);
    }
    return sink_write(s, "", 0, err);
}

const float *write_row(const table_view *table, size_t row, float *scratch)
{
    const float *values = table_values(table, row);
    if (!table->unit) {
        return values;
    }
    double square = 0;
    for (size_t i = 0; i < table->dim; i++) {
        square += (double)values[i] * (double)values[i];
    }
    const double length = sqrt(square);
    for (size_t i = 0; i < table->dim; i++) {
        scratch[i] = length > 0 ? (float)((double)values[i] / length) : values[i];
    }
    return scratch;
}

static w2v_status write_rows(sink *s, const table_view *table, w2v_format format, int precision,
                             float *scratch, w2v_error *err)
{
    w2v_status status = W2V_OK;
    if (format != W2V_FORMAT_GLOVE) {
        status = sink_printf(s, err, "%zu %zu\n", table->rows, table->dim);
    }
    for (size_t row = 0; row < table->rows && status == W2V_OK; row++) {
        size_t n;
        const char *word = table_word(table, row, &n);
        const float *values = write_row(table, row, scratch);
        sink_write(s, word, n, err); /* a failure stays in the sink and comes back below */
        if (format == W2V_FORMAT_BINARY) {
            sink_write(s, " ", 1, err);
            write_floats(s, values, table->dim, err);
            status = sink_write(s, "\n", 1, err);
        } else {
            status = write_numbers(s, values, table->dim, ' ', true, precision, err);
        }
    }
    return status;
}

static w2v_status write_one(const table_view *table, const char *path, w2v_format format,
                            int precision, float *scratch, uint64_t *bytes, w2v_error *err)
{
    sink *s;
    w2v_status status = sink_open(path, sink_name_is_gzip(path), &s, err);
    if (status != W2V_OK) {
        return status;
    }
    status = write_rows(s, table, format, precision, scratch, err);
    if (status != W2V_OK) {
        sink_abort(s);
        return status;
    }
    return sink_commit(s, bytes, err);
}

w2v_status vec_write(const table_view *table, const char *path, w2v_format format, int precision,
                     uint64_t *bytes, w2v_error *err)
{
    if (format == W2V_FORMAT_AUTO) {
        format = vec_format_of_name(path);
    }
    w2v_status status = vec_write_check(table, path, format, precision, err);
    status = status ? status : check_values(table, path, format, err);
    if (status != W2V_OK) {
        return status;
    }
    float *scratch = mem_calloc(table->unit ? table->dim : 1, sizeof *scratch);
    if (!scratch) {
        return error_memory(err, "a row");
    }
    status = write_is_pair(format) ? write_pair(table, path, format, precision, scratch, bytes, err)
                                   : write_one(table, path, format, precision, scratch, bytes, err);
    mem_free(scratch);
    return status;
}
