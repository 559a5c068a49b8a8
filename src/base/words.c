#include "base/words.h"

#include "base/mem.h"

#include <string.h>

#define WORDS_MAX (UINT32_MAX - 1) /* 2^32 - 2: one id stays free for "no word" */

void words_clear(words *w)
{
    mem_free(w->bytes);
    mem_free(w->offsets);
    *w = (words){0};
}

/* Half as much again: the arrays are large, and doubling would hold three times the size at once.
 */
static size_t grown(size_t capacity, size_t need, size_t least)
{
    const size_t half = capacity / 2;
    size_t next = capacity < SIZE_MAX - half ? capacity + half : SIZE_MAX;
    next = next < least ? least : next;
    return next < need ? need : next;
}

static bool reserve_bytes(words *w, size_t need)
{
    if (need <= w->bytes_capacity) {
        return true;
    }
    const size_t capacity = grown(w->bytes_capacity, need, 256);
    char *bytes = mem_realloc(w->bytes, capacity, 1);
    if (!bytes) {
        return false;
    }
    w->bytes = bytes;
    w->bytes_capacity = capacity;
    return true;
}

static bool reserve_offsets(words *w, size_t need)
{
    if (need <= w->offsets_capacity) {
        return true;
    }
    const size_t capacity = grown(w->offsets_capacity, need, 32);
    uint64_t *offsets = mem_realloc(w->offsets, capacity, sizeof *offsets);
    if (!offsets) {
        return false;
    }
    w->offsets = offsets;
    w->offsets_capacity = capacity;
    return true;
}

bool words_append(words *w, const char *word, size_t n)
{
    const size_t used = w->count ? (size_t)w->offsets[w->count] : 0;
    if (w->count >= WORDS_MAX || n >= SIZE_MAX - used) {
        return false;
    }
    if (!reserve_offsets(w, (size_t)w->count + 2) || !reserve_bytes(w, used + n + 1)) {
        return false;
    }
    if (n) {
        memcpy(w->bytes + used, word, n);
    }
    w->bytes[used + n] = '\0';
    w->offsets[w->count] = used;
    w->offsets[w->count + 1] = used + n + 1;
    w->count++;
    return true;
}
