/* What becomes of a word that is not plain ASCII: bytes that are not UTF-8, letter case, and the
   form of letters with marks. */
#ifndef W2V_TEXT_FOLD_H
#define W2V_TEXT_FOLD_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/** Longest result for n bytes: an invalid byte becomes three, small letters take at most 3/2 (and
    none of those that grow composes to more), composed ones three times the room. */
#define FOLD_BYTES(n) (3 * (n) + 16)

typedef struct fold fold;

typedef struct fold_rules {
    w2v_invalid_utf8 invalid_utf8;
    bool lowercase;
    w2v_normal_form form;
} fold_rules;

/** Can this build lower case beyond ASCII? */
bool fold_has_case(void);

/** For words of up to `longest` bytes. Errors: W2V_ERR_UNSUPPORTED, W2V_ERR_MEMORY. */
w2v_status fold_create(const fold_rules *rules, size_t longest, fold **out, w2v_error *err);
void fold_free(fold *f);

/**
 * The folded word into `out`, room for FOLD_BYTES(n); *out_n is 0 when nothing is left of it.
 * Case is mapped for the whole word in the root locale (so a final sigma is one); invalid bytes
 * that are kept part it.
 */
w2v_status fold_word(fold *f, const char *word, size_t n, char *out, size_t *out_n, w2v_error *err);

#endif
