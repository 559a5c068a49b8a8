/*
 * How strongly points belong together, for t-SNE (van der Maaten and Hinton 2008, section 2): a
 * Gaussian round each point, as wide as gives its neighbours the wanted perplexity.
 */
#ifndef W2V_MAP_AFFINITY_H
#define W2V_MAP_AFFINITY_H

#include "map/nearest.h"

/** Zero-initialise. A symmetric sparse matrix; entries of row i are start[i] .. start[i+1]-1, by
    column. They sum to 1 in all. */
typedef struct affinity {
    size_t count;
    size_t *start;
    uint32_t *column;
    double *value;
} affinity;

/**
 * The shares of k neighbours at these squared distances, the nearest first, into share[k]; they sum
 * to 1. Returns their perplexity, which is the wanted one but where distances do not allow it
 * (where all are equal it is k).
 */
double affinity_shares(const double *distance, size_t k, double perplexity, double *share);

/** Errors: W2V_ERR_MEMORY. */
w2v_status affinity_build(affinity *a, const nearest *near, double perplexity, int threads,
                          w2v_error *err);
void affinity_clear(affinity *a);

#endif
