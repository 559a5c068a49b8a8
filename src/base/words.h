/* A list of words: bytes end to end, each with a NUL after it, and where each begins. */
#ifndef W2V_BASE_WORDS_H
#define W2V_BASE_WORDS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Zero-initialise. Word i is bytes[offsets[i] .. offsets[i+1]-2]; offsets has count + 1 entries.
 */
typedef struct words {
    char *bytes;
    uint64_t *offsets;
    uint32_t count;
    size_t bytes_capacity, offsets_capacity;
} words;

void words_clear(words *w);
bool words_append(words *w, const char *word,
                  size_t n); /* false without memory or beyond 2^32 - 2 words */

static inline const char *words_get(const words *w, uint32_t i, size_t *n)
{
    if (n) {
        *n = (size_t)(w->offsets[i + 1] - w->offsets[i] - 1);
    }
    return w->bytes + w->offsets[i];
}

#endif
