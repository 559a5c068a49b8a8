/*
 * What the rows are multiplied with: targets in double precision, for the
 * exact arithmetic, and the same as float lanes of length 1 for the fast one.
 */
#ifndef W2V_QUERY_LANES_H
#define W2V_QUERY_LANES_H

#include "base/error.h"
#include "query/dots.h"

#include <stdbool.h>

/** Zero-initialise. */
typedef struct lanes {
    size_t count, dim;
    size_t padded;  /* count rounded up to DOTS_LANES: lanes of the fast products */
    double *target; /* count x dim */
    double *norm;   /* of each target; 0 for a zero vector */
    bool panels;    /* how `values` is laid out; see dots.h */
    size_t stride;  /* of a lane where there are no panels */
    float *values;  /* target / norm */
} lanes;

/** Room for `count` targets of `dim` columns, all zero. Errors: W2V_ERR_MEMORY. */
w2v_status lanes_init(lanes *l, size_t count, size_t dim, w2v_error *err);
void lanes_clear(lanes *l);
/** After its target was filled in: sets norm and float values of a lane. */
void lanes_seal(lanes *l, size_t lane);

static inline double *lanes_target(const lanes *l, size_t lane)
{
    return l->target + lane * l->dim;
}

/**
 * Half the width of the band in which floats cannot tell two cosines apart.
 *
 * With u = 2^-24: rounding the lane to floats costs u, the product 1.01 dim u
 * (dots.h), the length of the row 0.51 dim u + 2u, their quotient u: in all less than
 * (1.6 dim + 8) u. Never less than the 1e-5 that the documentation names.
 */
double lanes_margin(size_t dim);

#endif
