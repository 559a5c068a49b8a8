/*
 * A fast hash of 64 bits that notices damage and other contents; it is no
 * defence against somebody who means harm. Every step is a bijection of the
 * sum so far and of the word added, so that a single changed word always shows.
 */
#ifndef W2V_BASE_HASH_H
#define W2V_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0x243f6a8885a308d3) /* digits of pi: anything but zero */

static inline uint64_t hash_word(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9fb21c651e98df25);
    return h ^ (h >> 32);
}

/** Of bytes that come in pieces, however they are cut. Begin with {.sum = HASH_START}. */
typedef struct hash {
    uint64_t sum;
    uint64_t held; /* bytes that make no whole word yet */
    uint64_t length;
} hash;

static inline uint64_t hash_load(const unsigned char *p) /* the same on every machine */
{
    uint64_t word = 0;
    for (unsigned k = 0; k < 8; k++) {
        word |= (uint64_t)p[k] << (8 * k);
    }
    return word;
}

static inline void hash_add(hash *h, const void *bytes, size_t n)
{
    const unsigned char *p = bytes, *const end = p + n;
    uint64_t sum = h->sum;
    unsigned filled = (unsigned)(h->length % 8);
    h->length += n;
    while (p < end) {
        if (filled == 0 && end - p >= 8) {
            sum = hash_word(sum, hash_load(p));
            p += 8;
            continue;
        }
        h->held |= (uint64_t)*p++ << (8 * filled);
        filled = (filled + 1) % 8;
        if (filled == 0) {
            sum = hash_word(sum, h->held);
            h->held = 0;
        }
    }
    h->sum = sum;
}

static inline uint64_t hash_end(const hash *h)
{
    return hash_word(hash_word(h->sum, h->held), h->length);
}

#endif
