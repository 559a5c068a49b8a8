#include "support.h"

#include "base/rng.h"

/* First outputs of xoshiro256++ from the state {1, 2, 3, 4}, as other implementations publish them.
 */
static void test_rng_next_known_vector(void **state)
{
    (void)state;
    static const uint64_t expected[] = {
        41943041u,           58720359u, 3588806011781223u, 3591011842654386u, 9228616714210784205u,
        9973669472204895162u};
    rng r = {{1, 2, 3, 4}};
    for (size_t i = 0; i < SUPPORT_COUNT(expected); i++) {
        assert_true(rng_next(&r) == expected[i]);
    }
}

static void test_rng_mix_known_value(void **state)
{
    (void)state;
    assert_true(rng_mix(0) == 0xe220a8397b1dcdafu); /* SplitMix64's first output from seed 0 */
}

/* What a seed means is a promise: these never change. */
static void test_rng_stream_is_fixed(void **state)
{
    (void)state;
    static const uint64_t expected[] = {0x22e95fff525949d4u, 0x0dbc11ceb51d4284u,
                                        0x2da21ea8a5ce5fa1u, 0xfd1ac24240c8922eu};
    rng r = rng_stream(1, RNG_INIT, 2, 3);
    for (size_t i = 0; i < SUPPORT_COUNT(expected); i++) {
        assert_true(rng_next(&r) == expected[i]);
    }
}

static int compare_u64(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Every part of a stream's name counts: among 10^4 names no two streams share a draw. */
static void test_rng_stream_names_differ(void **state)
{
    (void)state;
    enum { SIDE = 10, DRAWS = 4, ALL = SIDE * SIDE * SIDE * 4 * DRAWS };
    static uint64_t draws[ALL];
    size_t n = 0;
    for (uint64_t seed = 0; seed < SIDE; seed++) {
        for (int purpose = RNG_INIT; purpose <= RNG_NEGATIVE; purpose++) {
            for (uint64_t epoch = 0; epoch < SIDE; epoch++) {
                for (uint64_t block = 0; block < SIDE; block++) {
                    rng r = rng_stream(seed, (rng_purpose)purpose, epoch, block);
                    for (int i = 0; i < DRAWS; i++) {
                        draws[n++] = rng_next(&r);
                    }
                }
            }
        }
    }
    assert_int_equal(n, ALL);
    qsort(draws, n, sizeof draws[0], compare_u64);
    for (size_t i = 1; i < n; i++) {
        assert_true(draws[i] != draws[i - 1]);
    }
}

/* Chi-square of 10 cells, 9 degrees of freedom: 27.9 is passed once in a thousand seeds. */
static void test_rng_below_is_even_and_in_range(void **state)
{
    (void)state;
    enum { CELLS = 10, DRAWS = 100000 };
    const uint64_t seed = 7;
    unsigned counts[CELLS] = {0};
    rng r = rng_stream(seed, RNG_NEGATIVE, 0, 0);
    for (int i = 0; i < DRAWS; i++) {
        const uint32_t x = rng_below(&r, CELLS);
        assert_true(x < CELLS);
        counts[x]++;
    }
    double chi = 0;
    for (int i = 0; i < CELLS; i++) {
        const double d = (double)counts[i] - DRAWS / CELLS;
        chi += d * d / (DRAWS / CELLS);
    }
    if (chi > 27.9) {
        fail_msg("chi-square %g with seed %llu", chi, (unsigned long long)seed);
    }
    assert_int_equal(rng_below(&r, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rng_next_known_vector),
        cmocka_unit_test(test_rng_mix_known_value),
        cmocka_unit_test(test_rng_stream_is_fixed),
        cmocka_unit_test(test_rng_stream_names_differ),
        cmocka_unit_test(test_rng_below_is_even_and_in_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
