#include "map/clouds.h"

#include "map/nearest.h"

static nearest find(const points *p, size_t k, int threads)
{
    nearest n;
    w2v_error err = {0};
    if (nearest_find(&n, p, k, threads, NULL, NULL, &err)) {
        fail_msg("%s", err.text);
    }
    return n;
}

/* Every neighbour has the distance that brute force gives this rank, and no one stands twice. */
static void assert_nearest(const points *p, const nearest *n)
{
    bool *taken = calloc(p->count, sizeof *taken);
    assert_non_null(taken);
    for (size_t i = 0; i < p->count; i++) {
        memset(taken, 0, p->count * sizeof *taken);
        taken[i] = true;
        for (size_t r = 0; r < n->k; r++) {
            const uint32_t got = n->id[i * n->k + r];
            double best = HUGE_VAL;
            for (size_t j = 0; j < p->count; j++) {
                best = taken[j] ? best : fmin(best, points_distance(p, i, j));
            }
            assert_false(taken[got]);
            assert_true(n->distance[i * n->k + r] == points_distance(p, i, got));
            assert_true(n->distance[i * n->k + r] == best);
            taken[got] = true;
        }
    }
    free(taken);
}

static void check(const float *rows, size_t count, size_t dim, w2v_metric metric, size_t k)
{
    points p;
    assert_int_equal(points_init(&p, rows, count, dim, metric, NULL), W2V_OK);
    nearest one = find(&p, k, 1), four = find(&p, k, 4);
    assert_nearest(&p, &one);
    assert_memory_equal(one.id, four.id, count * k * sizeof *one.id);
    nearest_clear(&one);
    nearest_clear(&four);
    points_clear(&p);
}

static void test_nearest_random(void **state)
{
    (void)state;
    static const size_t sizes[][3] = {{500, 20, 30}, {193, 7, 192}, {9, 3, 2}, {2, 5, 1}};
    for (size_t s = 0; s < SUPPORT_COUNT(sizes); s++) {
        float *rows = cloud_random(sizes[s][0], sizes[s][1], s);
        check(rows, sizes[s][0], sizes[s][1], W2V_COSINE, sizes[s][2]);
        check(rows, sizes[s][0], sizes[s][1], W2V_EUCLIDEAN, sizes[s][2]);
        free(rows);
    }
}

/* A far-away mean takes the digits of a float: it must not take the neighbours. */
static void test_nearest_far_away(void **state)
{
    (void)state;
    float *rows = cloud_random(300, 10, 3);
    for (size_t i = 0; i < 3000; i++) {
        rows[i] += 10000.0f;
    }
    check(rows, 300, 10, W2V_EUCLIDEAN, 10);
    for (size_t i = 0; i < 3000; i++) {
        rows[i] *= 1e25f;
    }
    check(rows, 300, 10, W2V_EUCLIDEAN, 10);
    free(rows);
}

static void test_nearest_equal(void **state)
{
    (void)state;
    const float rows[12] = {0};
    points p;
    assert_int_equal(points_init(&p, rows, 6, 2, W2V_COSINE, NULL), W2V_OK);
    nearest n = find(&p, 3, 2);
    const uint32_t of_first[] = {1, 2, 3}, of_last[] = {0, 1, 2};
    assert_memory_equal(n.id, of_first, sizeof of_first);
    assert_memory_equal(n.id + 15, of_last, sizeof of_last);
    nearest_clear(&n);
    points_clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_random),
        cmocka_unit_test(test_nearest_far_away),
        cmocka_unit_test(test_nearest_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
