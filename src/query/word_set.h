/*
 * A small set of words, numbered in the order in which they came, that many
 * rows of a table are compared with: most rows are turned away by one look
 * into a bitmap of (length, first byte, last byte).
 */
#ifndef W2V_QUERY_WORD_SET_H
#define W2V_QUERY_WORD_SET_H

#include "base/words.h"

#define WORD_SET_NONE UINT32_MAX
#define WORD_SET_SHAPES 65536 /* bits: 8 KB, which stay in the first cache */

/** Zero-initialise. */
typedef struct word_set {
    words list;
    uint32_t *slots; /* number + 1, 0 = empty */
    size_t slot_mask;
    uint64_t shapes[WORD_SET_SHAPES / 64];
} word_set;

void word_set_clear(word_set *set);
/** Number of the word, added when it is new; WORD_SET_NONE without memory (or for an empty word).
 */
uint32_t word_set_add(word_set *set, const char *word, size_t length);
/** Number of the word, or WORD_SET_NONE. Safe from many threads. */
uint32_t word_set_find(const word_set *set, const char *word, size_t length);
/** Is word `number` of the set this one? */
bool word_set_is(const word_set *set, uint32_t number, const char *word, size_t length);

#endif
