/* UTF-8 (Unicode 15, chapter 3, table 3-7): well-formedness, decoding, white space. */
#ifndef W2V_BASE_UTF8_H
#define W2V_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Decodes the character at s[0..n-1], n >= 1. Returns its length in bytes and
 * sets *code; for an ill-formed sequence sets *code to UTF8_INVALID and returns
 * the length of the maximal invalid part (at least 1; Unicode's "maximal
 * subpart" practice).
 */
#define UTF8_INVALID 0xffffffffu
size_t utf8_decode(const char *s, size_t n, uint32_t *code);

/** Writes `code` (a scalar value) as UTF-8; returns 1..4. */
size_t utf8_encode(uint32_t code, char out[4]);

/** Unicode's White_Space property: 9-13, 32, 0x85, 0xa0, 0x1680, 0x2000-200a, 2028, 2029, 202f,
 * 205f, 3000. */
bool utf8_is_space(uint32_t code);

/** Length of the white space character at s[0..n-1], or 0 when there is none (NUL is none). */
size_t utf8_space_length(const char *s, size_t n);

/** Is all of it well-formed? */
bool utf8_valid(const char *s, size_t n);

/** Columns on a terminal: combining marks 0, wide East Asian and emoji 2; invalid bytes and control
    characters 4 a byte (shown \xHH). */
size_t utf8_width(const char *s, size_t n);

#endif
