#include "base/shown.h"

#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define WORD_BYTES 80 /* of a word in a message; enough to find it by */
#define ELLIPSIS "…"

/* Characters that are valid but would break a line, turn its direction or drive a terminal. */
static bool unsafe(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x061c || code == 0x200e ||
           code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

static size_t spell(uint32_t code, char out[SHOWN_CHAR])
{
    const char letter = code == '\t' ? 't' : code == '\n' ? 'n' : code == '\r' ? 'r' : '\0';
    if (letter) {
        out[0] = '\\';
        out[1] = letter;
        return 2;
    }
    return (size_t)snprintf(out, SHOWN_CHAR, code < 0x80 ? "\\x%02x" : "\\u%04x", (unsigned)code);
}

size_t shown_char(const char *s, size_t n, char out[SHOWN_CHAR], size_t *length)
{
    uint32_t code;
    *length = utf8_decode(s, n, &code);
    if (code != UTF8_INVALID && unsafe(code)) {
        return spell(code, out);
    }
    if (code != UTF8_INVALID) {
        memcpy(out, s, *length);
        return *length;
    }
    size_t used = 0;
    for (size_t k = 0; k < *length; k++) { /* three bytes at most */
        used += (size_t)snprintf(out + used, SHOWN_CHAR - used, "\\x%02x", (unsigned char)s[k]);
    }
    return used;
}

const char *shown_word(const char *word, size_t n, char out[SHOWN_WORD])
{
    size_t used = 0;
    size_t i = 0;
    while (i < n && i < WORD_BYTES) {
        char text[SHOWN_CHAR];
        size_t length;
        const size_t m = shown_char(word + i, n - i, text, &length);
        memcpy(out + used, text, m);
        used += m;
        i += length;
    }
    memcpy(out + used, i < n ? ELLIPSIS : "", i < n ? sizeof ELLIPSIS : 1);
    return out;
}

static bool inside_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

void shown_fit(const char *text, size_t n, char *out, size_t size)
{
    if (n < size) {
        memcpy(out, text, n);
        out[n] = '\0';
        return;
    }
    const size_t mark = sizeof ELLIPSIS - 1;
    const size_t room = size - 1 - mark;
    size_t head = room / 2;
    const char *tail = text + n - (room - head);
    while (head > 0 && inside_character(text[head])) {
        head--;
    }
    while (tail < text + n && inside_character(*tail)) {
        tail++;
    }
    memcpy(out, text, head);
    memcpy(out + head, ELLIPSIS, mark);
    memcpy(out + head + mark, tail, (size_t)(text + n - tail));
    out[head + mark + (size_t)(text + n - tail)] = '\0';
}
