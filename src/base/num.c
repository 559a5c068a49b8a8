#include "base/num.h"

#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- reading */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool num_parse_u64(const char *text, size_t n, uint64_t *value)
{
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++) {
        if (!is_digit(text[i])) {
            return false;
        }
        const unsigned digit = (unsigned)(text[i] - '0');
        if (v > (UINT64_MAX - digit) / 10) {
            return false;
        }
        v = v * 10 + digit;
    }
    if (n) {
        *value = v;
    }
    return n > 0;
}

#define EXPONENT_LIMIT                                                                             \
    1000000000 /* beyond it a number of any length that fits memory is 0 or infinite */

/* A decimal number taken apart: (-1)^negative * all its digits * 10^exponent. */
typedef struct decimal {
    bool negative;
    bool exact; /* `digits` holds them all */
    uint64_t digits;
    int64_t exponent;
    size_t begin, end; /* where the digits, and perhaps a point, stand in the text */
} decimal;

static void take_digit(decimal *d, char c)
{
    if (d->digits > (UINT64_MAX - 9) / 10) {
        d->exact = false;
    } else {
        d->digits = d->digits * 10 + (unsigned)(c - '0');
    }
}

/* "e-12" at text[i..n-1], all of it. */
static bool split_exponent(const char *text, size_t n, size_t i, decimal *d)
{
    i++;
    const bool minus = i < n && text[i] == '-';
    i += i < n && (text[i] == '-' || text[i] == '+');
    if (i == n) {
        return false;
    }
    int64_t e = 0;
    for (; i < n; i++) {
        if (!is_digit(text[i])) {
            return false;
        }
        e = e < EXPONENT_LIMIT ? e * 10 + (text[i] - '0') : e;
    }
    d->exponent += minus ? -e : e;
    return true;
}

static bool split(const char *text, size_t n, decimal *d)
{
    *d = (decimal){.negative = n > 0 && text[0] == '-', .exact = true};
    size_t i = n > 0 && (text[0] == '-' || text[0] == '+');
    size_t count = 0;
    bool point = false;
    d->begin = i;
    for (; i < n && (is_digit(text[i]) || (text[i] == '.' && !point)); i++) {
        if (text[i] == '.') {
            point = true;
        } else {
            take_digit(d, text[i]);
            d->exponent -= point;
            count++;
        }
    }
    d->end = i;
    if (count == 0) {
        return false;
    }
    return i == n || ((text[i] == 'e' || text[i] == 'E') && split_exponent(text, n, i, d));
}

/*
 * Any number, through strtod(). It gets the digits without a point and the
 * exponent that makes up for it, so that the locale's point does not matter.
 */
static bool convert(const char *text, const decimal *d, double *value)
{
    const size_t room = d->end - d->begin + 32;
    char small[128];
    char *copy = room <= sizeof small ? small : mem_alloc(room);
    if (!copy) {
        return false;
    }
    size_t n = 0;
    for (size_t i = d->begin; i < d->end; i++) {
        if (text[i] != '.') {
            copy[n++] = text[i];
        }
    }
    snprintf(copy + n, room - n, "e%lld", (long long)d->exponent);
    *value = strtod(copy, NULL);
    if (copy != small) {
        mem_free(copy);
    }
    return true;
}

bool num_parse_double(const char *text, size_t n, double *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    decimal d;
    if (!split(text, n, &d)) {
        return false;
    }
    double v;
    if (d.exact && d.digits <= (uint64_t)1 << 53 && d.exponent >= -22 && d.exponent <= 22) {
        /* Both numbers are exact as doubles, so the one operation rounds correctly (Clinger 1990).
         */
        v = d.exponent < 0 ? (double)d.digits / powers[-d.exponent]
                           : (double)d.digits * powers[d.exponent];
    } else if (!convert(text, &d, &v)) {
        return false;
    }
    if (!isfinite(v)) {
        return false;
    }
    *value = d.negative ? -v : v;
    return true;
}

/* The factor of a suffix such as "", "B", "k", "KB", "KiB"; 0 when it is none. */
static double suffix_factor(const char *s, size_t n)
{
    static const char letters[] = "kmgt";
    if (n == 0 || (n == 1 && (*s == 'b' || *s == 'B'))) {
        return 1;
    }
    const char *letter = memchr(letters, *s | 0x20, 4);
    const bool rest_ok = n == 1 || (n == 2 && (s[1] | 0x20) == 'b') ||
                         (n == 3 && (s[1] | 0x20) == 'i' && (s[2] | 0x20) == 'b');
    if (!letter || !rest_ok) {
        return 0;
    }
    double factor = 1024;
    for (; letter > letters; letter--) {
        factor *= 1024;
    }
    return factor;
}

bool num_parse_size(const char *text, size_t n, uint64_t *bytes)
{
    size_t end = 0;
    while (end < n && (is_digit(text[end]) || text[end] == '.')) {
        end++;
    }
    const double factor = suffix_factor(text + end, n - end);
    uint64_t whole;
    if (num_parse_u64(text, end, &whole) && factor > 0) {
        const uint64_t f = (uint64_t)factor;
        if (whole > UINT64_MAX / f) {
            return false;
        }
        *bytes = whole * f;
        return true;
    }
    double value; /* "1.5G" */
    if (factor <= 0 || !num_parse_double(text, end, &value) || value * factor >= 0x1p63) {
        return false;
    }
    *bytes = (uint64_t)(value * factor);
    return true;
}

bool num_parse_duration(const char *text, size_t n, double *seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}};
    size_t end = 0;
    while (end < n && (is_digit(text[end]) || text[end] == '.')) {
        end++;
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strlen(units[i].name) == n - end && memcmp(units[i].name, text + end, n - end) == 0) {
            double value;
            if (!num_parse_double(text, end, &value)) {
                return false;
            }
            *seconds = value * units[i].seconds;
            return true;
        }
    }
    return false;
}

/* ---------------------------------------------------------------- writing */

size_t num_format_grouped(uint64_t value, char out[32])
{
    char digits[24];
    const int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    size_t length = 0;
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0) {
            out[length++] = ',';
        }
        out[length++] = digits[i];
    }
    out[length] = '\0';
    return length;
}

size_t num_format_bytes(uint64_t bytes, char out[32])
{
    static const char *const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    if (bytes < 1000) {
        return (size_t)snprintf(out, 32, "%u B", (unsigned)bytes);
    }
    uint64_t unit = 1000;
    size_t i = 0;
    /* 999.5 and more would round to four digits: it is 1.0 of the next unit. */
    while (i + 1 < sizeof units / sizeof units[0] && bytes >= unit * 1000 - unit / 2) {
        unit *= 1000;
        i++;
    }
    const uint64_t step = unit / 10; /* a tenth */
    const uint64_t tenths = bytes / step + (bytes % step >= step / 2);
    if (tenths < 100) {
        return (size_t)snprintf(out, 32, "%u.%u %s", (unsigned)(tenths / 10),
                                (unsigned)(tenths % 10), units[i]);
    }
    const uint64_t whole = bytes / unit + (bytes % unit >= unit / 2);
    return (size_t)snprintf(out, 32, "%u %s", (unsigned)whole, units[i]);
}
