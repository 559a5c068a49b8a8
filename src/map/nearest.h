/* The nearest points of every point, by brute force over blocks of float products. */
#ifndef W2V_MAP_NEAREST_H
#define W2V_MAP_NEAREST_H

#include "map/points.h"

#include <stdint.h>

/** Zero-initialise. Of point i: entries i * k ..., nearest first, ties by number. */
typedef struct nearest {
    size_t count, k;
    uint32_t *id;
    double *distance; /* squared, in double precision */
} nearest;

/** `points` as told whenever some were done, from one thread at a time; false stops. */
typedef bool nearest_progress(void *user, size_t done);

/**
 * The k < p->count nearest others of each point. Floats choose candidates, a few more than k, and
 * distances in double precision decide among them. Errors: W2V_ERR_MEMORY, W2V_ERR_INTERRUPTED.
 */
w2v_status nearest_find(nearest *out, const points *p, size_t k, int threads,
                        nearest_progress *progress, void *user, w2v_error *err);
void nearest_clear(nearest *n);

#endif
