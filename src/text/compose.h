/* Letters and their marks in one form: Unicode's normal form C (annex 15 of the standard). */
#ifndef W2V_TEXT_COMPOSE_H
#define W2V_TEXT_COMPOSE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct compose compose;

/** Can this build do it? */
bool compose_is_there(void);

/** For texts of up to `longest` bytes. Errors: W2V_ERR_UNSUPPORTED, W2V_ERR_MEMORY. */
w2v_status compose_create(size_t longest, compose **out, w2v_error *err);
void compose_free(compose *c);

/**
 * The composed form of s[0..n-1], which is well-formed UTF-8, into `out`: at most three times as
 * long (annex 15, table 11), so 3 * n of `room` are enough.
 */
w2v_status compose_text(compose *c, const char *s, size_t n, char *out, size_t room, size_t *out_n,
                        w2v_error *err);

#endif
