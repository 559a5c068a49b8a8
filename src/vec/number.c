#include "vec/number.h"

#include "base/mem.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- decimals */

#define DIGITS_MAX 19 /* as many as always fit 64 bits */
#define EXPONENT_LIMIT                                                                             \
    1000000000 /* beyond it a number of any length that fits memory is 0 or inf */

typedef struct decimal {
    uint64_t digits;  /* the first DIGITS_MAX significant ones */
    int64_t exponent; /* of the last digit kept */
    bool cut;         /* later digits are not in `digits` */
    bool negative;
} decimal;

static bool is_digit(char c)
{
    return (unsigned)(c - '0') < 10;
}

/* "e-12" at p; p itself when it is no exponent. */
static const char *take_exponent(const char *p, const char *end, decimal *d)
{
    const char *q = p + 1;
    const bool minus = q < end && *q == '-';
    q += q < end && (*q == '-' || *q == '+');
    if (q == end || !is_digit(*q)) {
        return p;
    }
    int64_t e = 0;
    for (; q < end && is_digit(*q); q++) {
        e = e < EXPONENT_LIMIT ? e * 10 + (*q - '0') : e;
    }
    d->exponent += minus ? -e : e;
    return q;
}

/* A run of digits. Leading zeros cost no room; digits beyond the room only move the point. */
static const char *take_digits(const char *p, const char *end, bool fraction, unsigned *room,
                               decimal *d)
{
    uint64_t digits = d->digits;
    unsigned left = *room;
    const char *const start = p;
    int64_t dropped = 0;
    for (; p < end && is_digit(*p); p++) {
        if (left > 0) {
            digits = digits * 10 + (unsigned)(*p - '0');
            left -= digits != 0;
        } else {
            d->cut = d->cut || *p != '0';
            dropped++;
        }
    }
    d->digits = digits;
    d->exponent += fraction ? dropped - (p - start) : dropped;
    *room = left;
    return p;
}

static const char *take_apart(const char *p, const char *end, decimal *d)
{
    *d = (decimal){.negative = p < end && *p == '-'};
    p += p < end && (*p == '-' || *p == '+');
    unsigned room = DIGITS_MAX;
    const char *const whole = p;
    p = take_digits(p, end, false, &room, d);
    ptrdiff_t count = p - whole;
    if (p < end && *p == '.') {
        const char *const fraction = p + 1;
        p = take_digits(fraction, end, true, &room, d);
        count += p - fraction;
    }
    if (count == 0) {
        return NULL;
    }
    return p < end && (*p == 'e' || *p == 'E') ? take_exponent(p, end, d) : p;
}

/*
 * Any number, through strtof(), with all its digits. It gets them without a
 * point and the exponent that makes up for it, so that the locale's point does
 * not matter.
 */
static float slow(const char *p, const char *end, const decimal *d)
{
    char small[256];
    const size_t room = (size_t)(end - p) + 32;
    char *copy = room <= sizeof small ? small : mem_alloc(room);
    if (!copy) { /* then the digits kept must do: right to 19 digits */
        snprintf(small, sizeof small, "%llue%lld", (unsigned long long)d->digits,
                 (long long)d->exponent);
        return strtof(small, NULL);
    }
    size_t n = 0;
    int64_t exponent = 0;
    bool point = false;
    for (; p < end && (is_digit(*p) || *p == '.' || *p == '+' || *p == '-'); p++) {
        if (is_digit(*p)) {
            copy[n++] = *p;
            exponent -= point;
        }
        point = point || *p == '.';
    }
    decimal tail = {.exponent = exponent};
    if (p < end) {
        take_exponent(p, end, &tail);
    }
    snprintf(copy + n, room - n, "e%lld", (long long)tail.exponent);
    const float value = strtof(copy, NULL);
    if (copy != small) {
        mem_free(copy);
    }
    return value;
}

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
#define EXACT_POWER 22 /* the largest power of ten that is exact as a double */

/*
 * d->digits * 10^exponent with at most three roundings and one cut, so within
 * 2^-50 of itself. Where both ends of that interval round to one float, that
 * is the number's float, since rounding never changes an order.
 */
static bool quick(const decimal *d, float *value)
{
    if (d->exponent < -2 * EXACT_POWER || d->exponent > EXACT_POWER) {
        return false;
    }
    double x = (double)d->digits;
    if (d->exponent >= 0) {
        x *= powers[d->exponent];
    } else if (d->exponent >= -EXACT_POWER) {
        x /= powers[-d->exponent];
    } else {
        x = x / powers[EXACT_POWER] / powers[-d->exponent - EXACT_POWER];
    }
    const double low = x * (1 - 0x1p-50);
    const double high = x * (1 + 0x1p-50);
    if (high > (double)FLT_MAX || (float)low != (float)high) {
        return false;
    }
    *value = (float)low;
    return true;
}

const char *number_parse(const char *p, const char *end, float *value)
{
    /* Powers of ten that are exact as floats. */
    static const float small[] = {1e0F, 1e1F, 1e2F, 1e3F, 1e4F, 1e5F,
                                  1e6F, 1e7F, 1e8F, 1e9F, 1e10F};
    decimal d;
    const char *const after = take_apart(p, end, &d);
    if (!after) {
        return NULL;
    }
    float v;
    if (d.digits <= 1U << 24 && d.exponent <= 0 && d.exponent >= -10 && !d.cut) {
        v = (float)d.digits / small[-d.exponent]; /* both exact: one rounding (Clinger 1990) */
    } else if (d.digits == 0) {
        v = 0;
    } else if (!quick(&d, &v)) {
        v = slow(p, after, &d);
    }
    *value = d.negative ? -v : v;
    return after;
}

static bool same_letters(const char *text, size_t n, const char *lower)
{
    for (size_t i = 0; i < n; i++) {
        if ((text[i] | 0x20) != lower[i]) {
            return false;
        }
    }
    return strlen(lower) == n;
}

bool number_is_one(const char *text, size_t n, bool *finite)
{
    float value;
    const char *after = number_parse(text, text + n, &value);
    if (after && after == text + n) {
        *finite = isfinite(value);
        return true;
    }
    *finite = false;
    const size_t sign = n > 0 && (text[0] == '-' || text[0] == '+');
    text += sign;
    n -= sign;
    return (n == 3 && (same_letters(text, n, "nan") || same_letters(text, n, "inf"))) ||
           (n == 8 && same_letters(text, n, "infinity"));
}

/* ------------------------------------------------------------ element types */

size_t number_size(number_type type)
{
    return type == NUMBER_F64 ? 8 : type == NUMBER_F32 ? 4 : 2;
}

static float from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float from_half(uint32_t half)
{
    const uint32_t sign = (half & 0x8000U) << 16;
    const uint32_t exponent = half >> 10 & 31U;
    const uint32_t fraction = half & 0x3ffU;
    if (exponent == 0) { /* zero and subnormals: fraction * 2^-24 */
        const float value = (float)fraction * 0x1p-24F;
        return sign ? -value : value;
    }
    const uint32_t wide = exponent == 31 ? 255 : exponent + 112; /* 127 - 15 */
    return from_bits(sign | wide << 23 | fraction << 13);
}

static uint64_t little_endian(const unsigned char *p, unsigned n)
{
    uint64_t v = 0;
    for (unsigned k = n; k-- > 0;) {
        v = v << 8 | p[k];
    }
    return v;
}

static float from_double_bits(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    if (d > (double)FLT_MAX || d < -(double)FLT_MAX) { /* a cast of these would be undefined */
        const double beyond = 0x1.ffffffp127;          /* halfway to 2^128: from here on infinite */
        const float size = fabs(d) >= beyond ? INFINITY : FLT_MAX;
        return d < 0 ? -size : size;
    }
    return (float)d;
}

void number_convert(number_type type, const void *bytes, size_t n, float *out)
{
    const unsigned char *p = bytes;
    switch (type) {
    case NUMBER_F32:
        for (size_t i = 0; i < n; i++) {
            out[i] = from_bits((uint32_t)little_endian(p + 4 * i, 4));
        }
        return;
    case NUMBER_F64:
        for (size_t i = 0; i < n; i++) {
            out[i] = from_double_bits(little_endian(p + 8 * i, 8));
        }
        return;
    case NUMBER_F16:
        for (size_t i = 0; i < n; i++) {
            out[i] = from_half((uint32_t)little_endian(p + 2 * i, 2));
        }
        return;
    case NUMBER_BF16:
        for (size_t i = 0; i < n; i++) {
            out[i] = from_bits((uint32_t)little_endian(p + 2 * i, 2) << 16);
        }
        return;
    }
}

/* No early exit: the compiler makes vectors of these loops. An exponent of all ones, and only
   that, reaches the top bit when one more is added to it. */
bool number_all_finite(const void *values, size_t n)
{
    const unsigned char *p = values;
    uint32_t bad = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, p + 4 * i, 4);
        bad |= (bits & 0x7f800000U) + 0x00800000U;
    }
    return bad >> 31 == 0;
}

number_kind number_look(const void *values, size_t n)
{
    const unsigned char *p = values;
    uint32_t any = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, p + 4 * i, 4);
        any |= bits;
    }
    if (any << 1 == 0) {
        return NUMBERS_ZERO;
    }
    return number_all_finite(values, n) ? NUMBERS_PLAIN : NUMBERS_NONFINITE;
}
