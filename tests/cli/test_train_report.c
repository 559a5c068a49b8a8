#include "support.h"

#include "cli/train_run.h"

#include <math.h>

static double seconds(double pairs, uint32_t dim, uint32_t negative, int threads, w2v_share share,
                      const char *kernel)
{
    const w2v_estimate e = {.pairs = pairs};
    w2v_train_options o = w2v_train_options_default();
    o.dim = dim;
    o.negative = negative;
    o.threads = threads;
    o.share = share;
    return report_seconds(&e, &o, kernel);
}

static void test_report_seconds_follows_the_work(void **state)
{
    (void)state;
    const double one = seconds(2e9, 100, 5, 1, W2V_SHARE_WINDOW, "avx2");
    assert_true(fabs(one - 100) < 1e-9);
    assert_true(fabs(seconds(2e9, 100, 5, 4, W2V_SHARE_WINDOW, "avx2") - 25) < 1e-9);
    assert_true(fabs(seconds(2e9, 300, 5, 1, W2V_SHARE_WINDOW, "avx2") - 300) < 1e-9);
    assert_true(fabs(seconds(2e9, 100, 11, 1, W2V_SHARE_WINDOW, "avx2") - 200) < 1e-9);
    assert_true(seconds(2e9, 100, 5, 1, W2V_SHARE_NONE, "avx2") > one);
    assert_true(seconds(2e9, 100, 5, 1, W2V_SHARE_WINDOW, "plain") > one);
    assert_true(seconds(0, 100, 5, 1, W2V_SHARE_WINDOW, "avx2") == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report_seconds_follows_the_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
