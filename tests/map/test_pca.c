#include "map/clouds.h"

#include "map/pca.h"

/* Places of brute force: covariance, all its eigenvectors. */
typedef struct oracle {
    double *places, *values;
    double total;
} oracle;

static oracle solve(const float *rows, size_t n, size_t dim)
{
    oracle o = {.places = calloc(2 * n, sizeof(double)), .values = calloc(dim + 1, sizeof(double))};
    double *mean = calloc(dim, sizeof *mean), *a = calloc(dim * dim, sizeof *a);
    double *v = calloc(dim * dim, sizeof *v);
    assert_true(o.places && o.values && mean && a && v);
    for (size_t i = 0; i < n * dim; i++) {
        mean[i % dim] += (double)rows[i] / (double)n;
    }
    for (size_t p = 0; p < n; p++) {
        for (size_t i = 0; i < dim * dim; i++) {
            a[i] += ((double)rows[p * dim + i / dim] - mean[i / dim]) *
                    ((double)rows[p * dim + i % dim] - mean[i % dim]) / (double)(n - 1);
        }
    }
    cloud_eigen(a, v, o.values, dim);
    for (size_t i = 0; i < dim; i++) {
        o.total += o.values[i];
    }
    for (size_t p = 0; p < n; p++) {
        for (size_t axis = 0; axis < 2 && axis < dim; axis++) {
            for (size_t c = 0; c < dim; c++) {
                o.places[2 * p + axis] += ((double)rows[p * dim + c] - mean[c]) * v[axis * dim + c];
            }
        }
    }
    free(mean);
    free(a);
    free(v);
    return o;
}

static void clear(oracle *o)
{
    free(o->places);
    free(o->values);
}

static double *run(const float *rows, size_t n, size_t dim, int threads, pca_axis axes[2])
{
    points p;
    double *places = calloc(2 * n, sizeof *places);
    w2v_error err = {0};
    assert_non_null(places);
    assert_int_equal(points_init(&p, rows, n, dim, W2V_EUCLIDEAN, &err), W2V_OK);
    assert_int_equal(pca(&p, threads, places, axes, &err), W2V_OK);
    points_clear(&p);
    return places;
}

/* Up to the sign of each axis. */
static void assert_axes(const float *rows, size_t n, size_t dim)
{
    pca_axis axes[2];
    double *places = run(rows, n, dim, 1, axes);
    oracle o = solve(rows, n, dim);
    for (size_t axis = 0; axis < 2; axis++) {
        const double wanted = axis < dim ? o.values[axis] : 0.0;
        double sign = 0.0;
        assert_true(fabs(axes[axis].variance - wanted) < 1e-9 * o.total);
        assert_true(fabs(axes[axis].share - wanted / o.total) < 1e-9);
        for (size_t i = 0; i < n; i++) {
            sign += places[2 * i + axis] * o.places[2 * i + axis];
        }
        for (size_t i = 0; i < n; i++) {
            const double other = copysign(1.0, sign) * o.places[2 * i + axis];
            assert_true(fabs(places[2 * i + axis] - other) < 1e-7 * sqrt(o.total));
        }
    }
    clear(&o);
    free(places);
}

static void test_pca_random(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{50, 12}, {12, 50}, {20, 20}, {3, 7}, {200, 3}, {9, 2}};
    for (size_t s = 0; s < SUPPORT_COUNT(sizes); s++) {
        float *rows = cloud_random(sizes[s][0], sizes[s][1], s + 1);
        assert_axes(rows, sizes[s][0], sizes[s][1]);
        free(rows);
    }
}

/* Where both largest eigenvalues are equal the plane is one, its axes are not: what places have to
   do with each other is compared. */
static void assert_plane(const float *rows, size_t n, size_t dim)
{
    pca_axis axes[2];
    double *places = run(rows, n, dim, 1, axes);
    oracle o = solve(rows, n, dim);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const double got =
                places[2 * i] * places[2 * j] + places[2 * i + 1] * places[2 * j + 1];
            const double wanted =
                o.places[2 * i] * o.places[2 * j] + o.places[2 * i + 1] * o.places[2 * j + 1];
            assert_true(fabs(got - wanted) < 1e-9 * (1.0 + o.total));
        }
    }
    clear(&o);
    free(places);
}

static void test_pca_equal_axes(void **state)
{
    (void)state;
    /* a square in a plane of four dimensions, and a little beside it */
    static const float square[] = {1, 1, 0,  0,  -1, -1, 0,    0,     0, 0, 1,     1,
                                   0, 0, -1, -1, 0,  0,  0.5f, -0.5f, 0, 0, -0.5f, 0.5f};
    assert_plane(square, 6, 4);
}

static void test_pca_line(void **state)
{
    (void)state;
    float rows[10 * 5];
    for (size_t i = 0; i < 50; i++) {
        rows[i] = (float)(i / 5) * (1.0f + (float)(i % 5)); /* multiples of one vector */
    }
    pca_axis axes[2];
    double *places = run(rows, 10, 5, 1, axes);
    assert_true(fabs(axes[0].share - 1.0) < 1e-12);
    assert_true(axes[1].share == 0.0 && axes[1].variance == 0.0);
    for (size_t i = 0; i < 10; i++) {
        /* |(1, 2, 3, 4, 5)| = sqrt(55); the farthest place, of the first row, is positive */
        assert_true(fabs(places[2 * i] - (4.5 - (double)i) * sqrt(55.0)) < 1e-9);
        assert_true(places[2 * i + 1] == 0.0);
    }
    free(places);
}

static void test_pca_equal_points(void **state)
{
    (void)state;
    const float rows[] = {0.1f, 0.2f, 0.3f, 0.1f, 0.2f, 0.3f, 0.1f, 0.2f, 0.3f};
    pca_axis axes[2];
    for (size_t n = 1; n <= 3; n++) {
        double *places = run(rows, n, 3, 1, axes);
        for (size_t i = 0; i < 2 * n; i++) {
            assert_true(places[i] == 0.0);
        }
        assert_true(axes[0].variance == 0.0 && axes[0].share == 0.0);
        free(places);
    }
}

static void test_pca_extreme_lengths(void **state)
{
    (void)state;
    float *rows = cloud_random(30, 6, 5);
    pca_axis axes[2], large[2];
    free(run(rows, 30, 6, 1, axes));
    for (size_t i = 0; i < 180; i++) {
        rows[i] *= 0x1p120f;
    }
    double *places = run(rows, 30, 6, 1, large);
    assert_true(fabs(large[0].variance / axes[0].variance / 0x1p240 - 1.0) < 1e-9);
    assert_true(isfinite(places[0]));
    free(places);
    free(rows);
}

static void test_pca_threads(void **state)
{
    (void)state;
    pca_axis one[2], four[2];
    float *rows = cloud_random(300, 40, 6);
    double *a = run(rows, 300, 40, 1, one), *b = run(rows, 300, 40, 4, four);
    assert_memory_equal(a, b, 600 * sizeof *a);
    assert_memory_equal(one, four, sizeof one);
    free(a);
    free(b);
    free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pca_random),
        cmocka_unit_test(test_pca_equal_axes),
        cmocka_unit_test(test_pca_line),
        cmocka_unit_test(test_pca_equal_points),
        cmocka_unit_test(test_pca_extreme_lengths),
        cmocka_unit_test(test_pca_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
