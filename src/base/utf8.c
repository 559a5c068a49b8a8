#include "base/utf8.h"

/* Is c a continuation byte? */
static bool is_tail(unsigned char c)
{
    return (c & 0xc0) == 0x80;
}

/*
 * Table 3-7: what may follow a lead byte. Only the second byte's range depends
 * on the lead (no overlong forms, no surrogates, nothing beyond U+10FFFF).
 */
static size_t lead_length(unsigned char lead, unsigned char *low, unsigned char *high)
{
    *low = 0x80;
    *high = 0xbf;
    if (lead >= 0xc2 && lead <= 0xdf) {
        return 2;
    }
    if (lead >= 0xe0 && lead <= 0xef) {
        *low = lead == 0xe0 ? 0xa0 : 0x80;
        *high = lead == 0xed ? 0x9f : 0xbf;
        return 3;
    }
    if (lead >= 0xf0 && lead <= 0xf4) {
        *low = lead == 0xf0 ? 0x90 : 0x80;
        *high = lead == 0xf4 ? 0x8f : 0xbf;
        return 4;
    }
    return 0;
}

size_t utf8_decode(const char *s, size_t n, uint32_t *code)
{
    const unsigned char *u = (const unsigned char *)s;
    if (u[0] < 0x80) {
        *code = u[0];
        return 1;
    }
    *code = UTF8_INVALID;
    unsigned char low, high;
    const size_t length = lead_length(u[0], &low, &high);
    if (length == 0 || n < 2 || u[1] < low || u[1] > high) {
        return 1;
    }
    uint32_t value = ((uint32_t)u[0] & (0x7fu >> length)) << 6 | (u[1] & 0x3fu);
    for (size_t i = 2; i < length; i++) {
        if (i >= n || !is_tail(u[i])) {
            return i;
        }
        value = value << 6 | (u[i] & 0x3fu);
    }
    *code = value;
    return length;
}

size_t utf8_encode(uint32_t code, char out[4])
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    const size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--) {
        out[i] = (char)(unsigned char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    const uint32_t mark = (0xf0u << (4 - length)) & 0xffu; /* 110, 1110, 11110 */
    out[0] = (char)(unsigned char)(mark | code);
    return length;
}

bool utf8_is_space(uint32_t code)
{
    if (code <= 0x20) {
        return code == 0x20 || (code >= 9 && code <= 13);
    }
    switch (code) {
    case 0x85:
    case 0xa0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202f:
    case 0x205f:
    case 0x3000:
        return true;
    default:
        return code >= 0x2000 && code <= 0x200a;
    }
}

size_t utf8_space_length(const char *s, size_t n)
{
    if (n == 0) {
        return 0;
    }
    uint32_t code;
    const size_t length = utf8_decode(s, n, &code);
    return utf8_is_space(code) ? length : 0;
}

bool utf8_valid(const char *s, size_t n)
{
    for (size_t i = 0; i < n;) {
        uint32_t code;
        i += utf8_decode(s + i, n - i, &code);
        if (code == UTF8_INVALID) {
            return false;
        }
    }
    return true;
}
