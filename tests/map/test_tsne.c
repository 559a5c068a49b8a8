/* The forces of t-SNE: exact ones against differences of the divergence, far ones against exact. */
#include "map/clouds.h"

#include "map/tsne.h"

typedef struct scene {
    points points;
    affinity affinity;
    double *xy;
    size_t n;
} scene;

static scene make(size_t n, size_t k, double perplexity, double spread)
{
    scene s = {.n = n, .xy = calloc(2 * n, sizeof(double))};
    float *rows = cloud_random(n, 8, n);
    nearest near;
    assert_non_null(s.xy);
    assert_int_equal(points_init(&s.points, rows, n, 8, W2V_EUCLIDEAN, NULL), W2V_OK);
    assert_int_equal(nearest_find(&near, &s.points, k, 1, NULL, NULL, NULL), W2V_OK);
    assert_int_equal(affinity_build(&s.affinity, &near, perplexity, 1, NULL), W2V_OK);
    nearest_clear(&near);
    free(rows);
    rng r = rng_stream(5, RNG_INIT, n, 0);
    for (size_t i = 0; i < 2 * n; i++) {
        s.xy[i] = spread * cloud_normal(&r);
    }
    return s;
}

static void clear(scene *s)
{
    points_clear(&s->points);
    affinity_clear(&s->affinity);
    free(s->xy);
}

static double *gradient(const scene *s, double theta, int threads, double *divergence)
{
    tsne_field f;
    double *g = calloc(2 * s->n, sizeof *g);
    assert_non_null(g);
    assert_int_equal(tsne_field_init(&f, &s->affinity, theta, threads, NULL), W2V_OK);
    assert_int_equal(tsne_gradient(&f, s->xy, 1.0, g, NULL), W2V_OK);
    if (divergence) {
        *divergence = tsne_divergence(&f, s->xy);
    }
    tsne_field_clear(&f);
    return g;
}

/* The divergence by its definition, over all pairs. */
static double by_definition(const scene *s)
{
    double all = 0.0, sum = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        for (size_t j = 0; j < s->n; j++) {
            const double dx = s->xy[2 * i] - s->xy[2 * j], dy = s->xy[2 * i + 1] - s->xy[2 * j + 1];
            all += i == j ? 0.0 : 1.0 / (1.0 + dx * dx + dy * dy);
        }
    }
    for (size_t i = 0; i < s->n; i++) {
        for (size_t e = s->affinity.start[i]; e < s->affinity.start[i + 1]; e++) {
            const size_t j = s->affinity.column[e];
            const double dx = s->xy[2 * i] - s->xy[2 * j], dy = s->xy[2 * i + 1] - s->xy[2 * j + 1];
            const double p = s->affinity.value[e];
            sum += p * log(p / (1.0 / (1.0 + dx * dx + dy * dy) / all));
        }
    }
    return sum;
}

static void assert_differences(size_t n, size_t k, double perplexity)
{
    scene s = make(n, k, perplexity, 2.0);
    double divergence;
    double *g = gradient(&s, 0.0, 1, &divergence);
    assert_true(fabs(divergence - by_definition(&s)) < 1e-12);
    for (size_t i = 0; i < 2 * n; i++) {
        const double step = 1e-5, at = s.xy[i];
        s.xy[i] = at + step;
        const double above = by_definition(&s);
        s.xy[i] = at - step;
        const double below = by_definition(&s);
        s.xy[i] = at;
        assert_true(fabs((above - below) / (2.0 * step) - g[i]) < 1e-9);
    }
    free(g);
    clear(&s);
}

static void test_tsne_gradient_finite_differences(void **state)
{
    (void)state;
    assert_differences(23, 22, 5.0); /* all pairs have an affinity */
    assert_differences(50, 9, 3.0);  /* few have */
    assert_differences(5, 4, 1.3);
}

static double relative_error(const double *a, const double *b, size_t n)
{
    double apart = 0.0, own = 0.0;
    for (size_t i = 0; i < n; i++) {
        apart += (a[i] - b[i]) * (a[i] - b[i]);
        own += b[i] * b[i];
    }
    return sqrt(apart / own);
}

static void test_tsne_gradient_barnes_hut(void **state)
{
    (void)state;
    static const double spreads[] = {1e-4, 1.0, 30.0};
    for (size_t i = 0; i < SUPPORT_COUNT(spreads); i++) {
        scene s = make(1500, 30, 10.0, spreads[i]);
        double exact_divergence, far_divergence;
        double *exact = gradient(&s, 0.0, 2, &exact_divergence);
        double *far = gradient(&s, 0.5, 2, &far_divergence);
        double *near = gradient(&s, 1e-9, 2, NULL); /* squares are never far enough */
        assert_true(relative_error(far, exact, 3000) < 0.02);
        assert_true(relative_error(near, exact, 3000) < 1e-10);
        assert_true(fabs(far_divergence - exact_divergence) < 0.002 * exact_divergence);
        free(exact);
        free(far);
        free(near);
        clear(&s);
    }
}

/* Places in a line, in a heap and far apart at once: the tree has to end. */
static void test_tsne_gradient_equal_places(void **state)
{
    (void)state;
    scene s = make(200, 20, 6.0, 1.0);
    for (size_t i = 0; i < 200; i++) {
        s.xy[2 * i] = i < 100 ? 0.25 : i == 199 ? 1e9 : (double)i;
        s.xy[2 * i + 1] = 0.0;
    }
    double *exact = gradient(&s, 0.0, 1, NULL), *far = gradient(&s, 0.3, 1, NULL);
    assert_true(relative_error(far, exact, 400) < 0.05);
    for (size_t i = 0; i < 400; i++) {
        assert_true(isfinite(far[i]));
        s.xy[i] = 0.0;
    }
    free(far);
    far = gradient(&s, 0.5, 1, NULL);
    for (size_t i = 0; i < 400; i++) {
        assert_true(far[i] == 0.0);
    }
    free(exact);
    free(far);
    clear(&s);
}

static void test_tsne_gradient_threads(void **state)
{
    (void)state;
    scene s = make(3000, 20, 6.0, 1.0);
    for (int way = 0; way < 2; way++) {
        double *one = gradient(&s, way ? 0.5 : 0.0, 1, NULL);
        double *four = gradient(&s, way ? 0.5 : 0.0, 4, NULL);
        assert_memory_equal(one, four, 6000 * sizeof *one);
        free(one);
        free(four);
    }
    clear(&s);
}

/* A last digit of PCA makes no other picture; another seed does. */
static void test_tsne_start_last_digits(void **state)
{
    (void)state;
    enum { N = 100 };
    double a[2 * N], b[2 * N], c[2 * N], square = 0.0;
    rng r = rng_stream(8, RNG_INIT, 0, 0);
    for (size_t i = 0; i < 2 * N; i++) {
        c[i] = a[i] = 7.0 * cloud_normal(&r);
        b[i] = a[i] * (1.0 + 1e-13 * cloud_uniform(&r));
    }
    tsne_start(a, N, 1);
    tsne_start(b, N, 1);
    tsne_start(c, N, 2);
    assert_memory_equal(a, b, sizeof a);
    assert_memory_not_equal(a, c, sizeof a);
    for (size_t i = 0; i < N; i++) {
        square += a[2 * i] * a[2 * i];
    }
    assert_true(fabs(sqrt(square / N) / 1e-4 - 1.0) < 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tsne_gradient_finite_differences),
        cmocka_unit_test(test_tsne_gradient_barnes_hut),
        cmocka_unit_test(test_tsne_gradient_equal_places),
        cmocka_unit_test(test_tsne_gradient_threads),
        cmocka_unit_test(test_tsne_start_last_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
