#include "base/error.h"

#include "base/mem.h"
#include "base/shown.h"

#include <stdio.h>
#include <string.h>

/* A file name may hold a newline or an escape sequence; an error is one line all the same. */
static void make_one_line(char *text)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7f) {
            *text = '?';
        }
    }
}

static bool is_open(const w2v_error *err)
{
    return err && err->code == W2V_OK;
}

#define USUAL_TEXT 6144 /* holds a path of any length that systems take, and what is said of it */

/* Formats into `out`, and `reason` behind it, which always stays. */
static W2V_PRINTF(4, 0) void put_text(char *out, size_t size, const char *reason,
                                      const char *format, va_list args)
{
    char usual[USUAL_TEXT];
    va_list again;
    va_copy(again, args);
    const int length = vsnprintf(usual, sizeof usual, format, args);
    char *longer = NULL;
    if (length >= (int)sizeof usual && (longer = mem_alloc((size_t)length + 1)) != NULL) {
        vsnprintf(longer, (size_t)length + 1, format, again);
    }
    va_end(again);
    const char *text = longer ? longer : length < 0 ? format : usual;
    const size_t n = strlen(reason);
    shown_fit(text, strlen(text), out, size - n);
    memcpy(out + strlen(out), reason, n + 1);
    make_one_line(out);
    mem_free(longer);
}

w2v_status error_set_list(w2v_error *err, w2v_status code, const char *format, va_list args)
{
    if (is_open(err)) {
        err->code = code;
        put_text(err->text, sizeof err->text, "", format, args);
    }
    return code;
}

w2v_status error_set(w2v_error *err, w2v_status code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_set_list(err, code, format, args);
    va_end(args);
    return code;
}

w2v_status error_pass(w2v_error *err, const w2v_error *from)
{
    if (is_open(err)) {
        *err = *from;
    }
    return from->code;
}

w2v_status error_sys(w2v_error *err, w2v_status code, int sys_errno, const char *format, ...)
{
    if (is_open(err)) {
        err->code = code;
        err->sys_errno = sys_errno;
        char reason[128];
        snprintf(reason, sizeof reason, ": %s", strerror(sys_errno));
        va_list args;
        va_start(args, format);
        put_text(err->text, sizeof err->text, reason, format, args);
        va_end(args);
    }
    return code;
}

void error_hint(w2v_error *err, const char *format, ...)
{
    if (err && err->code != W2V_OK && err->hint[0] == '\0') {
        va_list args;
        va_start(args, format);
        put_text(err->hint, sizeof err->hint, "", format, args);
        va_end(args);
    }
}

w2v_status error_memory(w2v_error *err, const char *what)
{
    return error_set(err, W2V_ERR_MEMORY, "out of memory for %s", what);
}
