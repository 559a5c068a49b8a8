/*
 * Any bytes as a checkpoint: opened with its sums checked and, so that what
 * lies behind them is reached, unchecked; its tables are read into a model.
 */
#include "train/checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look(w2v_checkpoint *c)
{
    const w2v_checkpoint_info *info = w2v_checkpoint_facts(c);
    const w2v_vocab *v = w2v_checkpoint_vocab(c);
    if (info->words == 0 || w2v_vocab_size(v) != info->words || info->epochs > info->train.epochs ||
        info->tokens > info->tokens_total || info->frozen > info->words || isinf(info->loss)) {
        abort();
    }
    for (uint32_t id = 0; id < info->words; id++) {
        size_t n;
        const char *word = w2v_vocab_word(v, id, &n);
        if (n == 0 || strlen(word) != n || w2v_vocab_find(v, word, n) != id) {
            abort();
        }
    }
    if (info->text.base && w2v_vocab_size(info->text.base) > info->words) {
        abort();
    }
}

static w2v_status read_tables(w2v_checkpoint *c, w2v_error *err)
{
    w2v_model *m;
    /* Far more than a seed needs: a stream may promise rows of any length. */
    if ((uint64_t)c->shape.words * c->shape.dim > (uint64_t)1 << 22) {
        return error_set(err, W2V_ERR_MEMORY, "too large for here");
    }
    w2v_status status = model_create(c->shape.words, c->shape.dim, 1, &m, err);
    if (status == W2V_OK) {
        status = checkpoint_read_tables(c, m, err);
        if (status == W2V_OK && !model_is_finite(m)) {
            abort();
        }
        w2v_model_free(m);
    }
    return status;
}

static void try_bytes(const uint8_t *data, size_t size, bool checked)
{
    source *src;
    w2v_checkpoint *c;
    w2v_error err = {0};
    if (source_open_memory(data, size, "input", &src, NULL) != W2V_OK) {
        return;
    }
    w2v_status status = checkpoint_open_source(src, "input", checked ? size : 0, checked, &c, &err);
    if (status == W2V_OK) {
        look(c);
        status = read_tables(c, &err);
    }
    if (status != W2V_OK && (err.code != status || err.text[0] == '\0')) {
        abort();
    }
    w2v_checkpoint_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_bytes(data, size, true);
    try_bytes(data, size, false);
    return 0;
}
