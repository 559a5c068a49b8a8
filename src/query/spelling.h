/*
 * How near the spelling of a word is to one that was asked for: letters are
 * compared without case, `_`, `-` and blanks as one, in Unicode's composed form
 * (NFC, where the build has ICU), without a prefix such as /c/en/, and with
 * up to two letters inserted, left out, changed, or swapped with the next
 * (the restricted Damerau-Levenshtein distance).
 */
#ifndef W2V_QUERY_SPELLING_H
#define W2V_QUERY_SPELLING_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPELLING_MOST 128 /* letters; longer words are compared with nothing */
#define SPELLING_FAR UINT32_MAX

/** A word as it is compared. */
typedef struct spelling {
    uint32_t letters[SPELLING_MOST];
    size_t count;
    uint64_t signature; /* a bit for each letter that occurs, several letters to a bit */
    bool prefixed;      /* a prefix was taken off */
} spelling;

/** False when it is too long: more than `most` <= SPELLING_MOST letters. */
bool spelling_fold(const char *word, size_t length, size_t most, spelling *out);

/** 1 for words that are folded alike, 2 more where one has a prefix, 4 for each letter that is
    different; SPELLING_FAR beyond one letter in words of two or three, two in longer ones. */
uint32_t spelling_cost(const spelling *asked, const spelling *word);

#endif
