#include "train/start.h"

#include "base/mem.h"
#include "base/shown.h"
#include "train/checkpoint.h"
#include "vec/vectors.h"

#include <string.h>

/* -------------------------------------------------------------------- checking */

/* The words of the checkpoint must be those at the front of the vocabulary. */
static w2v_status check_update(const w2v_checkpoint *old, const w2v_corpus *corpus,
                               const w2v_train_options *options, w2v_error *err)
{
    const words *was = &old->vocab->names, *is = &corpus->vocab->names;
    if (options->dim != old->info.train.dim) {
        return error_set(err, W2V_ERR_ARGUMENT, "the checkpoint was made with --dim %u, not %u",
                         (unsigned)old->info.train.dim, (unsigned)options->dim);
    }
    bool front = corpus->base_words == was->count && is->count >= was->count;
    for (uint32_t id = 0; front && id < was->count; id++) {
        size_t n, length;
        const char *a = words_get(was, id, &n), *b = words_get(is, id, &length);
        front = n == length && memcmp(a, b, n) == 0;
    }
    return front ? W2V_OK
                 : error_set(err, W2V_ERR_ARGUMENT,
                             "the text was not read with the checkpoint's words as its base");
}

w2v_status start_check(const w2v_train_start *start, const w2v_corpus *corpus,
                       const w2v_train_options *options, w2v_error *err)
{
    if (!start) {
        return W2V_OK;
    }
    if ((start->resume != NULL) + (start->update != NULL) + (start->init != NULL) > 1) {
        return error_set(err, W2V_ERR_ARGUMENT, "training cannot begin with two things at once");
    }
    if (start->freeze && !start->init) {
        return error_set(err, W2V_ERR_ARGUMENT, "there are no rows given that could be frozen");
    }
    if (start->resume) {
        return w2v_checkpoint_check(start->resume, options, NULL, corpus, err);
    }
    if (start->update) {
        return check_update(start->update, corpus, options, err);
    }
    if (start->init && w2v_vectors_dim(start->init) != options->dim) {
        return error_set(err, W2V_ERR_ARGUMENT, "'%s' has vectors of %u numbers, not %u",
                         vec_name(start->init), (unsigned)w2v_vectors_dim(start->init),
                         (unsigned)options->dim);
    }
    return W2V_OK;
}

uint32_t start_rows_known(const w2v_train_start *start)
{
    const w2v_checkpoint *from = start ? start->resume ? start->resume : start->update : NULL;
    return from ? from->vocab->names.count : 0;
}

/* --------------------------------------------------------------------- filling */

static w2v_status fill_resumed(w2v_checkpoint *from, w2v_model *model, const blocks *cut,
                               w2v_error *err)
{
    const train_place *place = &from->place;
    const uint64_t all = cut->before[cut->count];
    if (place->block > cut->count ||
        place->tokens != place->epoch * all + cut->before[place->block]) {
        return checkpoint_damaged(from, err, "the text has no such place as it names");
    }
    model->place = *place;
    model->result.started = from->vocab->names.count;
    if (place->epoch > 0) {
        memcpy(model->epoch_loss, from->losses, place->epoch * sizeof *from->losses);
    }
    if (from->frozen) {
        model->frozen = mem_alloc(model->rows);
        if (!model->frozen) {
            return error_memory(err, "the rows that stay fixed");
        }
        memcpy(model->frozen, from->frozen, model->rows);
    }
    return checkpoint_read_tables(from, model, err);
}

/* Rows of a vector file on their way into the word table. */
typedef struct row_taker {
    w2v_model *model;
    const w2v_vocab *vocab;
    const w2v_vectors *from;
    uint8_t *taken; /* of each word */
    uint32_t count;
    w2v_status status;
    w2v_error *err;
} row_taker;

static bool take_rows(void *user, const vec_batch *batch)
{
    row_taker *t = user;
    for (size_t i = 0; i < batch->rows; i++) {
        const vec_row *row = &batch->row[i];
        const uint32_t id = w2v_vocab_find(t->vocab, row->word, row->length);
        if (id == UINT32_MAX || t->taken[id]) {
            continue; /* of a word that stands twice the first row is meant */
        }
        t->status = vec_check_row(t->from, batch->first + i, row, t->err);
        if (t->status != W2V_OK) {
            return false;
        }
        memcpy(t->model->word + (size_t)id * t->model->stride, row->values,
               t->model->dim * sizeof(float));
        t->taken[id] = 1;
        t->count++;
    }
    return true;
}

static w2v_status fill_initial(const w2v_train_start *start, w2v_model *model,
                               const w2v_vocab *vocab, w2v_error *err)
{
    row_taker taker = {.model = model,
                       .vocab = vocab,
                       .from = start->init,
                       .taken = mem_calloc(model->rows, 1),
                       .err = err};
    if (!taker.taken) {
        return error_memory(err, "the first rows");
    }
    const vec_scan_calls calls = {.in_order = take_rows, .user = &taker};
    w2v_status status = vec_scan(start->init, model->options.threads, &calls, err);
    status = status == W2V_OK ? taker.status : status;
    if (status == W2V_OK && taker.count == 0) {
        status = error_set(err, W2V_ERR_INPUT, "'%s' has none of the words of the text",
                           vec_name(start->init));
    }
    model->result.started = taker.count;
    if (status == W2V_OK && start->freeze) {
        model->frozen = taker.taken;
    } else {
        mem_free(taker.taken);
    }
    return status;
}

w2v_status start_fill(const w2v_train_start *start, w2v_model *model, const w2v_corpus *corpus,
                      const blocks *cut, w2v_error *err)
{
    if (!start) {
        return W2V_OK;
    }
    if (start->resume) {
        return fill_resumed(start->resume, model, cut, err);
    }
    if (start->update) {
        model->result.started = start->update->vocab->names.count;
        return checkpoint_read_tables(start->update, model, err);
    }
    return start->init ? fill_initial(start, model, corpus->vocab, err) : W2V_OK;
}
