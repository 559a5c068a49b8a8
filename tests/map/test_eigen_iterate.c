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

/* ------------------------------------------------------- solvers that cannot be trusted */

static w2v_status failing(double *a, size_t n, size_t k, double *values, double *vectors,
                          w2v_error *err)
{
    (void)values;
    (void)vectors;
    memset(a, 0xff, n * n * sizeof *a);
    err->code = W2V_ERR_ARGUMENT;
    return k ? W2V_ERR_ARGUMENT : W2V_OK;
}

static w2v_status of_nan(double *a, size_t n, size_t k, double *values, double *vectors,
                         w2v_error *err)
{
    (void)a;
    (void)err;
    for (size_t i = 0; i < k; i++) {
        values[i] = NAN;
    }
    memset(vectors, 0xff, n * k * sizeof *vectors);
    return W2V_OK;
}

/* Unit vectors of the axes, which are no eigenvectors of matrix_of(). */
static w2v_status of_axes(double *a, size_t n, size_t k, double *values, double *vectors,
                          w2v_error *err)
{
    (void)err;
    memset(vectors, 0, n * k * sizeof *vectors);
    for (size_t i = 0; i < k; i++) {
        values[i] = a[0];
        vectors[i * n + i] = 1.0;
    }
    return W2V_OK;
}

/* The first one again and again. */
static w2v_status of_one(double *a, size_t n, size_t k, double *values, double *vectors,
                         w2v_error *err)
{
    const w2v_status status = eigen_iterate(a, n, k, values, vectors, err);
    for (size_t i = 1; i < k; i++) {
        values[i] = values[0];
        memcpy(vectors + i * n, vectors, n * sizeof *vectors);
    }
    return status;
}

static w2v_status smallest_first(double *a, size_t n, size_t k, double *values, double *vectors,
                                 w2v_error *err)
{
    double most[8], *turned = calloc(n * k, sizeof *turned);
    assert_non_null(turned);
    const w2v_status status = eigen_iterate(a, n, k, most, turned, err);
    for (size_t i = 0; i < k; i++) {
        values[i] = most[k - 1 - i];
        memcpy(vectors + i * n, turned + (k - 1 - i) * n, n * sizeof *vectors);
    }
    free(turned);
    return status;
}

static eigen_solver *wrong;

static w2v_status checked(double *a, size_t n, size_t k, double *values, double *vectors,
                          w2v_error *err)
{
    const w2v_status status = eigen_checked(wrong, a, n, k, values, vectors, err);
    assert_int_equal(err->code, W2V_OK); /* what went wrong before is nobody's business */
    return status;
}

static void test_eigen_checked_wrong_answers(void **state)
{
    static eigen_solver *const all[] = {failing, of_nan, of_axes, of_one, smallest_first};
    double values[12];
    (void)state;
    for (size_t i = 0; i < 12; i++) {
        values[i] = 12.0 - (double)i;
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        wrong = all[i];
        check(checked, values, 12, 2);
    }
}

static size_t asked;

static w2v_status counted(double *a, size_t n, size_t k, double *values, double *vectors,
                          w2v_error *err)
{
    asked++;
    const w2v_status status = eigen_iterate(a, n, k, values, vectors, err);
    for (size_t i = 0; i < k * n; i++) {
        vectors[i] = -vectors[i];
    }
    return status;
}

static void test_eigen_checked_right_answer(void **state)
{
    double a[4] = {2.0, 1.0, NAN, 2.0}; /* the lower triangle is nobody's business */
    double values[2], vectors[4], own[2], of_own[4];
    w2v_error err = {0};
    (void)state;
    assert_int_equal(eigen_checked(counted, a, 2, 2, values, vectors, &err), W2V_OK);
    assert_int_equal(asked, 1);
    assert_int_equal(eigen_iterate(a, 2, 2, own, of_own, &err), W2V_OK);
    for (size_t i = 0; i < 4; i++) { /* as it was given, with the other sign */
        assert_true(vectors[i] == -of_own[i]);
    }
    assert_true(fabs(values[0] - 3.0) < 1e-12 && fabs(values[1] - 1.0) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eigen_apart),
        cmocka_unit_test(test_eigen_degenerate),
        cmocka_unit_test(test_eigen_flat),
        cmocka_unit_test(test_eigen_checked_wrong_answers),
        cmocka_unit_test(test_eigen_checked_right_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
