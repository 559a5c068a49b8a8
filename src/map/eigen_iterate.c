#include "map/eigen.h"

#include "base/mem.h"
#include "base/rng.h"

#include <math.h>
#include <string.h>

/* Vectors that are iterated besides the wanted ones: what converges is the ratio of the last wanted
   eigenvalue and the first one left out, so that near ties among the first do no harm. */
#define SPARE 14
#define STEPS 20000
/* |A v - lambda v| below this share of the largest eigenvalue counts as converged. */
#define RESIDUAL 1e-12
#define SWEEPS 60

typedef struct iteration {
    double *a;
    size_t n, m;          /* order of the matrix, vectors iterated */
    double *x, *y;        /* m vectors of n, and A times them */
    double *small, *turn; /* m x m: the matrix seen in their span, and its eigenvectors */
    double *value;        /* m */
} iteration;

static double dot(const double *x, const double *y, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* Modified Gram-Schmidt, twice; a vector that vanishes is drawn anew. */
static void orthonormalise(double *x, size_t n, size_t m, rng *r)
{
    for (size_t i = 0; i < m; i++) {
        double *v = x + i * n;
        for (int pass = 0; pass < 2; pass++) {
            const double before = sqrt(dot(v, v, n));
            for (size_t j = 0; j < i; j++) {
                const double along = dot(v, x + j * n, n);
                for (size_t c = 0; c < n; c++) {
                    v[c] -= along * x[j * n + c];
                }
            }
            const double length = sqrt(dot(v, v, n));
            const bool lost = !(length > 1e-10 * before) || !(length > 0.0);
            for (size_t c = 0; c < n; c++) {
                v[c] = lost ? (double)(rng_next(r) >> 11) * 0x1p-53 - 0.5 : v[c] / length;
            }
            pass = lost ? -1 : pass;
        }
    }
}

static void multiply(const iteration *it)
{
    for (size_t i = 0; i < it->m; i++) {
        for (size_t r = 0; r < it->n; r++) {
            it->y[i * it->n + r] = dot(it->a + r * it->n, it->x + i * it->n, it->n);
        }
    }
}

/* Turns rows and columns p and q so that the entry between them is zero. */
static void rotate(double *s, double *v, size_t m, size_t p, size_t q)
{
    const double off = s[p * m + q];
    if (off == 0.0) {
        return;
    }
    const double theta = (s[q * m + q] - s[p * m + p]) / (2.0 * off);
    const double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), d = t * c;
    for (size_t i = 0; i < m; i++) {
        const double x = s[i * m + p], y = s[i * m + q];
        s[i * m + p] = c * x - d * y;
        s[i * m + q] = d * x + c * y;
    }
    for (size_t i = 0; i < m; i++) {
        const double x = s[p * m + i], y = s[q * m + i];
        s[p * m + i] = c * x - d * y;
        s[q * m + i] = d * x + c * y;
        const double u = v[p * m + i], w = v[q * m + i];
        v[p * m + i] = c * u - d * w;
        v[q * m + i] = d * u + c * w;
    }
}

/* Jacobi's method: eigenvectors of the small matrix as rows of `turn`, values on its diagonal. */
static void solve_small(const iteration *it)
{
    const size_t m = it->m;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) {
            it->small[i * m + j] = dot(it->x + i * it->n, it->y + j * it->n, it->n);
            it->turn[i * m + j] = i == j ? 1.0 : 0.0;
        }
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (size_t p = 0; p < m; p++) {
            for (size_t q = p + 1; q < m; q++) {
                rotate(it->small, it->turn, m, p, q);
            }
        }
    }
}

/* The eigenvectors of the span, largest first, into `to`, from vectors `from`. */
static void combine(const iteration *it, const double *from, double *to, const size_t *order)
{
    memset(to, 0, it->m * it->n * sizeof *to);
    for (size_t i = 0; i < it->m; i++) {
        for (size_t j = 0; j < it->m; j++) {
            const double weight = it->turn[order[i] * it->m + j];
            for (size_t c = 0; c < it->n; c++) {
                to[i * it->n + c] += weight * from[j * it->n + c];
            }
        }
    }
}

static void sort_values(const iteration *it, size_t *order)
{
    for (size_t i = 0; i < it->m; i++) {
        size_t at = i;
        const double value = it->small[i * it->m + i];
        for (; at > 0 && it->value[at - 1] < value; at--) {
            it->value[at] = it->value[at - 1];
            order[at] = order[at - 1];
        }
        it->value[at] = value;
        order[at] = i;
    }
}

/* How far the first k are from being eigenvectors, beside the largest eigenvalue. */
static double residual(const iteration *it, size_t k)
{
    double most = 0.0;
    for (size_t i = 0; i < k; i++) {
        double sum = 0.0;
        for (size_t c = 0; c < it->n; c++) {
            const double d = it->y[i * it->n + c] - it->value[i] * it->x[i * it->n + c];
            sum += d * d;
        }
        most = fmax(most, sqrt(sum));
    }
    return it->value[0] > 0.0 ? most / it->value[0] : most;
}

static bool iterate(iteration *it, size_t k, double *scratch, size_t *order)
{
    rng r = rng_stream(1, RNG_INIT, it->n, it->m);
    const size_t bytes = it->m * it->n * sizeof *it->x;
    orthonormalise(it->x, it->n, it->m, &r);
    for (int step = 0; step < STEPS; step++) {
        multiply(it);
        solve_small(it);
        sort_values(it, order);
        combine(it, it->x, scratch, order);
        memcpy(it->x, scratch, bytes);
        combine(it, it->y, scratch, order);
        memcpy(it->y, scratch, bytes);
        if (residual(it, k) <= RESIDUAL) {
            return true;
        }
        memcpy(it->x, it->y, bytes);
        orthonormalise(it->x, it->n, it->m, &r);
    }
    return false;
}

w2v_status eigen_iterate(double *a, size_t n, size_t k, double *values, double *vectors,
                         w2v_error *err)
{
    iteration it = {.a = a, .n = n, .m = n < k + SPARE ? n : k + SPARE};
    const size_t m = it.m;
    size_t room; /* x, y and scratch; small and turn; values */
    bool ok = mem_multiply(3 * m, n, &room) && room < SIZE_MAX - 2 * m * m - m;
    double *all = ok ? mem_calloc(room + 2 * m * m + m, sizeof *all) : NULL;
    size_t *order = mem_calloc(m, sizeof *order);
    ok = all && order;
    w2v_status status = ok ? W2V_OK : error_memory(err, "the axes of the map");
    if (ok) {
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < i; j++) {
                a[i * n + j] = a[j * n + i];
            }
        }
        it.x = all;
        it.y = all + m * n;
        it.small = all + room;
        it.turn = it.small + m * m;
        it.value = it.turn + m * m;
        if (!iterate(&it, k, all + 2 * m * n, order)) {
            status = error_set(err, W2V_ERR_ARGUMENT, "the axes of the map did not converge");
        }
        memcpy(values, it.value, k * sizeof *values);
        memcpy(vectors, it.x, k * n * sizeof *vectors);
    }
    mem_free(all);
    mem_free(order);
    return status;
}
