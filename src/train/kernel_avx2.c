/* The kernel for AVX2 with FMA: the sixteen virtual lanes are two vectors of eight. */
#include "train/kernel.h"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline)) KERNEL_RACY
#define VEC 8
#define UPDATE_TILE 4 /* old and new values of four rows: half of the sixteen registers */
#define UPDATE_WIDTH 1
#define UPDATE_WIDE_TILE 0
#define KERNEL_OF(part) kernel_##part##_avx2

typedef __m256 vec;
typedef struct v16 {
    __m256 low, high;
} v16;

INLINE vec vec_load(const float *p)
{
    return _mm256_loadu_ps(p);
}
INLINE void vec_store(float *p, vec x)
{
    _mm256_storeu_ps(p, x);
}
INLINE vec vec_set1(float x)
{
    return _mm256_set1_ps(x);
}
INLINE vec vec_fma(vec a, vec b, vec c)
{
    return _mm256_fmadd_ps(a, b, c);
}

#define BOTH(EXPRESSION_LOW, EXPRESSION_HIGH) ((v16){EXPRESSION_LOW, EXPRESSION_HIGH})

INLINE v16 v16_zero(void)
{
    return BOTH(_mm256_setzero_ps(), _mm256_setzero_ps());
}
INLINE v16 v16_set1(float x)
{
    return BOTH(_mm256_set1_ps(x), _mm256_set1_ps(x));
}
INLINE v16 v16_two(float x, float y)
{
    return BOTH(_mm256_set1_ps(x), _mm256_set1_ps(y));
}
INLINE v16 v16_twice(const float *p)
{
    return BOTH(_mm256_loadu_ps(p), _mm256_loadu_ps(p));
}
INLINE v16 v16_add(v16 a, v16 b)
{
    return BOTH(_mm256_add_ps(a.low, b.low), _mm256_add_ps(a.high, b.high));
}
INLINE v16 v16_mul(v16 a, v16 b)
{
    return BOTH(_mm256_mul_ps(a.low, b.low), _mm256_mul_ps(a.high, b.high));
}
INLINE v16 v16_div(v16 a, v16 b)
{
    return BOTH(_mm256_div_ps(a.low, b.low), _mm256_div_ps(a.high, b.high));
}
INLINE v16 v16_fma(v16 a, v16 b, v16 c)
{
    return BOTH(_mm256_fmadd_ps(a.low, b.low, c.low), _mm256_fmadd_ps(a.high, b.high, c.high));
}
INLINE v16 v16_fnma(v16 a, v16 b, v16 c)
{
    return BOTH(_mm256_fnmadd_ps(a.low, b.low, c.low), _mm256_fnmadd_ps(a.high, b.high, c.high));
}
INLINE v16 v16_negabs(v16 x)
{
    const __m256 sign = _mm256_set1_ps(-0.0f);
    return BOTH(_mm256_or_ps(x.low, sign), _mm256_or_ps(x.high, sign));
}
INLINE v16 v16_max(v16 a, v16 b)
{
    return BOTH(_mm256_max_ps(a.low, b.low), _mm256_max_ps(a.high, b.high));
}
INLINE __m256 where_negative(__m256 x, __m256 y, __m256 z)
{
    return _mm256_blendv_ps(z, y, _mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_LT_OQ));
}
INLINE v16 v16_where_negative(v16 x, v16 y, v16 z)
{
    return BOTH(where_negative(x.low, y.low, z.low), where_negative(x.high, y.high, z.high));
}
INLINE __m256 scale2(__m256 p, __m256 n)
{
    const __m256i exponent = _mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127));
    return _mm256_mul_ps(p, _mm256_castsi256_ps(_mm256_slli_epi32(exponent, 23)));
}
INLINE v16 v16_scale2(v16 p, v16 n)
{
    return BOTH(scale2(p.low, n.low), scale2(p.high, n.high));
}
INLINE v16 v16_load_two(const float *p, const float *q)
{
    return BOTH(_mm256_loadu_ps(p), _mm256_loadu_ps(q));
}
INLINE void v16_store_two(float *p, float *q, v16 x)
{
    _mm256_storeu_ps(p, x.low);
    _mm256_storeu_ps(q, x.high);
}
INLINE void add_to_doubles(double *sum, __m128 x)
{
    _mm256_storeu_pd(sum, _mm256_add_pd(_mm256_loadu_pd(sum), _mm256_cvtps_pd(x)));
}
INLINE void v16_add_to_doubles(double *sum, v16 x)
{
    add_to_doubles(sum, _mm256_castps256_ps128(x.low));
    add_to_doubles(sum + 4, _mm256_extractf128_ps(x.low, 1));
    add_to_doubles(sum + 8, _mm256_castps256_ps128(x.high));
    add_to_doubles(sum + 12, _mm256_extractf128_ps(x.high, 1));
}

/* Lanes 4, 2 and 1 apart added: eight vectors of eight lanes become eight sums. */
INLINE __m256 fold4(__m256 x, __m256 y)
{
    return _mm256_add_ps(_mm256_permute2f128_ps(x, y, 0x20), _mm256_permute2f128_ps(x, y, 0x31));
}
INLINE __m256 fold2(__m256 x, __m256 y)
{
    return _mm256_add_ps(_mm256_shuffle_ps(x, y, 0x44), _mm256_shuffle_ps(x, y, 0xee));
}
INLINE __m256 fold1(__m256 x, __m256 y)
{
    return _mm256_add_ps(_mm256_shuffle_ps(x, y, 0x88), _mm256_shuffle_ps(x, y, 0xdd));
}

/* Dots of one row with n <= 4 context rows, lanes 8 apart already added. */
INLINE void four_dots(const float *row, float *const *out, const int n, size_t stride, __m256 *sum)
{
    __m256 low[4], high[4];
    KERNEL_UNROLL
    for (int j = 0; j < n; j++) {
        low[j] = _mm256_setzero_ps();
        high[j] = _mm256_setzero_ps();
    }
    for (size_t c = 0; c < stride; c += KERNEL_LANES) {
        const __m256 x = _mm256_loadu_ps(row + c), y = _mm256_loadu_ps(row + c + 8);
        KERNEL_UNROLL
        for (int j = 0; j < n; j++) {
            low[j] = _mm256_fmadd_ps(x, _mm256_loadu_ps(out[j] + c), low[j]);
            high[j] = _mm256_fmadd_ps(y, _mm256_loadu_ps(out[j] + c + 8), high[j]);
        }
    }
    KERNEL_UNROLL
    for (int j = 0; j < 4; j++) {
        sum[j] = j < n ? _mm256_add_ps(low[j], high[j]) : _mm256_setzero_ps();
    }
}

INLINE __m256 row_dots(const float *row, float *const *out, const int n, size_t stride)
{
    __m256 sum[8];
    four_dots(row, out, n < 4 ? n : 4, stride, sum);
    four_dots(row, out + (n > 4 ? 4 : 0), n > 4 ? n - 4 : 0, stride, sum + 4);
    return fold1(fold2(fold4(sum[0], sum[4]), fold4(sum[1], sum[5])),
                 fold2(fold4(sum[2], sum[6]), fold4(sum[3], sum[7])));
}

INLINE v16 pair_dots(const float *r0, const float *r1, float *const *out, const int n, size_t stride)
{
    return BOTH(row_dots(r0, out, n, stride), row_dots(r1, out, n, stride));
}

#include "train/kernel_body.h"
#endif
