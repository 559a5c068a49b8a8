/* Fast products for AVX-512. */
#include "query/dots.h"

#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__)
#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline))
#define NAME(x) x##_avx512
#define VEC 16
#define ROWS 8
#define STRIP 3 /* 24 sums, 3 lanes and a value: 28 of 32 registers */

typedef __m512 vec;

INLINE vec vec_zero(void)
{
    return _mm512_setzero_ps();
}
INLINE vec vec_set1(float x)
{
    return _mm512_set1_ps(x);
}
INLINE vec vec_load(const void *p)
{
    return _mm512_loadu_ps(p);
}
INLINE vec vec_load_part(const void *p, size_t n)
{
    return _mm512_maskz_loadu_ps((__mmask16)((1u << n) - 1), p);
}
INLINE void vec_store(float *p, vec x)
{
    _mm512_storeu_ps(p, x);
}
INLINE vec vec_fma(vec a, vec b, vec c)
{
    return _mm512_fmadd_ps(a, b, c);
}
INLINE float vec_sum(vec x)
{
    return _mm512_reduce_add_ps(x);
}
INLINE unsigned vec_not_less(vec x, vec y)
{
    return _mm512_cmp_ps_mask(x, y, _CMP_NLT_UQ);
}

#include "query/dots_body.h"
#else
typedef int dots_avx512_not_built; /* an empty file is no C */
#endif
