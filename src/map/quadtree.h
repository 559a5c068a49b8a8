/*
 * The repulsion of many points from afar (Barnes and Hut 1986; van der Maaten 2014): points are
 * sorted along a Z-shaped curve, so that every square of a quadtree is a range of them.
 */
#ifndef W2V_MAP_QUADTREE_H
#define W2V_MAP_QUADTREE_H

#include "base/error.h"

#include <stdint.h>

/** A square; the squares within it follow it. */
typedef struct quad {
    double x, y;       /* mean of its points */
    double count;      /* of them */
    double limit;      /* squared distance beyond which they count as one */
    uint32_t next;     /* the square after all those within it */
    uint32_t from, to; /* points of a leaf, in sorted order; from == to elsewhere */
} quad;

/** Zero-initialise. */
typedef struct quadtree {
    size_t count, size, room;
    quad *quads;
    double *xy;      /* points in sorted order */
    uint32_t *order; /* sorted place -> point */
    uint64_t *keys;  /* place on the curve, above the point's number; and room to sort */
} quadtree;

/** Room for `count` points. Errors: W2V_ERR_MEMORY. */
w2v_status quadtree_init(quadtree *t, size_t count, w2v_error *err);
void quadtree_clear(quadtree *t);

/** Builds it for places xy[0..2*count-1]. theta: a square of width w counts as one point beyond the
    distance w / theta; 0 means never. Errors: W2V_ERR_MEMORY. */
w2v_status quadtree_build(quadtree *t, const double *xy, double theta, w2v_error *err);

/** For the point at sorted place i: sums of (1 + d^2)^-2 times the differences into force[2];
    returns the sum of (1 + d^2)^-1, itself left out. */
double quadtree_repulsion(const quadtree *t, size_t i, double force[2]);

#endif
