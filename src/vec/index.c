#include "vec/index.h"

#include "base/mem.h"
#include "vec/vectors.h"

#include <string.h>

uint64_t index_hash(const char *word, size_t n)
{
    uint64_t h = n * 0x9e3779b97f4a7c15U;
    while (n > 0) {
        uint64_t part = 0;
        const size_t step = n < 8 ? n : 8;
        memcpy(&part, word, step);
        h = (h ^ part) * 0xff51afd7ed558ccdU; /* a factor of MurmurHash3's finaliser */
        h ^= h >> 32;
        word += step;
        n -= step;
    }
    return h;
}

size_t index_slots(uint64_t count)
{
    size_t slots = 16;
    while (slots < count * 2) { /* at most half full: short walks */
        slots *= 2;
    }
    return slots;
}

/* The slot that holds the word, or the empty one where it would go. */
static size_t slot_of(const w2v_vectors *v, const char *word, size_t n)
{
    const word_index *index = &v->index;
    size_t at = (size_t)index_hash(word, n) & index->slot_mask;
    while (index->slots[at]) {
        size_t length;
        const char *other = words_get(&v->names, index->slots[at] - 1, &length);
        if (length == n && memcmp(other, word, n) == 0) {
            break;
        }
        at = (at + 1) & index->slot_mask;
    }
    return at;
}

w2v_status vec_build_index(w2v_vectors *vectors, w2v_error *err)
{
    word_index *index = &vectors->index;
    if (index->slots) {
        return W2V_OK;
    }
    const size_t slots = index_slots(vectors->rows);
    index->slots = mem_calloc(slots, sizeof *index->slots);
    if (!index->slots) {
        return error_memory(err, "the index of words");
    }
    index->slot_mask = slots - 1;
    for (uint32_t row = 0; row < vectors->rows; row++) {
        size_t n;
        const char *word = words_get(&vectors->names, row, &n);
        const size_t at = slot_of(vectors, word, n);
        if (index->slots[at]) {
            index->duplicates++; /* the first row is meant by the word */
        } else {
            index->slots[at] = row + 1;
        }
    }
    return W2V_OK;
}

uint32_t vec_find(const w2v_vectors *vectors, const char *word, size_t length)
{
    const size_t at = slot_of(vectors, word, length);
    return vectors->index.slots[at] ? vectors->index.slots[at] - 1 : UINT32_MAX;
}

w2v_status w2v_vectors_index(w2v_vectors *vectors, w2v_error *err)
{
    return vec_build_index(vectors, err);
}

uint32_t w2v_vectors_find(w2v_vectors *vectors, const char *word, size_t length)
{
    return vec_build_index(vectors, NULL) == W2V_OK ? vec_find(vectors, word, length) : UINT32_MAX;
}

uint64_t w2v_vectors_duplicates(w2v_vectors *vectors)
{
    return vec_build_index(vectors, NULL) == W2V_OK ? vectors->index.duplicates : 0;
}
