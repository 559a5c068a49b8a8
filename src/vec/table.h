/* A table of vectors with its words, as writers and queries see it: borrowed, never owned. */
#ifndef W2V_VEC_TABLE_H
#define W2V_VEC_TABLE_H

#include "base/words.h"

typedef struct table_view {
    const words *names;
    const float *values; /* rows x stride floats; row i begins at values + i * stride */
    size_t rows;         /* == names->count */
    size_t dim;          /* floats of a row that count; the rest of the stride is padding */
    size_t stride;       /* >= dim */
} table_view;

#endif
