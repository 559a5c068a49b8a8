/* One thread's part of training: a block in, the tables moved, its loss out. */
#ifndef W2V_TRAIN_WORKER_H
#define W2V_TRAIN_WORKER_H

#include "base/mem.h"
#include "train/explain.h"
#include "train/model.h"
#include "train/plan.h"
#include "train/replica.h"

/* Groups planned before the one being trained, so that their rows are on the way from memory; one
   more is planned in the middle of its step. */
#define WORKER_AHEAD 2
#define WORKER_GROUPS (WORKER_AHEAD + 2)

/* Rows asked for during one step, at most; more are left to be found where they are. */
#define WORKER_FETCHES 64

/** What all workers share; borrowed and unchanging. */
typedef struct worker_rules {
    passage_rules passages;
    const alias_table *noise;
    uint32_t negative;
    bool share;
    kernel kernel;
    size_t stride;
    const uint8_t *frozen; /* of each word: its row of the word table stays fixed; NULL for none */
} worker_rules;

/** One for each thread, on cache lines of its own. */
typedef struct worker {
    _Alignas(MEM_ALIGN) const worker_rules *rules;
    passage passage;
    plan plan;
    plan_group groups[WORKER_GROUPS]; /* a ring */
    const float *fetch[WORKER_FETCHES]; /* rows to be asked from memory during the next step */
    size_t fetches;
    float *scratch;
    float *held, *moved; /* without sharing: the true neighbour's row before the position, and as a
                            pair moves it, */
    float *target;       /* for the row itself; NULL where it takes part in the step */
    float *fixed; /* PLAN_ROWS rows for each of `groups`, which the kernel moves instead of frozen
                     ones; NULL where none is frozen */
    replica word, context;
    uint32_t use_limit; /* of the copies of frequent rows */
} worker;

w2v_status worker_init(worker *w, const worker_rules *rules, w2v_model *model, uint32_t hot,
                       replica_locks *locks, w2v_error *err);
void worker_clear(worker *w);

typedef struct worker_sum {
    double loss; /* nats */
    uint64_t pairs;
} worker_sum;

/** Trains block `block` of `epoch` at `rate`. Errors: what corpus_read() returns. */
w2v_status worker_train(worker *w, uint32_t epoch, uint64_t block, float rate, worker_sum *sum,
                        w2v_error *err);
/** The same, and shows those steps that are due. No copies of rows may be in use. */
w2v_status worker_explain(worker *w, uint32_t epoch, uint64_t block, float rate, explain *e,
                          worker_sum *sum, w2v_error *err);

#endif
