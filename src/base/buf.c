#include "base/buf.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define FIRST_CAPACITY ((size_t)64)

void buf_clear(buf *b)
{
    mem_free(b->data);
    *b = (buf){0};
}

bool buf_reserve(buf *b, size_t more)
{
    if (more <= b->capacity - b->size) {
        return true;
    }
    if (more > SIZE_MAX - b->size) {
        return false;
    }
    const size_t need = b->size + more;
    size_t capacity = b->capacity < SIZE_MAX / 2 ? b->capacity * 2 : SIZE_MAX;
    if (capacity < FIRST_CAPACITY) {
        capacity = FIRST_CAPACITY;
    }
    if (capacity < need) {
        capacity = need;
    }
    char *data = mem_realloc(b->data, capacity, 1);
    if (!data) {
        return false;
    }
    b->data = data;
    b->capacity = capacity;
    return true;
}

bool buf_append(buf *b, const void *bytes, size_t n)
{
    if (!buf_reserve(b, n)) {
        return false;
    }
    if (n) {
        memcpy(b->data + b->size, bytes, n);
        b->size += n;
    }
    return true;
}

bool buf_append_string(buf *b, const char *text)
{
    return buf_append(b, text, strlen(text));
}

bool buf_printf(buf *b, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    const bool ok = length >= 0 && buf_reserve(b, (size_t)length + 1);
    if (ok) {
        vsnprintf(b->data + b->size, (size_t)length + 1, format, again);
        b->size += (size_t)length;
    }
    va_end(again);
    return ok;
}
