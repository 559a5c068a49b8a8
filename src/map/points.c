#include "map/points.h"

#include "base/mem.h"

#include <math.h>

void points_clear(points *p)
{
    mem_free(p->values);
    *p = (points){0};
}

double points_distance(const points *p, size_t i, size_t j)
{
    const double *x = points_row(p, i), *y = points_row(p, j);
    double sum = 0.0;
    for (size_t c = 0; c < p->dim; c++) {
        sum += (x[c] - y[c]) * (x[c] - y[c]);
    }
    return sum;
}

/* One row, of length 1 when `unit`; false where a number is not finite. */
static bool take_row(const float *row, size_t dim, bool unit, double *out)
{
    double square = 0.0;
    for (size_t c = 0; c < dim; c++) {
        out[c] = (double)row[c];
        square += out[c] * out[c];
    }
    if (!isfinite(square)) {
        return false;
    }
    const double length = unit && square > 0.0 ? sqrt(square) : 1.0;
    for (size_t c = 0; c < dim; c++) {
        out[c] /= length;
    }
    return true;
}

static void centre(points *p)
{
    double most = 0.0;
    for (size_t c = 0; c < p->dim; c++) {
        double sum = 0.0;
        for (size_t i = 0; i < p->count; i++) {
            sum += p->values[i * p->dim + c];
        }
        const double mean = sum / (double)p->count;
        for (size_t i = 0; i < p->count; i++) {
            double *x = &p->values[i * p->dim + c];
            /* What rounding leaves of equal numbers is no difference. */
            *x = fabs(*x - mean) <= 1e-15 * fabs(mean) ? 0.0 : *x - mean;
            most = fmax(most, fabs(*x));
        }
    }
    p->scale = most > 0.0 ? most : 1.0;
    for (size_t i = 0; i < p->count * p->dim; i++) {
        p->values[i] /= p->scale;
    }
}

w2v_status points_init(points *p, const float *rows, size_t count, size_t dim, w2v_metric metric,
                       w2v_error *err)
{
    size_t n;
    *p = (points){.count = count, .dim = dim};
    p->values = mem_multiply(count, dim, &n) ? mem_calloc(n, sizeof *p->values) : NULL;
    if (!p->values) {
        return error_memory(err, "the points of the map");
    }
    for (size_t i = 0; i < count; i++) {
        if (!take_row(rows + i * dim, dim, metric == W2V_COSINE, p->values + i * dim)) {
            points_clear(p);
            return error_set(err, W2V_ERR_INPUT,
                             "point %zu of the map has an infinite or undefined number", i + 1);
        }
    }
    centre(p);
    return W2V_OK;
}
