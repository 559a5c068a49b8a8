/* A word of the text on its way into a worker's table. */
#ifndef W2V_TEXT_TOKEN_H
#define W2V_TEXT_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TOKEN_MAX 4096  /* longer words are skipped and counted */
#define TOKEN_BATCH 64  /* looked up together, so that the table's rows can be fetched ahead */
#define TOKEN_BREAK 0   /* length of what is no word but the end of a line or an input */
#define TOKEN_INLINE 16 /* words up to here are whole in head and tail */

/*
 * `head` is the first eight bytes of the word, zero-padded; `tail` the last
 * eight, or the head again in words of up to eight. Zero bytes stand in no
 * word, so length, head and tail decide words of up to 16 bytes.
 */
typedef struct token {
    const char *bytes;
    uint64_t head, tail;
    uint64_t first_seen; /* place in the text, only its order counts */
    uint32_t hash;
    uint32_t length;
} token;

static inline uint64_t token_load(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint64_t token_scramble(uint64_t x)
{
    x *= 0x9e3779b97f4a7c15u;
    x ^= x >> 32;
    return x * 0xd6e8feb86659fd93u;
}

static inline uint32_t token_hash(uint64_t head, uint64_t tail, const char *word, size_t n)
{
    uint64_t h = token_scramble(head) ^ tail;
    for (size_t i = 8; i + 8 < n && n > TOKEN_INLINE; i += 8) {
        h = token_scramble(h) ^ token_load(word + i);
    }
    return (uint32_t)(token_scramble(h) >> 32);
}

/** Fills all but first_seen; at least eight bytes can be read at `word`, whatever n. */
static inline void token_set_padded(token *t, const char *word, size_t n)
{
    const uint64_t first = token_load(word);
    const uint64_t last = token_load(word + (n > 8 ? n - 8 : 0));
    const unsigned unused = n < 8 ? (unsigned)(8 - n) * 8 : 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    const uint64_t mask = UINT64_MAX << unused;
#else
    const uint64_t mask = UINT64_MAX >> unused;
#endif
    t->bytes = word;
    t->head = first & mask;
    t->tail = last & mask;
    t->length = (uint32_t)n;
    t->hash = token_hash(t->head, t->tail, word, n);
}

/** The same for any memory; n >= 1. */
static inline void token_set(token *t, const char *word, size_t n)
{
    char padded[8] = {0};
    if (n >= 8) {
        token_set_padded(t, word, n);
        return;
    }
    memcpy(padded, word, n);
    token_set_padded(t, padded, n);
    t->bytes = word;
}

#endif
