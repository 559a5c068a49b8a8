#include "train/model.h"

#include "base/mem.h"
#include "base/num.h"
#include "base/rng.h"
#include "os/pages.h"
#include "train/kernel.h"
#include "vec/write.h"

#include <math.h>

static size_t padded_dim(uint32_t dim)
{
    return ((size_t)dim + KERNEL_LANES - 1) / KERNEL_LANES * KERNEL_LANES;
}

size_t model_table_bytes(uint32_t rows, uint32_t dim)
{
    size_t bytes;
    if (!mem_multiply(rows, padded_dim(dim), &bytes) || !mem_multiply(bytes, sizeof(float), &bytes)) {
        return 0;
    }
    return bytes;
}

w2v_status model_create(uint32_t rows, uint32_t dim, uint32_t epochs, w2v_model **out, w2v_error *err)
{
    *out = NULL;
    w2v_model *model = mem_calloc(1, sizeof *model);
    if (!model) {
        return error_memory(err, "the model");
    }
    model->rows = rows;
    model->dim = dim;
    model->stride = padded_dim(dim);
    model->table_bytes = model_table_bytes(rows, dim);
    if (model->table_bytes > 0) {
        model->word = pages_alloc(model->table_bytes);
        model->context = pages_alloc(model->table_bytes);
    }
    model->epoch_loss = mem_calloc(epochs, sizeof *model->epoch_loss);
    if (!model->word || !model->context || !model->epoch_loss) {
        char words_text[32];
        num_format_grouped(rows, words_text);
        w2v_model_free(model);
        return error_set(err, W2V_ERR_MEMORY, "no memory for 2 tables of %s words x %u numbers",
                         words_text, (unsigned)dim);
    }
    *out = model;
    return W2V_OK;
}

void w2v_model_free(w2v_model *model)
{
    if (model) {
        pages_free(model->word, model->table_bytes);
        pages_free(model->context, model->table_bytes);
        mem_free(model->epoch_loss);
        mem_free(model->frozen);
        mem_free(model);
    }
}

/* FNV-1a, 64 bits: names the stream of a word. */
static uint64_t word_hash(const char *word, size_t n)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++) {
        h = (h ^ (unsigned char)word[i]) * 0x100000001b3u;
    }
    return h;
}

void model_start_rows(w2v_model *model, const w2v_vocab *vocab, uint64_t seed, uint32_t begin,
                      uint32_t end)
{
    const float dim = (float)model->dim;
    for (uint32_t id = begin; id < end; id++) {
        size_t length;
        const char *word = words_get(&vocab->names, id, &length);
        rng random = rng_stream(seed, RNG_INIT, word_hash(word, length), 0);
        float *row = model->word + (size_t)id * model->stride;
        for (uint32_t c = 0; c < model->dim; c++) {
            const float unit = (float)(rng_next(&random) >> 40) * 0x1p-24f; /* 0 <= unit < 1 */
            row[c] = (unit - 0.5f) / dim;
        }
    }
}

static bool table_is_finite(const float *values, size_t n)
{
    /* A sum of zero products is zero unless a factor is infinite or undefined. */
    float sum = 0.0f;
    for (size_t i = 0; i < n; i++) {
        sum += values[i] * 0.0f;
    }
    return sum == 0.0f;
}

bool model_is_finite(const w2v_model *model)
{
    const size_t n = (size_t)model->rows * model->stride;
    return table_is_finite(model->word, n) && table_is_finite(model->context, n);
}

const w2v_train_result *w2v_model_result(const w2v_model *model)
{
    return &model->result;
}

double w2v_model_epoch_loss(const w2v_model *model, uint32_t e)
{
    return model->epoch_loss[e];
}

uint32_t w2v_model_dim(const w2v_model *model)
{
    return model->dim;
}

const float *w2v_model_row(const w2v_model *model, bool context, uint32_t id)
{
    return (context ? model->context : model->word) + (size_t)id * model->stride;
}

w2v_save_options w2v_save_options_default(void)
{
    return (w2v_save_options){.format = W2V_FORMAT_AUTO, .precision = 0, .context = false};
}

w2v_status w2v_save_check(const w2v_vocab *vocab, uint32_t dim, const char *path,
                          const w2v_save_options *options, w2v_error *err)
{
    const w2v_save_options chosen = options ? *options : w2v_save_options_default();
    const table_view table = {
        .names = &vocab->names, .rows = vocab->names.count, .dim = dim, .stride = dim};
    return vec_write_check(&table, path, chosen.format, chosen.precision, err);
}

w2v_status w2v_model_save(const w2v_model *model, const w2v_vocab *vocab, const char *path,
                          const w2v_save_options *options, uint64_t *bytes, w2v_error *err)
{
    const w2v_save_options chosen = options ? *options : w2v_save_options_default();
    if (w2v_vocab_size(vocab) != model->rows) {
        return error_set(err, W2V_ERR_ARGUMENT, "the vocabulary is not the model's");
    }
    const table_view table = {
        .names = &vocab->names,
        .values = chosen.context ? model->context : model->word,
        .rows = model->rows,
        .dim = model->dim,
        .stride = model->stride,
    };
    return vec_write(&table, path, chosen.format, chosen.precision, bytes, err);
}
