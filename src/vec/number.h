/* Numbers of vector files: decimal text to float, and the element types of arrays. */
#ifndef W2V_VEC_NUMBER_H
#define W2V_VEC_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Reads the decimal number (sign, digits, point, exponent) that begins at p, up to `end`, as the
 * nearest float, ties to even, in any locale. Returns where it ends, or NULL when no number begins
 * there. Too large a number gives an infinity.
 */
const char *number_parse(const char *p, const char *end, float *value);

/** Is all of text[0..n-1] one number, "nan" and "inf" in their usual spellings included? */
bool number_is_one(const char *text, size_t n, bool *finite);

typedef enum number_type { NUMBER_F32, NUMBER_F64, NUMBER_F16, NUMBER_BF16 } number_type;

size_t number_size(number_type type); /* bytes of one */
/** n little-endian numbers at `bytes` (any alignment) as floats, rounded to nearest. */
void number_convert(number_type type, const void *bytes, size_t n, float *out);

typedef enum number_kind { NUMBERS_PLAIN, NUMBERS_ZERO, NUMBERS_NONFINITE } number_kind;
/** Of n floats at any alignment: all zero, one of them infinite or undefined, or neither. */
number_kind number_look(const void *values, size_t n);
/** The part of number_look() that a scan needs: is every number finite? */
bool number_all_finite(const void *values, size_t n);

#endif
