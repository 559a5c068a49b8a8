/* Bytes of words, names and messages as text that is safe, and short enough, to show. */
#ifndef W2V_BASE_SHOWN_H
#define W2V_BASE_SHOWN_H

#include <stddef.h>

/**
 * The character at s[0..n-1], n >= 1, as it may be shown: as it is, or spelt
 * out where it would break a line, turn the writing direction or drive a
 * terminal (\t, \n, \r; \xHH for other ASCII controls and for bytes that are
 * not UTF-8; \uHHHH). Returns the bytes written to `out`, without a NUL;
 * *length: the bytes of s that they stand for; those behind the first SHOWN_NEEDS are not looked
 * at.
 */
#define SHOWN_CHAR 16
#define SHOWN_NEEDS 4
size_t shown_char(const char *s, size_t n, char out[SHOWN_CHAR], size_t *length);

/** A word for a message: shown_char() for each character, a long tail left out. */
#define SHOWN_WORD 352
const char *shown_word(const char *word, size_t n, char out[SHOWN_WORD]);

/**
 * text[0..n-1] and a NUL into out[0..size-1], size >= 16; where it does not fit,
 * "…" stands for its middle: a path that is too long, most likely, while what
 * is said about it stands at the end.
 */
void shown_fit(const char *text, size_t n, char *out, size_t size);

#endif
