/* The table while it is filled, and the errors and notes that readers share. */
#include "base/mem.h"
#include "base/num.h"
#include "base/shown.h"
#include "base/utf8.h"
#include "os/pages.h"
#include "vec/file.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define STRIDE_UNIT 16            /* floats of a cache line */
#define ROWS_MAX (UINT32_MAX - 2) /* ids above are "none" */

uint64_t vec_rows_wanted(const w2v_vectors *v)
{
    const uint64_t promised = v->file->rows ? v->file->rows : UINT64_MAX;
    const uint64_t limit = v->file->options.limit ? v->file->options.limit : UINT64_MAX;
    return promised < limit ? promised : limit;
}

static w2v_status check_limit(const w2v_vectors *v, size_t bytes, uint64_t rows, w2v_error *err)
{
    const uint64_t chosen = v->file->options.max_memory;
    const uint64_t limit = chosen ? chosen : pages_available();
    if (limit == 0 || bytes <= limit) {
        return W2V_OK;
    }
    char need[32], have[32];
    num_format_bytes(bytes, need);
    num_format_bytes(limit, have);
    error_set(err, W2V_ERR_MEMORY,
              "'%s': a table of %" PRIu64 " rows of %" PRIu32 " numbers needs %s, but %s %s",
              vec_name(v), rows, v->dim, need, have, chosen ? "are allowed" : "are free");
    error_hint(err, "load the first rows only with --limit N");
    return W2V_ERR_MEMORY;
}

static w2v_status resize(w2v_vectors *v, uint64_t rows, w2v_error *err)
{
    v->stride = ((size_t)v->dim + STRIDE_UNIT - 1) / STRIDE_UNIT * STRIDE_UNIT;
    if (rows > ROWS_MAX) {
        return error_set(err, W2V_ERR_INPUT, "'%s' has more than %" PRIu32 " rows", vec_name(v),
                         (uint32_t)ROWS_MAX);
    }
    size_t bytes;
    if (!mem_multiply(v->stride * sizeof(float), (size_t)rows, &bytes)) {
        return error_memory(err, "the table");
    }
    const w2v_status status = check_limit(v, bytes, rows, err);
    if (status != W2V_OK) {
        return status;
    }
    float *values = pages_alloc(bytes);
    if (!values) {
        return error_memory(err, "the table");
    }
    const size_t row_bytes = v->stride * sizeof *values;
    if (v->values) {
        memcpy(values, v->values, v->rows * row_bytes);
        pages_free(v->values, v->room * row_bytes);
    }
    v->values = values;
    v->room = (size_t)rows;
    return W2V_OK;
}

w2v_status vec_reserve_exactly(w2v_vectors *v, uint64_t rows, w2v_error *err)
{
    return rows <= v->room ? W2V_OK : resize(v, rows, err);
}

w2v_status vec_reserve(w2v_vectors *v, uint64_t rows, w2v_error *err)
{
    if (rows <= v->room) {
        return W2V_OK;
    }
    uint64_t goal = v->room + v->room / 2;
    goal = goal < rows ? rows : goal;
    const uint64_t wanted = vec_rows_wanted(v);
    const uint64_t most = wanted < ROWS_MAX ? wanted : ROWS_MAX;
    goal = goal > most ? most : goal;
    return resize(v, goal < rows ? rows : goal, err);
}

w2v_status vec_append(w2v_vectors *v, const char *word, size_t n, const float *values,
                      w2v_error *err)
{
    const w2v_status status = vec_reserve(v, (uint64_t)v->rows + 1, err);
    if (status != W2V_OK) {
        return status;
    }
    if (!words_append(&v->names, word, n)) {
        return error_memory(err, "the words");
    }
    memcpy(v->values + (size_t)v->rows * v->stride, values, v->dim * sizeof *values);
    v->rows++;
    v->report.zero_rows += number_look(values, v->dim) == NUMBERS_ZERO;
    v->report.invalid_utf8 += !utf8_valid(word, n);
    return W2V_OK;
}

static w2v_status damaged_end(w2v_vectors *v, const w2v_error *fault, w2v_error *err)
{
    if (!v->file->options.lenient || fault->code != W2V_ERR_INPUT) {
        return error_pass(err, fault);
    }
    vec_note(v, "%s", fault->text);
    v->file->in.ended = true;
    return W2V_OK;
}

w2v_status vec_peek(w2v_vectors *v, size_t n, w2v_error *err)
{
    w2v_error fault = {0};
    const w2v_status status = input_peek(&v->file->in, n, &fault);
    return status == W2V_OK ? W2V_OK : damaged_end(v, &fault, err);
}

w2v_status vec_read(w2v_vectors *v, void *buffer, size_t n, size_t *got, w2v_error *err)
{
    w2v_error fault = {0};
    const w2v_status status = input_read(&v->file->in, buffer, n, got, &fault);
    return status == W2V_OK ? W2V_OK : damaged_end(v, &fault, err);
}

void vec_note(w2v_vectors *v, const char *format, ...)
{
    if (v->report.note[0] == '\0') {
        char text[2 * sizeof((w2v_error *)NULL)->text]; /* an error's text, perhaps */
        va_list args;
        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
        shown_fit(text, strlen(text), v->report.note, sizeof v->report.note);
    }
}

w2v_status vec_error_at(w2v_error *err, uint64_t line, uint64_t offset, const char *format, ...)
{
    const bool first = err && err->code == W2V_OK;
    va_list args;
    va_start(args, format);
    error_set_list(err, W2V_ERR_INPUT, format, args);
    va_end(args);
    if (first) {
        err->line = line;
        err->offset = offset;
    }
    return W2V_ERR_INPUT;
}

w2v_status vec_check_count(w2v_vectors *v, uint64_t end, w2v_error *err)
{
    const uint64_t wanted = vec_rows_wanted(v);
    const uint64_t met = v->rows + v->report.rows_left_out;
    if (met == 0) {
        return error_set(err, W2V_ERR_INPUT, "'%s' holds no rows", vec_name(v));
    }
    if (v->rows == 0) {
        return error_set(err, W2V_ERR_INPUT, "'%s' holds no row that can be used", vec_name(v));
    }
    if (v->file->rows == 0 || met >= wanted) {
        return W2V_OK;
    }
    if (!v->file->options.lenient) {
        vec_error_at(err, 0, end,
                     "'%s' promises %" PRIu64 " rows and ends after %" PRIu64 ", at byte %" PRIu64,
                     vec_name(v), v->file->rows, met, end);
        error_hint(err, "--lenient takes the rows there are");
        return W2V_ERR_INPUT;
    }
    vec_note(v, "the header promises %" PRIu64 " rows and the file ends after %" PRIu64,
             v->file->rows, met);
    v->report.rows_left_out += wanted - met;
    return W2V_OK;
}
