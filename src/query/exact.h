/*
 * The arithmetic that decides: sums in double precision, in one order, so that
 * order and scores of answers are the same on every machine. Column c belongs
 * to lane c mod 8; lanes are added 4 apart, then 2, then 1. The build keeps
 * multiplications and additions apart (-ffp-contract=off).
 *
 * `row` is `dim` floats at any address.
 */
#ifndef W2V_QUERY_EXACT_H
#define W2V_QUERY_EXACT_H

#include <stddef.h>
#include <string.h>

/** Column c of a row that need not be aligned. */
static inline float exact_value(const void *row, size_t c)
{
    float x;
    memcpy(&x, (const char *)row + c * sizeof x, sizeof x);
    return x;
}

double exact_dot(const double *target, const void *row, size_t dim);
/** |row|^2: finite whenever the row is, since no float squared reaches the range of a double. */
double exact_square(const void *row, size_t dim);
/** |target - row|^2 */
double exact_distance_square(const double *target, const void *row, size_t dim);
/** |target|^2 */
double exact_square_of_doubles(const double *target, size_t dim);

/** Cosine of a target of length `norm` and a row of squared length `square`, both > 0; in -1..1. */
double exact_cosine(const double *target, double norm, const void *row, double square, size_t dim);

#endif
