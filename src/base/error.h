/* Filling a w2v_error. The first error wins; a NULL error is allowed. */
#ifndef W2V_BASE_ERROR_H
#define W2V_BASE_ERROR_H

#include "w2v/w2v.h"

#include <stdarg.h>

#if defined(__GNUC__)
#define W2V_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define W2V_PRINTF(fmt, args)
#endif

/**
 * Fills *err unless it is filled already. Returns `code`, for `return error_set(…)`.
 * A text that is too long loses its middle, so that what is wrong, at its end, stays.
 */
w2v_status error_set(w2v_error *err, w2v_status code, const char *format, ...) W2V_PRINTF(3, 4);
w2v_status error_set_list(w2v_error *err, w2v_status code, const char *format, va_list args)
    W2V_PRINTF(3, 0);

/** As error_set(), and appends ": " and the system's text for `sys_errno`. */
w2v_status error_sys(w2v_error *err, w2v_status code, int sys_errno, const char *format, ...)
    W2V_PRINTF(4, 5);

/** Hands an error on that was filled elsewhere, as error_set() does; returns its code. */
w2v_status error_pass(w2v_error *err, const w2v_error *from);

/** Adds the second line, what to do, unless there is one. */
void error_hint(w2v_error *err, const char *format, ...) W2V_PRINTF(2, 3);

/** The one text for "no memory": `what` is e.g. "the vocabulary". */
w2v_status error_memory(w2v_error *err, const char *what);

#endif
