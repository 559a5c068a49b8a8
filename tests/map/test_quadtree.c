#include "map/clouds.h"

#include "map/quadtree.h"

/* Sums over all others, by definition. */
static double brute_force(const double *xy, size_t n, size_t i, double force[2])
{
    double sum = 0.0;
    force[0] = force[1] = 0.0;
    for (size_t j = 0; j < n; j++) {
        const double dx = xy[2 * i] - xy[2 * j], dy = xy[2 * i + 1] - xy[2 * j + 1];
        const double near = 1.0 / (1.0 + dx * dx + dy * dy);
        sum += i == j ? 0.0 : near;
        force[0] += near * near * dx;
        force[1] += near * near * dy;
    }
    return sum;
}

/* Every point is in the tree once; sums are within `room` of brute force, beside their size. */
static void check(const double *xy, size_t n, double theta, double room)
{
    quadtree t;
    bool *seen = calloc(n, sizeof *seen);
    assert_non_null(seen);
    assert_int_equal(quadtree_init(&t, n, NULL), W2V_OK);
    for (int again = 0; again < 2; again++) {
        memset(seen, 0, n * sizeof *seen);
        assert_int_equal(quadtree_build(&t, xy, theta, NULL), W2V_OK);
        for (size_t place = 0; place < n; place++) {
            double force[2], wanted[2];
            const size_t i = t.order[place];
            assert_false(seen[i]);
            seen[i] = true;
            const double sum = quadtree_repulsion(&t, place, force);
            assert_true(fabs(sum - brute_force(xy, n, i, wanted)) <= room * (1.0 + sum));
            assert_true(hypot(force[0] - wanted[0], force[1] - wanted[1]) <= room * (1.0 + sum));
        }
    }
    quadtree_clear(&t);
    free(seen);
}

static void test_quadtree_repulsion_random(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 7, 64, 900};
    for (size_t s = 0; s < SUPPORT_COUNT(sizes); s++) {
        double *xy = calloc(2 * sizes[s], sizeof *xy);
        assert_non_null(xy);
        rng r = rng_stream(s, RNG_INIT, 0, 0);
        for (size_t i = 0; i < 2 * sizes[s]; i++) {
            xy[i] = 10.0 * cloud_normal(&r);
        }
        check(xy, sizes[s], 0.0, 1e-12);
        check(xy, sizes[s], 0.2, 2e-3);
        check(xy, sizes[s], 0.5, 2e-2);
        free(xy);
    }
}

static void test_quadtree_repulsion_equal_points(void **state)
{
    (void)state;
    double xy[2 * 50] = {0.0};
    check(xy, 50, 0.5, 1e-12); /* all in one place */
    for (size_t i = 0; i < 50; i++) {
        xy[2 * i] = i < 25 ? 3.0 : -3.0; /* two places on a line */
    }
    check(xy, 50, 0.5, 1e-12);
    xy[0] = 1e12; /* one so far away that the others share a square */
    check(xy, 50, 0.5, 1e-12);
}

/* Two heaps of ten far apart: each sees the other as one point of ten. */
static void test_quadtree_repulsion_far_heap(void **state)
{
    (void)state;
    double xy[2 * 20] = {0.0};
    for (size_t i = 0; i < 10; i++) {
        xy[2 * i] = 99.0;
    }
    quadtree t;
    double force[2];
    assert_int_equal(quadtree_init(&t, 20, NULL), W2V_OK);
    assert_int_equal(quadtree_build(&t, xy, 0.5, NULL), W2V_OK);
    const double sum =
        quadtree_repulsion(&t, 0, force); /* of the heap at 0: nine at 0, ten at 99 */
    assert_true(fabs(sum - (9.0 + 10.0 / 9802.0)) < 1e-12);
    assert_true(fabs(force[0] + 10.0 * 99.0 / (9802.0 * 9802.0)) < 1e-15);
    assert_true(force[1] == 0.0);
    quadtree_clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quadtree_repulsion_random),
        cmocka_unit_test(test_quadtree_repulsion_equal_points),
        cmocka_unit_test(test_quadtree_repulsion_far_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
