/* The header of a checkpoint, and where its tensors lie. */
#include "train/checkpoint.h"

#include <inttypes.h>
#include <string.h>

/* Tensors begin at multiples of this. */
#define ALIGNMENT 8

void checkpoint_layout(const checkpoint_shape *s, checkpoint_tensor out[TENSOR_COUNT])
{
    const checkpoint_tensor tensors[TENSOR_COUNT] = {
        [TENSOR_STATE] = {"state", "I64", {STATE_COUNT}, 1, 0, 8 * STATE_COUNT},
        [TENSOR_LOSSES] = {"losses", "F64", {s->epochs}, 1, 0, 8 * (uint64_t)s->epochs},
        [TENSOR_COUNTS] = {"counts", "I64", {s->words}, 1, 0, 8 * (uint64_t)s->words},
        [TENSOR_BASE_COUNTS] =
            {"base_counts", "I64", {s->base_words}, 1, 0, 8 * (uint64_t)s->base_words},
        [TENSOR_OFFSETS] =
            {"offsets", "I64", {(uint64_t)s->words + 1}, 1, 0, 8 * ((uint64_t)s->words + 1)},
        [TENSOR_WORDS] = {"words", "U8", {s->word_bytes}, 1, 0, s->word_bytes},
        [TENSOR_FROZEN] =
            {"frozen", "U8", {s->frozen ? s->words : 0}, 1, 0, s->frozen ? s->words : 0},
        [TENSOR_CHECK] = {"check", "I64", {1}, 1, 0, 8},
        [TENSOR_WORD] = {"word", "F32", {s->words, s->dim}, 2, 0, 4 * (uint64_t)s->words * s->dim},
        [TENSOR_CONTEXT] =
            {"context", "F32", {s->words, s->dim}, 2, 0, 4 * (uint64_t)s->words * s->dim},
        /* bytes, since it need not lie at a multiple of eight */
        [TENSOR_TABLE_CHECK] = {"table_check", "U8", {8}, 1, 0, 8},
    };
    memcpy(out, tensors, sizeof tensors);
    for (size_t i = 1; i < TENSOR_COUNT; i++) {
        out[i].begin = out[i - 1].begin + out[i - 1].bytes;
    }
}

static bool describe(buf *out, const checkpoint_tensor *t)
{
    bool ok = buf_printf(out, ",\"%s\":{\"dtype\":\"%s\",\"shape\":[%" PRIu64, t->name, t->type,
                         t->shape[0]);
    if (t->axes == 2) {
        ok = ok && buf_printf(out, ",%" PRIu64, t->shape[1]);
    }
    return ok && buf_printf(out, "],\"data_offsets\":[%" PRIu64 ",%" PRIu64 "]}", t->begin,
                            t->begin + t->bytes);
}

bool checkpoint_put_string(buf *out, const char *text)
{
    bool ok = buf_append(out, "\"", 1);
    for (; ok && *text; text++) {
        const unsigned char c = (unsigned char)*text;
        ok = c < 0x20                ? buf_printf(out, "\\u%04x", c)
             : c == '"' || c == '\\' ? buf_printf(out, "\\%c", c)
                                     : buf_append(out, text, 1);
    }
    return ok && buf_append(out, "\"", 1);
}

w2v_status checkpoint_head(const checkpoint_shape *shape, const buf *metadata, buf *out,
                           w2v_error *err)
{
    checkpoint_tensor tensors[TENSOR_COUNT];
    unsigned char length[8] = {0};
    checkpoint_layout(shape, tensors);
    bool ok = buf_append(out, length, sizeof length) &&
              buf_append_string(out, "{\"__metadata__\":{") &&
              buf_append(out, metadata->data, metadata->size) && buf_append_string(out, "}");
    for (size_t i = 0; ok && i < TENSOR_COUNT; i++) {
        ok = describe(out, &tensors[i]);
    }
    ok = ok && buf_append_string(out, "}");
    while (ok && out->size % ALIGNMENT != 0) {
        ok = buf_append(out, " ", 1);
    }
    if (!ok) {
        return error_memory(err, "the checkpoint");
    }
    checkpoint_put_u64(out->size - sizeof length, (unsigned char *)out->data);
    return W2V_OK;
}
