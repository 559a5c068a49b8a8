#include "render/page.h"

#include <string.h>

#define MARK "@DATA@"

bool page_write(const char *data, size_t n, buf *out)
{
    const char *text = (const char *)page_template;
    const size_t length = sizeof MARK - 1;
    size_t at = 0;
    while (at + length < page_template_size && memcmp(text + at, MARK, length) != 0) {
        at++;
    }
    return buf_append(out, text, at) && buf_append(out, data, n) &&
           buf_append(out, text + at + length, page_template_size - at - length);
}
