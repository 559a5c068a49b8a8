/* The parts of w2v_stats_of(), each over a loaded table. */
#ifndef W2V_QUERY_STATS_H
#define W2V_QUERY_STATS_H

#include "vec/vectors.h"

/** Rows with a direction, in order, and the norms of all. Zero-initialise. */
typedef struct stats_rows {
    double *norm;
    uint32_t *directed;
    uint32_t directed_count;
} stats_rows;

w2v_status stats_rows_init(stats_rows *r, const w2v_vectors *v, int threads, w2v_error *err);
void stats_rows_clear(stats_rows *r);

static inline const float *stats_row(const w2v_vectors *v, uint32_t id)
{
    return v->values + (size_t)id * v->stride;
}

/** Sorts numbers, none of them undefined. */
void stats_sort(double *numbers, size_t n);
/** Of n >= 1 sorted numbers: the middle one, or the mean of the two in the middle. */
double stats_median(const double *sorted, size_t n);

w2v_status stats_norms(const w2v_vectors *v, const stats_rows *r, w2v_stats *out, w2v_error *err);
w2v_status stats_repeats(w2v_vectors *v, const stats_rows *r, w2v_stats *out, w2v_error *err);
w2v_status stats_cosines(const w2v_vectors *v, const stats_rows *r,
                         const w2v_stats_options *options, w2v_stats *out, w2v_error *err);
w2v_status stats_hubs(w2v_vectors *v, const stats_rows *r, const w2v_stats_options *options,
                      w2v_stats *out, w2v_error *err);

#endif
