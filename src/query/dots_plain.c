/* Fast products in plain C, for every other machine; compilers make vectors of four of it. */
#include "query/dots.h"

#include <string.h>

#define INLINE static inline
#define NAME(x) x##_plain
#define VEC 4
#define ROWS 4
#define STRIP 2

typedef struct vec {
    float f[VEC];
} vec;

#define EACH(EXPRESSION)                                                                           \
    vec r;                                                                                         \
    for (int k = 0; k < VEC; k++) {                                                                \
        r.f[k] = EXPRESSION;                                                                       \
    }                                                                                              \
    return r

INLINE vec vec_zero(void)
{
    EACH(0.0f);
}
INLINE vec vec_set1(float x)
{
    EACH(x);
}
INLINE vec vec_load(const void *p)
{
    vec r;
    memcpy(r.f, p, sizeof r.f);
    return r;
}
INLINE vec vec_load_part(const void *p, size_t n)
{
    vec r = vec_zero();
    memcpy(r.f, p, n * sizeof *r.f);
    return r;
}
INLINE void vec_store(float *p, vec x)
{
    memcpy(p, x.f, sizeof x.f);
}
INLINE vec vec_fma(vec a, vec b, vec c)
{
    EACH(a.f[k] * b.f[k] + c.f[k]);
}
INLINE float vec_sum(vec x)
{
    return (x.f[0] + x.f[2]) + (x.f[1] + x.f[3]);
}
INLINE unsigned vec_not_less(vec x, vec y)
{
    unsigned bits = 0;
    for (int k = 0; k < VEC; k++) {
        bits |= x.f[k] < y.f[k] ? 0u : 1u << k;
    }
    return bits;
}

#include "query/dots_body.h"
