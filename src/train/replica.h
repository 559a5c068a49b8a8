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

/** Locks for the shared rows, one set for all threads. */
typedef struct replica_locks replica_locks;
replica_locks *replica_locks_create(void);
void replica_locks_free(replica_locks *locks);

/** Copies of rows 0 .. hot-1 of one shared table, for one thread. */
typedef struct replica {
    float *shared;
    float *copy;    /* hot x stride */
    float *base;    /* the shared values when the copy was last brought home */
    uint32_t *uses; /* of each copy since then */
    uint32_t hot;    /* rows with a copy; 0 while copies are not used */
    uint32_t capacity;
    size_t stride;
    replica_locks *locks;
} replica;

/** Uses no copies yet: replica_take() does. hot == 0 needs no memory and is allowed. */
w2v_status replica_init(replica *r, float *shared, size_t stride, uint32_t hot, replica_locks *locks,
                        w2v_error *err);
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

/** Where a thread finds row `id`: its copy or the shared row. */
static inline float *replica_row(replica *r, uint32_t id, uint32_t limit)
{
    if (id >= r->hot) {
        return r->shared + (size_t)id * r->stride;
    }
    if (r->uses[id] >= limit) {
        replica_merge(r, id);
    }
    r->uses[id]++; /* after the merge: what the caller changes now must come home, too */
    return r->copy + (size_t)id * r->stride;
}

/** The same place, without counting a use. */
static inline const float *replica_peek(const replica *r, uint32_t id)
{
    return (id < r->hot ? r->copy : r->shared) + (size_t)id * r->stride;
}

#endif
