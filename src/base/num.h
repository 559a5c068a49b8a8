/* Numbers as text, the same in every locale. */
#ifndef W2V_BASE_NUM_H
#define W2V_BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** All of text[0..n-1] as a decimal number: digits only, no sign, no blanks; false on overflow. */
bool num_parse_u64(const char *text, size_t n, uint64_t *value);
/** All of it as a finite decimal number (sign, point, exponent; no hex, no nan, no inf). */
bool num_parse_double(const char *text, size_t n, double *value);
/** Bytes, perhaps with a fraction, and an optional suffix K M G T (powers of 1024; k and KiB, KB
    likewise): "512M", "1.5GiB". */
bool num_parse_size(const char *text, size_t n, uint64_t *bytes);

/** Seconds, perhaps with a fraction, and an optional unit ms, s, m, h or d: "90", "1.5h", "500ms".
 */
bool num_parse_duration(const char *text, size_t n, double *seconds);

/** Longest text that num_format_float() writes, with its NUL. */
#define NUM_FLOAT_TEXT 32
/**
 * Writes the shortest decimal text that reads back to exactly this float
 * (precision 0), or `precision` (1..9) significant digits. Finite values only;
 * -0 is kept. NUL-terminated; returns its length. Point is '.' in any locale.
 */
size_t num_format_float(float value, int precision, char out[NUM_FLOAT_TEXT]);

/** "1 234 567"-like grouping for people uses ',': 1234567 -> "1,234,567". */
size_t num_format_grouped(uint64_t value, char out[32]);
/** "1.5 GB" style (powers of 1000, as disks are labelled); two or three digits. */
size_t num_format_bytes(uint64_t bytes, char out[32]);

#endif
