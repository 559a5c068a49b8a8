/*
 * One pass over the rows of a table in blocks of a few, each block multiplied
 * with all lanes by the fast products: what ranks and counts have in common.
 */
#ifndef W2V_QUERY_SIEVE_H
#define W2V_QUERY_SIEVE_H

#include "query/lanes.h"
#include "query/word_set.h"
#include "vec/vectors.h"

/** Rows and their products. Valid only during the call. */
typedef struct sieve_block {
    size_t rows; /* 1..DOTS_ROWS */
    const vec_row *row[DOTS_ROWS];
    uint32_t id[DOTS_ROWS];
    /* Length of each row, and its square, as floats; NaN where the square leaves the range in
       which the products can be trusted, so that every comparison with them is false. */
    float norm[DOTS_ROWS], square[DOTS_ROWS];
    const float *product; /* row i with lane l: product[i * lanes->padded + l] */
    uint32_t *hits;       /* scratch, lanes->padded of them, for dots_sift */
} sieve_block;

typedef struct sieve {
    const lanes *lanes;
    const dots *dots;
    const word_set *candidates; /* only rows with these words; NULL: all */
    /** Called from many threads, thread < vec_scan_threads(threads); true to go on. */
    bool (*visit)(void *user, int thread, const sieve_block *block);
    void *user;
} sieve;

/** Errors: as vec_scan(). Ending early because of `visit` is none. */
w2v_status sieve_run(const sieve *s, w2v_vectors *vectors, int threads, w2v_error *err);

#endif
