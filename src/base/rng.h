/*
 * Random numbers as streams. A stream is named by (seed, purpose, epoch,
 * block), so what is drawn does not depend on which thread draws it.
 *
 * The generator is xoshiro256++ (Blackman and Vigna 2019, "Scrambled linear
 * pseudorandom number generators"), seeded through SplitMix64.
 */
#ifndef W2V_BASE_RNG_H
#define W2V_BASE_RNG_H

#include <stdint.h>

typedef struct rng {
    uint64_t s[4];
} rng;

/** What a stream is for: different purposes never share draws. */
typedef enum rng_purpose {
    RNG_INIT = 1,  /**< first values of a row */
    RNG_SAMPLE,    /**< subsampling of frequent words */
    RNG_WINDOW,    /**< window radii */
    RNG_NEGATIVE,  /**< negative words */
    RNG_PAIRS,     /**< pairs of rows whose cosines are taken */
    RNG_ROWS,      /**< rows whose neighbours are counted */
    RNG_PARTITION, /**< partitions of a permutation test */
    RNG_MAP,       /**< where the places of a map begin */
} rng_purpose;

static inline uint64_t
rng_mix(uint64_t x) /* SplitMix64's finaliser: a bijection that scatters bits */
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline rng rng_stream(uint64_t seed, rng_purpose purpose, uint64_t a, uint64_t b)
{
    uint64_t x = rng_mix(rng_mix(rng_mix(rng_mix(seed) ^ (uint64_t)purpose) ^ a) ^ b);
    rng r;
    for (int i = 0; i < 4; i++) {
        x = rng_mix(x);
        r.s[i] = x;
    }
    return r;
}

static inline uint64_t rng_next(rng *r)
{
    uint64_t *s = r->s;
    const uint64_t sum = s[0] + s[3];
    const uint64_t result = ((sum << 23) | (sum >> 41)) + s[0];
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return result;
}

/** A whole number below n >= 1, by multiplication (Lemire 2019); bias below n / 2^32. */
static inline uint32_t rng_below(rng *r, uint32_t n)
{
    return (uint32_t)(((rng_next(r) >> 32) * (uint64_t)n) >> 32);
}

#endif
