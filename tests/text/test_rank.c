#include "support.h"

#include "base/mem.h"
#include "base/rng.h"
#include "text/rank.h"

static int by_rank(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->count != y->count) {
        return x->count > y->count ? -1 : 1;
    }
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Small and huge keys, many ties: as a comparison sort has it. */
static void test_rank_sort_random(void **state)
{
    (void)state;
    enum { N = 3000 };
    static ranked sorted[N], expected[N];
    for (uint64_t round = 0; round < 8; round++) {
        rng r = rng_stream(3, RNG_INIT, round, 0);
        for (uint32_t i = 0; i < N; i++) {
            const uint64_t count = rng_next(&r) >> (rng_next(&r) % 2 ? round : 58);
            sorted[i] = (ranked){count, round < 4 ? UINT64_MAX - i * 977 : (uint64_t)N - i, i};
        }
        memcpy(expected, sorted, sizeof sorted);
        qsort(expected, N, sizeof *expected, by_rank);
        assert_int_equal(rank_sort(sorted, N, NULL), W2V_OK);
        for (uint32_t i = 0; i < N; i++) {
            assert_true(sorted[i].count == expected[i].count);
            assert_true(sorted[i].first == expected[i].first);
            assert_int_equal(sorted[i].index, expected[i].index);
        }
    }
}

static void test_rank_sort_short(void **state)
{
    (void)state;
    ranked one = {5, 6, 7};
    assert_int_equal(rank_sort(NULL, 0, NULL), W2V_OK);
    assert_int_equal(rank_sort(&one, 1, NULL), W2V_OK);
    assert_int_equal(one.index, 7);
}

static void test_rank_sort_no_memory(void **state)
{
    (void)state;
    ranked two[2] = {{1, 1, 1}, {2, 2, 2}};
    w2v_error err = {0};
    mem_fail_at(1, false);
    assert_int_equal(rank_sort(two, 2, &err), W2V_ERR_MEMORY);
    mem_fail_at(0, false);
    assert_int_equal(err.code, W2V_ERR_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rank_sort_random),
        cmocka_unit_test(test_rank_sort_short),
        cmocka_unit_test(test_rank_sort_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
