/* The solver of our own, beside a full one and beside LAPACK where the build has it. */
#include "map/clouds.h"

#include "map/eigen.h"

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

static void check(eigen_solver *solver, const double *wanted, size_t n, size_t k)
{
    double values[8], *vectors = calloc(n * k, sizeof *vectors);
    double *a = matrix_of(wanted, n, 3), *kept = calloc(n * n, sizeof *kept);
    assert_true(a && kept && vectors);
    memcpy(kept, a, n * n * sizeof *a);
    w2v_error err = {0};
    if (solver(a, n, k, values, vectors, &err)) {
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

static void both(const double *wanted, size_t n, size_t k)
{
    check(eigen_iterate, wanted, n, k);
    check(eigen_top, wanted, n, k);
}

static void test_eigen_apart(void **state)
{
    (void)state;
    double values[40];
    for (size_t i = 0; i < 40; i++) {
        values[i] = 100.0 * pow(0.8, (double)i);
    }
    both(values, 40, 2);
    both(values, 40, 1);
    both(values, 3, 2);
    both(values, 2, 2);
    both(values, 1, 1);
}

static void test_eigen_degenerate(void **state)
{
    (void)state;
    double values[30];
    for (size_t i = 0; i < 30; i++) {
        values[i] = i < 5 ? 7.0 : 1.0; /* five equal ones at the top */
    }
    both(values, 30, 2);
    for (size_t i = 0; i < 30; i++) {
        values[i] = i == 0 ? 2.0 : 0.0; /* rank 1 */
    }
    both(values, 30, 2);
    for (size_t i = 0; i < 30; i++) {
        values[i] = 3.0; /* a multiple of the identity */
    }
    both(values, 30, 2);
    memset(values, 0, sizeof values);
    both(values, 30, 2);
}

static void test_eigen_flat(void **state)
{
    (void)state;
    double values[60];
    for (size_t i = 0; i < 60; i++) {
        values[i] = 1.0 - 0.001 * (double)i; /* hardly apart: slow to converge */
    }
    both(values, 60, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eigen_apart),
        cmocka_unit_test(test_eigen_degenerate),
        cmocka_unit_test(test_eigen_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
