/* The tables of a checkpoint, on their way into a model. */
#include "base/mem.h"
#include "train/checkpoint.h"
#include "vec/number.h"

/* Rows are read some at a time, but no more bytes than this unless one row has more. */
#define PIECE ((size_t)1 << 18)

static w2v_status read_table(w2v_checkpoint *c, float *table, size_t stride, char *bytes,
                             w2v_error *err)
{
    const size_t row = (size_t)c->shape.dim * sizeof(float);
    const size_t some = row < PIECE ? PIECE / row : 1;
    for (size_t id = 0; id < c->shape.words; id += some) {
        const size_t left = c->shape.words - id, n = left < some ? left : some;
        const w2v_status status = checkpoint_take(c, bytes, n * row, err);
        if (status != W2V_OK) {
            return status;
        }
        for (size_t i = 0; i < n; i++) {
            float *to = table + (id + i) * stride;
            number_convert(NUMBER_F32, bytes + i * row, c->shape.dim, to);
            if (!number_all_finite(to, c->shape.dim)) {
                return checkpoint_damaged(c, err, "a vector is not finite");
            }
        }
    }
    return W2V_OK;
}

/* The sum at the end, and nothing behind it. */
static w2v_status read_end(w2v_checkpoint *c, w2v_error *err)
{
    unsigned char more;
    size_t got = 0;
    w2v_status status = checkpoint_take_sum(c, err);
    status = status ? status : source_read(c->src, &more, 1, &got, err);
    if (status == W2V_OK && got > 0) {
        status = checkpoint_damaged(c, err, "more follows where it should end");
    }
    return status;
}

w2v_status checkpoint_read_tables(w2v_checkpoint *c, w2v_model *model, w2v_error *err)
{
    const size_t row = (size_t)c->shape.dim * sizeof(float);
    if (!c->src) {
        return error_set(err, W2V_ERR_ARGUMENT, "'%s' was opened for one training only", c->name);
    }
    char *bytes = mem_alloc(row < PIECE ? PIECE : row);
    w2v_status status = bytes ? W2V_OK : error_memory(err, "the checkpoint");
    status = status ? status : read_table(c, model->word, model->stride, bytes, err);
    status = status ? status : read_table(c, model->context, model->stride, bytes, err);
    status = status ? status : read_end(c, err);
    mem_free(bytes);
    source_close(c->src);
    c->src = NULL;
    return status;
}
