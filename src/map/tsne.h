/*
 * t-SNE (van der Maaten and Hinton 2008): places whose closeness under a Student distribution
 * resembles the affinities of the points. Beyond some thousand points the repulsion is Barnes and
 * Hut's (van der Maaten 2014).
 */
#ifndef W2V_MAP_TSNE_H
#define W2V_MAP_TSNE_H

#include "map/affinity.h"
#include "map/quadtree.h"

/** What moves the places: affinities pull, all pairs push. */
typedef struct tsne_field {
    const affinity *affinity;
    double theta; /* 0: every pair is computed */
    int threads;
    quadtree tree; /* where theta > 0 */
    double *apart; /* all x, then all y, where theta is 0 */
    double *push;  /* 2 for each point */
    double *sums;  /* of each block */
    double all;    /* sum of (1 + d^2)^-1 over all ordered pairs, of the last gradient */
} tsne_field;

/** Errors: W2V_ERR_MEMORY. */
w2v_status tsne_field_init(tsne_field *f, const affinity *a, double theta, int threads,
                           w2v_error *err);
void tsne_field_clear(tsne_field *f);

/** Of the divergence by each place, with affinities times `exaggeration`, into
    gradient[0..2*count-1]. Errors: W2V_ERR_MEMORY. */
w2v_status tsne_gradient(tsne_field *f, const double *xy, double exaggeration, double *gradient,
                         w2v_error *err);
/** Kullback-Leibler divergence of the affinities and the places of the last tsne_gradient(), nats.
 */
double tsne_divergence(const tsne_field *f, const double *xy);

/** Told before each iteration; false stops. */
typedef bool tsne_progress(void *user, uint32_t iteration);

typedef struct tsne_run {
    uint32_t iterations;
    tsne_progress *progress; /* or NULL */
    void *user;
} tsne_run;

/** Moves xy from where it is. Errors: W2V_ERR_MEMORY, W2V_ERR_INTERRUPTED. */
w2v_status tsne_descend(tsne_field *f, double *xy, const tsne_run *run, w2v_error *err);

/** Where the descent begins: places of PCA, made small, and a little noise from the seed, so that
    equal points can part. */
void tsne_start(double *xy, size_t count, uint64_t seed);

#endif
