/*
 * The body of the fast products, included once for each instruction set, which
 * defines INLINE, NAME(x), VEC (lanes of a vector), ROWS and STRIP (rows and
 * vectors of a register tile: ROWS * STRIP sums, STRIP lanes and one spread
 * value stay in registers), the type `vec`, and
 *
 *     vec_zero()  vec_set1(x)  vec_load(p)  vec_load_part(p, n)  vec_store(p, x)
 *     vec_fma(a, b, c)  vec_sum(x)  vec_not_less(x, y): bit l set unless x[l] < y[l]
 *
 * where p is any address. There is no guard: it is meant to be included by such a file only.
 */
#include <string.h>

/* Sums stay in registers only when every loop over them is unrolled. */
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define UNROLL _Pragma("GCC unroll 8")
#else
#define UNROLL
#endif

/* Products of one row with n <= 4 lanes, and its square: the row is read once. */
INLINE void one_row(const char *row, size_t dim, const float *lane, size_t stride, const int n,
                    float *out, float *square)
{
    vec sum[4], squares = vec_zero();
    UNROLL
    for (int l = 0; l < n; l++) {
        sum[l] = vec_zero();
    }
    size_t c = 0;
    for (; dim - c >= VEC; c += VEC) {
        const vec x = vec_load(row + c * sizeof(float));
        squares = vec_fma(x, x, squares);
        UNROLL
        for (int l = 0; l < n; l++) {
            sum[l] = vec_fma(x, vec_load(lane + (size_t)l * stride + c), sum[l]);
        }
    }
    if (c < dim) {
        const vec x = vec_load_part(row + c * sizeof(float), dim - c);
        squares = vec_fma(x, x, squares);
        UNROLL
        for (int l = 0; l < n; l++) {
            sum[l] = vec_fma(x, vec_load(lane + (size_t)l * stride + c), sum[l]);
        }
    }
    *square = vec_sum(squares);
    UNROLL
    for (int l = 0; l < n; l++) {
        out[l] = vec_sum(sum[l]);
    }
}

void NAME(dots_rows)(const void *const *row, size_t rows, size_t dim, const float *lane,
                     size_t stride, size_t lanes, float *out, size_t out_stride, float *square)
{
    for (size_t i = 0; i < rows; i++) {
        const char *values = row[i];
        float *to = out + i * out_stride;
        if (lanes == 0) {
            one_row(values, dim, lane, stride, 0, to, &square[i]);
        }
        for (size_t l = 0; l < lanes; l += 4) {
            const float *from = lane + l * stride;
            switch (lanes - l) {
            case 1:
                one_row(values, dim, from, stride, 1, to + l, &square[i]);
                break;
            case 2:
                one_row(values, dim, from, stride, 2, to + l, &square[i]);
                break;
            case 3:
                one_row(values, dim, from, stride, 3, to + l, &square[i]);
                break;
            default:
                one_row(values, dim, from, stride, 4, to + l, &square[i]);
                break;
            }
        }
    }
}

/* A register tile: ROWS rows with n <= STRIP vectors of lanes. */
INLINE void tile(const void *const *row, size_t dim, const float *lane, size_t width, const int n,
                 float *out, size_t out_stride)
{
    const char *values[ROWS];
    vec sum[ROWS][STRIP];
    UNROLL
    for (int i = 0; i < ROWS; i++) {
        values[i] = row[i];
        UNROLL
        for (int j = 0; j < n; j++) {
            sum[i][j] = vec_zero();
        }
    }
    for (size_t c = 0; c < dim; c++) {
        vec y[STRIP];
        UNROLL
        for (int j = 0; j < n; j++) {
            y[j] = vec_load(lane + c * width + (size_t)j * VEC);
        }
        UNROLL
        for (int i = 0; i < ROWS; i++) {
            float value;
            memcpy(&value, values[i] + c * sizeof value, sizeof value);
            const vec x = vec_set1(value);
            UNROLL
            for (int j = 0; j < n; j++) {
                sum[i][j] = vec_fma(x, y[j], sum[i][j]);
            }
        }
    }
    UNROLL
    for (int i = 0; i < ROWS; i++) {
        UNROLL
        for (int j = 0; j < n; j++) {
            vec_store(out + (size_t)i * out_stride + (size_t)j * VEC, sum[i][j]);
        }
    }
}

void NAME(dots_block)(const void *const row[DOTS_ROWS], size_t dim, const float *panels,
                      size_t lanes, float *out, size_t out_stride)
{
    for (size_t first = 0; first < lanes; first += DOTS_PANEL) {
        const size_t width = lanes - first < DOTS_PANEL ? lanes - first : DOTS_PANEL;
        const float *panel = panels + first * dim;
        for (size_t i = 0; i < DOTS_ROWS; i += ROWS) {
            float *to = out + i * out_stride + first;
            size_t l = 0;
            for (; width - l >= STRIP * VEC; l += STRIP * VEC) {
                tile(row + i, dim, panel + l, width, STRIP, to + l, out_stride);
            }
            for (; l < width; l += VEC) {
                tile(row + i, dim, panel + l, width, 1, to + l, out_stride);
            }
        }
    }
}

size_t NAME(dots_sift)(const float *product, const float *a, const float *b, float alpha,
                       float beta, size_t lanes, uint32_t *hits)
{
    const vec times_a = vec_set1(alpha), times_b = vec_set1(beta);
    size_t n = 0;
    for (size_t l = 0; l < lanes; l += VEC) {
        const vec limit =
            vec_fma(vec_load(a + l), times_a, vec_fma(vec_load(b + l), times_b, vec_zero()));
        unsigned bits = vec_not_less(vec_load(product + l), limit);
        for (uint32_t i = (uint32_t)l; bits != 0; bits >>= 1, i++) {
            if (bits & 1u) {
                hits[n++] = i;
            }
        }
    }
    return n;
}
