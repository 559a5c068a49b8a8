/*
 * The kernel: one step of skip-gram with negative sampling for a group of pairs.
 *
 * A group is one position of the text: `rows` different rows of the word table
 * (the centres around the position) against `outs` different rows of the context
 * table: first that of the word at the position, the true neighbour of every
 * centre, then those of the negatives, which all pairs of the group share. With
 * x(i,j) the dot product of word row i and context row j, and s = 1 / (1 + exp(-x)):
 *
 *     a(i,j) = count(i) for j = 0 if the group has the true neighbour, else 0
 *     b(i,j) = count(i) * times(j)
 *     g(i,j) = rate * (a - b * s)
 *     word row i    += sum over j of g(i,j) * context row j
 *     context row j += sum over i of g(i,j) * word row i
 *     loss          += sum of b * log(1 + exp(x)) - a * x
 *
 * Both sides move from the values before the step, so the step is the exact
 * gradient of the group's loss (Mikolov et al. 2013, equation 4). A word that
 * stands twice among the centres has one row here and a count of 2; one that was
 * drawn twice as a negative has one row and times 2.
 *
 * Every version gives the same bits: 16 virtual lanes with fused multiply-add,
 * lane l of a dot takes the columns l, l + 16, …; lanes are added 8 apart, then
 * 4, 2, 1; a row's update is one chain of fused multiply-adds in the order of
 * j (or i). kernel_reference.c says it in the plainest way. ("plain", for
 * processors without fused multiply-add, is outside that promise.)
 */
#ifndef W2V_TRAIN_KERNEL_H
#define W2V_TRAIN_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

/** Floats a row is padded to a multiple of: 64 bytes, and the virtual lanes. */
#define KERNEL_LANES 16
/** Outputs are handled in eights, beside two rows: sixteen dots fill the lanes. */
#define KERNEL_OUTS 8

typedef struct kernel_group {
    size_t rows;        /* >= 1 */
    size_t outs;        /* >= 1 */
    float **row;        /* rows + 1 pointers, the last a copy of the one before: rows go in pairs */
    float **out;        /* outs pointers */
    const float *count; /* rows + 1, the last 0 */
    const float *times; /* of padded outs; the padding is 0 */
    bool positive;      /* out[0] is the true neighbour (and times[0] is 1); else all are negatives */
    /* Rows that later steps will want: asked from memory while this one runs, a few lines at a time,
       since a core can wait for few at once. Changes no value. */
    const float *const *fetch;
    size_t fetches;
} kernel_group;

/** outs rounded up to KERNEL_OUTS. */
static inline size_t kernel_padded_outs(size_t outs)
{
    return (outs + KERNEL_OUTS - 1) / KERNEL_OUTS * KERNEL_OUTS;
}

/** Floats of `g`, 64-byte aligned, that a step needs; 0 when it does not fit a size_t. */
size_t kernel_scratch_size(size_t max_rows, size_t max_outs);

/**
 * A step has two parts, so that the caller can do something else between them: the processor gets on
 * with that while the chain from dots to gradients takes its time. `stride` is the padded length of
 * every row, a multiple of KERNEL_LANES; the rows are 64-byte aligned and their padding is zero (and
 * stays so).
 *
 * First: the gradients to g[i * padded outs + j]; loss[l] gains the loss of lane
 * l = 8 * (i odd) + j mod 8, in nats.
 */
typedef void kernel_gradients(const kernel_group *group, size_t stride, float rate, float *g,
                              double loss[KERNEL_LANES]);
/** Second: moves the rows by them. What follows the gradients in `g` is scratch. */
typedef void kernel_update(const kernel_group *group, size_t stride, float *g);

/** x · y and 1 / (1 + exp(-x)), as a step computes them. */
float kernel_dot(const float *x, const float *y, size_t stride);
float kernel_logistic(float x);

typedef struct kernel {
    const char *name; /* "avx512", "avx2", "neon", "plain", "reference" */
    kernel_gradients *gradients;
    kernel_update *update;
} kernel;

static inline void kernel_step(const kernel *k, const kernel_group *group, size_t stride, float rate,
                               float *g, double loss[KERNEL_LANES])
{
    k->gradients(group, stride, rate, g, loss);
    k->update(group, stride, g);
}

/** Copies a row that other threads may write. */
void kernel_read_row(const float *row, float *copy, size_t stride);
/** Moves a row by the difference of two copies. */
void kernel_move_row(float *row, const float *from, const float *to, size_t stride);

/** The fastest one this machine can run. */
kernel kernel_best(void);
/** The one with this name; its parts are NULL when it is not built or this machine cannot run it. */
kernel kernel_by_name(const char *name);

/* One of each for each source file; called only through the above. */
kernel_gradients kernel_gradients_reference, kernel_gradients_plain, kernel_gradients_avx2,
    kernel_gradients_avx512, kernel_gradients_neon;
kernel_update kernel_update_reference, kernel_update_plain, kernel_update_avx2, kernel_update_avx512,
    kernel_update_neon;

/* Loops of a few turns over values that must stay in registers; each compiler has its own word. */
#if defined(__clang__)
#define KERNEL_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define KERNEL_UNROLL _Pragma("GCC unroll 16")
#else
#define KERNEL_UNROLL
#endif

/* Rows are read and written by many threads without locks (Hogwild); these functions alone are
   exempt from ThreadSanitizer, so that it still sees races everywhere else. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define KERNEL_RACY __attribute__((no_sanitize("thread")))
#endif
#endif
#ifndef KERNEL_RACY
#if defined(__SANITIZE_THREAD__)
#define KERNEL_RACY __attribute__((no_sanitize("thread")))
#else
#define KERNEL_RACY
#endif
#endif

#endif
