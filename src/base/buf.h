/* A growable array of bytes. */
#ifndef W2V_BASE_BUF_H
#define W2V_BASE_BUF_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/** Zero-initialise; `data` is NULL while nothing was appended. */
typedef struct buf {
    char *data;
    size_t size;
    size_t capacity;
} buf;

void buf_clear(buf *b); /**< frees, and leaves an empty one */
/** Room for `more` bytes after `size`; false without memory (b is unchanged). */
bool buf_reserve(buf *b, size_t more);
bool buf_append(buf *b, const void *bytes, size_t n);
bool buf_append_string(buf *b, const char *text);
/** printf into the buffer; the text is NUL-terminated but the NUL is not counted. */
bool buf_printf(buf *b, const char *format, ...) W2V_PRINTF(2, 3);

#endif
