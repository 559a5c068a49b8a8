/* Covariance against its definition, eigenvalues against matrices whose own are known. */
#include "query/tables.h"

#include "query/spectrum.h"

static table_view view_of(const table *t)
{
    return (table_view){.values = t->values, .rows = t->rows, .dim = t->dim, .stride = t->dim};
}

static void covariance_by_definition(const table *t, double *cov)
{
    for (size_t i = 0; i < t->dim; i++) {
        for (size_t j = 0; j < t->dim; j++) {
            double mi = 0.0, mj = 0.0, sum = 0.0;
            for (size_t r = 0; r < t->rows; r++) {
                mi += (double)table_row(t, r)[i] / (double)t->rows;
                mj += (double)table_row(t, r)[j] / (double)t->rows;
            }
            for (size_t r = 0; r < t->rows; r++) {
                sum += ((double)table_row(t, r)[i] - mi) * ((double)table_row(t, r)[j] - mj);
            }
            cov[i * t->dim + j] = sum / (double)t->rows;
        }
    }
}

static void test_spectrum_covariance_definition(void **state)
{
    static const size_t shapes[][2] = {{1, 1}, {2, 3}, {127, 4}, {128, 5}, {129, 7}, {1000, 13}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        table t = table_random(*state, KIND_UNIFORM, shapes[s][0], shapes[s][1], 5);
        const table_view view = view_of(&t);
        const size_t n = t.dim * t.dim;
        double *one = calloc(n, sizeof *one), *many = calloc(n, sizeof *many);
        double *known = calloc(n, sizeof *known);
        assert_true(one && many && known);
        covariance_by_definition(&t, known);
        assert_int_equal(spectrum_covariance(&view, 1, one, NULL), W2V_OK);
        for (size_t i = 0; i < n; i++) {
            assert_true(fabs(one[i] - known[i]) < 1e-13);
        }
        for (int threads = 2; threads < 6; threads++) {
            assert_int_equal(spectrum_covariance(&view, threads, many, NULL), W2V_OK);
            assert_memory_equal(one, many, n * sizeof *one);
        }
        free(one);
        free(many);
        free(known);
        table_free(&t);
    }
}

/* A mean that is rounded would leave something. */
static void test_spectrum_covariance_equal_rows(void **state)
{
    (void)state;
    float values[33 * 3];
    double cov[9];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        values[i] = i % 3 == 0 ? 0.1f : i % 3 == 1 ? 1e20f : 1e-40f;
    }
    const table_view view = {.values = values, .rows = 33, .dim = 3, .stride = 3};
    assert_int_equal(spectrum_covariance(&view, 2, cov, NULL), W2V_OK);
    for (size_t i = 0; i < 9; i++) {
        assert_true(cov[i] == 0.0);
    }
}

static void assert_values(const double *matrix, size_t n, const double *known, double room)
{
    double *copy = malloc(n * n * sizeof *copy), *values = malloc(n * sizeof *values);
    assert_true(copy && values);
    memcpy(copy, matrix, n * n * sizeof *copy);
    assert_int_equal(spectrum_eigenvalues(copy, n, values, NULL), W2V_OK);
    for (size_t i = 0; i < n; i++) {
        if (!(fabs(values[i] - known[i]) <= room)) {
            fail_msg("eigenvalue %zu of %zu is %.17g, not %.17g", i, n, values[i], known[i]);
        }
    }
    free(copy);
    free(values);
}

static void test_spectrum_eigenvalues_by_hand(void **state)
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
static void test_spectrum_eigenvalues_second_difference(void **state)
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
static void test_spectrum_eigenvalues_hidden(void **state)
{
    (void)state;
    enum { N = 40 };
    rng r = rng_stream(3, RNG_INIT, 0, 0);
    double u[N], d[N], square = 0.0;
    double *h = calloc(N * N, sizeof *h), *a = calloc(N * N, sizeof *a);
    assert_true(h && a);
    for (size_t i = 0; i < N; i++) {
        u[i] = uniform(&r);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_spectrum_covariance_definition, support_setup,
                                        support_teardown),
        cmocka_unit_test(test_spectrum_covariance_equal_rows),
        cmocka_unit_test(test_spectrum_eigenvalues_by_hand),
        cmocka_unit_test(test_spectrum_eigenvalues_second_difference),
        cmocka_unit_test(test_spectrum_eigenvalues_hidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
