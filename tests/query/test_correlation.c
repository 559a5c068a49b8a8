/* Correlations by hand, ties and what has no value. */
#include "support.h"

#include "base/mem.h"
#include "query/correlation.h"

#include <math.h>

static w2v_correlation spearman(const double *x, const double *y, size_t n)
{
    w2v_correlation r;
    assert_int_equal(correlation_spearman(x, y, n, &r, NULL), W2V_OK);
    return r;
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-12)) {
        fail_msg("%.15f is not %.15f", value, expected);
    }
}

static void test_correlation_pearson_value(void **state)
{
    (void)state;
    /* Deviations -1.5 -0.5 0.5 1.5 and -1 0 -1 2: 4 / sqrt(5 * 6). */
    const double x[] = {1, 2, 3, 4}, y[] = {1, 2, 1, 4};
    const w2v_correlation r = correlation_pearson(x, y, 4);
    assert_near(r.value, 4.0 / sqrt(30.0));
    assert_near(atanh(r.value) - atanh(r.low), 1.959963984540054);
    assert_near(atanh(r.high) - atanh(r.value), 1.959963984540054);
}

static void test_correlation_spearman_ties(void **state)
{
    (void)state;
    /* Ranks 1 2.5 2.5 4 and 1 2 4 3: deviations multiply to 2.25 + 0 + 0 + 0.75 - 0 = 3,
       squares to 4.5 and 5. */
    const double x[] = {10, 20, 20, 30}, y[] = {0.1, 0.2, 0.9, 0.5};
    assert_near(spearman(x, y, 4).value, 3.0 / sqrt(4.5 * 5.0));
}

static void test_correlation_spearman_monotone(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4, 5}, up[] = {1, 4, 9, 16, 1e9}, down[] = {5, 4, 3, 2, -7};
    assert_near(spearman(x, up, 5).value, 1.0);
    assert_near(spearman(x, down, 5).value, -1.0);
    assert_near(spearman(x, down, 5).high, -1.0);
    assert_true(correlation_pearson(x, up, 5).value < 0.9);
}

static void test_correlation_undefined(void **state)
{
    (void)state;
    const double x[] = {0.1, 0.1, 0.1, 0.1, 0.1}, y[] = {1, 2, 3, 4, 5};
    assert_true(isnan(spearman(x, y, 5).value));
    assert_true(isnan(correlation_pearson(y, x, 5).low));
    assert_true(isnan(spearman(y, y, 1).value));
    assert_true(isnan(spearman(y, y, 0).value));
    assert_near(spearman(y, y, 3).value, 1.0);
    assert_true(isnan(spearman(y, y, 3).low)); /* three are too few for an interval */
}

static void test_correlation_spearman_without_memory(void **state)
{
    (void)state;
    const double x[] = {1, 2};
    w2v_correlation r;
    for (uint64_t n = 1; n <= 3; n++) {
        mem_fail_at(n, false);
        assert_int_equal(correlation_spearman(x, x, 2, &r, NULL), W2V_ERR_MEMORY);
        mem_fail_at(0, false);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_correlation_pearson_value),
        cmocka_unit_test(test_correlation_spearman_ties),
        cmocka_unit_test(test_correlation_spearman_monotone),
        cmocka_unit_test(test_correlation_undefined),
        cmocka_unit_test(test_correlation_spearman_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
