/* Where threads put the rows they rank: a ranking for each question and thread. */
#ifndef W2V_QUERY_BOARD_H
#define W2V_QUERY_BOARD_H

#include "query/questions.h"
#include "query/ranking.h"
#include "query/sieve.h"

/** The best row of a question that is no input, kept to ask how it stood before the arithmetic. */
typedef struct leader {
    float *row; /* NULL: none yet */
    double nearness;
    uint32_t id;
} leader;

/** Zero-initialise. Of thread t and question i: entry t * questions->count + i. */
typedef struct board {
    const questions *questions;
    const w2v_ask_options *options;
    int team;
    ranking *rankings;
    leader *leaders;
} board;

w2v_status board_init(board *b, const questions *q, const w2v_ask_options *options, w2v_error *err);
void board_clear(board *b);

static inline ranking *board_ranking(const board *b, int thread, size_t number)
{
    return &b->rankings[(size_t)thread * b->questions->count + number];
}

/** Ranks a row if it is among the best of this thread and no input to be left out; false without
    memory. An infinite or undefined nearness is no rank. */
bool board_offer(board *b, int thread, size_t number, double nearness, uint32_t id,
                 const vec_row *row);

/** Afterwards, on one thread: the best k of a question, best first. False without memory. */
bool board_finish(board *b, size_t number, ranking *out);
/** The row of this id, if it was the best of some thread; else NULL. */
const float *board_leader(const board *b, size_t number, uint32_t id);

/* The two ways to rank, one pass each. Without lanes to rank they do nothing. */
w2v_status rank_sums(board *b, const lanes *l, const word_set *candidates, w2v_vectors *vectors,
                     w2v_error *err);
/** 3CosMul. lane_of[word] is the lane of a word's unit row. */
w2v_status rank_products(board *b, const lanes *l, const size_t *lane_of,
                         const word_set *candidates, w2v_vectors *vectors, w2v_error *err);

#endif
