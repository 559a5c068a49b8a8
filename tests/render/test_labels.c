#include "support.h"

#include "base/rng.h"
#include "render/labels.h"

#define HEIGHT 14.0

static bool overlap(const label *a, const label *b)
{
    return a->left < b->left + b->width && b->left < a->left + a->width &&
           a->top < b->top + HEIGHT && b->top < a->top + HEIGHT;
}

static void assert_apart(const label *l, size_t n, double wide, double high)
{
    for (size_t i = 0; i < n; i++) {
        if (!l[i].placed) {
            continue;
        }
        assert_true(l[i].left >= 0.0 && l[i].left + l[i].width <= wide);
        assert_true(l[i].top >= 0.0 && l[i].top + HEIGHT <= high);
        for (size_t j = 0; j < n; j++) {
            assert_false(i != j && l[j].placed && overlap(&l[i], &l[j]));
            const bool covers = l[j].x > l[i].left && l[j].x < l[i].left + l[i].width &&
                                l[j].y > l[i].top && l[j].y < l[i].top + HEIGHT;
            assert_false(covers);
        }
    }
}

static void test_labels_place_random(void **state)
{
    (void)state;
    enum { N = 400 };
    label *l = calloc(N, sizeof *l);
    assert_non_null(l);
    rng r = rng_stream(1, RNG_INIT, 0, 0);
    for (size_t i = 0; i < N; i++) {
        l[i] = (label){.x = 1.0 + rng_below(&r, 598), .y = 1.0 + rng_below(&r, 398)};
        l[i].width = 10.0 + rng_below(&r, 60);
    }
    assert_true(labels_place(l, N, HEIGHT, 600.0, 400.0));
    assert_apart(l, N, 600.0, 400.0);
    size_t placed = 0;
    for (size_t i = 0; i < N; i++) {
        placed += l[i].placed;
    }
    assert_true(placed > N / 4); /* as many as a quarter have room here, and not all */
    assert_true(placed < N);
    free(l);
}

static void test_labels_place_alone(void **state)
{
    (void)state;
    label one = {.x = 50.0, .y = 50.0, .width = 30.0};
    assert_true(labels_place(&one, 1, HEIGHT, 100.0, 100.0));
    assert_true(one.placed && !one.away && one.left == 56.0 && one.top == 43.0);
    assert_true(one.anchor == 0.0);
    label edge = {.x = 90.0, .y = 50.0, .width = 30.0}; /* no room at its right */
    assert_true(labels_place(&edge, 1, HEIGHT, 100.0, 100.0));
    assert_true(edge.placed && edge.left == 54.0);
    label wide = {.x = 50.0, .y = 50.0, .width = 101.0};
    assert_true(labels_place(&wide, 1, HEIGHT, 100.0, 100.0));
    assert_false(wide.placed);
}

static void test_labels_place_one_spot(void **state)
{
    (void)state;
    label l[12];
    for (size_t i = 0; i < 12; i++) {
        l[i] = (label){.x = 200.0, .y = 150.0, .width = 20.0};
    }
    assert_true(labels_place(l, 12, HEIGHT, 400.0, 300.0));
    assert_apart(l, 12, 400.0, 300.0);
    for (size_t i = 0; i < 12; i++) {
        assert_true(l[i].placed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels_place_random),
        cmocka_unit_test(test_labels_place_alone),
        cmocka_unit_test(test_labels_place_one_spot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
