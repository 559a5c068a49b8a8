/* Eigenvalues of symmetric matrices, and the eigenvectors of the largest. */
#ifndef W2V_QUERY_EIGEN_H
#define W2V_QUERY_EIGEN_H

#include "base/error.h"

/**
 * The k <= n largest eigenvalues of the symmetric n x n matrix `a` (n, k >= 1, all finite), largest
 * first, into values[k], each within a few n 2^-52 of the largest in size; with `vectors` also unit
 * eigenvectors into vectors[i * n ..], at right angles to each other, whose signs are not settled.
 * Only entries a[i * n + j] with i <= j are read; the matrix is used up. Errors: W2V_ERR_MEMORY.
 */
w2v_status eigen_top(double *a, size_t n, size_t k, double *values, double *vectors,
                     w2v_error *err);

#endif
