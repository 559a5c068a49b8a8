/* How the rows of a table spread: their covariance, and its eigenvalues. */
#ifndef W2V_QUERY_SPECTRUM_H
#define W2V_QUERY_SPECTRUM_H

#include "vec/table.h"

/**
 * cov[i * dim + j] becomes the covariance of columns i and j, the mean row taken off, divided by
 * rows >= 1; exactly 0 throughout where all rows are equal. Every entry is one sum over the rows in
 * their order, by blocks: the same for any number of threads. Errors: W2V_ERR_MEMORY.
 */
w2v_status spectrum_covariance(const table_view *t, int threads, double *cov, w2v_error *err);

/**
 * Eigenvalues of a symmetric n x n matrix (n >= 1, finite), largest first, each within a few
 * n 2^-52 of the largest in size. The matrix is used up. Errors: W2V_ERR_MEMORY.
 */
w2v_status spectrum_eigenvalues(double *matrix, size_t n, double *values, w2v_error *err);

#endif
