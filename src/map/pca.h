/* Principal components (Pearson 1901): the plane in which the points spread most. */
#ifndef W2V_MAP_PCA_H
#define W2V_MAP_PCA_H

#include "map/points.h"

typedef struct pca_axis {
    double variance; /* of the points along it, divisor count - 1; in the rows' own units */
    double share;    /* of the variance over all dimensions; 0 where there is none */
} pca_axis;

/**
 * places[2 * i], places[2 * i + 1]: point i along the first and second axis, in the rows' own
 * units. The sign of an axis is such that the place farthest from 0 is positive. Errors:
 * W2V_ERR_MEMORY.
 */
w2v_status pca(const points *p, int threads, double *places, pca_axis axes[2], w2v_error *err);

#endif
