/* How the rows of a table spread. */
#ifndef W2V_QUERY_COVARIANCE_H
#define W2V_QUERY_COVARIANCE_H

#include "vec/table.h"

/**
 * cov[i * dim + j] becomes the covariance of columns i and j, the mean row taken off, divided by
 * rows >= 1; exactly 0 throughout where all rows are equal. Every entry is one sum over the rows in
 * their order, by blocks: the same for any number of threads. Errors: W2V_ERR_MEMORY.
 */
w2v_status covariance_of(const table_view *t, int threads, double *cov, w2v_error *err);

#endif
