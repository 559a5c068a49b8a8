#include "map/eigen.h"

#include "base/mem.h"
#include "os/library.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* How far from an eigenvector an answer may be, beside the matrix; a right one is nearer by far. */
#define TRUSTED 1e-9

/* LAPACK's own interface, of which there is no header: Fortran passes everything by reference. */
typedef void dsyevr(const char *jobz, const char *range, const char *uplo, const int *n, double *a,
                    const int *lda, const double *vl, const double *vu, const int *il,
                    const int *iu, const double *abstol, int *m, double *w, double *z,
                    const int *ldz, int *isuppz, double *work, const int *lwork, int *iwork,
                    const int *liwork, int *info);

/* Loaded when it is wanted and not linked: the BLAS behind it may be OpenBLAS, which begins threads
   as it is loaded. */
static dsyevr *find_lapack(void)
{
    dsyevr *found = NULL;
#if defined(W2V_HAVE_LAPACK)
    library_function *function = library_find("liblapack.so.3", "dsyevr_");
    memcpy(&found, &function, sizeof found);
#endif
    return found;
}

/* What dsyevr asks for at least: 26 n and 10 n; the first grows with its block of 64 rows. */
#define WORK 90
#define IWORK 10

/* A row-major upper triangle is a column-major lower one. Ascending order, as LAPACK has it. */
static int solve(dsyevr *lapack, double *a, int n, int k, double *w, double *z, double *work,
                 int *iwork)
{
    const int first = n - k + 1, lwork = WORK * n, liwork = IWORK * n;
    const double none = 0.0;
    int found = 0, info = 0;
    lapack("V", "I", "L", &n, a, &n, &none, &none, &first, &n, &none, &found, w, z, &n,
           iwork + liwork, work, &lwork, iwork, &liwork, &info);
    return info == 0 && found == k ? 0 : 1;
}

static w2v_status by_lapack(double *a, size_t n, size_t k, double *values, double *vectors,
                            w2v_error *err)
{
    dsyevr *const lapack = find_lapack();
    size_t room;
    if (!lapack || n > INT_MAX / WORK) {
        return error_set(err, W2V_ERR_ARGUMENT, "there is no LAPACK for this matrix");
    }
    double *work = mem_multiply(k, n, &room) && mem_multiply(WORK + 1, n, &room)
                       ? mem_calloc(k * n + room, sizeof *work)
                       : NULL;
    int *iwork = mem_calloc(IWORK * n + 2 * k, sizeof *iwork);
    w2v_status status = W2V_OK;
    if (!work || !iwork) {
        status = error_memory(err, "the axes of the map");
    } else {
        double *z = work, *w = work + k * n;
        if (solve(lapack, a, (int)n, (int)k, w, z, w + n, iwork)) {
            status = error_set(err, W2V_ERR_ARGUMENT, "LAPACK did not converge");
        }
        for (size_t i = 0; i < k; i++) {
            values[i] = w[k - 1 - i];
            memcpy(vectors + i * n, z + (k - 1 - i) * n, n * sizeof *z);
        }
    }
    mem_free(work);
    mem_free(iwork);
    return status;
}

/* ------------------------------------------------------------------ no trust without a check */

static double dot(const double *x, const double *y, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* Is v of length 1, at right angles to those before it, and A v = value * v? What is no number
   is not. */
static bool is_eigenvector(const double *a, size_t n, const double *vectors, size_t i, double value)
{
    const double *v = vectors + i * n;
    double off = 0.0, size = 0.0;
    for (size_t r = 0; r < n; r++) {
        double sum = 0.0;
        for (size_t c = 0; c < n; c++) {
            const double entry = r <= c ? a[r * n + c] : a[c * n + r];
            sum += entry * v[c];
            size += entry * entry;
        }
        off += (sum - value * v[r]) * (sum - value * v[r]);
    }
    bool is = off <= TRUSTED * TRUSTED * size;
    for (size_t j = 0; j <= i; j++) {
        is = is && fabs(dot(v, vectors + j * n, n) - (i == j ? 1.0 : 0.0)) <= TRUSTED;
    }
    return is;
}

w2v_status eigen_checked(eigen_solver *solver, double *a, size_t n, size_t k, double *values,
                         double *vectors, w2v_error *err)
{
    size_t all;
    w2v_error unheard = {0};
    double *copy = mem_multiply(n, n, &all) ? mem_calloc(all, sizeof *copy) : NULL;
    if (!copy) {
        return error_memory(err, "the axes of the map");
    }
    memcpy(copy, a, all * sizeof *copy);
    const w2v_status status = solver(copy, n, k, values, vectors, &unheard);
    mem_free(copy);
    if (status == W2V_ERR_MEMORY) {
        return error_memory(err, "the axes of the map");
    }
    bool right = !status;
    for (size_t i = 0; i < k && right; i++) {
        right =
            (i == 0 || values[i] <= values[i - 1]) && is_eigenvector(a, n, vectors, i, values[i]);
    }
    return right ? W2V_OK : eigen_iterate(a, n, k, values, vectors, err);
}

w2v_status eigen_top(double *a, size_t n, size_t k, double *values, double *vectors, w2v_error *err)
{
    return eigen_checked(by_lapack, a, n, k, values, vectors, err);
}
