/* The largest eigenvalues of a symmetric matrix, with their eigenvectors. */
#ifndef W2V_MAP_EIGEN_H
#define W2V_MAP_EIGEN_H

#include "base/error.h"

/**
 * The k <= n largest eigenvalues of the symmetric n x n matrix, largest first, into values[k], and
 * unit eigenvectors into vectors[i * n ..]. Only entries a[i * n + j] with i <= j are read; the
 * matrix may be overwritten. Signs are not settled. Errors: W2V_ERR_MEMORY, W2V_ERR_ARGUMENT (no
 * convergence).
 */
typedef w2v_status eigen_solver(double *a, size_t n, size_t k, double *values, double *vectors,
                                w2v_error *err);

/** By LAPACK where the build found it and it is still there, else by eigen_iterate(). */
eigen_solver eigen_top;
/** Orthogonal iteration with Rayleigh-Ritz steps (Golub and Van Loan, Matrix Computations, 8.2.4).
 */
eigen_solver eigen_iterate;

#endif
