/* "Did you mean …?" */
#ifndef W2V_CLI_SUGGEST_H
#define W2V_CLI_SUGGEST_H

#include <stddef.h>

/** Longest name that is compared; longer ones are like nothing. */
#define SUGGEST_MAX 64

/**
 * Number of insertions, deletions, replacements and swaps of neighbours that
 * make one of the other (restricted Damerau-Levenshtein distance); '_' and '-'
 * and the two cases of ASCII letters are equal. SUGGEST_MAX when one of them is too long.
 */
size_t suggest_distance(const char *a, size_t a_length, const char *b, size_t b_length);

/** Keeps the best candidate seen so far. Initialise with the typed word. */
typedef struct suggestion {
    const char *typed;
    size_t length;
    const char *best; /* NULL until something near was seen */
    size_t distance;
} suggestion;

/** Offers `name`; when it is near enough and nearer than all before it, `answer` becomes the best.
 */
void suggest_offer(suggestion *s, const char *name, size_t length, const char *answer);

#endif
