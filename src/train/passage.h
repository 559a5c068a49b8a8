/*
 * A passage: what one block gives in one epoch, after subsampling and with a
 * radius drawn for every surviving word. All that is random about windows is
 * drawn here, so whatever looks at pairs sees the same ones.
 */
#ifndef W2V_TRAIN_PASSAGE_H
#define W2V_TRAIN_PASSAGE_H

#include "train/blocks.h"
#include "train/subsample.h"

/** Bytes that a passage takes for each token of the longest block, at most. */
#define PASSAGE_TOKEN_BYTES 18

typedef struct passage {
    uint32_t *id;     /* surviving words */
    uint16_t *radius; /* of each, in places among the surviving words, 1..window */
    uint32_t *twin;   /* one past the last place whose word stands again by now, at most 2 * window
                         places (or a few more) behind it; 0 for none */
    uint32_t *end;    /* end[k]: where piece k ends; pieces lie one after the other */
    uint32_t size, pieces;
    uint32_t *id_memory; /* what id points into: some room before it */
    uint32_t *codes;     /* buffer for a spilled text */
} passage;

/** What decides the draws; borrowed. */
typedef struct passage_rules {
    const w2v_corpus *corpus;
    const blocks *blocks;
    const subsample *subsample;
    uint32_t window, max_sentence;
    bool fixed_window;
    uint64_t seed;
} passage_rules;

w2v_status passage_init(passage *p, const passage_rules *rules, w2v_error *err);
void passage_clear(passage *p);
/** Fills the passage with a block of an epoch. Errors: what corpus_read() returns. */
w2v_status passage_draw(passage *p, const passage_rules *rules, uint32_t epoch, uint64_t block,
                        w2v_error *err);

/** Does the window of the centre at q reach position p? Never for p == q. */
static inline bool passage_reaches(const passage *text, uint32_t q, uint32_t p)
{
    const uint32_t distance = q > p ? q - p : p - q;
    return distance - 1u < text->radius[q]; /* distance 0 wraps round to a large number */
}

/** Does a word stand twice in the places [from, to), which are at most 2 * window + 1? */
static inline bool passage_repeats(const passage *text, uint32_t from, uint32_t to)
{
    return text->twin[to - 1] > from;
}

#endif
