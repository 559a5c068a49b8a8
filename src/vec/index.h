/* What hash tables over words share. */
#ifndef W2V_VEC_INDEX_H
#define W2V_VEC_INDEX_H

#include <stddef.h>
#include <stdint.h>

uint64_t index_hash(const char *word, size_t n);
/** Slots of an open table for so many words: a power of two, at most half full. */
size_t index_slots(uint64_t count);

#endif
