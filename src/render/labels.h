/* Places for labels beside their points, such that none covers another or a point. */
#ifndef W2V_RENDER_LABELS_H
#define W2V_RENDER_LABELS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct label {
    double x, y;      /* the point */
    double width;     /* of the text; 0 asks for none */
    double left, top; /* where its box stands, */
    double anchor;    /* the end of the text at the point, which no wrong estimate of its width
                         should move: 0 the left one, 1 the right one, 0.5 neither */
    bool placed;      /* if there was room; */
    bool away;        /* and whether so far away that a line should lead there */
} label;

/**
 * Places boxes of `height` on a sheet of `wide` by `high`, in order, so that the first get the best
 * places. False without memory.
 */
bool labels_place(label *labels, size_t count, double height, double wide, double high);

#endif
