/* Words inside XML, HTML and JSON: whatever bytes they have, they can end neither. */
#ifndef W2V_RENDER_MARKUP_H
#define W2V_RENDER_MARKUP_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/** Appends text as it may be shown (render_escape()), for the content and the quoted attributes of
    XML 1.0 and HTML. False without memory. */
bool markup_text(buf *out, const char *bytes, size_t n);

/** Appends a JSON string with its quotes, of the text as it may be shown; safe inside an HTML
    script element. False without memory. */
bool markup_json(buf *out, const char *bytes, size_t n);

/** Appends the shortest text that reads back to this float; 0 has no sign. False without memory. */
bool markup_number(buf *out, double value);

/** Appends n bytes as base64 (RFC 4648), padded. False without memory. */
bool markup_base64(buf *out, const void *bytes, size_t n);

#endif
