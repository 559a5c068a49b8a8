/*
 * Drawing words in proportion to weights in constant time: Walker's alias
 * method (Walker 1977), built as Vose (1991) shows. Eight bytes a word.
 */
#ifndef W2V_TRAIN_ALIAS_H
#define W2V_TRAIN_ALIAS_H

#include "base/error.h"

typedef struct alias_column {
    uint32_t threshold; /* a draw below it, of 2^32, takes the column itself */
    uint32_t other;     /* else this one */
} alias_column;

typedef struct alias_table {
    alias_column *columns;
    uint32_t count;
} alias_table;

/** Weights are finite, >= 0, and not all zero. Errors: W2V_ERR_MEMORY. */
w2v_status alias_init(alias_table *table, const double *weights, uint32_t count, w2v_error *err);
void alias_clear(alias_table *table);

/** The column that 64 random bits choose: the upper half decides. */
static inline uint32_t alias_column_of(const alias_table *table, uint64_t random)
{
    return (uint32_t)(((random >> 32) * table->count) >> 32);
}

/** One word from 64 random bits: the upper half chooses a column, the lower decides within it. */
static inline uint32_t alias_draw(const alias_table *table, uint64_t random)
{
    const uint32_t own = alias_column_of(table, random);
    const alias_column column = table->columns[own];
    /* no branch: it could not be foreseen */
    const uint32_t take_other = 0u - (uint32_t)((uint32_t)random >= column.threshold);
    return own ^ ((own ^ column.other) & take_other);
}

/**
 * The share of negatives of each word: count^exponent, not normalised. For the
 * usual exponents only square roots are used, which are the same on every
 * system; others use pow(). weights has vocab size entries.
 */
void noise_weights(const uint64_t *counts, uint32_t n, double exponent, double *weights);

#endif
