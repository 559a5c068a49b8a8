/* The permutation test of a difference of means: how many partitions set two groups apart at least
   as much as they are. */
#ifndef W2V_QUERY_PARTITIONS_H
#define W2V_QUERY_PARTITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Number of ways to choose k of n; UINT64_MAX when it is beyond `most`. */
uint64_t partitions_number(size_t n, size_t k, uint64_t most);

/**
 * Sums of `chosen` of the values that are not below the sum of the first `chosen`, within
 * `rounding`: of all ways to choose (which is one of them). `scratch`: `chosen` numbers.
 */
uint64_t partitions_count(const double *value, size_t n, size_t chosen, double rounding,
                          size_t *scratch);

/** The same of `draws` random ways; drawn from the seed alone. `scratch`: n numbers. */
uint64_t partitions_draw(const double *value, size_t n, size_t chosen, double rounding,
                         uint64_t seed, uint64_t draws, size_t *scratch);

#endif
