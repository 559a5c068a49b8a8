/* Correlations of two lists of numbers. */
#ifndef W2V_QUERY_CORRELATION_H
#define W2V_QUERY_CORRELATION_H

#include "base/error.h"

/** Pearson's, of n pairs. */
w2v_correlation correlation_pearson(const double *x, const double *y, size_t n);
/** Spearman's: Pearson's of the ranks, ties at their mean. Errors: W2V_ERR_MEMORY. */
w2v_status correlation_spearman(const double *x, const double *y, size_t n, w2v_correlation *out,
                                w2v_error *err);

#endif
