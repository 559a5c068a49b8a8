/* Covariance against its definition. */
#include "query/tables.h"

#include "query/covariance.h"

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

static void test_covariance_definition(void **state)
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
        assert_int_equal(covariance_of(&view, 1, one, NULL), W2V_OK);
        for (size_t i = 0; i < n; i++) {
            assert_true(fabs(one[i] - known[i]) < 1e-13);
        }
        for (int threads = 2; threads < 6; threads++) {
            assert_int_equal(covariance_of(&view, threads, many, NULL), W2V_OK);
            assert_memory_equal(one, many, n * sizeof *one);
        }
        free(one);
        free(many);
        free(known);
        table_free(&t);
    }
}

/* A mean that is rounded would leave something. */
static void test_covariance_equal_rows(void **state)
{
    (void)state;
    float values[33 * 3];
    double cov[9];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        values[i] = i % 3 == 0 ? 0.1f : i % 3 == 1 ? 1e20f : 1e-40f;
    }
    const table_view view = {.values = values, .rows = 33, .dim = 3, .stride = 3};
    assert_int_equal(covariance_of(&view, 2, cov, NULL), W2V_OK);
    for (size_t i = 0; i < 9; i++) {
        assert_true(cov[i] == 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_covariance_definition, support_setup,
                                        support_teardown),
        cmocka_unit_test(test_covariance_equal_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
