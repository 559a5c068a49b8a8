/*
 * The best k rows of one question, as far as they were seen: a heap whose root
 * is the worst of them. Nearness is a number of which more is nearer; equal
 * ones rank by row. Every row has one place in that order, so the best k do not
 * depend on the order in which rows come, nor on how many threads share them.
 */
#ifndef W2V_QUERY_RANKING_H
#define W2V_QUERY_RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ranked {
    double nearness;
    char *word; /* a copy of the ranking's own, `length` bytes: a streamed row is soon gone */
    uint32_t id;
    uint32_t length;
} ranked;

/** Zero-initialise. */
typedef struct ranking {
    ranked *items;
    size_t count, capacity;
} ranking;

void ranking_clear(ranking *r);

/** Is (nearness, id) before (other_nearness, other_id)? */
static inline bool ranking_before(double nearness, uint32_t id, double other_nearness,
                                  uint32_t other_id)
{
    return nearness > other_nearness || (nearness == other_nearness && id < other_id);
}

/** Would it be among the best k of what was seen so far? */
static inline bool ranking_admits(const ranking *r, uint64_t k, double nearness, uint32_t id)
{
    return r->count < k || ranking_before(nearness, id, r->items[0].nearness, r->items[0].id);
}

/** Adds a row that ranking_admits(); false without memory. */
bool ranking_add(ranking *r, uint64_t k, double nearness, uint32_t id, const char *word,
                 uint32_t length);

/** Moves all of `from` to the end of `into`, which is no heap any more; false without memory. */
bool ranking_gather(ranking *into, ranking *from);
/** Best first, and no more than k. */
void ranking_finish(ranking *r, uint64_t k);

#endif
