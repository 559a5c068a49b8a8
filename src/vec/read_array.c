/* Rows of an array, whose words stand in a file of their own. */
#include "base/mem.h"
#include "vec/file.h"

#include <inttypes.h>
#include <string.h>

w2v_status vec_take_shape(w2v_vectors *v, uint64_t rows, uint64_t dim, w2v_error *err)
{
    vec_file *f = v->file;
    if (rows == 0 || dim == 0 || dim > VEC_DIM_MAX) {
        return error_set(err, W2V_ERR_INPUT,
                         "'%s': an array of %" PRIu64 " x %" PRIu64 " numbers is no table",
                         vec_name(v), rows, dim);
    }
    const uint64_t row = dim * number_size(f->number);
    const uint64_t there = f->size > f->data_at ? f->size - f->data_at : 0;
    if (f->size && rows > there / row && !f->options.lenient) {
        vec_error_at(err, 0, f->size,
                     "'%s' promises %" PRIu64 " rows of %" PRIu64 " bytes and ends after %" PRIu64
                     ", at byte %" PRIu64,
                     vec_name(v), rows, row, there / row, f->size);
        error_hint(err, "--lenient takes the rows there are");
        return W2V_ERR_INPUT;
    }
    f->rows = rows;
    v->dim = (uint32_t)dim;
    return W2V_OK;
}

typedef struct array_reader {
    w2v_vectors *v;
    vec_labels labels;
    float *values;
    uint64_t row;
} array_reader;

static w2v_status put_row(array_reader *r, w2v_error *err)
{
    w2v_vectors *v = r->v;
    const uint32_t row = (uint32_t)r->row;
    if (r->labels.known && !r->labels.known[row]) {
        v->report.rows_left_out++;
        vec_note(v, "rows without a word are left out, the first of them row %" PRIu32, row + 1);
        return W2V_OK;
    }
    size_t n;
    const char *word = words_get(&r->labels.names, row, &n);
    if (number_all_finite(r->values, v->dim)) {
        return vec_append(v, word, n, r->values, err);
    }
    v->report.nonfinite_rows++;
    if (v->file->options.lenient) {
        v->report.rows_left_out++;
        return W2V_OK;
    }
    char text[SHOWN_WORD];
    error_set(err, W2V_ERR_INPUT,
              "'%s' row %" PRIu32 ": the vector of '%s' holds a number that is not finite",
              vec_name(v), row + 1, shown_word(word, n, text));
    error_hint(err, "--lenient leaves such rows out");
    return W2V_ERR_INPUT;
}

static w2v_status read_rows(array_reader *r, w2v_error *err)
{
    w2v_vectors *v = r->v;
    vec_file *f = v->file;
    const size_t bytes = (size_t)v->dim * number_size(f->number);
    const uint64_t wanted = vec_rows_wanted(v);
    while (r->row < wanted && r->row < r->labels.names.count) {
        w2v_status status = vec_peek(v, bytes, err);
        if (status != W2V_OK) {
            return status;
        }
        if (input_size(&f->in) < bytes) {
            break;
        }
        r->values = r->values ? r->values : mem_alloc((size_t)v->dim * sizeof *r->values);
        if (!r->values) {
            return error_memory(err, "a row");
        }
        number_convert(f->number, input_data(&f->in), v->dim, r->values);
        input_skip(&f->in, bytes);
        status = put_row(r, err);
        if (status != W2V_OK) {
            return status;
        }
        r->row++;
    }
    return vec_check_count(v, f->in.offset + input_size(&f->in), err);
}

static w2v_status start(array_reader *r, w2v_error *err)
{
    w2v_vectors *v = r->v;
    vec_file *f = v->file;
    uint64_t skipped;
    w2v_status status = vec_read_labels(v, &r->labels, err);
    if (status == W2V_OK) {
        status = input_pass(&f->in, f->data_at - f->in.offset, &skipped, err);
    }
    if (status != W2V_OK) {
        return status;
    }
    /* Only as many rows as the file has bytes for; a stream makes room as they come. */
    const uint64_t row = (uint64_t)v->dim * number_size(f->number);
    const uint64_t there = f->size > f->data_at ? (f->size - f->data_at) / row : 0;
    const uint64_t wanted = vec_rows_wanted(v);
    return vec_reserve_exactly(v, wanted < there ? wanted : there ? there : 1, err);
}

w2v_status vec_read_array(w2v_vectors *v, w2v_error *err)
{
    array_reader r = {.v = v};
    w2v_status status = start(&r, err);
    if (status == W2V_OK) {
        status = read_rows(&r, err);
    }
    vec_labels_clear(&r.labels);
    mem_free(r.values);
    return status;
}
