/*
 * The fast step, written once and included by each instruction set's file,
 * which defines before it (all `static inline`, KERNEL_RACY where they touch rows):
 *
 *   vec               a native vector of VEC floats; vec_load, vec_store, vec_set1, vec_fma(a,b,c) = a*b+c
 *   v16               sixteen floats; v16_zero, v16_load_two, v16_store_two(p, q, x), v16_set1, v16_two(x, y) = x in lanes
 *                     0-7 and y in 8-15, v16_twice(p) = p[0..7] twice, v16_add, v16_mul, v16_div,
 *                     v16_fma(a,b,c), v16_fnma(a,b,c) = c - a*b, v16_negabs(x) = -|x|, v16_max,
 *                     v16_where_negative(x, y, z) = x < 0 ? y : z by lane, v16_scale2(p, n) = p * 2^n
 *   pair_dots(r0, r1, out, n, stride)   the dots of two word rows with n <= 8 context rows:
 *                     lane j and 8 + j; lanes beyond n hold 0
 *   UPDATE_TILE       context rows updated in one sweep (their old and new values stay in registers)
 *   UPDATE_WIDTH      vectors of columns that a sweep takes at once, 1 or 2,
 *   UPDATE_WIDE_TILE  where there are no more context rows than this
 *   KERNEL_OF(part)   names of its parts, "gradients" and "update"
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
    KERNEL_UNROLL
    for (int k = 1; k < LOGISTIC_EXP_TERMS; k++) {
        p = v16_fma(p, r, v16_set1(terms[k]));
    }
    return v16_scale2(p, n);
}

BODY_INLINE v16 body_log_one_plus(v16 e)
{
    static const float terms[LOGISTIC_LOG_TERMS] = LOGISTIC_LOG;
    v16 q = v16_set1(terms[0]);
    KERNEL_UNROLL
    for (int k = 1; k < LOGISTIC_LOG_TERMS; k++) {
        q = v16_fma(q, e, v16_set1(terms[k]));
    }
    return v16_mul(e, q);
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

/* All dots with eight outputs from j on, n of them real, to where the gradients will stand. */
BODY_INLINE void body_dots(const kernel_group *group, size_t stride, float *g, size_t padded, size_t j,
                           const int n)
{
    const size_t rows = group->rows;
    float *const *row = group->row;
    for (size_t i = 0; i < rows; i += 2) {
        v16_store_two(g + i * padded + j, g + (i + 1) * padded + j,
                      pair_dots(row[i], row[i + 1], group->out + j, n, stride));
    }
}

/* Turns the dots into gradients. A pass of its own: the chain from a dot to its gradient is long,
   and only many of them side by side keep the processor busy. */
BODY_INLINE v16 body_gradients(const kernel_group *group, v16 rate, float *g, size_t padded)
{
    static const float true_neighbour[2][KERNEL_OUTS] = {{0.0f}, {1.0f}};
    const v16 first = v16_twice(true_neighbour[group->positive]);
    v16 loss = v16_zero();
    for (size_t j = 0; j < padded; j += KERNEL_OUTS) {
        for (size_t i = 0; i < group->rows; i += 2) {
            float *two[2] = {g + i * padded + j, g + (i + 1) * padded + j};
            const v16 count = v16_two(group->count[i], group->count[i + 1]);
            const v16 a = v16_mul(count, j == 0 ? first : v16_zero());
            const v16 b = v16_mul(count, v16_twice(group->times + j));
            const v16 x = v16_load_two(two[0], two[1]);
            v16_store_two(two[0], two[1], body_gradient(x, a, b, rate, &loss));
        }
    }
    return loss;
}

/*
 * Moves `width` vectors of columns: n <= UPDATE_TILE context rows from j on, and
 * the word rows as far as these move them. `first` and `last` say whether this
 * is the first or last tile of context rows; between them the word rows' sums
 * wait in `wait`, since every tile needs their old values.
 */
BODY_INLINE void body_update(const kernel_group *group, const float *g, size_t padded, size_t column,
                             size_t j, const int n, const int width, const int first, const int last,
                             float *wait)
{
    vec old[UPDATE_TILE][UPDATE_WIDTH], new[UPDATE_TILE][UPDATE_WIDTH];
    float *const *out = group->out + j, *const *row = group->row;
    const float *gi = g + j, *const end = gi + group->rows * padded;
    KERNEL_UNROLL
    for (int k = 0; k < n; k++) {
        KERNEL_UNROLL
        for (int c = 0; c < width; c++) {
            old[k][c] = vec_load(out[k] + column + c * VEC);
            new[k][c] = old[k][c];
        }
    }
    for (; gi < end; gi += padded, row++, wait += VEC * UPDATE_WIDTH) {
        vec w[UPDATE_WIDTH], sum[UPDATE_WIDTH];
        KERNEL_UNROLL
        for (int c = 0; c < width; c++) {
            w[c] = vec_load(*row + column + c * VEC);
            sum[c] = first ? w[c] : vec_load(wait + c * VEC);
        }
        KERNEL_UNROLL
        for (int k = 0; k < n; k++) {
            const vec gk = vec_set1(gi[k]);
            KERNEL_UNROLL
            for (int c = 0; c < width; c++) {
                sum[c] = vec_fma(gk, old[k][c], sum[c]);
                new[k][c] = vec_fma(gk, w[c], new[k][c]);
            }
        }
        KERNEL_UNROLL
        for (int c = 0; c < width; c++) {
            vec_store((last ? *row + column : wait) + c * VEC, sum[c]);
        }
    }
    KERNEL_UNROLL
    for (int k = 0; k < n; k++) {
        KERNEL_UNROLL
        for (int c = 0; c < width; c++) {
            vec_store(out[k] + column + c * VEC, new[k][c]);
        }
    }
}

/* Asks memory for `width` vectors of columns of the rows that later steps want. */
BODY_INLINE void body_fetch(const kernel_group *group, size_t column, const int width)
{
    for (size_t i = 0; i < group->fetches; i++) {
        for (int c = 0; c < width * VEC; c += KERNEL_LANES) { /* a cache line at a time */
            __builtin_prefetch(group->fetch[i] + column + c, 1);
        }
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
            body_update(group, g, padded, column, j, N <= UPDATE_TILE ? N : 1, 1, first, 1, wait);    \
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
        body_fetch(group, column, 1);
        body_update(group, g, padded, column, 0, UPDATE_TILE, 1, 1, 0, wait);
        for (j = UPDATE_TILE; j + UPDATE_TILE < group->outs; j += UPDATE_TILE) {
            body_update(group, g, padded, column, j, UPDATE_TILE, 1, 0, 0, wait);
        }
        body_update_tail(group, g, padded, column, j, group->outs - j, 0, wait);
    }
}

/* All columns, for n <= UPDATE_TILE context rows; two vectors at a time where they fit. */
BODY_INLINE void body_columns(const kernel_group *group, size_t stride, const float *g, const int n,
                              float *unused)
{
    const size_t padded = kernel_padded_outs(group->outs);
    size_t column = 0;
    for (; n <= UPDATE_WIDE_TILE && column + UPDATE_WIDTH * VEC <= stride;
         column += UPDATE_WIDTH * VEC) {
        body_fetch(group, column, UPDATE_WIDTH);
        body_update(group, g, padded, column, 0, n, UPDATE_WIDTH, 1, 1, unused);
    }
    for (; column < stride; column += VEC) {
        body_fetch(group, column, 1);
        body_update(group, g, padded, column, 0, n, 1, 1, 1, unused);
    }
}

KERNEL_RACY static void body_few_outs(const kernel_group *group, size_t stride, const float *g,
                                      float *unused)
{
    switch (group->outs) {
#define BODY_CASE(N)                                                                               \
    case N:                                                                                        \
        body_columns(group, stride, g, N <= UPDATE_TILE ? N : 1, unused);                          \
        break;
        BODY_TILES(BODY_CASE)
#undef BODY_CASE
    default:
        break;
    }
}

KERNEL_RACY void KERNEL_OF(gradients)(const kernel_group *group, size_t stride, float rate, float *g,
                                      double loss[KERNEL_LANES])
{
    const size_t padded = kernel_padded_outs(group->outs);
    size_t j = 0;
    for (; j + KERNEL_OUTS <= group->outs; j += KERNEL_OUTS) {
        body_dots(group, stride, g, padded, j, KERNEL_OUTS);
    }
    switch (group->outs - j) {
#define BODY_CASE(N)                                                                               \
    case N:                                                                                        \
        body_dots(group, stride, g, padded, j, N);                                                 \
        break;
        BODY_CASE(1) BODY_CASE(2) BODY_CASE(3) BODY_CASE(4) BODY_CASE(5) BODY_CASE(6) BODY_CASE(7)
#undef BODY_CASE
    default:
        break;
    }
    v16_add_to_doubles(loss, body_gradients(group, v16_set1(rate), g, padded));
}

KERNEL_RACY void KERNEL_OF(update)(const kernel_group *group, size_t stride, float *g)
{
    float *wait = g + (group->rows + 1) / 2 * 2 * kernel_padded_outs(group->outs);
    if (group->outs <= UPDATE_TILE) {
        body_few_outs(group, stride, g, wait);
    } else {
        body_many_outs(group, stride, g, wait);
    }
}
