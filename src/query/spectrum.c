/*
 * Eigenvalues: Householder reflections turn the matrix into a tridiagonal one with the same
 * eigenvalues (Golub and Van Loan, Matrix Computations, section 8.3), and these are found by
 * bisection: the number of eigenvalues below x is the number of negative pivots of T - x (Sturm;
 * section 8.4). No iteration can fail to converge, and no eigenvector is needed.
 */
#include "query/spectrum.h"

#include "base/mem.h"
#include "os/thread.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ covariance */

#define BLOCK ((size_t)128) /* rows whose products are added up before they join the sums */
#define TILE ((size_t)4)    /* columns: 4 x 4 sums stay in registers */

typedef struct covariance {
    const table_view *table;
    size_t padded; /* columns rounded up to whole tiles */
    double *mean;  /* of the rows less the first row */
    double *cov;
    double **scratch; /* of each thread: BLOCK x padded */
} covariance;

/* Differences from the first row: equal rows give zeros, which no rounded mean could promise. */
static double difference(const table_view *t, size_t row, size_t c)
{
    return (double)t->values[row * t->stride + c] - (double)t->values[c];
}

/* Columns are shared out, so that each has one sum, in the order of the rows. */
static void add_means(void *arg, int thread, int team)
{
    const covariance *v = arg;
    const table_view *t = v->table;
    const size_t from = t->dim * (size_t)thread / (size_t)team;
    const size_t to = t->dim * ((size_t)thread + 1) / (size_t)team;
    for (size_t r = 0; r < t->rows; r++) {
        for (size_t c = from; c < to; c++) {
            v->mean[c] += difference(t, r, c);
        }
    }
    for (size_t c = from; c < to; c++) {
        v->mean[c] /= (double)t->rows;
    }
}

static void add_tile(const covariance *v, const double *block, size_t rows, size_t i, size_t j)
{
    double sum[TILE][TILE] = {{0.0}};
    for (size_t r = 0; r < rows; r++) {
        const double *x = block + r * v->padded + i, *y = block + r * v->padded + j;
        for (size_t a = 0; a < TILE; a++) {
            for (size_t b = 0; b < TILE; b++) {
                sum[a][b] += x[a] * y[b];
            }
        }
    }
    const size_t dim = v->table->dim;
    for (size_t a = 0; a < TILE && i + a < dim; a++) {
        for (size_t b = 0; b < TILE && j + b < dim; b++) {
            v->cov[(i + a) * dim + j + b] += sum[a][b];
        }
    }
}

/* Every thread goes over all rows, and adds to tiles of its own. */
static void add_products(void *arg, int thread, int team)
{
    const covariance *v = arg;
    const table_view *t = v->table;
    double *block = v->scratch[thread];
    for (size_t first = 0; first < t->rows; first += BLOCK) {
        const size_t rows = t->rows - first < BLOCK ? t->rows - first : BLOCK;
        for (size_t r = 0; r < rows; r++) {
            for (size_t c = 0; c < t->dim; c++) {
                block[r * v->padded + c] = difference(t, first + r, c) - v->mean[c];
            }
        }
        size_t number = 0;
        for (size_t i = 0; i < v->padded; i += TILE) {
            for (size_t j = i; j < v->padded; j += TILE, number++) {
                if (number % (size_t)team == (size_t)thread) {
                    add_tile(v, block, rows, i, j);
                }
            }
        }
    }
}

/* Divides the upper half and copies it to the lower one. */
static void finish(const covariance *v)
{
    const size_t dim = v->table->dim;
    for (size_t i = 0; i < dim; i++) {
        for (size_t j = i; j < dim; j++) {
            v->cov[i * dim + j] /= (double)v->table->rows;
            v->cov[j * dim + i] = v->cov[i * dim + j];
        }
    }
}

w2v_status spectrum_covariance(const table_view *t, int threads, double *cov, w2v_error *err)
{
    covariance v = {.table = t, .padded = (t->dim + TILE - 1) / TILE * TILE, .cov = cov};
    memset(cov, 0, t->dim * t->dim * sizeof *cov);
    v.mean = mem_calloc(t->dim, sizeof *v.mean);
    v.scratch = mem_calloc((size_t)threads, sizeof *v.scratch);
    bool ok = v.mean && v.scratch;
    for (int k = 0; ok && k < threads; k++) {
        v.scratch[k] = mem_calloc(BLOCK * v.padded, sizeof **v.scratch);
        ok = v.scratch[k] != NULL;
    }
    if (ok) {
        thread_team(threads, add_means, &v);
        thread_team(threads, add_products, &v);
        finish(&v);
    }
    for (int k = 0; v.scratch && k < threads; k++) {
        mem_free(v.scratch[k]);
    }
    mem_free(v.scratch);
    mem_free(v.mean);
    return ok ? W2V_OK : error_memory(err, "the covariance");
}

/* ----------------------------------------------------------------- eigenvalues */

static double dot(const double *x, const double *y, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* The reflection that leaves of `x` only its first number, which it returns: v with the square
 *square of its length; 0 where nothing is to be done. */
static double reflect(const double *x, size_t n, double *v, double *square)
{
    const double rest = dot(x + 1, x + 1, n - 1);
    *square = 0.0;
    if (!(rest > 0.0)) {
        return x[0];
    }
    const double length = sqrt(x[0] * x[0] + rest), first = x[0] > 0.0 ? -length : length;
    memcpy(v, x, n * sizeof *v);
    v[0] -= first; /* of opposite signs: nothing cancels */
    *square = v[0] * v[0] + rest;
    return first;
}

/* The lower right part of the matrix, from column k + 1: A - v w' - w v'. */
static void update(double *a, size_t n, size_t k, const double *v, double square, double *w)
{
    const size_t m = n - k - 1;
    double *part = a + (k + 1) * n + k + 1;
    for (size_t i = 0; i < m; i++) {
        w[i] = 2.0 / square * dot(part + i * n, v, m);
    }
    const double along = dot(w, v, m) / square;
    for (size_t i = 0; i < m; i++) {
        w[i] -= along * v[i];
    }
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) {
            part[i * n + j] -= v[i] * w[j] + w[i] * v[j];
        }
    }
}

/* diagonal[0..n-1], and the squares beside[i] of what stands between i - 1 and i; beside[0] = 0. */
static void tridiagonal(double *a, size_t n, double *diagonal, double *beside, double *v, double *w)
{
    beside[0] = 0.0;
    for (size_t k = 0; k < n; k++) {
        diagonal[k] = a[k * n + k];
        if (k + 1 < n) {
            double square;
            /* Row k of a symmetric matrix is its column k. */
            const double next = reflect(a + k * n + k + 1, n - k - 1, v, &square);
            beside[k + 1] = next * next;
            if (square > 0.0) {
                update(a, n, k, v, square, w);
            }
        }
    }
}

static size_t count_above(const double *diagonal, const double *beside, size_t n, double x)
{
    size_t above = 0;
    double pivot = 1.0;
    for (size_t i = 0; i < n; i++) {
        pivot = diagonal[i] - x - beside[i] / pivot;
        if (fabs(pivot) < DBL_MIN) {
            pivot = -DBL_MIN; /* x itself is an eigenvalue of the part so far: not above */
        }
        above += pivot > 0.0;
    }
    return above;
}

/* `reach` bounds the size of all (Gershgorin). None is above the one before it. */
static void bisect(const double *diagonal, const double *beside, size_t n, double reach,
                   double *values)
{
    double top = reach;
    for (size_t k = 0; k < n; k++) {
        double low = -reach, high = top;
        for (;;) {
            const double middle = low + (high - low) / 2.0;
            if (!(middle > low && middle < high) || high - low < reach * 0x1p-56) {
                break;
            }
            if (count_above(diagonal, beside, n, middle) > k) {
                low = middle;
            } else {
                high = middle;
            }
        }
        values[k] = top = high;
    }
}

w2v_status spectrum_eigenvalues(double *matrix, size_t n, double *values, w2v_error *err)
{
    double scale = 0.0, reach = 0.0;
    for (size_t i = 0; i < n * n; i++) {
        scale = fmax(scale, fabs(matrix[i]));
    }
    memset(values, 0, n * sizeof *values);
    if (!(scale > 0.0)) {
        return W2V_OK;
    }
    for (size_t i = 0; i < n * n; i++) {
        matrix[i] /= scale; /* so that no square leaves the range of a double */
    }
    double *room = mem_calloc(n, 4 * sizeof *room);
    if (!room) {
        return error_memory(err, "the eigenvalues");
    }
    double *diagonal = room, *beside = room + n;
    tridiagonal(matrix, n, diagonal, beside, room + 2 * n, room + 3 * n);
    for (size_t i = 0; i < n; i++) {
        const double next = i + 1 < n ? sqrt(beside[i + 1]) : 0.0;
        reach = fmax(reach, fabs(diagonal[i]) + sqrt(beside[i]) + next);
    }
    bisect(diagonal, beside, n, reach * (1.0 + 0x1p-40), values);
    for (size_t i = 0; i < n; i++) {
        values[i] *= scale;
    }
    mem_free(room);
    return W2V_OK;
}
