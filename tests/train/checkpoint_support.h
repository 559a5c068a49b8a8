/* Runs that are paused, saved and gone on with, on texts read from files. */
#ifndef W2V_TESTS_CHECKPOINT_SUPPORT_H
#define W2V_TESTS_CHECKPOINT_SUPPORT_H

#include "train_run.h"

#include "train/checkpoint.h"

/** Text of `lines` lines of 1..12 words out of `types`, the same for the same seed. */
static inline void write_text(const char *path, uint32_t lines, uint32_t types, uint64_t seed)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    rng random = rng_stream(seed, RNG_INIT, 5, 0);
    for (uint32_t i = 0; i < lines; i++) {
        for (uint32_t n = 1 + rng_below(&random, 12); n > 0; n--) {
            /* the smaller of two draws is the likelier one */
            const uint32_t a = rng_below(&random, types), b = rng_below(&random, types);
            fprintf(f, "%sw%u", n > 1 ? "" : " ", (unsigned)(a < b ? a : b));
            fputc(n > 1 ? ' ' : '\n', f);
        }
    }
    assert_int_equal(fclose(f), 0);
}

/** Reads one file. */
static inline w2v_corpus *read_corpus(const char *path, const w2v_text_options *options)
{
    w2v_inputs *inputs;
    w2v_corpus *c = NULL;
    w2v_error err = {0};
    assert_int_equal(w2v_inputs_create(&path, 1, false, &inputs, NULL), W2V_OK);
    if (w2v_corpus_create(inputs, options, NULL, NULL, &c, &err) != W2V_OK) {
        fail_msg("%s", err.text);
    }
    w2v_inputs_free(inputs);
    return c;
}

/** A callback that pauses, saves and stops: a checkpoint after block `at` (from 1), counted over
   all epochs. */
typedef struct saver {
    const w2v_corpus *corpus;
    const w2v_text_options *text;
    const char *path;
    uint64_t at;    /* block after which to save; 0: at every epoch's end */
    bool stop;      /* and then */
    uint64_t calls; /* after blocks */
    uint64_t pauses, saves;
} saver;

static inline int save_in_pause(void *user, const w2v_train_progress *p)
{
    saver *s = user;
    const bool now = s->at ? p->paused : p->epoch_end;
    s->calls += !p->model;
    s->pauses += p->paused;
    if (now) {
        w2v_error err = {0};
        if (w2v_checkpoint_save(p->model, s->corpus, s->text, s->path, NULL, &err) != W2V_OK) {
            fail_msg("%s", err.text);
        }
        s->saves++;
        return s->stop;
    }
    return !p->model && s->calls == s->at ? W2V_TRAIN_PAUSE : 0;
}

static inline w2v_checkpoint *open_checkpoint(const char *path)
{
    w2v_checkpoint *c = NULL;
    w2v_error err = {0};
    if (w2v_checkpoint_open(path, &c, &err) != W2V_OK) {
        fail_msg("%s", err.text);
    }
    return c;
}

/** Goes on with a checkpoint, or fails the test. */
static inline w2v_model *resume(const w2v_corpus *corpus, const char *path, int threads)
{
    w2v_checkpoint *c = open_checkpoint(path);
    w2v_train_options o = w2v_checkpoint_facts(c)->train;
    const w2v_train_start start = {.resume = c};
    w2v_model *m = NULL;
    w2v_error err = {0};
    o.threads = threads;
    if (w2v_train_from(corpus, &o, &start, NULL, NULL, &m, &err) != W2V_OK) {
        fail_msg("%s", err.text);
    }
    w2v_checkpoint_free(c);
    return m;
}

static inline void assert_same_model(const w2v_model *a, const w2v_model *b)
{
    assert_int_equal(a->table_bytes, b->table_bytes);
    assert_memory_equal(a->word, b->word, a->table_bytes);
    assert_memory_equal(a->context, b->context, a->table_bytes);
    assert_int_equal(a->result.epochs, b->result.epochs);
    assert_int_equal(a->result.tokens, b->result.tokens);
    assert_int_equal(a->result.pairs, b->result.pairs);
    assert_memory_equal(a->epoch_loss, b->epoch_loss, a->result.epochs * sizeof *a->epoch_loss);
    assert_memory_equal(&a->result.loss, &b->result.loss, sizeof a->result.loss);
}

#endif
