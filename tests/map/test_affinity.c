#include "map/clouds.h"

#include "map/affinity.h"

static double perplexity_of(const double *share, size_t k)
{
    double entropy = 0.0, sum = 0.0;
    for (size_t i = 0; i < k; i++) {
        entropy -= share[i] > 0.0 ? share[i] * log(share[i]) : 0.0;
        sum += share[i];
    }
    assert_true(fabs(sum - 1.0) < 1e-12);
    return exp(entropy);
}

static void test_affinity_shares_perplexity(void **state)
{
    (void)state;
    static const double wanted[] = {1.5, 5.0, 29.9, 60.0, 89.0};
    static const double scales[] = {1e-12, 1.0, 1e12};
    double distance[90], share[90];
    rng r = rng_stream(1, RNG_INIT, 0, 0);
    for (size_t s = 0; s < SUPPORT_COUNT(scales); s++) {
        double at = 3.0;
        for (size_t i = 0; i < 90; i++) {
            at += 0.1 + fabs(cloud_uniform(&r));
            distance[i] = at * scales[s];
        }
        for (size_t w = 0; w < SUPPORT_COUNT(wanted); w++) {
            const double told = affinity_shares(distance, 90, wanted[w], share);
            assert_true(fabs(perplexity_of(share, 90) - wanted[w]) < 1e-6);
            assert_true(fabs(told - wanted[w]) < 1e-6);
            for (size_t i = 1; i < 90; i++) {
                assert_true(share[i] <= share[i - 1]);
            }
        }
    }
}

/* Three neighbours at 0, 1 and 1: entropy as a function of the precision, solved by hand for e^-b =
   1/2: shares 1/2, 1/4, 1/4, entropy 1.5 ln 2. */
static void test_affinity_shares_by_hand(void **state)
{
    (void)state;
    const double distance[] = {2.0, 3.0, 3.0};
    double share[3];
    affinity_shares(distance, 3, pow(2.0, 1.5), share);
    assert_true(fabs(share[0] - 0.5) < 1e-6);
    assert_true(fabs(share[1] - 0.25) < 1e-6);
    assert_true(fabs(share[2] - 0.25) < 1e-6);
}

static void test_affinity_shares_impossible(void **state)
{
    (void)state;
    const double equal[] = {4.0, 4.0, 4.0, 4.0};
    const double three[] = {0.0, 0.0, 0.0, 1.0}; /* three nearest: perplexity 3 at least */
    double share[4];
    assert_true(fabs(affinity_shares(equal, 4, 2.0, share) - 4.0) < 1e-12);
    assert_true(share[0] == 0.25 && share[3] == 0.25);
    assert_true(fabs(affinity_shares(three, 4, 2.0, share) - 3.0) < 1e-6);
    for (size_t i = 0; i < 4; i++) {
        assert_true(isfinite(share[i]));
    }
}

/* The matrix is (p_j|i + p_i|j) / 2n, entry by entry. */
static void test_affinity_build_dense_oracle(void **state)
{
    (void)state;
    enum { N = 120, K = 20 };
    float *rows = cloud_random(N, 6, 9);
    points p;
    nearest near;
    affinity a;
    assert_int_equal(points_init(&p, rows, N, 6, W2V_COSINE, NULL), W2V_OK);
    assert_int_equal(nearest_find(&near, &p, K, 1, NULL, NULL, NULL), W2V_OK);
    assert_int_equal(affinity_build(&a, &near, 7.0, 2, NULL), W2V_OK);
    double *dense = calloc(N * N, sizeof *dense), share[K], sum = 0.0;
    assert_non_null(dense);
    for (size_t i = 0; i < N; i++) {
        assert_true(fabs(affinity_shares(near.distance + i * K, K, 7.0, share) - 7.0) < 1e-6);
        for (size_t e = 0; e < K; e++) {
            const size_t j = near.id[i * K + e];
            dense[i * N + j] += share[e] / (2 * N);
            dense[j * N + i] += share[e] / (2 * N);
        }
    }
    for (size_t i = 0; i < N; i++) {
        for (size_t e = a.start[i]; e < a.start[i + 1]; e++) {
            assert_true(e == a.start[i] || a.column[e] > a.column[e - 1]);
            assert_true(fabs(dense[i * N + a.column[e]] - a.value[e]) < 1e-15);
            dense[i * N + a.column[e]] = 0.0;
            sum += a.value[e];
        }
    }
    for (size_t i = 0; i < N * N; i++) {
        assert_true(dense[i] == 0.0); /* nothing is missing */
    }
    assert_true(fabs(sum - 1.0) < 1e-12);
    affinity_clear(&a);
    nearest_clear(&near);
    points_clear(&p);
    free(dense);
    free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_affinity_shares_perplexity),
        cmocka_unit_test(test_affinity_shares_by_hand),
        cmocka_unit_test(test_affinity_shares_impossible),
        cmocka_unit_test(test_affinity_build_dense_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
