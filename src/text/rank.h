/* Word types in the order of the vocabulary: by count, ties by what came first. */
#ifndef W2V_TEXT_RANK_H
#define W2V_TEXT_RANK_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct ranked {
    uint64_t count;
    uint64_t first; /* no two alike */
    uint32_t index; /* of the caller */
} ranked;

/** Sorts r[0..n-1] by count, greatest first, then by `first`, smallest first. Error:
 * W2V_ERR_MEMORY. */
w2v_status rank_sort(ranked *r, size_t n, w2v_error *err);

#endif
