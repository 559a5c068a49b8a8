#include "support.h"

#include "base/rng.h"
#include "query/ranking.h"

static void offer(ranking *r, uint64_t k, double nearness, uint32_t id)
{
    if (ranking_admits(r, k, nearness, id)) {
        char word[16];
        const int n = snprintf(word, sizeof word, "w%u", id);
        assert_true(ranking_add(r, k, nearness, id, word, (uint32_t)n));
    }
}

static void test_ranking_keeps_the_best(void **state)
{
    (void)state;
    ranking r = {0};
    static const double nearness[] = {0.5, 0.1, 0.9, 0.9, 0.3, 0.7};
    for (uint32_t i = 0; i < SUPPORT_COUNT(nearness); i++) {
        offer(&r, 3, nearness[i], i);
    }
    ranking_finish(&r, 3);
    assert_int_equal(r.count, 3);
    assert_int_equal(r.items[0].id, 2); /* equal ones by row */
    assert_int_equal(r.items[1].id, 3);
    assert_int_equal(r.items[2].id, 5);
    assert_string_equal(r.items[2].word, "w5");
    assert_int_equal(r.items[2].length, 2);
    ranking_clear(&r);
}

static void test_ranking_of_equals_takes_the_first_rows(void **state)
{
    (void)state;
    static const uint32_t orders[][6] = {
        {0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {3, 0, 5, 1, 4, 2}};
    for (size_t o = 0; o < SUPPORT_COUNT(orders); o++) {
        ranking r = {0};
        for (size_t i = 0; i < 6; i++) {
            offer(&r, 2, -1.0, orders[o][i]);
        }
        ranking_finish(&r, 2);
        assert_int_equal(r.count, 2);
        assert_int_equal(r.items[0].id, 0);
        assert_int_equal(r.items[1].id, 1);
        ranking_clear(&r);
    }
}

/* However rows are dealt out to threads, the answer is the same. */
static void test_ranking_gathered_from_shares(void **state)
{
    (void)state;
    rng r = rng_stream(1, RNG_INIT, 0, 0);
    for (int round = 0; round < 200; round++) {
        const uint64_t k = 1 + rng_below(&r, 12);
        ranking whole = {0}, all = {0}, shares[3] = {{0}, {0}, {0}};
        for (uint32_t id = 0; id < 40; id++) {
            const double nearness = (double)rng_below(&r, 10);
            offer(&whole, k, nearness, id);
            offer(&shares[rng_below(&r, 3)], k, nearness, id);
        }
        for (int s = 0; s < 3; s++) {
            assert_true(ranking_gather(&all, &shares[s]));
            assert_int_equal(shares[s].count, 0);
            ranking_clear(&shares[s]);
        }
        ranking_finish(&whole, k);
        ranking_finish(&all, k);
        assert_int_equal(all.count, whole.count);
        for (size_t i = 0; i < all.count; i++) {
            assert_int_equal(all.items[i].id, whole.items[i].id);
            assert_true(all.items[i].nearness == whole.items[i].nearness);
        }
        ranking_clear(&whole);
        ranking_clear(&all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranking_keeps_the_best),
        cmocka_unit_test(test_ranking_of_equals_takes_the_first_rows),
        cmocka_unit_test(test_ranking_gathered_from_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
