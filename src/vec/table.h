/* A table of vectors with its words, as writers and queries see it: borrowed, never owned. */
#ifndef W2V_VEC_TABLE_H
#define W2V_VEC_TABLE_H

#include "base/words.h"

typedef struct table_view {
    const words *names;
    const float *values; /* rows x stride floats; row i begins at values + i * stride */
    size_t rows;         /* == names->count, unless `pick` chooses some */
    size_t dim;          /* floats of a row that count; the rest of the stride is padding */
    size_t stride;       /* >= dim */

    /* For writers only; zero elsewhere. */
    const uint32_t *pick; /* row i is row pick[i] of the table; NULL = all, as they stand */
    bool unit;            /* rows are written with length 1; zero rows stay */
} table_view;

#endif
