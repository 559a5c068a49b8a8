/* The chance that a frequent word's occurrence is kept, and that it is what happens. */
#include "train_support.h"

#include "train/subsample.h"

static void test_subsample_chance_values(void **state)
{
    (void)state;
    /* f = 0.01, T = 0.001: sqrt(0.1) + 0.1 */
    assert_true(fabs(subsample_chance(100, 10000, 1e-3) - 0.41622776601) < 1e-9);
    /* f = 0.1, T = 0.0001: sqrt(0.001) + 0.001 */
    assert_true(fabs(subsample_chance(1000, 10000, 1e-4) - 0.03262277660) < 1e-9);
    /* f = 1: one word only */
    assert_true(fabs(subsample_chance(7, 7, 1e-4) - 0.0101) < 1e-12);
    assert_true(fabs(subsample_chance(UINT64_C(50000000000), UINT64_C(1000000000000), 1e-3) -
                     (sqrt(0.02) + 0.02)) < 1e-12);
}

/* At f = 2.618 T (the square of the golden ratio) the chance reaches 1, and stays there. */
static void test_subsample_chance_of_rare_words_is_one(void **state)
{
    (void)state;
    assert_true(subsample_chance(2619, 1000000, 1e-3) < 1.0);
    assert_true(subsample_chance(2618, 1000000, 1e-3) == 1.0);
    assert_true(subsample_chance(1, 1000000, 1e-3) == 1.0);
    assert_true(subsample_chance(0, 1000000, 1e-3) == 1.0);
    assert_true(subsample_chance(1000000, 1000000, 0.0) == 1.0);
    assert_true(subsample_chance(1000000, 1000000, 1.0) == 1.0);
}

static void test_subsample_keeps_its_share(void **state)
{
    (void)state;
    const uint64_t counts[] = {600000, 300000, 60000, 30000, 9000, 900, 99, 1};
    const uint64_t total = 1000000, draws = train_small() ? 100000 : 1000000;
    const double samples[] = {1e-3, 1e-5};
    for (int k = 0; k < 2; k++) {
        subsample s;
        assert_int_equal(subsample_init(&s, counts, 8, total, samples[k], NULL), W2V_OK);
        for (uint32_t id = 0; id < 8; id++) {
            rng random = rng_stream(5, RNG_SAMPLE, id, (uint64_t)k);
            uint64_t kept = 0;
            for (uint64_t i = 0; i < draws; i++) {
                kept += subsample_keeps(&s, id, &random);
            }
            assert_share(kept, draws, subsample_chance(counts[id], total, samples[k]));
        }
        subsample_clear(&s);
    }
}

static void test_subsample_off_keeps_all(void **state)
{
    (void)state;
    const uint64_t counts[] = {999, 1};
    subsample s;
    assert_int_equal(subsample_init(&s, counts, 2, 1000, 0.0, NULL), W2V_OK);
    rng random = rng_stream(5, RNG_SAMPLE, 0, 0);
    for (int i = 0; i < 100000; i++) {
        assert_true(subsample_keeps(&s, (uint32_t)i % 2, &random));
    }
    subsample_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_subsample_chance_values),
        cmocka_unit_test(test_subsample_chance_of_rare_words_is_one),
        cmocka_unit_test(test_subsample_keeps_its_share),
        cmocka_unit_test(test_subsample_off_keeps_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
