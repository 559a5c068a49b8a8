/* Eigenvalues that are known, and vectors held against their definition. */
#include "map/clouds.h"

#include "base/mem.h"
#include "query/eigen.h"

static void assert_values(const double *matrix, size_t n, const double *known, double room)
{
    double *copy = malloc(n * n * sizeof *copy), *values = malloc(n * sizeof *values);
    assert_true(copy && values);
    memcpy(copy, matrix, n * n * sizeof *copy);
    assert_int_equal(eigen_top(copy, n, n, values, NULL, NULL), W2V_OK);
    for (size_t i = 0; i < n; i++) {
        if (!(fabs(values[i] - known[i]) <= room)) {
            fail_msg("eigenvalue %zu of %zu is %.17g, not %.17g", i, n, values[i], known[i]);
        }
    }
    free(copy);
    free(values);
}

static void test_eigen_values_by_hand(void **state)
{
    (void)state;
    assert_values((double[]){7}, 1, (double[]){7}, 1e-15);
    assert_values((double[]){0}, 1, (double[]){0}, 0.0);
    assert_values((double[]){-2}, 1, (double[]){-2}, 1e-15);
    /* (5 +- sqrt(9 + 16)) / 2 */
    assert_values((double[]){4, 2, 2, 1}, 2, (double[]){5, 0}, 1e-15);
    assert_values((double[]){2, 1, 1, 2}, 2, (double[]){3, 1}, 1e-15);
    assert_values((double[]){0, 0, 0, 0}, 2, (double[]){0, 0}, 0.0);
    /* x^3 - 6 x^2 + 9 x - 4 = (x - 4) (x - 1)^2 */
    assert_values((double[]){2, 1, 1, 1, 2, 1, 1, 1, 2}, 3, (double[]){4, 1, 1}, 4e-15);
    assert_values((double[]){1, 0, 0, 0, -3, 0, 0, 0, 2}, 3, (double[]){2, 1, -3}, 4e-15);
    /* Far from 1. */
    assert_values((double[]){4e-90, 2e-90, 2e-90, 1e-90}, 2, (double[]){5e-90, 0}, 1e-105);
    assert_values((double[]){4e150, 2e150, 2e150, 1e150}, 2, (double[]){5e150, 0}, 1e136);
}

/* The second difference has 2 - 2 cos(k pi / (n + 1)), k = 1..n: one nearly 0. */
static void test_eigen_values_second_difference(void **state)
{
    (void)state;
    enum { N = 100 };
    const double pi = 3.14159265358979323846;
    double *a = calloc(N * N, sizeof *a), known[N];
    assert_non_null(a);
    for (size_t i = 0; i < N; i++) {
        a[i * N + i] = 2.0;
        if (i > 0) {
            a[i * N + i - 1] = a[(i - 1) * N + i] = -1.0;
        }
        known[i] = 2.0 - 2.0 * cos((double)(N - i) * pi / (N + 1));
    }
    assert_values(a, N, known, 1e-13);
    free(a);
}

/* A full matrix H D H with H = I - 2 u u' / u'u has the eigenvalues in D. */
static void test_eigen_values_hidden(void **state)
{
    (void)state;
    enum { N = 40 };
    rng r = rng_stream(3, RNG_INIT, 0, 0);
    double u[N], d[N], square = 0.0;
    double *h = calloc(N * N, sizeof *h), *a = calloc(N * N, sizeof *a);
    assert_true(h && a);
    for (size_t i = 0; i < N; i++) {
        u[i] = cloud_uniform(&r);
        square += u[i] * u[i];
        d[i] = i < 5 ? 100.0 : i < 35 ? 35.0 - (double)i : 0.0; /* several alike, some none */
    }
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            h[i * N + j] = (i == j) - 2.0 * u[i] * u[j] / square;
        }
    }
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            for (size_t k = 0; k < N; k++) {
                a[i * N + j] += h[i * N + k] * d[k] * h[k * N + j];
            }
        }
    }
    assert_values(a, N, d, 1e-12);
    free(h);
    free(a);
}

/* -------------------------------------------------------------------------------- vectors */

/* A symmetric matrix with these eigenvalues in directions drawn from the seed. */
static double *matrix_of(const double *values, size_t n, uint64_t seed)
{
    double *a = calloc(n * n, sizeof *a), *v = calloc(n * n, sizeof *v);
    double *noise = calloc(n * n, sizeof *noise), *none = calloc(n, sizeof *none);
    assert_true(a && v && noise && none);
    rng r = rng_stream(seed, RNG_INIT, n, 7);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++) {
            noise[i * n + j] = noise[j * n + i] = cloud_uniform(&r);
        }
    }
    cloud_eigen(noise, v, none, n); /* v: some orthogonal matrix */
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) {
                a[i * n + j] += values[k] * v[k * n + i] * v[k * n + j];
            }
        }
    }
    free(v);
    free(noise);
    free(none);
    return a;
}

static void assert_vectors(const double *wanted, size_t n, size_t k)
{
    double values[60], *vectors = calloc(n * k, sizeof *vectors);
    double *a = matrix_of(wanted, n, 3), *kept = calloc(n * n, sizeof *kept);
    assert_true(a && kept && vectors);
    memcpy(kept, a, n * n * sizeof *a);
    w2v_error err = {0};
    if (eigen_top(a, n, k, values, vectors, &err)) {
        fail_msg("%s", err.text);
    }
    const double room = 1e-9 * (1.0 + fabs(wanted[0]));
    for (size_t i = 0; i < k; i++) {
        assert_true(fabs(values[i] - wanted[i]) < room);
        for (size_t row = 0; row < n; row++) { /* A v = lambda v */
            double sum = 0.0;
            for (size_t c = 0; c < n; c++) {
                sum += kept[row * n + c] * vectors[i * n + c];
            }
            assert_true(fabs(sum - values[i] * vectors[i * n + row]) < room);
        }
        for (size_t j = 0; j <= i; j++) {
            double sum = 0.0;
            for (size_t c = 0; c < n; c++) {
                sum += vectors[i * n + c] * vectors[j * n + c];
            }
            assert_true(fabs(sum - (i == j ? 1.0 : 0.0)) < 1e-9);
        }
    }
    free(a);
    free(kept);
    free(vectors);
}

static void test_eigen_vectors_apart(void **state)
{
    (void)state;
    double values[40];
    for (size_t i = 0; i < 40; i++) {
        values[i] = 100.0 * pow(0.8, (double)i);
    }
    assert_vectors(values, 40, 2);
    assert_vectors(values, 40, 1);
    assert_vectors(values, 3, 2);
    assert_vectors(values, 2, 2);
    assert_vectors(values, 1, 1);
}

static void test_eigen_vectors_degenerate(void **state)
{
    (void)state;
    double values[30];
    for (size_t i = 0; i < 30; i++) {
        values[i] = i < 5 ? 7.0 : 1.0; /* five equal ones at the top */
    }
    assert_vectors(values, 30, 2);
    for (size_t i = 0; i < 30; i++) {
        values[i] = i == 0 ? 2.0 : 0.0; /* rank 1 */
    }
    assert_vectors(values, 30, 2);
    for (size_t i = 0; i < 30; i++) {
        values[i] = 3.0; /* a multiple of the identity */
    }
    assert_vectors(values, 30, 2);
    memset(values, 0, sizeof values);
    assert_vectors(values, 30, 2);
}

static void test_eigen_vectors_flat(void **state)
{
    (void)state;
    double values[60];
    for (size_t i = 0; i < 60; i++) {
        values[i] = 1.0 - 0.001 * (double)i; /* hardly apart: slow to converge */
    }
    assert_vectors(values, 60, 2);
}

static void test_eigen_vectors_all(void **state)
{
    (void)state;
    double values[33];
    for (size_t i = 0; i < 33; i++) {
        values[i] = i < 10 ? 5.0 : i < 20 ? 1e-9 : -(double)i;
    }
    assert_vectors(values, 33, 33);
}

/* A v = lambda v for a matrix whose eigenvalues nobody knows, and all right angles. */
static void assert_pairs(const double *matrix, size_t n, size_t k)
{
    double *a = malloc(n * n * sizeof *a), *values = malloc(k * sizeof *values);
    double *vectors = malloc(n * k * sizeof *vectors);
    assert_true(a && values && vectors);
    memcpy(a, matrix, n * n * sizeof *a);
    assert_int_equal(eigen_top(a, n, k, values, vectors, NULL), W2V_OK);
    double scale = 0.0;
    for (size_t i = 0; i < n * n; i++) {
        scale = fmax(scale, fabs(matrix[i]));
    }
    for (size_t i = 0; i < k; i++) {
        const double *v = vectors + i * n;
        for (size_t row = 0; row < n; row++) {
            double sum = 0.0;
            for (size_t c = 0; c < n; c++) {
                sum += matrix[row * n + c] * v[c];
            }
            assert_true(fabs(sum - values[i] * v[row]) <= 1e-13 * (double)n * scale);
        }
        for (size_t j = 0; j <= i; j++) {
            double sum = 0.0;
            for (size_t c = 0; c < n; c++) {
                sum += v[c] * vectors[j * n + c];
            }
            assert_true(fabs(sum - (i == j ? 1.0 : 0.0)) < 1e-12);
        }
    }
    free(a);
    free(values);
    free(vectors);
}

/* Wilkinson's matrix: tridiagonal, |10 - i| on its diagonal, eigenvalues in pairs that agree in up
   to 15 digits. And ones that inverse iteration likes as little. */
static void test_eigen_vectors_near_ties(void **state)
{
    (void)state;
    enum { N = 21 };
    double a[N * N] = {0.0};
    for (size_t i = 0; i < N; i++) {
        a[i * N + i] = fabs(10.0 - (double)i);
        if (i > 0) {
            a[i * N + i - 1] = a[(i - 1) * N + i] = 1.0;
        }
    }
    assert_pairs(a, N, N);
    rng r = rng_stream(5, RNG_INIT, 0, 0);
    for (int power = -18; power <= 0; power++) { /* 1 and a little noise */
        for (size_t i = 0; i < N; i++) {
            for (size_t j = i; j < N; j++) {
                a[i * N + j] = (i == j) + pow(10.0, power) * cloud_uniform(&r);
                a[j * N + i] = a[i * N + j];
            }
        }
        assert_pairs(a, N, N);
    }
    for (size_t i = 0; i < N * N; i++) {
        a[i] = 1e-300; /* of rank 1, and small */
    }
    assert_pairs(a, N, N);
    for (size_t i = 0; i < N * N; i++) {
        a[i] = i / N + i % N == N - 1 ? 1e300 : 0.0; /* 1 and -1, many times, and large */
    }
    assert_pairs(a, N, N);
}

/* What reflections leave of a matrix of low rank shrinks with each, to numbers without squares. */
static void test_eigen_vectors_of_low_rank(void **state)
{
    (void)state;
    enum { N = 500 };
    double *a = calloc(N * N, sizeof *a);
    assert_non_null(a);
    for (size_t i = 0; i < N * N; i++) {
        a[i] = 1.0;
    }
    assert_pairs(a, N, 4);
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            a[i * N + j] = pow(10.0, -0.4 * (double)i) * pow(10.0, -0.4 * (double)j);
        }
    }
    assert_pairs(a, N, 4);
    free(a);
}

static void test_eigen_reads_the_upper_half(void **state)
{
    (void)state;
    double a[] = {4, 2, NAN, 1}, values[2], vectors[4];
    assert_int_equal(eigen_top(a, 2, 2, values, vectors, NULL), W2V_OK);
    assert_true(fabs(values[0] - 5.0) < 1e-14 && fabs(values[1]) < 1e-14);
    assert_true(fabs(vectors[0] - 2.0 * vectors[1]) < 1e-14);
    assert_true(fabs(vectors[3] + 2.0 * vectors[2]) < 1e-14);
}

static void test_eigen_without_memory(void **state)
{
    (void)state;
    double a[] = {4, 2, 2, 1}, values[2];
    w2v_error err = {0};
    mem_fail_at(1, true);
    const w2v_status status = eigen_top(a, 2, 2, values, NULL, &err);
    mem_fail_at(0, false);
    assert_int_equal(status, W2V_ERR_MEMORY);
    assert_non_null(strstr(err.text, "eigenvalues"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eigen_values_by_hand),
        cmocka_unit_test(test_eigen_values_second_difference),
        cmocka_unit_test(test_eigen_values_hidden),
        cmocka_unit_test(test_eigen_vectors_apart),
        cmocka_unit_test(test_eigen_vectors_degenerate),
        cmocka_unit_test(test_eigen_vectors_flat),
        cmocka_unit_test(test_eigen_vectors_all),
        cmocka_unit_test(test_eigen_vectors_near_ties),
        cmocka_unit_test(test_eigen_vectors_of_low_rank),
        cmocka_unit_test(test_eigen_reads_the_upper_half),
        cmocka_unit_test(test_eigen_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
