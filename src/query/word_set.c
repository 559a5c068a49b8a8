#include "query/word_set.h"

#include "base/mem.h"
#include "vec/index.h"

#include <string.h>

#define SLOTS_FIRST 64

void word_set_clear(word_set *set)
{
    words_clear(&set->list);
    mem_free(set->slots);
    *set = (word_set){0};
}

/* Which bit of `shapes`; 31 and 7 spread letters, digits and lengths that occur together. */
static size_t shape_of(const char *word, size_t length)
{
    const size_t first = (unsigned char)word[0], last = (unsigned char)word[length - 1];
    return (first * 257 + last * 31 + length * 7) % WORD_SET_SHAPES;
}

bool word_set_is(const word_set *set, uint32_t number, const char *word, size_t length)
{
    size_t n;
    const char *bytes = words_get(&set->list, number, &n);
    return n == length && memcmp(bytes, word, n) == 0;
}

/* The slot that holds the word, or the empty one where it would go. */
static size_t slot_of(const word_set *set, const char *word, size_t length)
{
    size_t slot = (size_t)index_hash(word, length) & set->slot_mask;
    while (set->slots[slot] != 0 && !word_set_is(set, set->slots[slot] - 1, word, length)) {
        slot = (slot + 1) & set->slot_mask;
    }
    return slot;
}

/* Twice as many slots; at most half of them are taken. */
static bool grow(word_set *set)
{
    const size_t count = set->slots ? (set->slot_mask + 1) * 2 : SLOTS_FIRST;
    uint32_t *slots = mem_calloc(count, sizeof *slots);
    if (!slots) {
        return false;
    }
    mem_free(set->slots);
    set->slots = slots;
    set->slot_mask = count - 1;
    for (uint32_t i = 0; i < set->list.count; i++) {
        size_t n;
        const char *word = words_get(&set->list, i, &n);
        set->slots[slot_of(set, word, n)] = i + 1;
    }
    return true;
}

uint32_t word_set_add(word_set *set, const char *word, size_t length)
{
    if (length == 0) {
        return WORD_SET_NONE;
    }
    if ((!set->slots || (size_t)set->list.count * 2 > set->slot_mask) && !grow(set)) {
        return WORD_SET_NONE;
    }
    const size_t slot = slot_of(set, word, length);
    if (set->slots[slot] == 0) {
        if (!words_append(&set->list, word, length)) {
            return WORD_SET_NONE;
        }
        set->slots[slot] = set->list.count;
        const size_t shape = shape_of(word, length);
        set->shapes[shape / 64] |= (uint64_t)1 << (shape % 64);
    }
    return set->slots[slot] - 1;
}

uint32_t word_set_find(const word_set *set, const char *word, size_t length)
{
    if (length == 0 || !set->slots) {
        return WORD_SET_NONE;
    }
    const size_t shape = shape_of(word, length);
    if (!(set->shapes[shape / 64] >> (shape % 64) & 1)) {
        return WORD_SET_NONE;
    }
    const size_t slot = slot_of(set, word, length);
    return set->slots[slot] == 0 ? WORD_SET_NONE : set->slots[slot] - 1;
}
