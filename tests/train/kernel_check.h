/*
 * Groups of random numbers for the kernels, and a kernel's step beside the
 * reference's on the same numbers. No test library and no system interface, so
 * that it also runs where there is neither (scripts/test-neon).
 */
#ifndef W2V_TESTS_KERNEL_CHECK_H
#define W2V_TESTS_KERNEL_CHECK_H

#include "base/rng.h"
#include "train/kernel.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK_DIM_MAX 512
#define CHECK_ROWS_MAX 13
#define CHECK_OUTS_MAX 20
/* Rows of both tables that stand between the group's and must not move. */
#define CHECK_BYSTANDERS 3
/* Floats behind the scratch memory that must not be written. */
#define CHECK_GUARD 16
#define CHECK_GUARD_VALUE 12345.0f

typedef struct check_shape {
    size_t dim, rows, outs;
    float scale; /* numbers are uniform in ±scale */
    float rate;
    uint64_t seed;
} check_shape;

/** One set of tables with a group in it. */
typedef struct check_case {
    check_shape shape;
    size_t stride;
    size_t table_rows; /* word rows first, context rows behind them */
    float *table;
    float *scratch;
    size_t scratch_size;
    float *row[4096], *out[4096];
    float *count, *times;
    kernel_group group;
    double loss[KERNEL_LANES];
} check_case;

static inline float *check_floats(size_t n)
{
    const size_t whole = (n * sizeof(float) + 63) / 64 * 64;
    float *p = aligned_alloc(64, whole ? whole : 64);
    if (!p) {
        abort();
    }
    memset(p, 0, whole);
    return p;
}

static inline float check_uniform(rng *random, float scale)
{
    return ((float)(rng_next(random) >> 40) * 0x1p-23f - 1.0f) * scale;
}

/* Scattered over their part of the table, with the bystanders among them. */
static inline void check_place(float **pointers, size_t n, float *part, size_t stride, rng *random)
{
    size_t place[4096];
    for (size_t i = 0; i < n + CHECK_BYSTANDERS; i++) {
        const size_t other = rng_below(random, (uint32_t)i + 1);
        place[i] = place[other];
        place[other] = i;
    }
    for (size_t i = 0; i < n; i++) {
        pointers[i] = part + place[i] * stride;
    }
}

static inline void check_weights(check_case *c, rng *random)
{
    for (size_t i = 0; i < c->shape.rows; i++) {
        c->count[i] = (float)(1 + rng_below(random, 3));
    }
    c->times[0] = 1.0f;
    for (size_t j = 1; j < c->shape.outs; j++) {
        c->times[j] = (float)(1 + rng_below(random, 3));
    }
}

/** The same shape gives the same numbers. */
static inline check_case *check_create(check_shape shape)
{
    check_case *c = calloc(1, sizeof *c);
    if (!c) {
        abort();
    }
    rng random = rng_stream(shape.seed, RNG_INIT, shape.dim, shape.rows * 4096 + shape.outs);
    c->shape = shape;
    c->stride = (shape.dim + KERNEL_LANES - 1) / KERNEL_LANES * KERNEL_LANES;
    c->table_rows = shape.rows + shape.outs + 2 * CHECK_BYSTANDERS;
    c->table = check_floats(c->table_rows * c->stride);
    for (size_t r = 0; r < c->table_rows; r++) {
        for (size_t i = 0; i < shape.dim; i++) {
            c->table[r * c->stride + i] = check_uniform(&random, shape.scale);
        }
    }
    check_place(c->row, shape.rows, c->table, c->stride, &random);
    c->row[shape.rows] = c->row[shape.rows - 1];
    check_place(c->out, shape.outs, c->table + (shape.rows + CHECK_BYSTANDERS) * c->stride,
                c->stride, &random);
    c->count = check_floats(shape.rows + 1);
    c->times = check_floats(kernel_padded_outs(shape.outs));
    check_weights(c, &random);
    c->group = (kernel_group){shape.rows, shape.outs,         c->row, c->out, c->count,
                              c->times,   shape.seed % 4 != 3, NULL, 0};
    c->scratch_size = kernel_scratch_size(shape.rows, shape.outs);
    c->scratch = check_floats(c->scratch_size + CHECK_GUARD);
    for (size_t i = 0; i < CHECK_GUARD; i++) {
        c->scratch[c->scratch_size + i] = CHECK_GUARD_VALUE;
    }
    return c;
}

static inline void check_free(check_case *c)
{
    free(c->table);
    free(c->scratch);
    free(c->count);
    free(c->times);
    free(c);
}

static inline void check_step(check_case *c, kernel k)
{
    kernel_step(&k, &c->group, c->stride, c->shape.rate, c->scratch, c->loss);
}

/* NULL, or what of kernel.h's promises the step has broken; `before` is the table as it was. */
static inline const char *check_promises(const check_case *c, const float *before)
{
    const check_shape *s = &c->shape;
    for (size_t r = 0; r < c->table_rows; r++) {
        const float *row = c->table + r * c->stride;
        bool member = false;
        for (size_t i = 0; i < s->rows && !member; i++) {
            member = c->row[i] == row;
        }
        for (size_t j = 0; j < s->outs && !member; j++) {
            member = c->out[j] == row;
        }
        if (!member && memcmp(row, before + r * c->stride, c->stride * sizeof *row) != 0) {
            return "a row outside the group has moved";
        }
        for (size_t i = s->dim; i < c->stride; i++) {
            if (row[i] != 0.0f) {
                return "padding is not zero any more";
            }
        }
    }
    for (size_t i = 0; i < CHECK_GUARD; i++) {
        if (c->scratch[c->scratch_size + i] != CHECK_GUARD_VALUE) {
            return "scratch memory is written beyond its end";
        }
    }
    return NULL;
}

/** NULL when two steps of both kernels give the same bits, else what differs. */
static inline const char *check_same_bits(check_shape shape, kernel reference, kernel other)
{
    check_case *a = check_create(shape), *b = check_create(shape);
    const size_t bytes = a->table_rows * a->stride * sizeof *a->table;
    float *before = check_floats(a->table_rows * a->stride);
    memcpy(before, a->table, bytes);
    for (int step = 0; step < 2; step++) { /* the second adds to a loss that is not zero */
        check_step(a, reference);
        check_step(b, other);
    }
    const char *wrong = check_promises(a, before);
    wrong = wrong ? wrong : check_promises(b, before);
    /* where all are saturated on their right side there is nothing left to learn */
    if (!wrong && shape.scale <= 1.0f && memcmp(a->table, before, bytes) == 0) {
        wrong = "nothing has moved";
    }
    if (!wrong && memcmp(a->table, b->table, bytes) != 0) {
        wrong = "rows differ from the reference's";
    }
    if (!wrong && memcmp(a->loss, b->loss, sizeof a->loss) != 0) {
        wrong = "losses differ from the reference's";
    }
    free(before);
    check_free(a);
    check_free(b);
    return wrong;
}

/* Small numbers as in training, numbers near 1, and dots so large that the logistic saturates. */
static inline float check_scale(uint64_t n, size_t dim)
{
    const float scales[] = {0.05f, 1.0f, 40.0f / sqrtf((float)dim) + 4.0f};
    return scales[n % 3];
}

/** Every dimension from `first` to `last` by `by`, with `shapes` shapes each; false after a
 * message. */
static inline bool check_dimensions(kernel reference, kernel other, size_t first, size_t last,
                                    size_t by, uint64_t shapes)
{
    for (size_t dim = first; dim <= last; dim += by) {
        rng random = rng_stream(dim, RNG_INIT, 1, 2);
        for (uint64_t n = 0; n < shapes; n++) {
            const check_shape shape = {
                .dim = dim,
                .rows = 1 + rng_below(&random, CHECK_ROWS_MAX),
                .outs = 1 + rng_below(&random, CHECK_OUTS_MAX),
                .scale = check_scale(n, dim),
                .rate = 0.025f,
                .seed = n,
            };
            const char *wrong = check_same_bits(shape, reference, other);
            if (wrong) {
                fprintf(stderr, "%s: dim %zu, rows %zu, outs %zu, seed %llu: %s\n", other.name, dim,
                        shape.rows, shape.outs, (unsigned long long)n, wrong);
                return false;
            }
        }
    }
    return true;
}

/** Every number of rows and of outputs at one dimension; false after a message. */
static inline bool check_shapes(kernel reference, kernel other, size_t dim)
{
    for (size_t rows = 1; rows <= CHECK_ROWS_MAX; rows++) {
        for (size_t outs = 1; outs <= CHECK_OUTS_MAX; outs++) {
            for (uint64_t n = 0; n < 3; n++) {
                const check_shape shape = {dim, rows, outs, check_scale(n, dim), 0.025f, n};
                const char *wrong = check_same_bits(shape, reference, other);
                if (wrong) {
                    fprintf(stderr, "%s: dim %zu, rows %zu, outs %zu: %s\n", other.name, dim, rows,
                            outs, wrong);
                    return false;
                }
            }
        }
    }
    return true;
}

/** A few groups far larger than any group that is planned make them. */
static inline bool check_large(kernel reference, kernel other)
{
    static const size_t sizes[][2] = {{2, 1001},  {2, 40},   {2001, 9},
                                      {301, 257}, {1, 1000}, {2002, 3}};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        const check_shape shape = {20, sizes[n][0], sizes[n][1], 1.0f, 0.001f, n};
        const char *wrong = check_same_bits(shape, reference, other);
        if (wrong) {
            fprintf(stderr, "%s: rows %zu, outs %zu: %s\n", other.name, shape.rows, shape.outs,
                    wrong);
            return false;
        }
    }
    return true;
}

#endif
