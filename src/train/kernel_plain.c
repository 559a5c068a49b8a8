/*
 * The kernel in plain C, for processors without fused multiply-add: separate
 * multiplications and additions, so its bits differ from the other versions'.
 */
#include "train/kernel.h"

#include <stdint.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline)) KERNEL_RACY
#define VEC 4
#define UPDATE_TILE 4
#define UPDATE_WIDTH 1
#define UPDATE_WIDE_TILE 0
#define KERNEL_OF(part) kernel_##part##_plain

typedef struct vec {
    float f[VEC];
} vec;
typedef struct v16 {
    float f[16];
} v16;

#define EACH(TYPE, LANES, EXPRESSION)                                                              \
    TYPE r;                                                                                        \
    for (int k = 0; k < (LANES); k++) {                                                            \
        r.f[k] = EXPRESSION;                                                                       \
    }                                                                                              \
    return r

INLINE vec vec_load(const float *p)
{
    EACH(vec, VEC, p[k]);
}
INLINE void vec_store(float *p, vec x)
{
    for (int k = 0; k < VEC; k++) {
        p[k] = x.f[k];
    }
}
INLINE vec vec_set1(float x)
{
    EACH(vec, VEC, x);
}
INLINE vec vec_fma(vec a, vec b, vec c)
{
    EACH(vec, VEC, a.f[k] * b.f[k] + c.f[k]);
}
INLINE v16 v16_zero(void)
{
    EACH(v16, 16, 0.0f);
}
INLINE v16 v16_set1(float x)
{
    EACH(v16, 16, x);
}
INLINE v16 v16_two(float x, float y)
{
    EACH(v16, 16, k < 8 ? x : y);
}
INLINE v16 v16_twice(const float *p)
{
    EACH(v16, 16, p[k % 8]);
}
INLINE v16 v16_add(v16 a, v16 b)
{
    EACH(v16, 16, a.f[k] + b.f[k]);
}
INLINE v16 v16_mul(v16 a, v16 b)
{
    EACH(v16, 16, a.f[k] * b.f[k]);
}
INLINE v16 v16_div(v16 a, v16 b)
{
    EACH(v16, 16, a.f[k] / b.f[k]);
}
INLINE v16 v16_fma(v16 a, v16 b, v16 c)
{
    EACH(v16, 16, a.f[k] * b.f[k] + c.f[k]);
}
INLINE v16 v16_fnma(v16 a, v16 b, v16 c)
{
    EACH(v16, 16, c.f[k] - a.f[k] * b.f[k]);
}
INLINE v16 v16_negabs(v16 x)
{
    EACH(v16, 16, x.f[k] < 0.0f ? x.f[k] : -x.f[k]);
}
INLINE v16 v16_max(v16 a, v16 b)
{
    EACH(v16, 16, a.f[k] > b.f[k] ? a.f[k] : b.f[k]);
}
INLINE v16 v16_where_negative(v16 x, v16 y, v16 z)
{
    EACH(v16, 16, x.f[k] < 0.0f ? y.f[k] : z.f[k]);
}
INLINE float scale2(float p, float n)
{
    const uint32_t bits = (uint32_t)((int32_t)n + 127) << 23;
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return p * scale;
}
INLINE v16 v16_scale2(v16 p, v16 n)
{
    EACH(v16, 16, scale2(p.f[k], n.f[k]));
}
INLINE v16 v16_load_two(const float *p, const float *q)
{
    EACH(v16, 16, k < 8 ? p[k] : q[k - 8]);
}
INLINE void v16_store_two(float *p, float *q, v16 x)
{
    memcpy(p, x.f, 8 * sizeof *p);
    memcpy(q, x.f + 8, 8 * sizeof *q);
}
INLINE void v16_add_to_doubles(double *sum, v16 x)
{
    for (int k = 0; k < 16; k++) {
        sum[k] += (double)x.f[k];
    }
}

INLINE float dot(const float *x, const float *y, size_t stride)
{
    v16 sum = v16_zero();
    for (size_t c = 0; c < stride; c += 16) {
        for (int k = 0; k < 16; k++) {
            sum.f[k] += x[c + (size_t)k] * y[c + (size_t)k];
        }
    }
    for (int half = 8; half > 0; half /= 2) {
        for (int k = 0; k < half; k++) {
            sum.f[k] += sum.f[k + half];
        }
    }
    return sum.f[0];
}

INLINE v16 pair_dots(const float *r0, const float *r1, float *const *out, const int n, size_t stride)
{
    v16 r = v16_zero();
    for (int j = 0; j < n; j++) {
        r.f[j] = dot(r0, out[j], stride);
        r.f[8 + j] = dot(r1, out[j], stride);
    }
    return r;
}

#include "train/kernel_body.h"
