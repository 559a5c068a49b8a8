/* Points for the tests of maps: random ones, planted groups, and a full eigensolver to compare
   with. */
#ifndef W2V_TESTS_MAP_CLOUDS_H
#define W2V_TESTS_MAP_CLOUDS_H

#include "support.h"

#include "base/rng.h"
#include "w2v/w2v.h"

#include <math.h>

static inline double cloud_uniform(rng *r) /* -1..1 */
{
    return (double)(rng_next(r) >> 11) * 0x1p-52 - 1.0;
}

/* About normal: the sum of twelve uniform numbers. */
static inline double cloud_normal(rng *r)
{
    double sum = 0.0;
    for (int i = 0; i < 12; i++) {
        sum += 0.5 * cloud_uniform(r);
    }
    return sum;
}

static inline float *cloud_random(size_t n, size_t dim, uint64_t seed)
{
    float *rows = calloc(n * dim + 1, sizeof *rows);
    assert_non_null(rows);
    rng r = rng_stream(seed, RNG_INIT, n, dim);
    for (size_t i = 0; i < n * dim; i++) {
        rows[i] = (float)((1.0 + (double)(i % dim)) * cloud_normal(&r)); /* columns differ */
    }
    return rows;
}

/* Point i belongs to group i % groups; groups lie 10 apart in their own dimensions. */
static inline float *cloud_groups(size_t n, size_t dim, size_t groups, uint64_t seed)
{
    float *rows = calloc(n * dim, sizeof *rows);
    assert_non_null(rows);
    rng r = rng_stream(seed, RNG_INIT, n, dim);
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < dim; c++) {
            rows[i * dim + c] = (float)(cloud_normal(&r) + (c == i % groups ? 10.0 : 0.0));
        }
    }
    return rows;
}

/* Jacobi: all eigenvalues of a symmetric matrix, largest first, vectors as rows of v. */
static inline void cloud_eigen(double *a, double *v, double *values, size_t n)
{
    for (size_t i = 0; i < n * n; i++) {
        v[i] = i / n == i % n ? 1.0 : 0.0;
    }
    for (int sweep = 0; sweep < 100; sweep++) {
        for (size_t p = 0; p < n; p++) {
            for (size_t q = p + 1; q < n; q++) {
                const double angle = 0.5 * atan2(2.0 * a[p * n + q], a[q * n + q] - a[p * n + p]);
                const double c = cos(angle), s = sin(angle);
                for (size_t i = 0; i < n; i++) {
                    const double x = a[i * n + p], y = a[i * n + q];
                    a[i * n + p] = c * x - s * y;
                    a[i * n + q] = s * x + c * y;
                }
                for (size_t i = 0; i < n; i++) {
                    const double x = a[p * n + i], y = a[q * n + i];
                    a[p * n + i] = c * x - s * y;
                    a[q * n + i] = s * x + c * y;
                    const double u = v[p * n + i], w = v[q * n + i];
                    v[p * n + i] = c * u - s * w;
                    v[q * n + i] = s * u + c * w;
                }
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        values[i] = a[i * n + i];
    }
    for (size_t i = 0; i < n; i++) { /* selection sort */
        size_t best = i;
        for (size_t j = i + 1; j < n; j++) {
            best = values[j] > values[best] ? j : best;
        }
        const double value = values[i];
        values[i] = values[best];
        values[best] = value;
        for (size_t c = 0; c < n; c++) {
            const double x = v[i * n + c];
            v[i * n + c] = v[best * n + c];
            v[best * n + c] = x;
        }
    }
}

#endif
