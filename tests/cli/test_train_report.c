#include "support.h"

#include "cli/train_run.h"

#include <math.h>

static double seconds(double pairs, uint32_t dim, uint32_t negative, int threads, w2v_share share,
                      const char *kernel)
{
    const w2v_estimate e = {.pairs = pairs, .threads = threads};
    w2v_train_options o = w2v_train_options_default();
    o.dim = dim;
    o.negative = negative;
    o.threads = 64; /* asked for: the estimate knows how many will run */
    o.share = share;
    return report_seconds(&e, &o, kernel);
}

static void assert_near(double a, double b)
{
    assert_true(fabs(a - b) < 1e-9 * b);
}

static void test_report_pace_of_kernels(void **state)
{
    (void)state;
    assert_near(report_pace(W2V_SHARE_WINDOW, "avx512"), 15e6);
    assert_near(report_pace(W2V_SHARE_WINDOW, "avx2"), 7.5e6);
    assert_near(report_pace(W2V_SHARE_WINDOW, "neon"), 7.5e6);
    assert_near(report_pace(W2V_SHARE_WINDOW, "plain"), 15e6 / 8);
    assert_near(report_pace(W2V_SHARE_NONE, "avx512"), 15e6 / 4);
    assert_near(report_pace(W2V_SHARE_NONE, "plain"), 15e6 / 32);
}

static void test_report_seconds_follows_the_work(void **state)
{
    (void)state;
    assert_near(seconds(1.5e9, 100, 5, 1, W2V_SHARE_WINDOW, "avx512"), 100);
    assert_near(seconds(1.5e9, 100, 5, 4, W2V_SHARE_WINDOW, "avx512"), 25);
    assert_near(seconds(1.5e9, 300, 5, 1, W2V_SHARE_WINDOW, "avx512"), 300);
    assert_near(seconds(1.5e9, 100, 11, 1, W2V_SHARE_WINDOW, "avx512"), 200);
    assert_near(seconds(1.5e9, 100, 5, 1, W2V_SHARE_NONE, "avx2"), 800);
    assert_true(seconds(0, 100, 5, 1, W2V_SHARE_WINDOW, "avx2") == 0);
}

static void test_report_loss_without_pairs(void **state)
{
    (void)state;
    char out[REPORT_LOSS];
    assert_string_equal(report_loss(2.25, out), "2.2500");
    assert_string_equal(report_loss((double)NAN, out), "n/a");
    assert_string_equal(report_loss((double)INFINITY, out), "n/a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report_pace_of_kernels),
        cmocka_unit_test(test_report_seconds_follows_the_work),
        cmocka_unit_test(test_report_loss_without_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
