/* word2vec binary as a stream: pipes, gzip, memory, and damaged files. */
#include "vec/binary_row.h"
#include "vec/file.h"

#include "base/mem.h"

#include <inttypes.h>
#include <string.h>

typedef struct binary_reader {
    w2v_vectors *v;
    binary_dialect dialect;
    uint64_t row;     /* rows met */
    const char *word; /* of this row, in the window; valid until the row is skipped */
    size_t length;
    float *values; /* of a row; made when the first row is there */
    w2v_error *err;
} binary_reader;

/*
 * Looks at the next row without taking it: 1 it is whole, 0 the file ends
 * before it, -1 it is damaged or reading failed (*status).
 */
static int next_row(binary_reader *r, w2v_status *status)
{
    vec_file *f = r->v->file;
    const size_t values = 4 * (size_t)r->v->dim;
    binary_row row;
    binary_fault fault;
    size_t need = VEC_WORD_MAX + 2;
    for (;;) {
        *status = vec_peek(r->v, need, r->err);
        if (*status != W2V_OK) {
            return -1;
        }
        fault = binary_row_look(input_data(&f->in), input_size(&f->in), values, r->dialect,
                                r->row > 0, &row);
        if (fault != BINARY_SHORT || f->in.ended) {
            break;
        }
        need = input_size(&f->in) + 1 > need + values ? input_size(&f->in) + 1 : need + values;
    }
    if (fault == BINARY_FINE) {
        r->word = input_data(&f->in) + row.word;
        r->length = row.length;
        return 1;
    }
    if (fault == BINARY_SHORT && row.left == 0) {
        return 0;
    }
    *status = binary_row_error(r->v, fault, r->row, f->in.offset, f->in.offset + input_size(&f->in),
                               r->err);
    return -1;
}

static w2v_status take_row(binary_reader *r)
{
    w2v_vectors *v = r->v;
    const char *bytes = r->word + r->length + 1;
    r->values = r->values ? r->values : mem_alloc((size_t)v->dim * sizeof *r->values);
    if (!r->values) {
        return error_memory(r->err, "a row");
    }
    number_convert(NUMBER_F32, bytes, v->dim, r->values);
    if (number_all_finite(r->values, v->dim)) {
        return vec_append(v, r->word, r->length, r->values, r->err);
    }
    v->report.nonfinite_rows++;
    if (!v->file->options.lenient) {
        return binary_nonfinite_error(v, r->row, r->word, r->length, r->err);
    }
    v->report.rows_left_out++;
    return W2V_OK;
}

static void skip_row(binary_reader *r)
{
    input *in = &r->v->file->in;
    input_skip(in, (size_t)(r->word - input_data(in)) + r->length + 1 + 4 * (size_t)r->v->dim);
    r->row++;
    if (r->row == 1) {           /* the first row's end tells the dialect of all */
        w2v_error ignored = {0}; /* what fails here fails again where it matters */
        (void)input_peek(in, 1, &ignored);
        r->dialect = input_size(in) > 0 && *input_data(in) == '\n' ? BINARY_NEWLINE : BINARY_BARE;
    }
}

/* Rows that the header does not promise are counted, as far as they are rows. */
static void count_extra(binary_reader *r)
{
    w2v_error ignored = {0};
    w2v_status status;
    w2v_error *const err = r->err;
    w2v_vectors *v = r->v;
    r->err = &ignored;
    while (next_row(r, &status) == 1) {
        v->report.extra_rows++;
        skip_row(r);
    }
    r->err = err;
    if (v->report.extra_rows > 0) {
        vec_note(v, "the header promises %" PRIu64 " rows; %" PRIu64 " more are left out",
                 v->file->rows, v->report.extra_rows);
    }
}

/* Takes rows up to the number wanted; damage ends them, quietly under `lenient`. */
static w2v_status take_rows(binary_reader *r)
{
    w2v_vectors *v = r->v;
    const uint64_t wanted = vec_rows_wanted(v);
    while (r->row < wanted) {
        w2v_status status = W2V_OK;
        w2v_error fault = {0};
        w2v_error *const err = r->err;
        r->err = &fault;
        const int found = next_row(r, &status);
        r->err = err;
        if (found == 0) {
            return W2V_OK;
        }
        if (found < 0) {
            if (v->file->options.lenient && status == W2V_ERR_INPUT) {
                vec_note(v, "%s", fault.text);
                return W2V_OK;
            }
            return error_pass(err, &fault);
        }
        status = take_row(r);
        if (status != W2V_OK) {
            return status;
        }
        skip_row(r);
    }
    return W2V_OK;
}

w2v_status vec_read_binary(w2v_vectors *v, w2v_error *err)
{
    binary_reader r = {.v = v, .dialect = BINARY_UNKNOWN, .err = err};
    uint64_t skipped;
    w2v_status status = input_pass(&v->file->in, v->file->data_at, &skipped, err);
    if (status == W2V_OK) {
        status = take_rows(&r);
    }
    mem_free(r.values);
    if (status == W2V_OK && r.row == v->file->rows) {
        count_extra(&r);
    }
    const uint64_t end = v->file->in.offset + input_size(&v->file->in);
    return status == W2V_OK ? vec_check_count(v, end, err) : status;
}
