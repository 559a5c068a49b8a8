#include "base/error.h"

#include <stdarg.h>
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

w2v_status error_set(w2v_error *err, w2v_status code, const char *format, ...)
{
    if (is_open(err)) {
        err->code = code;
        va_list args;
        va_start(args, format);
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
        make_one_line(err->text);
    }
    return code;
}

w2v_status error_sys(w2v_error *err, w2v_status code, int sys_errno, const char *format, ...)
{
    if (is_open(err)) {
        err->code = code;
        err->sys_errno = sys_errno;
        char reason[128];
        snprintf(reason, sizeof reason, ": %s", strerror(sys_errno));
        /* A very long path is cut rather than the reason. */
        va_list args;
        va_start(args, format);
        vsnprintf(err->text, sizeof err->text - strlen(reason), format, args);
        va_end(args);
        memcpy(err->text + strlen(err->text), reason, strlen(reason) + 1);
        make_one_line(err->text);
    }
    return code;
}

void error_hint(w2v_error *err, const char *format, ...)
{
    if (err && err->code != W2V_OK && err->hint[0] == '\0') {
        va_list args;
        va_start(args, format);
        vsnprintf(err->hint, sizeof err->hint, format, args);
        va_end(args);
        make_one_line(err->hint);
    }
}

w2v_status error_memory(w2v_error *err, const char *what)
{
    return error_set(err, W2V_ERR_MEMORY, "out of memory for %s", what);
}
