/* The kernel for 64-bit ARM: the sixteen virtual lanes are four vectors of four. */
#include "train/kernel.h"

#if defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>

#define INLINE static inline __attribute__((always_inline)) KERNEL_RACY
#define VEC 4
#define UPDATE_TILE 8
#define UPDATE_WIDTH 2
#define UPDATE_WIDE_TILE 6
#define KERNEL_OF(part) kernel_##part##_neon

typedef float32x4_t vec;
typedef struct v16 {
    float32x4_t q[4];
} v16;

INLINE vec vec_load(const float *p)
{
    return vld1q_f32(p);
}
INLINE void vec_store(float *p, vec x)
{
    vst1q_f32(p, x);
}
INLINE vec vec_set1(float x)
{
    return vdupq_n_f32(x);
}
INLINE vec vec_fma(vec a, vec b, vec c)
{
    return vfmaq_f32(c, a, b);
}

#define EACH(EXPRESSION)                                                                           \
    v16 r;                                                                                         \
    KERNEL_UNROLL for (int k = 0; k < 4; k++)                                            \
    {                                                                                              \
        r.q[k] = EXPRESSION;                                                                       \
    }                                                                                              \
    return r

INLINE v16 v16_zero(void)
{
    EACH(vdupq_n_f32(0.0f));
}
INLINE v16 v16_set1(float x)
{
    EACH(vdupq_n_f32(x));
}
INLINE v16 v16_two(float x, float y)
{
    EACH(vdupq_n_f32(k < 2 ? x : y));
}
INLINE v16 v16_twice(const float *p)
{
    EACH(vld1q_f32(p + 4 * (k % 2)));
}
INLINE v16 v16_add(v16 a, v16 b)
{
    EACH(vaddq_f32(a.q[k], b.q[k]));
}
INLINE v16 v16_mul(v16 a, v16 b)
{
    EACH(vmulq_f32(a.q[k], b.q[k]));
}
INLINE v16 v16_div(v16 a, v16 b)
{
    EACH(vdivq_f32(a.q[k], b.q[k]));
}
INLINE v16 v16_fma(v16 a, v16 b, v16 c)
{
    EACH(vfmaq_f32(c.q[k], a.q[k], b.q[k]));
}
INLINE v16 v16_fnma(v16 a, v16 b, v16 c)
{
    EACH(vfmsq_f32(c.q[k], a.q[k], b.q[k]));
}
INLINE v16 v16_negabs(v16 x)
{
    EACH(vnegq_f32(vabsq_f32(x.q[k])));
}
INLINE v16 v16_max(v16 a, v16 b)
{
    EACH(vmaxq_f32(a.q[k], b.q[k]));
}
INLINE v16 v16_where_negative(v16 x, v16 y, v16 z)
{
    EACH(vbslq_f32(vcltzq_f32(x.q[k]), y.q[k], z.q[k]));
}
INLINE float32x4_t scale2(float32x4_t p, float32x4_t n)
{
    const int32x4_t exponent = vaddq_s32(vcvtnq_s32_f32(n), vdupq_n_s32(127));
    return vmulq_f32(p, vreinterpretq_f32_s32(vshlq_n_s32(exponent, 23)));
}
INLINE v16 v16_scale2(v16 p, v16 n)
{
    EACH(scale2(p.q[k], n.q[k]));
}
INLINE v16 v16_load_two(const float *p, const float *q)
{
    EACH(vld1q_f32((k < 2 ? p : q) + 4 * (k % 2)));
}
INLINE void v16_store_two(float *p, float *q, v16 x)
{
    vst1q_f32(p, x.q[0]);
    vst1q_f32(p + 4, x.q[1]);
    vst1q_f32(q, x.q[2]);
    vst1q_f32(q + 4, x.q[3]);
}
INLINE void v16_add_to_doubles(double *sum, v16 x)
{
    KERNEL_UNROLL
    for (int k = 0; k < 4; k++) {
        double *s = sum + 4 * k;
        vst1q_f64(s, vaddq_f64(vld1q_f64(s), vcvt_f64_f32(vget_low_f32(x.q[k]))));
        vst1q_f64(s + 2, vaddq_f64(vld1q_f64(s + 2), vcvt_high_f64_f32(x.q[k])));
    }
}

/* Lanes 8, 4, 2 and 1 apart added, in this order. */
INLINE float fold(float32x4_t a, float32x4_t b, float32x4_t c, float32x4_t d)
{
    const float32x4_t four = vaddq_f32(vaddq_f32(a, c), vaddq_f32(b, d));
    const float32x2_t two = vadd_f32(vget_low_f32(four), vget_high_f32(four));
    return vget_lane_f32(vpadd_f32(two, two), 0);
}

/* Dots of one row with n <= 4 context rows. */
INLINE float32x4_t four_dots(const float *row, float *const *out, const int n, size_t stride)
{
    float32x4_t sum[4][4];
    KERNEL_UNROLL
    for (int k = 0; k < 16; k++) {
        sum[k / 4][k % 4] = vdupq_n_f32(0.0f);
    }
    for (size_t c = 0; c < stride; c += KERNEL_LANES) {
        KERNEL_UNROLL
        for (int k = 0; k < 4; k++) {
            const float32x4_t x = vld1q_f32(row + c + 4 * k);
            KERNEL_UNROLL
            for (int j = 0; j < n; j++) {
                sum[j][k] = vfmaq_f32(sum[j][k], x, vld1q_f32(out[j] + c + 4 * k));
            }
        }
    }
    float dots[4];
    KERNEL_UNROLL
    for (int j = 0; j < 4; j++) {
        dots[j] = fold(sum[j][0], sum[j][1], sum[j][2], sum[j][3]);
    }
    return vld1q_f32(dots);
}

INLINE v16 pair_dots(const float *r0, const float *r1, float *const *out, const int n, size_t stride)
{
    const int first = n < 4 ? n : 4, rest = n > 4 ? n - 4 : 0;
    float *const *second = out + (n > 4 ? 4 : 0);
    v16 r;
    r.q[0] = four_dots(r0, out, first, stride);
    r.q[1] = four_dots(r0, second, rest, stride);
    r.q[2] = four_dots(r1, out, first, stride);
    r.q[3] = four_dots(r1, second, rest, stride);
    return r;
}

#include "train/kernel_body.h"
#endif
