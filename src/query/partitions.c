#include "query/partitions.h"

#include "base/rng.h"

uint64_t partitions_number(size_t n, size_t k, uint64_t most)
{
    if (k > n) {
        return 0;
    }
    uint64_t ways = 1; /* to choose i of n - k + i; a whole number at every step */
    for (size_t i = 1; i <= k; i++) {
        const uint64_t factor = (uint64_t)(n - k + i);
        if (ways > UINT64_MAX / factor) {
            return UINT64_MAX;
        }
        ways = ways * factor / i;
        if (ways > most) {
            return UINT64_MAX;
        }
    }
    return ways;
}

static double sum_of(const double *value, const size_t *at, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += value[at[i]];
    }
    return sum;
}

/* The next choice in lexicographic order; false after the last. */
static bool advance(size_t *at, size_t n, size_t chosen)
{
    for (size_t i = chosen; i-- > 0;) {
        if (at[i] < n - chosen + i) {
            at[i]++;
            for (size_t j = i + 1; j < chosen; j++) {
                at[j] = at[j - 1] + 1;
            }
            return true;
        }
    }
    return false;
}

uint64_t partitions_count(const double *value, size_t n, size_t chosen, double rounding,
                          size_t *scratch)
{
    for (size_t i = 0; i < chosen; i++) {
        scratch[i] = i;
    }
    const double least = sum_of(value, scratch, chosen) - rounding;
    uint64_t hits = 0;
    do {
        hits += sum_of(value, scratch, chosen) >= least;
    } while (advance(scratch, n, chosen));
    return hits;
}

uint64_t partitions_draw(const double *value, size_t n, size_t chosen, double rounding,
                         uint64_t seed, uint64_t draws, size_t *scratch)
{
    for (size_t i = 0; i < n; i++) {
        scratch[i] = i;
    }
    const double least = sum_of(value, scratch, chosen) - rounding;
    rng r = rng_stream(seed, RNG_PARTITION, 0, 0);
    uint64_t hits = 0;
    for (uint64_t draw = 0; draw < draws; draw++) {
        /* The first steps of a shuffle (Fisher and Yates). The order that the draw before left
           does not matter: each choice is as likely from any. */
        for (size_t i = 0; i < chosen; i++) {
            const size_t other = i + rng_below(&r, (uint32_t)(n - i));
            const size_t moved = scratch[i];
            scratch[i] = scratch[other];
            scratch[other] = moved;
        }
        hits += sum_of(value, scratch, chosen) >= least;
    }
    return hits;
}
