#include "query/exact.h"

#include <math.h>

#define LANES 8

/* The one order of summation. */
static double add_lanes(double sum[LANES])
{
    for (size_t half = LANES / 2; half > 0; half /= 2) {
        for (size_t l = 0; l < half; l++) {
            sum[l] += sum[l + half];
        }
    }
    return sum[0];
}

/* Adds TERM, an expression of the column c, over all columns. */
#define SUM_OVER_COLUMNS(TERM)                                                                     \
    double sum[LANES] = {0};                                                                       \
    size_t base = 0;                                                                               \
    for (; dim - base >= LANES; base += LANES) {                                                   \
        for (size_t l = 0; l < LANES; l++) {                                                       \
            const size_t c = base + l;                                                             \
            sum[l] += TERM;                                                                        \
        }                                                                                          \
    }                                                                                              \
    for (size_t c = base; c < dim; c++) {                                                          \
        sum[c - base] += TERM;                                                                     \
    }                                                                                              \
    return add_lanes(sum)

static double squared(double x)
{
    return x * x;
}

double exact_dot(const double *target, const void *row, size_t dim)
{
    SUM_OVER_COLUMNS(target[c] * (double)exact_value(row, c));
}

double exact_square(const void *row, size_t dim)
{
    SUM_OVER_COLUMNS(squared((double)exact_value(row, c)));
}

double exact_distance_square(const double *target, const void *row, size_t dim)
{
    SUM_OVER_COLUMNS(squared(target[c] - (double)exact_value(row, c)));
}

double exact_square_of_doubles(const double *target, size_t dim)
{
    SUM_OVER_COLUMNS(squared(target[c]));
}

double exact_cosine(const double *target, double norm, const void *row, double square, size_t dim)
{
    const double cosine = exact_dot(target, row, dim) / (norm * sqrt(square));
    return cosine > 1.0 ? 1.0 : cosine < -1.0 ? -1.0 : cosine; /* rounding may pass the ends */
}
