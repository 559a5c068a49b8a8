#include "map/quadtree.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

/* Halvings of each side: points nearer than 2^-16 of the picture share a leaf. */
#define LEVELS 16
/* Points of a leaf: so many are faster one by one than as squares. */
#define LEAF 6

void quadtree_clear(quadtree *t)
{
    mem_free(t->quads);
    mem_free(t->xy);
    mem_free(t->order);
    mem_free(t->keys);
    *t = (quadtree){0};
}

w2v_status quadtree_init(quadtree *t, size_t count, w2v_error *err)
{
    *t = (quadtree){.count = count, .room = 64};
    t->quads = mem_calloc(t->room, sizeof *t->quads);
    t->xy = mem_calloc(2 * count, sizeof *t->xy);
    t->order = mem_calloc(count, sizeof *t->order);
    t->keys = mem_calloc(2 * count, sizeof *t->keys);
    if (!t->quads || !t->xy || !t->order || !t->keys) {
        quadtree_clear(t);
        return error_memory(err, "the quadtree of the map");
    }
    return W2V_OK;
}

/* The 16 bits of v with a zero between each two. */
static uint32_t spread(uint32_t v)
{
    v = (v | v << 8) & 0x00ff00ffu;
    v = (v | v << 4) & 0x0f0f0f0fu;
    v = (v | v << 2) & 0x33333333u;
    return (v | v << 1) & 0x55555555u;
}

/* Radix sort of keys by their upper 32 bits, stable. */
static void sort_keys(uint64_t *keys, uint64_t *other, size_t n)
{
    for (unsigned shift = 32; shift < 64; shift += 8) {
        size_t at[257] = {0};
        for (size_t i = 0; i < n; i++) {
            at[(keys[i] >> shift & 0xff) + 1]++;
        }
        for (size_t b = 0; b < 256; b++) {
            at[b + 1] += at[b];
        }
        for (size_t i = 0; i < n; i++) {
            other[at[keys[i] >> shift & 0xff]++] = keys[i];
        }
        uint64_t *swap = keys;
        keys = other;
        other = swap;
    }
}

/* Sorts the points; returns the width of the square that holds all. */
static double sort_points(quadtree *t, const double *xy)
{
    double low[2] = {xy[0], xy[1]}, high[2] = {xy[0], xy[1]};
    for (size_t i = 0; i < 2 * t->count; i++) {
        low[i % 2] = fmin(low[i % 2], xy[i]);
        high[i % 2] = fmax(high[i % 2], xy[i]);
    }
    const double width = fmax(high[0] - low[0], high[1] - low[1]);
    const double cells = width > 0.0 ? (double)(1u << LEVELS) * (1.0 - 1e-12) / width : 0.0;
    for (size_t i = 0; i < t->count; i++) {
        const uint32_t column = (uint32_t)((xy[2 * i] - low[0]) * cells);
        const uint32_t row = (uint32_t)((xy[2 * i + 1] - low[1]) * cells);
        t->keys[i] = (uint64_t)(spread(column) | spread(row) << 1) << 32 | i;
    }
    sort_keys(t->keys, t->keys + t->count, t->count);
    for (size_t i = 0; i < t->count; i++) {
        t->order[i] = (uint32_t)t->keys[i];
        t->xy[2 * i] = xy[2 * (size_t)t->order[i]];
        t->xy[2 * i + 1] = xy[2 * (size_t)t->order[i] + 1];
    }
    return width;
}

/* A new square of points from..to-1, without what lies within it; its number, or UINT32_MAX. */
static uint32_t append(quadtree *t, size_t from, size_t to)
{
    if (t->size == t->room) {
        quad *quads =
            t->room < UINT32_MAX / 2 ? mem_realloc(t->quads, t->room * 2, sizeof *t->quads) : NULL;
        if (!quads) {
            return UINT32_MAX;
        }
        t->quads = quads;
        t->room *= 2;
    }
    double x = 0.0, y = 0.0;
    for (size_t i = from; i < to; i++) {
        x += t->xy[2 * i];
        y += t->xy[2 * i + 1];
    }
    const double count = (double)(to - from);
    t->quads[t->size] = (quad){.x = x / count, .y = y / count, .count = count};
    return (uint32_t)t->size++;
}

/* The end of the points from `from` on whose two bits of this level are `part`. */
static size_t part_end(const quadtree *t, size_t from, size_t to, unsigned shift, unsigned part)
{
    while (from < to && (t->keys[from] >> shift & 3u) == part) {
        from++;
    }
    return from;
}

static bool build(quadtree *t, size_t from, size_t to, unsigned level, double width, double theta)
{
    const uint32_t own = append(t, from, to);
    if (own == UINT32_MAX) {
        return false;
    }
    /* Under 0 no distance is enough. */
    t->quads[own].limit = theta > 0.0 ? width * width / (theta * theta) : HUGE_VAL;
    if (to - from <= LEAF || level == LEVELS) {
        t->quads[own].from = (uint32_t)from;
        t->quads[own].to = (uint32_t)to;
    } else {
        const unsigned shift = 32 + 2 * (LEVELS - 1 - level);
        for (unsigned part = 0; part < 4; part++) {
            const size_t end = part_end(t, from, to, shift, part);
            if (end > from && !build(t, from, end, level + 1, width / 2.0, theta)) {
                return false;
            }
            from = end;
        }
    }
    t->quads[own].next = (uint32_t)t->size;
    return true;
}

w2v_status quadtree_build(quadtree *t, const double *xy, double theta, w2v_error *err)
{
    const double width = sort_points(t, xy);
    t->size = 0;
    return build(t, 0, t->count, 0, width, theta) ? W2V_OK
                                                  : error_memory(err, "the quadtree of the map");
}

double quadtree_repulsion(const quadtree *t, size_t i, double force[2])
{
    const double x = t->xy[2 * i], y = t->xy[2 * i + 1];
    double sum = 0.0, fx = 0.0, fy = 0.0;
    for (uint32_t q = 0; q < t->size;) {
        const quad *at = &t->quads[q];
        const double dx = x - at->x, dy = y - at->y;
        const double square = dx * dx + dy * dy;
        if (square > at->limit) {
            const double near = 1.0 / (1.0 + square), pull = at->count * near;
            sum += pull;
            fx += pull * near * dx;
            fy += pull * near * dy;
            q = at->next;
        } else {
            for (uint32_t j = at->from; j < at->to; j++) {
                const double ex = x - t->xy[2 * (size_t)j], ey = y - t->xy[2 * (size_t)j + 1];
                const double near = 1.0 / (1.0 + ex * ex + ey * ey);
                sum += near;
                fx += near * near * ex;
                fy += near * near * ey;
            }
            q++;
        }
    }
    force[0] = fx;
    force[1] = fy;
    return sum - 1.0; /* the point met itself, at distance 0 */
}
