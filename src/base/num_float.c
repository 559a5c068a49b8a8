#include "base/num.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Shortest text of a float after Giulietti 2021, "The Schubfach way to render
 * doubles", for binary32. The numbers that read back to the float c * 2^q form
 * an interval. Scaled by 10^-k, with k chosen so that the interval is between
 * one and ten units wide, it holds at least one whole number and at most one
 * multiple of ten; one of these is the answer. Everything is kept times four,
 * so that the interval's ends (midpoints between floats) are whole as well,
 * and products are cut "to odd": a set last bit stands for what was cut off.
 */

#define POWER_MIN (-31)
#define POWER_MAX 45

/* g(k) = ceil(10^k * 2^(63 - floor(log2(10^k)))), k = POWER_MIN..POWER_MAX: 10^k with 64 bits. */
static const uint64_t powers[POWER_MAX - POWER_MIN + 1] = {
    0x81ceb32c4b43fcf5, 0xa2425ff75e14fc32, 0xcad2f7f5359a3b3f, 0xfd87b5f28300ca0e,
    0x9e74d1b791e07e49, 0xc612062576589ddb, 0xf79687aed3eec552, 0x9abe14cd44753b53,
    0xc16d9a0095928a28, 0xf1c90080baf72cb2, 0x971da05074da7bef, 0xbce5086492111aeb,
    0xec1e4a7db69561a6, 0x9392ee8e921d5d08, 0xb877aa3236a4b44a, 0xe69594bec44de15c,
    0x901d7cf73ab0acda, 0xb424dc35095cd810, 0xe12e13424bb40e14, 0x8cbccc096f5088cc,
    0xafebff0bcb24aaff, 0xdbe6fecebdedd5bf, 0x89705f4136b4a598, 0xabcc77118461cefd,
    0xd6bf94d5e57a42bd, 0x8637bd05af6c69b6, 0xa7c5ac471b478424, 0xd1b71758e219652c,
    0x83126e978d4fdf3c, 0xa3d70a3d70a3d70b, 0xcccccccccccccccd, 0x8000000000000000,
    0xa000000000000000, 0xc800000000000000, 0xfa00000000000000, 0x9c40000000000000,
    0xc350000000000000, 0xf424000000000000, 0x9896800000000000, 0xbebc200000000000,
    0xee6b280000000000, 0x9502f90000000000, 0xba43b74000000000, 0xe8d4a51000000000,
    0x9184e72a00000000, 0xb5e620f480000000, 0xe35fa931a0000000, 0x8e1bc9bf04000000,
    0xb1a2bc2ec5000000, 0xde0b6b3a76400000, 0x8ac7230489e80000, 0xad78ebc5ac620000,
    0xd8d726b7177a8000, 0x878678326eac9000, 0xa968163f0a57b400, 0xd3c21bcecceda100,
    0x84595161401484a0, 0xa56fa5b99019a5c8, 0xcecb8f27f4200f3a, 0x813f3978f8940985,
    0xa18f07d736b90be6, 0xc9f2c9cd04674edf, 0xfc6f7c4045812297, 0x9dc5ada82b70b59e,
    0xc5371912364ce306, 0xf684df56c3e01bc7, 0x9a130b963a6c115d, 0xc097ce7bc90715b4,
    0xf0bdc21abb48db21, 0x96769950b50d88f5, 0xbc143fa4e250eb32, 0xeb194f8e1ae525fe,
    0x92efd1b8d0cf37bf, 0xb7abc627050305ae, 0xe596b7b0c643c71a, 0x8f7e32ce7bea5c70,
    0xb35dbf821ae4f38c,
};

typedef struct decimal {
    uint32_t digits;
    int exponent; /* the value is digits * 10^exponent */
} decimal;

/* floor(x / 2^n), also of a negative x (where >> is not promised to round down). */
static int floor_shift(int x, int n)
{
    return x >= 0 ? x >> n : -((-x + (1 << n) - 1) >> n);
}

/* g * c / 2^64, cut to odd. An error of g below one unit can only show in the bit that is ignored.
 */
static uint32_t multiply_to_odd(uint64_t g, uint32_t c)
{
    const uint64_t low = (g & 0xffffffffu) * c;
    const uint64_t high = (g >> 32) * c + (low >> 32);
    const uint32_t cut = (uint32_t)high;
    return (uint32_t)(high >> 32) | (cut > 1);
}

/* The multiple of ten in the interval, or else the nearer whole number inside it. */
static decimal pick(uint32_t lower, uint32_t value, uint32_t upper, int k)
{
    const uint32_t s = value / 4;
    if (s >= 10) {
        const uint32_t tens = s / 10;
        const bool below_in = lower <= 40 * tens;
        const bool above_in = 40 * tens + 40 <= upper;
        if (below_in != above_in) {
            return (decimal){tens + above_in, k + 1};
        }
    }
    const bool below_in = lower <= 4 * s;
    const bool above_in = 4 * s + 4 <= upper;
    if (below_in != above_in) {
        return (decimal){s + above_in, k};
    }
    const uint32_t middle = 4 * s + 2;
    const bool up = value > middle || (value == middle && (s & 1));
    return (decimal){s + up, k};
}

/* Of the bits of a positive, finite, non-zero float. */
static decimal shortest(uint32_t bits)
{
    const uint32_t fraction = bits & 0x7fffffu;
    const int biased = (int)(bits >> 23);
    const uint32_t c = biased ? fraction | 0x800000u : fraction;
    const int q = (biased ? biased : 1) - 150;
    if (q <= 0 && q > -24 && (c & ((1u << -q) - 1)) == 0) {
        return (decimal){c >> -q, 0}; /* a whole number below 2^24 is its own digits */
    }
    /* Below a power of two the floats are twice as dense: that end is nearer. */
    const bool uneven = fraction == 0 && biased > 1;
    /* k = floor(log10(2^q)), or floor(log10(3/4 * 2^q)); 1262611 / 2^22 is log10(2). */
    const int k = floor_shift(q * 1262611 - (uneven ? 524031 : 0), 22);
    const int shift = q + floor_shift(-k * 1741647, 19) + 1; /* 1741647 / 2^19 is log2(10) */
    const uint64_t g = powers[-k - POWER_MIN];
    const uint32_t lower = multiply_to_odd(g, (4 * c - 2 + uneven) << shift);
    const uint32_t value = multiply_to_odd(g, (4 * c) << shift);
    const uint32_t upper = multiply_to_odd(g, (4 * c + 2) << shift);
    /* An end belongs to the interval when reading rounds it to the even c. */
    const uint32_t odd = c & 1;
    return pick(lower + odd, value, upper - odd, k);
}

/* Writes the digits of v at out, without a NUL; returns how many. */
static size_t put_digits(uint32_t v, char *out)
{
    char reversed[10];
    size_t n = 0;
    do {
        reversed[n++] = (char)('0' + v % 10);
        v /= 10;
    } while (v);
    for (size_t i = 0; i < n; i++) {
        out[i] = reversed[n - 1 - i];
    }
    return n;
}

/* d.ddde-05, as printf's %e writes it. */
static size_t lay_scientific(const char *digits, size_t n, int first, char *out)
{
    size_t length = 0;
    out[length++] = digits[0];
    if (n > 1) {
        out[length++] = '.';
        memcpy(out + length, digits + 1, n - 1);
        length += n - 1;
    }
    out[length++] = 'e';
    out[length++] = first < 0 ? '-' : '+';
    const unsigned size = (unsigned)abs(first);
    out[length++] = (char)('0' + size / 10);
    out[length++] = (char)('0' + size % 10);
    return length;
}

static size_t lay_fixed(const char *digits, size_t n, int first, char *out)
{
    if (first < 0) {
        const size_t zeros = (size_t)-first; /* with the one before the point */
        memset(out, '0', zeros + 1);
        out[1] = '.';
        memcpy(out + zeros + 1, digits, n);
        return zeros + 1 + n;
    }
    const size_t whole = (size_t)first + 1;
    if (n <= whole) {
        memcpy(out, digits, n);
        memset(out + n, '0', whole - n);
        return whole;
    }
    memcpy(out, digits, whole);
    out[whole] = '.';
    memcpy(out + whole + 1, digits + whole, n - whole);
    return n + 1;
}

/* first: the power of ten of digits[0]. The same choice as printf's %.9g: 0.0001 to 999999999. */
static size_t lay_out(const char *digits, size_t n, int first, char *out)
{
    while (n > 1 && digits[n - 1] == '0') {
        n--;
    }
    return first >= -4 && first < 9 ? lay_fixed(digits, n, first, out)
                                    : lay_scientific(digits, n, first, out);
}

/* Correctly rounded digits through printf; only its digits are taken, so any locale will do. */
static size_t put_rounded(float value, int precision, char *digits, int *first)
{
    char text[64];
    snprintf(text, sizeof text, "%.*e", precision - 1, (double)value);
    size_t n = 0;
    const char *p = text;
    for (; *p != 'e'; p++) {
        if (*p >= '0' && *p <= '9') {
            digits[n++] = *p;
        }
    }
    *first = (int)strtol(p + 1, NULL, 10);
    return n;
}

size_t num_format_float(float value, int precision, char out[NUM_FLOAT_TEXT])
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    char *p = out;
    if (bits >> 31) {
        *p++ = '-';
        bits &= 0x7fffffffu;
        value = -value;
    }
    if (bits == 0) {
        *p++ = '0';
    } else {
        char digits[16];
        size_t n;
        int first;
        if (precision == 0) {
            const decimal d = shortest(bits);
            n = put_digits(d.digits, digits);
            first = d.exponent + (int)n - 1;
        } else {
            n = put_rounded(value, precision > 9 ? 9 : precision, digits, &first);
        }
        p += lay_out(digits, n, first, p);
    }
    *p = '\0';
    return (size_t)(p - out);
}
