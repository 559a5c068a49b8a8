/* Draws in proportion to weights, and streams of random numbers that do not repeat each other. */
#include "train_support.h"

#include "train/alias.h"

static uint64_t draws_of_test(void)
{
    return train_small() ? 100000 : 1000000;
}

/* Draws from a stream of this seed fit the weights, by chi-square at one in ten thousand. */
static void assert_draws(const double *weights, uint32_t n, uint64_t seed)
{
    alias_table table;
    const uint64_t draws = draws_of_test();
    uint64_t *counts = calloc(n, sizeof *counts);
    double *share = calloc(n, sizeof *share);
    double sum = 0.0;
    assert_non_null(counts);
    assert_non_null(share);
    assert_int_equal(alias_init(&table, weights, n, NULL), W2V_OK);
    for (uint32_t i = 0; i < n; i++) {
        sum += weights[i];
    }
    for (uint32_t i = 0; i < n; i++) {
        share[i] = weights[i] / sum;
    }
    rng random = rng_stream(seed, RNG_NEGATIVE, 0, 0);
    for (uint64_t i = 0; i < draws; i++) {
        const uint32_t id = alias_draw(&table, rng_next(&random));
        assert_true(id < n);
        counts[id]++;
    }
    assert_chi_square(counts, share, n, draws, 1);
    alias_clear(&table);
    free(counts);
    free(share);
}

static void test_alias_draw_zipf(void **state)
{
    (void)state;
    double weights[1000];
    for (int i = 0; i < 1000; i++) {
        weights[i] = 1.0 / (i + 1);
    }
    for (uint64_t seed = 1; seed <= 3; seed++) {
        assert_draws(weights, 1000, seed);
    }
}

static void test_alias_draw_equal(void **state)
{
    (void)state;
    double weights[1000];
    for (int i = 0; i < 1000; i++) {
        weights[i] = 0.3;
    }
    const uint32_t sizes[] = {1, 2, 3, 7, 64, 1000};
    for (size_t i = 0; i < SUPPORT_COUNT(sizes); i++) {
        assert_draws(weights, sizes[i], 10 + i);
    }
}

static void test_alias_draw_one_dominant(void **state)
{
    (void)state;
    double weights[300];
    for (int place = 0; place < 300; place += 149) {
        for (int i = 0; i < 300; i++) {
            weights[i] = i == place ? 1e4 : 1.0;
        }
        assert_draws(weights, 300, 20 + (uint64_t)place);
    }
}

/* Words of a given vocabulary that never occur are never drawn. */
static void test_alias_draw_zeros(void **state)
{
    (void)state;
    double weights[200] = {0};
    for (int i = 0; i < 200; i++) {
        weights[i] = i % 3 == 1 ? 0.1 * i : 0.0;
    }
    assert_draws(weights, 200, 30);
    double one[5] = {0.0, 0.0, 0.0, 7.0, 0.0};
    assert_draws(one, 5, 31);
}

/* Weights of very different size, as other exponents give them. */
static void test_alias_draw_wide_range(void **state)
{
    (void)state;
    double weights[64];
    for (int i = 0; i < 64; i++) {
        weights[i] = pow(10.0, 90.0 - 3.0 * i);
    }
    assert_draws(weights, 64, 40);
    for (int i = 0; i < 64; i++) {
        weights[i] = pow(1.3, -i) * 1e-80;
    }
    assert_draws(weights, 64, 41);
}

/* The chance that a table gives to each word, read from its columns, is exact to 2^-32 of a column.
 */
static void test_alias_init_exact_shares(void **state)
{
    (void)state;
    enum { N = 5000 };
    static double weights[N], chance[N];
    double sum = 0.0;
    rng random = rng_stream(9, RNG_INIT, 0, 0);
    for (int i = 0; i < N; i++) {
        weights[i] = i % 11 == 0 ? 0.0 : (double)(1 + rng_below(&random, 1000000));
        sum += weights[i];
        chance[i] = 0.0;
    }
    alias_table table;
    assert_int_equal(alias_init(&table, weights, N, NULL), W2V_OK);
    for (int i = 0; i < N; i++) {
        const double own = (double)table.columns[i].threshold / 4294967296.0;
        chance[i] += own / N;
        chance[table.columns[i].other] += (1.0 - own) / N;
    }
    for (int i = 0; i < N; i++) {
        assert_true(fabs(chance[i] - weights[i] / sum) < 2e-9);
    }
    alias_clear(&table);
}

static void test_noise_weights_values(void **state)
{
    (void)state;
    const uint64_t counts[] = {1000000000000, 65536, 16, 5, 1, 0};
    const double exponents[] = {0.75, 0.5, 1.0, 0.0, -0.5, 0.6, 2.0};
    double weights[6];
    for (size_t e = 0; e < SUPPORT_COUNT(exponents); e++) {
        noise_weights(counts, 6, exponents[e], weights);
        for (int i = 0; i < 5; i++) {
            const double right = pow((double)counts[i], exponents[e]);
            assert_true(fabs(weights[i] - right) <= 1e-14 * right);
        }
        assert_true(weights[5] == 0.0); /* never occurs, never a negative */
    }
    noise_weights(counts, 6, 0.75, weights);
    assert_true(weights[0] == 1e9 && weights[1] == 4096.0 && weights[2] == 8.0 &&
                weights[4] == 1.0);
}

enum { STREAMS = 2 * 3 * 5 * 12, STREAM_DRAWS = 6 };

/* Streams of other seeds, purposes, epochs and blocks have nothing in common. */
static void test_rng_stream_differ(void **state)
{
    (void)state;
    static uint64_t draws[STREAMS * STREAM_DRAWS];
    const rng_purpose purposes[] = {RNG_SAMPLE, RNG_WINDOW, RNG_NEGATIVE};
    size_t n = 0;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        for (int p = 0; p < 3; p++) {
            for (uint64_t epoch = 0; epoch < 5; epoch++) {
                for (uint64_t block = 0; block < 12; block++, n++) {
                    rng random = rng_stream(seed, purposes[p], epoch, block);
                    rng again = rng_stream(seed, purposes[p], epoch, block);
                    for (int i = 0; i < STREAM_DRAWS; i++) {
                        draws[n * STREAM_DRAWS + (size_t)i] = rng_next(&random);
                        assert_true(draws[n * STREAM_DRAWS + (size_t)i] == rng_next(&again));
                    }
                }
            }
        }
    }
    for (size_t a = 0; a < STREAMS * STREAM_DRAWS; a++) {
        for (size_t b = a + 1; b < STREAMS * STREAM_DRAWS; b++) {
            assert_true(draws[a] != draws[b]);
        }
    }
}

/* Words drawn for neighbouring blocks and epochs agree as often as chance has it, no more. */
static void test_alias_draw_streams_independent(void **state)
{
    (void)state;
    enum { N = 100 };
    double weights[N], sum = 0.0, agree = 0.0;
    for (int i = 0; i < N; i++) {
        weights[i] = 1.0 / (i + 1);
        sum += weights[i];
    }
    for (int i = 0; i < N; i++) {
        agree += weights[i] / sum * weights[i] / sum;
    }
    alias_table table;
    assert_int_equal(alias_init(&table, weights, N, NULL), W2V_OK);
    const uint64_t others[][2] = {{0, 1}, {1, 0}, {0, 2}, {1, 1}, {0, 256}, {0, UINT64_C(1) << 32}};
    const uint64_t draws = draws_of_test() / 5;
    for (size_t k = 0; k < SUPPORT_COUNT(others); k++) {
        rng first = rng_stream(1, RNG_NEGATIVE, 0, 0);
        rng second = rng_stream(1, RNG_NEGATIVE, others[k][0], others[k][1]);
        uint64_t same = 0;
        for (uint64_t i = 0; i < draws; i++) {
            same += alias_draw(&table, rng_next(&first)) == alias_draw(&table, rng_next(&second));
        }
        assert_share(same, draws, agree);
    }
    alias_clear(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alias_draw_zipf),
        cmocka_unit_test(test_alias_draw_equal),
        cmocka_unit_test(test_alias_draw_one_dominant),
        cmocka_unit_test(test_alias_draw_zeros),
        cmocka_unit_test(test_alias_draw_wide_range),
        cmocka_unit_test(test_alias_init_exact_shares),
        cmocka_unit_test(test_noise_weights_values),
        cmocka_unit_test(test_rng_stream_differ),
        cmocka_unit_test(test_alias_draw_streams_independent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
