/* Small pieces of text for people: safe words, durations, paragraphs. */
#ifndef W2V_RENDER_TEXT_H
#define W2V_RENDER_TEXT_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Appends text that is safe to show: control characters, invalid UTF-8 (\xHH),
 * line separators and characters that turn the writing direction (\u202e) are
 * spelt out, so that a word or a file name can neither forge a line nor drive
 * the terminal. Everything else stays as it is. NUL-terminates without
 * counting the NUL. False without memory.
 */
bool render_escape(buf *out, const char *bytes, size_t n);

/** The end of a noun that stands after the number: "" or "s". */
static inline const char *render_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

#define RENDER_DURATION 32
/** "0.24 s", "8.3 s", "2:05", "1:02:05", "3 d 04:00". Negative or undefined: "?". */
const char *render_duration(double seconds, char out[RENDER_DURATION]);

/** As on a clock, for what is still to come: "0:07", "2:05", "1:02:05", "3 d 04:00". */
const char *render_countdown(double seconds, char out[RENDER_DURATION]);

/** "98.5 %"; "all" and "none" only where that is exactly so, hence never "100.0 %" for nearly all.
 */
const char *render_share(double share, char out[RENDER_DURATION]);

/**
 * Appends `text`, broken at blanks so that no line is wider than `columns`;
 * the first line begins at column `column`, later ones after `indent` blanks.
 */
bool render_wrap(buf *out, const char *text, size_t column, size_t indent, size_t columns);

#endif
