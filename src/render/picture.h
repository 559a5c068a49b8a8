/* Words with places in the plane, to be drawn. */
#ifndef W2V_RENDER_PICTURE_H
#define W2V_RENDER_PICTURE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

#define PICTURE_NO_GROUP ((size_t)-1)

typedef struct picture_word {
    const char *word; /* any bytes */
    size_t length;
    size_t group; /* or PICTURE_NO_GROUP */
    double x, y;  /* finite */
} picture_word;

typedef struct picture_group {
    const char *name; /* any bytes */
    size_t length;
} picture_group;

typedef struct picture {
    const picture_word *words;
    size_t count;
    const picture_group *groups;
    size_t group_count;
    bool axes;       /* they mean something: principal components, with their */
    double share[2]; /* of the variance, 0..1 */
} picture;

/** Colour of a group, "#rrggbb": the palette of Okabe and Ito (2008) without its black, which
    people with any kind of colour vision can tell apart. */
const char *picture_colour(size_t group);

/** Appends the drawing as one SVG document. False without memory. */
bool picture_svg(const picture *p, buf *out);

#endif
