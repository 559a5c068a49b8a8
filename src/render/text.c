#include "render/text.h"

#include "base/shown.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool terminate(buf *out)
{
    if (!buf_reserve(out, 1)) {
        return false;
    }
    out->data[out->size] = '\0';
    return true;
}

bool render_escape(buf *out, const char *bytes, size_t n)
{
    bool ok = true;
    for (size_t i = 0; ok && i < n;) {
        char text[SHOWN_CHAR];
        size_t length;
        const size_t m = shown_char(bytes + i, n - i, text, &length);
        ok = buf_append(out, text, m);
        i += length;
    }
    return ok && terminate(out);
}

const char *render_countdown(double seconds, char out[RENDER_DURATION])
{
    if (!(seconds >= 0) || seconds > 1e11) {
        snprintf(out, RENDER_DURATION, "?");
        return out;
    }
    const unsigned long long s = (unsigned long long)(seconds + 0.5);
    if (s < 3600) {
        snprintf(out, RENDER_DURATION, "%llu:%02llu", s / 60, s % 60);
    } else if (s < 86400) {
        snprintf(out, RENDER_DURATION, "%llu:%02llu:%02llu", s / 3600, s / 60 % 60, s % 60);
    } else {
        snprintf(out, RENDER_DURATION, "%llu d %02llu:%02llu", s / 86400, s / 3600 % 24,
                 s / 60 % 60);
    }
    return out;
}

const char *render_duration(double seconds, char out[RENDER_DURATION])
{
    if (!(seconds >= 0) || seconds >= 99.95) {
        return render_countdown(seconds, out);
    }
    snprintf(out, RENDER_DURATION, seconds < 0.995 ? "%.2f s" : "%.1f s", seconds);
    return out;
}

const char *render_share(double share, char out[RENDER_DURATION])
{
    if (!(share >= 0 && share <= 1)) {
        snprintf(out, RENDER_DURATION, "?");
    } else if (share <= 0 || share >= 1) {
        snprintf(out, RENDER_DURATION, share <= 0 ? "none" : "all");
    } else {
        snprintf(out, RENDER_DURATION, "%.1f %%", fmin(fmax(share * 100, 0.1), 99.9));
    }
    return out;
}

bool render_wrap(buf *out, const char *text, size_t column, size_t indent, size_t columns)
{
    bool ok = true;
    bool first = true; /* on its line */
    for (const char *p = text; ok && *p;) {
        p += strspn(p, " ");
        const size_t n = strcspn(p, " \n");
        const size_t width = utf8_width(p, n);
        if (n && !first && column + 1 + width > columns) {
            ok = buf_printf(out, "\n%*s", (int)indent, "");
            column = indent;
            first = true;
        }
        if (n) {
            ok = ok && (first || buf_append(out, " ", 1)) && buf_append(out, p, n);
            column += width + (first ? 0 : 1);
            first = false;
        }
        p += n;
        if (ok && *p == '\n') {
            ok = buf_append(out, "\n", 1);
            column = 0;
            first = true;
            p++;
        }
    }
    return ok && terminate(out);
}
