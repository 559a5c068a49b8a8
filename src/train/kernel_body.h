/*
 * The fast step, written once and included by each instruction set's file,
 * which defines before it (all `static inline`, KERNEL_RACY where they touch rows):
 *
 *   vec               a native vector of VEC floats; vec_load, vec_store, vec_set1, vec_fma(a,b,c) = a*b+c
 *   v16               sixteen floats; v16_zero, v16_load, v16_store, v16_set1, v16_two(x, y) = x in lanes
 *                     0-7 and y in 8-15, v16_twice(p) = p[0..7] twice, v16_add, v16_mul, v16_div,
 *                     v16_fma(a,b,c), v16_fnma(a,b,c) = c - a*b, v16_negabs(x) = -|x|, v16_max,
 *                     v16_where_negative(x, y, z) = x < 0 ? y : z by lane, v16_scale2(p, n) = p * 2^n
 *   pair_dots(r0, r1, out, n, stride)   the dots of two word rows with n <= 8 context rows:
 *                     lane j and 8 + j; lanes beyond n hold 0
 *   UPDATE_TILE       context rows updated in one sweep (their old and new values stay in registers)
 *   KERNEL_STEP       name of the step
 */
#include "train/logistic.h"

#include <stddef.h>

#define BODY_INLINE static inline __attribute__((always_inline)) KERNEL_RACY

/* exp(t) for LOGISTIC_MIN <= t <= 0 */
BODY_INLINE v16 body_exp(v16 t)
{
    static const float terms[LOGISTIC_EXP_TERMS] = LOGISTIC_EXP;
    const v16 round = v16_set1(LOGISTIC_ROUND);
    const v16 n = v16_add(v16_fma(t, v16_set1(LOGISTIC_LOG2E), round), v16_set1(-LOGISTIC_ROUND));
    v16 r = v16_fma(n, v16_set1(-LOGISTIC_LN2_HIGH), t);
    r = v16_fma(n, v16_set1(-LOGISTIC_LN2_LOW), r);
    v16 p = v16_set1(terms[0]);
#pragma GCC unroll 16
    for (int k = 1; k < LOGISTIC_EXP_TERMS; k++) {
        p = v16_fma(p, r, v16_set1(terms[k]));
    }
    return v16_scale2(p, n);
}

BODY_INLINE v16 body_log_one_plus(v16 e)
{
    static const float terms[LOGISTIC_LOG_TERMS] = LOGISTIC_LOG;
    v16 q = v16_set1(terms[0]);
#pragma GCC unroll 16
    for (int k = 1; k < LOGISTIC_LOG_TERMS; k++) {
        q = v16_fma(q, e, v16_set1(terms[k]));
    }
    return v16_mul(e, q);
}

/* a or b of kernel.h for two word rows and eight context rows */
BODY_INLINE v16 body_weights(const kernel_group *group, const float *by_position, size_t i, size_t j,
                             size_t padded)
{
    const size_t positions = group->positions;
    const float *count = group->count + i * positions;
    v16 sum = v16_mul(v16_two(count[0], count[positions]), v16_twice(by_position + j));
    for (size_t p = 1; p < positions; p++) {
        sum = v16_fma(v16_two(count[p], count[positions + p]),
                      v16_twice(by_position + p * padded + j), sum);
    }
    return sum;
}

/* From sixteen dots to sixteen gradients. */
BODY_INLINE v16 body_gradient(v16 x, v16 a, v16 b, v16 rate, v16 *loss)
{
    const v16 zero = v16_zero(), one = v16_set1(1.0f);
    const v16 e = body_exp(v16_max(v16_negabs(x), v16_set1(LOGISTIC_MIN)));
    const v16 s = v16_div(v16_where_negative(x, e, one), v16_add(one, e));
    const v16 softplus = v16_add(v16_where_negative(x, zero, x), body_log_one_plus(e));
    *loss = v16_add(*loss, v16_fnma(a, x, v16_mul(b, softplus)));
    return v16_mul(rate, v16_fnma(b, s, a));
}

/* All gradients of eight outputs from j on; n of them are real. */
BODY_INLINE void body_gradients(const kernel_group *group, size_t stride, v16 rate, float *g, size_t j,
                                const int n, v16 *loss)
{
    const size_t padded = kernel_padded_outs(group->outs);
    for (size_t i = 0; i < group->rows; i += 2) {
        const v16 x = pair_dots(group->row[i], group->row[i + 1], group->out + j, n, stride);
        const v16 a = body_weights(group, group->positive, i, j, padded);
        const v16 b = body_weights(group, group->total, i, j, padded);
        v16_store_two(g + i * padded + j, g + (i + 1) * padded + j,
                      body_gradient(x, a, b, rate, loss));
    }
}

/*
 * Moves one vector of columns: n <= UPDATE_TILE context rows from j on, and the
 * word rows as far as these move them. `first` and `last` say whether this is
 * the first or last tile of context rows; between them the word rows' sums wait
 * in `wait`, since every tile needs their old values.
 */
BODY_INLINE void body_update(const kernel_group *group, const float *g, size_t padded, size_t column,
                             size_t j, const int n, const int first, const int last, float *wait)
{
    vec old[UPDATE_TILE], new[UPDATE_TILE];
#pragma GCC unroll 8
    for (int k = 0; k < n; k++) {
        old[k] = vec_load(group->out[j + (size_t)k] + column);
        new[k] = old[k];
    }
    const float *gi = g + j;
    for (size_t i = 0; i < group->rows; i++, gi += padded) {
        float *row = group->row[i] + column;
        const vec w = vec_load(row);
        vec sum = first ? w : vec_load(wait + i * VEC);
#pragma GCC unroll 8
        for (int k = 0; k < n; k++) {
            const vec gk = vec_set1(gi[k]);
            sum = vec_fma(gk, old[k], sum);
            new[k] = vec_fma(gk, w, new[k]);
        }
        vec_store(last ? row : wait + i * VEC, sum);
    }
#pragma GCC unroll 8
    for (int k = 0; k < n; k++) {
        vec_store(group->out[j + (size_t)k] + column, new[k]);
    }
}

/* A constant n lets the compiler keep the tile in registers. */
#define BODY_TILES(CASE)                                                                           \
    CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8)

BODY_INLINE void body_update_tail(const kernel_group *group, const float *g, size_t padded,
                                  size_t column, size_t j, size_t n, const int first, float *wait)
{
    switch (n) {
#define BODY_CASE(N)                                                                               \
    case N:                                                                                        \
        if (N <= UPDATE_TILE) {                                                                    \
            body_update(group, g, padded, column, j, N <= UPDATE_TILE ? N : 1, first, 1, wait);    \
        }                                                                                          \
        break;
        BODY_TILES(BODY_CASE)
#undef BODY_CASE
    default:
        break;
    }
}

KERNEL_RACY static void body_many_outs(const kernel_group *group, size_t stride, const float *g,
                                       float *wait)
{
    const size_t padded = kernel_padded_outs(group->outs);
    for (size_t column = 0; column < stride; column += VEC) {
        size_t j = 0;
        body_update(group, g, padded, column, 0, UPDATE_TILE, 1, 0, wait);
        for (j = UPDATE_TILE; j + UPDATE_TILE < group->outs; j += UPDATE_TILE) {
            body_update(group, g, padded, column, j, UPDATE_TILE, 0, 0, wait);
        }
        body_update_tail(group, g, padded, column, j, group->outs - j, 0, wait);
    }
}

KERNEL_RACY static void body_few_outs(const kernel_group *group, size_t stride, const float *g)
{
    const size_t padded = kernel_padded_outs(group->outs);
    switch (group->outs) {
#define BODY_CASE(N)                                                                               \
    case N:                                                                                        \
        for (size_t column = 0; column < stride && N <= UPDATE_TILE; column += VEC) {              \
            body_update(group, g, padded, column, 0, N <= UPDATE_TILE ? N : 1, 1, 1, NULL);        \
        }                                                                                          \
        break;
        BODY_TILES(BODY_CASE)
#undef BODY_CASE
    default:
        break;
    }
}

KERNEL_RACY void KERNEL_STEP(const kernel_group *group, size_t stride, float rate, float *scratch,
                             double loss[KERNEL_LANES])
{
    const v16 rates = v16_set1(rate);
    const size_t padded = kernel_padded_outs(group->outs);
    float *g = scratch;
    v16 lanes = v16_zero();
    size_t j = 0;
    for (; j + KERNEL_OUTS <= group->outs; j += KERNEL_OUTS) {
        body_gradients(group, stride, rates, g, j, KERNEL_OUTS, &lanes);
    }
    switch (group->outs - j) {
#define BODY_CASE(N)                                                                               \
    case N:                                                                                        \
        body_gradients(group, stride, rates, g, j, N, &lanes);                                     \
        break;
        BODY_CASE(1) BODY_CASE(2) BODY_CASE(3) BODY_CASE(4) BODY_CASE(5) BODY_CASE(6) BODY_CASE(7)
#undef BODY_CASE
    default:
        break;
    }
    v16_add_to_doubles(loss, lanes);

    if (group->outs <= UPDATE_TILE) {
        body_few_outs(group, stride, g);
    } else {
        body_many_outs(group, stride, g, scratch + (group->rows + 1) / 2 * 2 * padded);
    }
}
