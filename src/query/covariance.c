#include "query/covariance.h"

#include "base/mem.h"
#include "os/thread.h"

#include <string.h>

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

w2v_status covariance_of(const table_view *t, int threads, double *cov, w2v_error *err)
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
