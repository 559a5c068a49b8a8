/*
 * Rows as points in double precision, centred and scaled, which no map looks at: distances keep
 * their proportions, products lose no digits to a far-away mean, and nothing overflows.
 */
#ifndef W2V_MAP_POINTS_H
#define W2V_MAP_POINTS_H

#include "base/error.h"

/** Zero-initialise. */
typedef struct points {
    double *values; /* count x dim; the mean of each column is 0, the largest magnitude 1 or 0 */
    size_t count, dim;
    double scale; /* what the values were divided by */
} points;

/**
 * Under W2V_COSINE rows are brought to length 1 first (rows of zeros stay), so that the squared
 * distance of two is 2 - 2 cos. Errors: W2V_ERR_INPUT (a number is infinite or undefined),
 * W2V_ERR_MEMORY.
 */
w2v_status points_init(points *p, const float *rows, size_t count, size_t dim, w2v_metric metric,
                       w2v_error *err);
void points_clear(points *p);

static inline const double *points_row(const points *p, size_t i)
{
    return p->values + i * p->dim;
}

/** Squared distance of two points. */
double points_distance(const points *p, size_t i, size_t j);

#endif
