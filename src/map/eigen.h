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

/** By LAPACK where the build found it, it is still there and its answer is right; else by
    eigen_iterate(). */
eigen_solver eigen_top;
/** By `solver` on a copy of the matrix; by eigen_iterate() where that fails or what it gives are no
    eigenvectors. Errors: W2V_ERR_MEMORY, those of eigen_iterate(). */
w2v_status eigen_checked(eigen_solver *solver, double *a, size_t n, size_t k, double *values,
                         double *vectors, w2v_error *err);
/** Orthogonal iteration with Rayleigh-Ritz steps (Golub and Van Loan, Matrix Computations, 8.2.4).
 */
eigen_solver eigen_iterate;

#endif
