/* Subsampling of frequent words (Mikolov et al. 2013, section 2.3, as word2vec.c has it). */
#ifndef W2V_TRAIN_SUBSAMPLE_H
#define W2V_TRAIN_SUBSAMPLE_H

#include "base/error.h"
#include "base/rng.h"

typedef struct subsample {
    uint32_t *threshold; /* of each word: kept when a draw of 32 bits is not above it */
} subsample;

/** Chance that an occurrence is kept: min(1, sqrt(T/f) + T/f) with f = count / total; 1 for T = 0. */
double subsample_chance(uint64_t count, uint64_t total, double sample);

w2v_status subsample_init(subsample *s, const uint64_t *counts, uint32_t n, uint64_t total,
                          double sample, w2v_error *err);
void subsample_clear(subsample *s);

static inline bool subsample_keeps(const subsample *s, uint32_t id, rng *random)
{
    const uint32_t threshold = s->threshold[id];
    return threshold == UINT32_MAX || (uint32_t)(rng_next(random) >> 32) <= threshold;
}

#endif
