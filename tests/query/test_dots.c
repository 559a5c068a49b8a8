/* Every set of fast products that this machine can run, against doubles. */
#include "support.h"

#include "base/rng.h"
#include "query/dots.h"
#include "query/exact.h"

#include <math.h>

static const char *const names[] = {"plain", "avx2", "avx512", "neon"};

#define LANES_MOST 112
#define DIM_MOST 131

/* Rows at odd addresses, since rows of a file begin anywhere. */
typedef struct data {
    char bytes[DOTS_ROWS * (DIM_MOST * sizeof(float) + 1) + 1];
    const void *row[DOTS_ROWS];
    float lane[LANES_MOST][DIM_MOST + DOTS_LANES];
    double wide[LANES_MOST][DIM_MOST];
} data;

static void fill(data *d, size_t dim, uint64_t seed)
{
    rng r = rng_stream(seed, RNG_INIT, dim, 0);
    memset(d, 0, sizeof *d);
    for (size_t i = 0; i < DOTS_ROWS; i++) {
        char *row = d->bytes + 1 + i * (dim * sizeof(float) + 1);
        d->row[i] = row;
        for (size_t c = 0; c < dim; c++) {
            const float x = (float)(int32_t)rng_next(&r) * 0x1p-31f;
            memcpy(row + c * sizeof x, &x, sizeof x);
        }
    }
    for (size_t l = 0; l < LANES_MOST; l++) {
        for (size_t c = 0; c < dim; c++) {
            d->lane[l][c] = (float)(int32_t)rng_next(&r) * 0x1p-31f;
            d->wide[l][c] = (double)d->lane[l][c];
        }
    }
}

static void assert_product(const data *d, size_t row, size_t l, size_t dim, float product)
{
    const double exact = exact_dot(d->wide[l], d->row[row], dim);
    const double room =
        1.01 * (double)dim * 0x1p-24 *
        sqrt(exact_square_of_doubles(d->wide[l], dim) * exact_square(d->row[row], dim));
    assert_true(fabs((double)product - exact) <= room);
}

static void check_rows(const dots *set, const data *d, size_t dim, size_t lanes)
{
    float out[DOTS_ROWS][LANES_MOST], square[DOTS_ROWS];
    const size_t stride = sizeof d->lane[0] / sizeof(float);
    set->rows(d->row, DOTS_ROWS, dim, d->lane[0], stride, lanes, out[0], LANES_MOST, square);
    for (size_t i = 0; i < DOTS_ROWS; i++) {
        const double exact = exact_square(d->row[i], dim);
        assert_true(fabs((double)square[i] - exact) <= 1.01 * (double)dim * 0x1p-24 * exact);
        for (size_t l = 0; l < lanes; l++) {
            assert_product(d, i, l, dim, out[i][l]);
        }
    }
}

static void check_block(const dots *set, const data *d, size_t dim, size_t lanes)
{
    static float panels[LANES_MOST * DIM_MOST], out[DOTS_ROWS][LANES_MOST];
    for (size_t l = 0; l < lanes; l++) {
        const size_t first = l / DOTS_PANEL * DOTS_PANEL;
        const size_t width = lanes - first < DOTS_PANEL ? lanes - first : DOTS_PANEL;
        for (size_t c = 0; c < dim; c++) {
            panels[first * dim + c * width + (l - first)] = d->lane[l][c];
        }
    }
    memset(out, 0, sizeof out);
    set->block(d->row, dim, panels, lanes, out[0], LANES_MOST);
    for (size_t i = 0; i < DOTS_ROWS; i++) {
        for (size_t l = 0; l < lanes; l++) {
            assert_product(d, i, l, dim, out[i][l]);
        }
    }
}

static void test_dots_of_each_set(void **state)
{
    (void)state;
    static data d;
    size_t sets = 0;
    for (size_t s = 0; s < SUPPORT_COUNT(names); s++) {
        const dots set = dots_by_name(names[s]);
        sets += set.rows != NULL;
        for (size_t dim = 1; set.rows && dim <= DIM_MOST; dim += dim < 40 ? 1 : 13) {
            fill(&d, dim, s);
            for (size_t lanes = 0; lanes <= 9; lanes++) {
                check_rows(&set, &d, dim, lanes);
            }
            for (size_t lanes = 16; lanes <= LANES_MOST; lanes += 16) {
                check_block(&set, &d, dim, lanes);
            }
        }
    }
    assert_true(sets >= 1);
}

static void test_sift_of_each_set(void **state)
{
    (void)state;
    float product[32], a[32], b[32];
    uint32_t hits[32];
    for (size_t s = 0; s < SUPPORT_COUNT(names); s++) {
        const dots set = dots_by_name(names[s]);
        for (size_t l = 0; set.sift && l < 32; l++) {
            product[l] = (float)l; /* limits are 2 * 8 + 0.5 * 6 = 19 */
            a[l] = 2.0f;
            b[l] = 0.5f;
        }
        if (!set.sift) {
            continue;
        }
        a[3] = NAN;
        b[4] = NAN;
        product[5] = NAN;
        a[6] = -INFINITY;
        a[31] = INFINITY;
        const uint32_t expected[] = {3, 4, 5, 6, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30};
        assert_int_equal(set.sift(product, a, b, 8.0f, 6.0f, 32, hits), SUPPORT_COUNT(expected));
        assert_memory_equal(hits, expected, sizeof expected);
        assert_int_equal(set.sift(product, a, b, NAN, 6.0f, 32, hits), 32);
        assert_int_equal(set.sift(product, a, b, 8.0f, NAN, 32, hits), 32);
    }
}

static void test_dots_by_name_unknown(void **state)
{
    (void)state;
    assert_null(dots_by_name("fpga").rows);
    assert_non_null(dots_by_name(dots_best().name).rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dots_of_each_set),
        cmocka_unit_test(test_sift_of_each_set),
        cmocka_unit_test(test_dots_by_name_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
