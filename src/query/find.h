/* Where the words of questions stand in a table, and their rows. */
#ifndef W2V_QUERY_FIND_H
#define W2V_QUERY_FIND_H

#include "query/word_set.h"
#include "vec/vectors.h"

#define FIND_NONE UINT32_MAX

/** Of each word of a set: its first row. Zero-initialise. */
typedef struct found {
    uint32_t *id;  /* FIND_NONE: the table does not have it */
    float *values; /* set->list.count rows of `dim` floats; zero where there is no row */
    size_t dim;
    uint64_t rows; /* of the table; 0 when the scan stopped before its end */
} found;

void find_clear(found *f);

/** One pass over the rows, which stops where the last word was found. Errors: as vec_scan(). */
w2v_status find_rows(w2v_vectors *vectors, const word_set *set, int threads, found *f,
                     w2v_error *err);

static inline const float *find_values(const found *f, uint32_t word)
{
    return f->values + (size_t)word * f->dim;
}

#endif
