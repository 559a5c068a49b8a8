/*
 * A thread's own copies of the most frequent rows of both tables.
 *
 * Threads that share two tables without locks lose much of their time while
 * cache lines of the few hundred most frequent rows move between cores. So a
 * thread works on copies of these rows, and now and then adds what it changed
 * to the shared row and takes the shared row's new value (under a lock, so
 * nothing is lost).
 *
 * What makes this safe: the changes of all threads are added up, so steps that
 * are taken from the same old values may overshoot together. A copy is
 * therefore brought home after a number of uses that falls with the number of
 * threads and with the learning rate: what a thread may not have seen of the others stays
 * below a constant, whatever the vocabulary, the corpus and the scheduling.
 */
#ifndef W2V_TRAIN_REPLICA_H
#define W2V_TRAIN_REPLICA_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Locks for the shared rows, one set for all threads. */
typedef struct replica_locks replica_locks;
replica_locks *replica_locks_create(void);
void replica_locks_free(replica_locks *locks);

/** Copies of rows 0 .. hot-1 of one shared table, for one thread. */
typedef struct replica {
    float *shared;
    float *copy;    /* hot x stride */
    float *base;    /* the shared values when the copy was last brought home */
    uint32_t *uses; /* of each copy since then; and one for all rows without a copy */
    uint32_t hot;   /* rows with a copy; 0 while copies are not used */
    uint32_t capacity;
    size_t stride;
    replica_locks *locks;
} replica;

/** Uses no copies yet: replica_take() does. hot == 0 needs no memory and is allowed. */
w2v_status replica_init(replica *r, float *shared, size_t stride, uint32_t hot,
                        replica_locks *locks, w2v_error *err);
void replica_clear(replica *r);
/** From now on uses copies, and takes their shared values; or uses none. All copies are at home. */
void replica_take(replica *r, bool use_copies);
/** Brings the copy of row `id` < hot home and takes the shared value. */
void replica_merge(replica *r, uint32_t id);
/** Brings all copies home. */
void replica_merge_all(replica *r);

/** Rows of `row_bytes` that are worth a copy for each of this many threads. */
uint32_t replica_hot_rows(uint32_t vocab_size, size_t row_bytes, int threads);
/** Uses after which a copy goes home; 0: copies must not be used. */
uint32_t replica_use_limit(int threads, double rate);

/* All bits where row `id` has a copy, else none. Whether a row has one cannot be foreseen, so what
   follows does without branches (compilers make branches of plain conditions). */
static inline size_t replica_mask(const replica *r, uint32_t id)
{
    return (size_t)0 - (size_t)(id < r->hot);
}

/** Where a thread finds row `id`: its copy or the shared row. */
static inline float *replica_row(const replica *r, uint32_t id)
{
    const uintptr_t shared = (uintptr_t)r->shared, copy = (uintptr_t)r->copy;
    const uintptr_t table = shared ^ ((shared ^ copy) & replica_mask(r, id));
    return (float *)table + (size_t)id * r->stride;
}

/** Where it finds n rows. */
static inline void replica_rows(const replica *r, const uint32_t *id, size_t n, float **out)
{
    const replica here = *r; /* a copy: the stores below do not touch it */
    if (here.hot == 0) {
        for (size_t i = 0; i < n; i++) {
            out[i] = here.shared + (size_t)id[i] * here.stride;
        }
        return;
    }
    for (size_t i = 0; i < n; i++) {
        out[i] = replica_row(&here, id[i]);
    }
}

/** Counts that n rows, all different, will be used; copies that were used `limit` times go home
 * first. */
static inline void replica_use(replica *r, const uint32_t *id, size_t n, uint32_t limit)
{
    size_t worn = 0;
    if (r->hot == 0) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const size_t mask = replica_mask(r, id[i]);
        const size_t place = r->hot ^ ((r->hot ^ id[i]) & mask);
        worn |= (size_t)(++r->uses[place] > limit) & mask;
    }
    for (size_t i = 0; worn != 0 && i < n; i++) {
        if (id[i] < r->hot && r->uses[id[i]] > limit) {
            replica_merge(r, id[i]);
            r->uses[id[i]] = 1; /* what the caller changes now must come home, too */
        }
    }
}

#endif
