/* Writing a checkpoint; see w2v.h. */
#include "base/mem.h"
#include "base/utf8.h"
#include "io/sink.h"
#include "text/corpus.h"
#include "train/checkpoint.h"

#include <string.h>

/* Numbers turned to bytes at a time. */
#define NUMBERS 1024

typedef struct writer {
    const w2v_model *model;
    const w2v_corpus *corpus;
    checkpoint_shape shape;
    sink *out;
    hash sum;
    w2v_error *err;
    unsigned char bytes[8 * NUMBERS];
} writer;

static w2v_status put(writer *w, const void *bytes, size_t n)
{
    hash_add(&w->sum, bytes, n);
    return sink_write(w->out, bytes, n, w->err);
}

static w2v_status put_numbers(writer *w, const uint64_t *numbers, uint64_t n)
{
    w2v_status status = W2V_OK;
    for (uint64_t at = 0; at < n && status == W2V_OK; at += NUMBERS) {
        const size_t some = n - at < NUMBERS ? (size_t)(n - at) : NUMBERS;
        for (size_t i = 0; i < some; i++) {
            checkpoint_put_u64(numbers[at + i], w->bytes + 8 * i);
        }
        status = put(w, w->bytes, 8 * some);
    }
    return status;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static w2v_status put_state(writer *w)
{
    const train_place *place = &w->model->place;
    const w2v_text_stats *stats = &w->corpus->stats;
    uint64_t state[STATE_COUNT] = {
        [STATE_EPOCH] = place->epoch,
        [STATE_BLOCK] = place->block,
        [STATE_TOKENS] = place->tokens,
        [STATE_PAIRS] = place->pairs,
        [STATE_EPOCH_PAIRS] = place->epoch_pairs,
        [STATE_EPOCH_LOSS] = bits_of(place->epoch_loss),
        [STATE_TOKENS_KEPT] = stats->tokens_kept,
        [STATE_SENTENCES] = stats->sentences,
    };
    w2v_status status = corpus_fingerprint(w->corpus, &state[STATE_FINGERPRINT], w->err);
    if (status == W2V_OK) {
        status = put_numbers(w, state, STATE_COUNT);
    }
    for (uint32_t e = 0; status == W2V_OK && e < place->epoch; e++) {
        const uint64_t loss = bits_of(w->model->epoch_loss[e]);
        status = put_numbers(w, &loss, 1);
    }
    return status;
}

/* Offsets of words without the NULs that stand between them in memory. */
static w2v_status put_offsets(writer *w)
{
    const words *names = &w->corpus->vocab->names;
    w2v_status status = W2V_OK;
    for (uint64_t at = 0; at <= names->count && status == W2V_OK; at += NUMBERS) {
        const uint64_t left = names->count + (uint64_t)1 - at;
        const size_t some = left < NUMBERS ? (size_t)left : NUMBERS;
        for (size_t i = 0; i < some; i++) {
            checkpoint_put_u64(names->offsets[at + i] - (at + i), w->bytes + 8 * i);
        }
        status = put(w, w->bytes, 8 * some);
    }
    return status;
}

static w2v_status put_words(writer *w)
{
    const words *names = &w->corpus->vocab->names;
    uint64_t written = 0;
    w2v_status status = put_offsets(w);
    for (uint32_t id = 0; id < names->count && status == W2V_OK; id++) {
        size_t n;
        const char *word = words_get(names, id, &n);
        status = put(w, word, n);
        written += n;
    }
    const char padding[8] = {0};
    if (status == W2V_OK) {
        status = put(w, padding, (size_t)(w->shape.word_bytes - written));
    }
    if (status == W2V_OK && w->shape.frozen) {
        status = put(w, w->model->frozen, w->shape.words);
    }
    return status;
}

/* Ends what a sum covers: from here on a new one. */
static w2v_status put_sum(writer *w)
{
    const uint64_t sum = hash_end(&w->sum);
    const w2v_status status = put_numbers(w, &sum, 1);
    w->sum = (hash){.sum = HASH_START};
    return status;
}

/* Rows without their padding. */
static w2v_status put_table(writer *w, const float *table)
{
    const w2v_model *m = w->model;
    w2v_status status = W2V_OK;
    for (uint32_t id = 0; id < m->rows; id++) {
        const float *row = table + (size_t)id * m->stride;
        for (size_t c = 0; c < m->dim && status == W2V_OK; c += 2 * NUMBERS) {
            const size_t some = m->dim - c < 2 * NUMBERS ? m->dim - c : 2 * NUMBERS;
            for (size_t i = 0; i < some; i++) {
                uint32_t bits;
                memcpy(&bits, row + c + i, sizeof bits);
                for (unsigned k = 0; k < 4; k++) {
                    w->bytes[4 * i + k] = (unsigned char)(bits >> (8 * k));
                }
            }
            status = put(w, w->bytes, 4 * some);
        }
    }
    return status;
}

/* Where the vocabulary file was, so that going on finds it; a name that is not UTF-8 has no place
   in JSON and must be given again. */
static bool put_read_vocab(buf *metadata, const char *path)
{
    if (!path || !utf8_valid(path, strlen(path))) {
        return true;
    }
    return buf_append_string(metadata, ",\"read-vocab\":") && checkpoint_put_string(metadata, path);
}

static w2v_status put_head(writer *w, const w2v_text_options *text)
{
    buf head = {0}, metadata = {0};
    w2v_status status = W2V_OK;
    if (buf_printf(&metadata, "\"format\":\"%s\",\"version\":\"%d\",\"w2v\":\"%s\"",
                   CHECKPOINT_FORMAT, CHECKPOINT_VERSION, W2V_VERSION_STRING) &&
        checkpoint_put_options(&metadata, &w->model->options, text) &&
        put_read_vocab(&metadata, text->read_vocab)) {
        status = checkpoint_head(&w->shape, &metadata, &head, w->err);
    } else {
        status = error_memory(w->err, "the checkpoint");
    }
    if (status == W2V_OK) {
        status = put(w, head.data, head.size);
    }
    buf_clear(&metadata);
    buf_clear(&head);
    return status;
}

static w2v_status put_all(writer *w, const w2v_text_options *text)
{
    const w2v_vocab *vocab = w->corpus->vocab;
    w2v_status status = put_head(w, text);
    status = status ? status : put_state(w);
    status = status ? status : put_numbers(w, vocab->counts, w->shape.words);
    status = status ? status : put_numbers(w, w->corpus->base_counts, w->shape.base_words);
    status = status ? status : put_words(w);
    status = status ? status : put_sum(w);
    status = status ? status : put_table(w, w->model->word);
    status = status ? status : put_table(w, w->model->context);
    return status ? status : put_sum(w);
}

w2v_status w2v_checkpoint_save(const w2v_model *model, const w2v_corpus *corpus,
                               const w2v_text_options *text, const char *path, uint64_t *bytes,
                               w2v_error *err)
{
    const words *names = &corpus->vocab->names;
    if (names->count != model->rows) {
        return error_set(err, W2V_ERR_ARGUMENT, "the corpus is not the model's");
    }
    if (!model_is_finite(model)) {
        return error_set(err, W2V_ERR_DIVERGED, "training diverged: a vector is not finite");
    }
    writer *w = mem_calloc(1, sizeof *w);
    if (!w) {
        return error_memory(err, "the checkpoint");
    }
    w->model = model;
    w->corpus = corpus;
    w->sum = (hash){.sum = HASH_START};
    w->err = err;
    const uint64_t fixed = model->frozen ? names->count : 0;
    const uint64_t word_bytes = names->offsets[names->count] - names->count;
    w->shape = (checkpoint_shape){
        .words = names->count,
        .base_words = corpus->base_words,
        .dim = model->dim,
        .epochs = model->place.epoch,
        .word_bytes = (word_bytes + fixed + 7) / 8 * 8 - fixed,
        .frozen = model->frozen != NULL,
    };
    w2v_status status = sink_open(path, sink_name_is_gzip(path), &w->out, err);
    if (status == W2V_OK) {
        status = put_all(w, text);
        if (status == W2V_OK) {
            status = sink_commit(w->out, bytes, err);
        } else {
            sink_abort(w->out);
        }
    }
    mem_free(w);
    return status;
}
