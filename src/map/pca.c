#include "map/pca.h"

#include "base/mem.h"
#include "map/blocks.h"
#include "query/eigen.h"

#include <math.h>

#define AXES 2
/* Rows of the matrix that are computed together: they stay in the first cache. */
#define ROWS 8
/* An axis with less than this share of the variance is rounding. */
#define LEAST_SHARE 1e-13

typedef struct products {
    const points *points;
    double *out;
} products;

/* Sums of squares and products of columns first..last-1 with all later ones. */
static void columns(void *user, int thread, size_t block, size_t first, size_t last)
{
    const products *c = user;
    const size_t dim = c->points->dim;
    (void)thread;
    (void)block;
    for (size_t i = 0; i < c->points->count; i++) {
        const double *x = points_row(c->points, i);
        for (size_t r = first; r < last; r++) {
            double *out = c->out + r * dim;
            for (size_t k = r; k < dim; k++) {
                out[k] += x[r] * x[k];
            }
        }
    }
}

/* Products of points first..last-1 with all later ones. */
static void rows(void *user, int thread, size_t block, size_t first, size_t last)
{
    const products *c = user;
    const size_t n = c->points->count;
    (void)thread;
    (void)block;
    for (size_t i = first; i < last; i++) {
        for (size_t j = i; j < n; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < c->points->dim; k++) {
                sum += points_row(c->points, i)[k] * points_row(c->points, j)[k];
            }
            c->out[i * n + j] = sum;
        }
    }
}

/* The place farthest from 0, the first of nearly equal ones, decides the sign. */
static void settle_sign(double *places, size_t count, size_t axis)
{
    double most = 0.0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(places[AXES * i + axis]));
    }
    size_t at = 0;
    while (at + 1 < count && fabs(places[AXES * at + axis]) < most * (1.0 - 1e-6)) {
        at++;
    }
    if (count && places[AXES * at + axis] < 0.0) {
        for (size_t i = 0; i < count; i++) {
            places[AXES * i + axis] = -places[AXES * i + axis];
        }
    }
}

/* Places along an axis whose eigenvector is `v`: of columns, or of points. */
static void place(const points *p, bool of_columns, const double *v, double value, double *places,
                  size_t axis)
{
    for (size_t i = 0; i < p->count; i++) {
        double sum = 0.0;
        for (size_t c = 0; of_columns && c < p->dim; c++) {
            sum += points_row(p, i)[c] * v[c];
        }
        places[AXES * i + axis] = (of_columns ? sum : v[i] * sqrt(value)) * p->scale;
    }
    settle_sign(places, p->count, axis);
}

static double total(const double *matrix, size_t order)
{
    double sum = 0.0;
    for (size_t i = 0; i < order; i++) {
        sum += matrix[i * order + i];
    }
    return sum;
}

w2v_status pca(const points *p, int threads, double *places, pca_axis axes[AXES], w2v_error *err)
{
    /* The same eigenvalues come from the covariance and from the Gram matrix: the smaller one. */
    const bool of_columns = p->dim <= p->count;
    const size_t order = of_columns ? p->dim : p->count;
    const size_t k = order < AXES ? order : AXES;
    size_t n;
    products c = {.points = p};
    c.out = mem_multiply(order, order, &n) ? mem_calloc(n, sizeof *c.out) : NULL;
    double *vectors = mem_calloc(AXES * order, sizeof *vectors);
    double values[AXES] = {0.0, 0.0}, sum = 0.0;
    w2v_status status = W2V_OK;
    if (!c.out || !vectors) {
        status = error_memory(err, "the axes of the map");
    } else {
        blocks_run(threads, order, ROWS, of_columns ? columns : rows, &c);
        sum = total(c.out, order);
        status = eigen_top(c.out, order, k, values, vectors, err);
    }
    for (size_t a = 0; a < AXES && !status; a++) {
        const bool some = a < k && values[a] > LEAST_SHARE * sum;
        const double value = some ? values[a] : 0.0;
        const double divisor = p->count > 1 ? (double)(p->count - 1) : 1.0;
        axes[a].variance = value / divisor * p->scale * p->scale;
        axes[a].share = some ? fmin(value / sum, 1.0) : 0.0;
        for (size_t i = 0; i < p->count; i++) {
            places[AXES * i + a] = 0.0;
        }
        if (some) {
            place(p, of_columns, vectors + a * order, value, places, a);
        }
    }
    mem_free(c.out);
    mem_free(vectors);
    return status;
}
