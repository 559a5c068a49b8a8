/* Fast products for 64-bit ARM. */
#include "query/dots.h"

#if defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))
#define NAME(x) x##_neon
#define VEC 4
#define ROWS 8
#define STRIP 3 /* 24 sums, 3 lanes and a value: 28 of 32 registers */

typedef float32x4_t vec;

INLINE vec vec_zero(void)
{
    return vdupq_n_f32(0.0f);
}
INLINE vec vec_set1(float x)
{
    return vdupq_n_f32(x);
}
/* Through bytes, since a row may begin at any address. */
INLINE vec vec_load(const void *p)
{
    return vreinterpretq_f32_u8(vld1q_u8(p));
}
INLINE vec vec_load_part(const void *p, size_t n)
{
    float whole[VEC] = {0};
    memcpy(whole, p, n * sizeof *whole);
    return vld1q_f32(whole);
}
INLINE void vec_store(float *p, vec x)
{
    vst1q_f32(p, x);
}
INLINE vec vec_fma(vec a, vec b, vec c)
{
    return vfmaq_f32(c, a, b);
}
INLINE float vec_sum(vec x)
{
    return vaddvq_f32(x);
}
INLINE unsigned vec_not_less(vec x, vec y)
{
    static const uint32_t bit[VEC] = {1, 2, 4, 8};
    return vaddvq_u32(vbicq_u32(vld1q_u32(bit), vcltq_f32(x, y)));
}

#include "query/dots_body.h"
#else
typedef int dots_neon_not_built; /* an empty file is no C */
#endif
