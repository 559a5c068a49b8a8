/* The kernel for AVX-512 (F, BW, DQ, VL): a vector is the sixteen virtual lanes. */
#include "train/kernel.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline)) KERNEL_RACY
/* Makes the compiler hold a value in a register instead of loading it again at each use. */
#define KERNEL_KEEP(v) __asm__("" : "+v"(v))
#define VEC 16
#define UPDATE_TILE 8
#define UPDATE_WIDTH 2
#define UPDATE_WIDE_TILE 6 /* 2 x 12 values, 4 of a word row, 1 gradient: 29 of 32 registers */
#define KERNEL_OF(part) kernel_##part##_avx512

typedef __m512 vec;
typedef __m512 v16;

INLINE vec vec_load(const float *p)
{
    return _mm512_load_ps(p);
}
INLINE void vec_store(float *p, vec x)
{
    _mm512_store_ps(p, x);
}
INLINE vec vec_set1(float x)
{
    return _mm512_set1_ps(x);
}
INLINE vec vec_fma(vec a, vec b, vec c)
{
    return _mm512_fmadd_ps(a, b, c);
}
INLINE v16 v16_zero(void)
{
    return _mm512_setzero_ps();
}
INLINE v16 v16_set1(float x)
{
    return _mm512_set1_ps(x);
}
INLINE v16 v16_two(float x, float y)
{
    return _mm512_mask_blend_ps(0xff00, _mm512_set1_ps(x), _mm512_set1_ps(y));
}
INLINE v16 v16_twice(const float *p)
{
    return _mm512_broadcast_f32x8(_mm256_loadu_ps(p));
}
INLINE v16 v16_add(v16 a, v16 b)
{
    return _mm512_add_ps(a, b);
}
INLINE v16 v16_mul(v16 a, v16 b)
{
    return _mm512_mul_ps(a, b);
}
INLINE v16 v16_div(v16 a, v16 b)
{
    return _mm512_div_ps(a, b);
}
INLINE v16 v16_fma(v16 a, v16 b, v16 c)
{
    return _mm512_fmadd_ps(a, b, c);
}
INLINE v16 v16_fnma(v16 a, v16 b, v16 c)
{
    return _mm512_fnmadd_ps(a, b, c);
}
INLINE v16 v16_negabs(v16 x)
{
    return _mm512_or_ps(x, _mm512_set1_ps(-0.0f));
}
INLINE v16 v16_max(v16 a, v16 b)
{
    return _mm512_max_ps(a, b);
}
INLINE v16 v16_where_negative(v16 x, v16 y, v16 z)
{
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_LT_OQ), z, y);
}
INLINE v16 v16_scale2(v16 p, v16 n)
{
    const __m512i exponent = _mm512_add_epi32(_mm512_cvtps_epi32(n), _mm512_set1_epi32(127));
    return _mm512_mul_ps(p, _mm512_castsi512_ps(_mm512_slli_epi32(exponent, 23)));
}
INLINE v16 v16_load_two(const float *p, const float *q)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(p)), _mm256_loadu_ps(q), 1);
}
INLINE void v16_store_two(float *p, float *q, v16 x)
{
    _mm256_storeu_ps(p, _mm512_castps512_ps256(x));
    _mm256_storeu_ps(q, _mm512_extractf32x8_ps(x, 1));
}
INLINE void v16_add_to_doubles(double *sum, v16 x)
{
    const __m512d low = _mm512_cvtps_pd(_mm512_castps512_ps256(x));
    const __m512d high = _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1));
    _mm512_storeu_pd(sum, _mm512_add_pd(_mm512_loadu_pd(sum), low));
    _mm512_storeu_pd(sum + 8, _mm512_add_pd(_mm512_loadu_pd(sum + 8), high));
}

/*
 * Lanes that are 8, 4, 2 or 1 apart added, of x and of y side by side. What stays in its lane is
 * blended, what moves is shuffled: of the two only shuffles are tied to one port.
 */
INLINE __m512 fold8(__m512 x, __m512 y) /* x's eight sums, then y's */
{
    return _mm512_add_ps(_mm512_mask_blend_ps(0xff00, x, y), _mm512_shuffle_f32x4(x, y, 0x4e));
}
INLINE __m512 fold4(__m512 x, __m512 y) /* four of x, four of y, and so again */
{
    const __m512i other = _mm512_setr_epi32(4, 5, 6, 7, 16, 17, 18, 19, 12, 13, 14, 15, 24, 25, 26, 27);
    return _mm512_add_ps(_mm512_mask_blend_ps(0xf0f0, x, y), _mm512_permutex2var_ps(x, other, y));
}
INLINE __m512 fold2(__m512 x, __m512 y) /* two of x, two of y, … */
{
    return _mm512_add_ps(_mm512_mask_blend_ps(0xcccc, x, y), _mm512_shuffle_ps(x, y, 0x4e));
}
INLINE __m512 fold1(__m512 x, __m512 y) /* x, y, x, y, … */
{
    const __m512i other = _mm512_setr_epi32(1, 16, 3, 18, 5, 20, 7, 22, 9, 24, 11, 26, 13, 28, 15, 30);
    return _mm512_add_ps(_mm512_mask_blend_ps(0xaaaa, x, y), _mm512_permutex2var_ps(x, other, y));
}

/* The four dots that end in element e of the four 128-bit parts: e, 4 + e of both rows. */
INLINE __m512 fold_part(const __m512 *a, const __m512 *b, int e)
{
    return fold4(fold8(a[e], b[e]), fold8(a[4 + e], b[4 + e]));
}

INLINE v16 pair_dots(const float *r0, const float *r1, float *const *out, const int n, size_t stride)
{
    __m512 a[KERNEL_OUTS], b[KERNEL_OUTS];
    KERNEL_UNROLL
    for (int j = 0; j < KERNEL_OUTS; j++) {
        a[j] = _mm512_setzero_ps();
        b[j] = _mm512_setzero_ps();
    }
    for (size_t c = 0; c < stride; c += VEC) {
        const __m512 x = _mm512_load_ps(r0 + c), y = _mm512_load_ps(r1 + c);
        KERNEL_UNROLL
        for (int j = 0; j < n; j++) {
            __m512 v = _mm512_load_ps(out[j] + c);
            KERNEL_KEEP(v); /* one load for both rows: loads are what is scarce here */
            a[j] = _mm512_fmadd_ps(x, v, a[j]);
            b[j] = _mm512_fmadd_ps(y, v, b[j]);
        }
    }
    return fold1(fold2(fold_part(a, b, 0), fold_part(a, b, 2)),
                 fold2(fold_part(a, b, 1), fold_part(a, b, 3)));
}

#include "train/kernel_body.h"
#endif
