#include "map/eigen.h"

#include "base/mem.h"
#include "os/library.h"

#include <limits.h>
#include <string.h>

/* LAPACK's own interface, of which there is no header: Fortran passes everything by reference. */
typedef void dsyevr(const char *jobz, const char *range, const char *uplo, const int *n, double *a,
                    const int *lda, const double *vl, const double *vu, const int *il,
                    const int *iu, const double *abstol, int *m, double *w, double *z,
                    const int *ldz, int *isuppz, double *work, const int *lwork, int *iwork,
                    const int *liwork, int *info);

/* Loaded when it is wanted and not linked: the BLAS behind it may be OpenBLAS, which begins threads
   as it is loaded and waits for ever where memory is limited. */
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

w2v_status eigen_top(double *a, size_t n, size_t k, double *values, double *vectors, w2v_error *err)
{
    dsyevr *const lapack = find_lapack();
    if (!lapack) {
        return eigen_iterate(a, n, k, values, vectors, err);
    }
    size_t room;
    if (n > INT_MAX / WORK || !mem_multiply(k, n, &room)) {
        return error_memory(err, "the axes of the map");
    }
    double *work = mem_calloc(room + (WORK + 1) * n, sizeof *work);
    int *iwork = mem_calloc(IWORK * n + 2 * k, sizeof *iwork);
    w2v_status status = W2V_OK;
    if (!work || !iwork) {
        status = error_memory(err, "the axes of the map");
    } else {
        double *w = work + room, *z = work;
        if (solve(lapack, a, (int)n, (int)k, w, z, w + n, iwork)) {
            status = error_set(err, W2V_ERR_ARGUMENT, "the axes of the map did not converge");
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
