/* Fast products for AVX2 with FMA. */
#include "query/dots.h"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))
#define NAME(x) x##_avx2
#define VEC 8
#define ROWS 4
#define STRIP 3 /* 12 sums, 3 lanes and a value: all 16 registers */

typedef __m256 vec;

INLINE vec vec_zero(void)
{
    return _mm256_setzero_ps();
}
INLINE vec vec_set1(float x)
{
    return _mm256_set1_ps(x);
}
INLINE vec vec_load(const void *p)
{
    return _mm256_loadu_ps(p);
}
INLINE vec vec_load_part(const void *p, size_t n)
{
    float whole[VEC] = {0};
    memcpy(whole, p, n * sizeof *whole);
    return _mm256_loadu_ps(whole);
}
INLINE void vec_store(float *p, vec x)
{
    _mm256_storeu_ps(p, x);
}
INLINE vec vec_fma(vec a, vec b, vec c)
{
    return _mm256_fmadd_ps(a, b, c);
}
INLINE float vec_sum(vec x)
{
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
}
INLINE unsigned vec_not_less(vec x, vec y)
{
    return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(x, y, _CMP_NLT_UQ));
}

#include "query/dots_body.h"
#else
typedef int dots_avx2_not_built; /* an empty file is no C */
#endif
