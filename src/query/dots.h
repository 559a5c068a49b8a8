/*
 * Fast products of rows with lanes, in single precision: they choose which rows
 * deserve the exact arithmetic and decide nothing themselves. A lane is a
 * float vector that all rows are multiplied with; several questions are
 * several lanes.
 *
 * Few lanes are kept one after the other, and each row is read against them
 * along its columns. Many lanes are kept in panels, so that a register holds
 * the same column of neighbouring lanes and a row's column is spread over it: a
 * matrix product that takes rows as they lie, at any address, and needs no
 * copy of them.
 *
 * Any order of summation is allowed. With u = 2^-24, a product of `dim` terms
 * is off by at most 1.01 dim u |lane| |row| as long as dim < 2^17, and nothing
 * overflows, and |row|^2 by 1.01 dim u |row|^2 (Higham, Accuracy and Stability of
 * Numerical Algorithms, section 3.1).
 */
#ifndef W2V_QUERY_DOTS_H
#define W2V_QUERY_DOTS_H

#include <stddef.h>
#include <stdint.h>

#define DOTS_LANES 16 /* the number of lanes is padded to a multiple of this */
#define DOTS_PANEL 48 /* lanes of a whole panel; the last may have 16 or 32 */
#define DOTS_ROWS 8   /* rows of a block */

/**
 * out[i * out_stride + l] = row i . lane l for l < lanes, and square[i] = |row i|^2, for i < rows;
 * lane l begins at lane + l * stride and is zero from dim to stride, a multiple of DOTS_LANES.
 */
typedef void dots_rows(const void *const *row, size_t rows, size_t dim, const float *lane,
                       size_t stride, size_t lanes, float *out, size_t out_stride, float *square);

/**
 * The same, without squares, for DOTS_ROWS rows and `lanes`, a multiple of DOTS_LANES, in panels:
 * column c of the j-th lane of panel p, of `width` lanes, is
 * panels[p * DOTS_PANEL * dim + c * width + j].
 */
typedef void dots_block(const void *const row[DOTS_ROWS], size_t dim, const float *panels,
                        size_t lanes, float *out, size_t out_stride);

/**
 * Writes to `hits` the numbers of those lanes where product[l] is not less than
 * a[l] * alpha + b[l] * beta (an undefined number on any side is not less), in order;
 * returns how many. `lanes` is a multiple of DOTS_LANES.
 */
typedef size_t dots_sift(const float *product, const float *a, const float *b, float alpha,
                         float beta, size_t lanes, uint32_t *hits);

typedef struct dots {
    const char *name; /* "avx512", "avx2", "neon", "plain" */
    dots_rows *rows;
    dots_block *block;
    dots_sift *sift;
} dots;

/** The fastest that this machine can run. */
dots dots_best(void);
/** The one with this name; its functions are NULL when it is not built or cannot run here. */
dots dots_by_name(const char *name);

/* One for each source file; called only through the above. */
dots_rows dots_rows_plain, dots_rows_avx2, dots_rows_avx512, dots_rows_neon;
dots_block dots_block_plain, dots_block_avx2, dots_block_avx512, dots_block_neon;
dots_sift dots_sift_plain, dots_sift_avx2, dots_sift_avx512, dots_sift_neon;

#endif
