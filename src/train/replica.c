#include "train/replica.h"

#include "base/mem.h"
#include "os/thread.h"

#include <string.h>

/* Uses by the other threads that a copy may not have seen, at the usual rate of 0.025. Threads played
   one after the other, which is the worst that scheduling can do: with 256 uses in flight training
   diverges from three threads on, with 64 it does not at any number; accuracy is that of one thread. */
#define USES_UNSEEN 48.0
#define USUAL_RATE 0.025
/* More copies than this cost cache for rows that two cores rarely touch at once, */
#define HOT_ROWS 512
/* and more bytes than this, of copies and their bases of both tables over all threads, cost memory. */
#define HOT_BYTES ((size_t)24 << 20)
/* Rows share locks: enough that two threads seldom meet. */
#define LOCKS 64

struct replica_locks {
    mutex *lock[LOCKS];
};

replica_locks *replica_locks_create(void)
{
    replica_locks *locks = mem_calloc(1, sizeof *locks);
    for (int i = 0; locks && i < LOCKS; i++) {
        locks->lock[i] = mutex_create();
        if (!locks->lock[i]) {
            replica_locks_free(locks);
            return NULL;
        }
    }
    return locks;
}

void replica_locks_free(replica_locks *locks)
{
    for (int i = 0; locks && i < LOCKS; i++) {
        mutex_free(locks->lock[i]);
    }
    mem_free(locks);
}

uint32_t replica_hot_rows(uint32_t vocab_size, size_t row_bytes, int threads)
{
    if (threads < 2) {
        return 0;
    }
    const size_t fit = HOT_BYTES / (4 * row_bytes) / (size_t)threads;
    const size_t most = fit < HOT_ROWS ? fit : HOT_ROWS;
    return vocab_size < most ? vocab_size : (uint32_t)most;
}

uint32_t replica_use_limit(int threads, double rate)
{
    const double others = threads > 1 ? threads - 1 : 1;
    const double limit = USES_UNSEEN / others * (USUAL_RATE / rate);
    return limit > USES_UNSEEN ? (uint32_t)USES_UNSEEN : (uint32_t)limit;
}

w2v_status replica_init(replica *r, float *shared, size_t stride, uint32_t hot, replica_locks *locks,
                        w2v_error *err)
{
    memset(r, 0, sizeof *r);
    r->shared = shared;
    r->stride = stride;
    if (hot == 0) {
        return W2V_OK;
    }
    size_t floats, bytes;
    if (mem_multiply(hot, stride, &floats) && mem_multiply(floats, sizeof(float), &bytes)) {
        r->copy = mem_alloc_aligned(bytes);
        r->base = mem_alloc_aligned(bytes);
    }
    r->uses = mem_calloc_aligned((size_t)hot + 1, sizeof *r->uses);
    if (!r->copy || !r->base || !r->uses) {
        replica_clear(r);
        return error_memory(err, "the threads' copies of frequent rows");
    }
    r->capacity = hot;
    r->locks = locks;
    return W2V_OK;
}

void replica_clear(replica *r)
{
    mem_free(r->copy);
    mem_free(r->base);
    mem_free(r->uses);
    memset(r, 0, sizeof *r);
}

void replica_merge(replica *r, uint32_t id)
{
    float *shared = r->shared + (size_t)id * r->stride;
    float *copy = r->copy + (size_t)id * r->stride;
    float *base = r->base + (size_t)id * r->stride;
    mutex *lock = r->locks->lock[id % LOCKS];
    mutex_lock(lock);
    for (size_t c = 0; c < r->stride; c++) {
        const float value = shared[c] + (copy[c] - base[c]);
        shared[c] = value;
        base[c] = value;
        copy[c] = value;
    }
    mutex_unlock(lock);
    r->uses[id] = 0;
}

void replica_merge_all(replica *r)
{
    for (uint32_t id = 0; id < r->hot; id++) {
        if (r->uses[id] > 0) {
            replica_merge(r, id);
        }
    }
}

void replica_take(replica *r, bool use_copies)
{
    r->hot = use_copies ? r->capacity : 0;
    for (uint32_t id = 0; id < r->hot; id++) {
        mutex *lock = r->locks->lock[id % LOCKS];
        const size_t at = (size_t)id * r->stride, bytes = r->stride * sizeof(float);
        mutex_lock(lock);
        memcpy(r->copy + at, r->shared + at, bytes);
        mutex_unlock(lock);
        memcpy(r->base + at, r->copy + at, bytes);
        r->uses[id] = 0;
    }
}
