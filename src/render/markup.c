#include "render/markup.h"

#include "base/num.h"
#include "base/utf8.h"
#include "render/text.h"

#include <stdint.h>

/* What stands for the character at s in XML, or NULL: itself. */
static const char *entity(uint32_t code)
{
    switch (code) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    case 0xfffe: /* well-formed UTF-8, and no characters of XML */
    case 0xffff:
        return "\xef\xbf\xbd";
    default:
        return NULL;
    }
}

static const char *in_script(uint32_t code)
{
    switch (code) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '<': /* "</script>" and "<!--" have a meaning even within strings */
        return "\\u003c";
    case '>':
        return "\\u003e";
    case '&':
        return "\\u0026";
    default:
        return NULL;
    }
}

static bool append_shown(buf *out, const char *bytes, size_t n, const char *(*instead)(uint32_t))
{
    buf shown = {0};
    bool ok = render_escape(&shown, bytes, n);
    for (size_t i = 0; ok && i < shown.size;) {
        uint32_t code;
        const size_t length = utf8_decode(shown.data + i, shown.size - i, &code);
        const char *other = instead(code);
        ok = other ? buf_append_string(out, other) : buf_append(out, shown.data + i, length);
        i += length;
    }
    buf_clear(&shown);
    return ok;
}

bool markup_text(buf *out, const char *bytes, size_t n)
{
    return append_shown(out, bytes, n, entity);
}

bool markup_json(buf *out, const char *bytes, size_t n)
{
    return buf_append(out, "\"", 1) && append_shown(out, bytes, n, in_script) &&
           buf_append(out, "\"", 1);
}

bool markup_number(buf *out, double value)
{
    char text[NUM_FLOAT_TEXT];
    const size_t n = num_format_float((float)value + 0.0f, 0, text); /* no -0 */
    return buf_append(out, text, n);
}

bool markup_base64(buf *out, const void *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *from = bytes;
    if (n > SIZE_MAX / 2 || !buf_reserve(out, (n / 3 + 1) * 4)) {
        return false;
    }
    for (size_t i = 0; i < n; i += 3) {
        const uint32_t second = i + 1 < n ? from[i + 1] : 0u, third = i + 2 < n ? from[i + 2] : 0u;
        const uint32_t bits = (uint32_t)from[i] << 16 | second << 8 | third;
        out->data[out->size++] = digits[bits >> 18 & 63u];
        out->data[out->size++] = digits[bits >> 12 & 63u];
        out->data[out->size++] = i + 1 < n ? digits[bits >> 6 & 63u] : '=';
        out->data[out->size++] = i + 2 < n ? digits[bits & 63u] : '=';
    }
    return true;
}
