/* Permutation tests against a walk over all subsets as bits. */
#include "support.h"

#include "base/rng.h"
#include "query/partitions.h"

#include <math.h>

static void test_partitions_number_values(void **state)
{
    (void)state;
    assert_int_equal(partitions_number(5, 2, 100), 10);
    assert_int_equal(partitions_number(16, 8, 100000), 12870);
    assert_int_equal(partitions_number(7, 0, 100), 1);
    assert_int_equal(partitions_number(7, 7, 1), 1);
    assert_int_equal(partitions_number(2, 1, 2), 2);
    assert_int_equal(partitions_number(3, 4, 100), 0);
    assert_true(partitions_number(62, 31, UINT64_MAX - 1) == 465428353255261088u);
}

static void test_partitions_number_beyond(void **state)
{
    (void)state;
    assert_true(partitions_number(2, 1, 1) == UINT64_MAX);
    assert_true(partitions_number(50, 25, 100000) == UINT64_MAX);
    assert_true(partitions_number(100, 50, UINT64_MAX - 1) == UINT64_MAX); /* 1e29 */
    assert_true(partitions_number(1000000, 500000, 100000) == UINT64_MAX);
}

static uint64_t brute_count(const double *value, size_t n, size_t chosen)
{
    double found = 0.0;
    for (size_t i = 0; i < chosen; i++) {
        found += value[i];
    }
    uint64_t hits = 0;
    for (uint32_t set = 0; set < 1u << n; set++) {
        size_t size = 0;
        double sum = 0.0;
        for (size_t i = 0; i < n; i++) {
            size += set >> i & 1u;
            sum += set >> i & 1u ? value[i] : 0.0;
        }
        hits += size == chosen && sum >= found - 1e-9;
    }
    return hits;
}

static void test_partitions_count_brute_force(void **state)
{
    (void)state;
    rng r = rng_stream(5, RNG_INIT, 0, 0);
    for (size_t n = 2; n <= 12; n++) {
        for (size_t chosen = 1; chosen < n; chosen++) {
            double value[12];
            size_t scratch[12];
            for (size_t i = 0; i < n; i++) { /* thirds: many ties that are not exact */
                value[i] = (double)rng_below(&r, 5) / 3.0;
            }
            assert_int_equal(partitions_count(value, n, chosen, 1e-9, scratch),
                             brute_count(value, n, chosen));
        }
    }
}

static void test_partitions_draw_share(void **state)
{
    (void)state;
    /* Pairs of 0..5 with a sum of at least 2 + 5: {2,5} {3,4} {3,5} {4,5}, of 15. */
    static const double value[] = {2, 5, 0, 1, 3, 4};
    const uint64_t draws = 30000;
    size_t scratch[6];
    const double hits = (double)partitions_draw(value, 6, 2, 1e-9, 3, draws, scratch);
    const double share = 4.0 / 15.0, error = sqrt(share * (1.0 - share) / (double)draws);
    assert_true(fabs(hits / (double)draws - share) < 5.0 * error);
}

static void test_partitions_draw_seeded(void **state)
{
    (void)state;
    double value[40];
    size_t scratch[40];
    rng r = rng_stream(6, RNG_INIT, 0, 0);
    for (size_t i = 0; i < 40; i++) {
        value[i] = (double)rng_below(&r, 1000);
    }
    const uint64_t one = partitions_draw(value, 40, 20, 0.0, 1, 5000, scratch);
    assert_int_equal(partitions_draw(value, 40, 20, 0.0, 1, 5000, scratch), one);
    bool differs = false;
    for (uint64_t seed = 2; seed < 6; seed++) {
        differs |= partitions_draw(value, 40, 20, 0.0, seed, 5000, scratch) != one;
    }
    assert_true(differs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_partitions_number_values),
        cmocka_unit_test(test_partitions_number_beyond),
        cmocka_unit_test(test_partitions_count_brute_force),
        cmocka_unit_test(test_partitions_draw_share),
        cmocka_unit_test(test_partitions_draw_seeded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
