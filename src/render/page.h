/* A map as one HTML page: map.html of this folder, with its data in it. */
#ifndef W2V_RENDER_PAGE_H
#define W2V_RENDER_PAGE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/** The template, byte for byte; the build makes it from map.html. */
extern const unsigned char page_template[];
extern const size_t page_template_size;

/** Appends the page. `data`: a JSON object that is safe inside a script element. False without
    memory. */
bool page_write(const char *data, size_t n, buf *out);

#endif
