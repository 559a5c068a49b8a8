#include "map/nearest.h"

#include "base/mem.h"
#include "map/blocks.h"
#include "query/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points whose neighbours are looked for in one pass over all: four panels of the products. */
#define BLOCK ((size_t)192)
/* Blocks between two words of progress. */
#define TOGETHER ((size_t)16)
/* Candidates beyond k, among which floats need not be right. */
#define EXTRA 16

typedef struct candidate {
    double distance; /* half of it squared, less what all candidates have in common; then squared */
    uint32_t id;
} candidate;

/* What one thread works with. */
typedef struct bench {
    lanes lanes;
    candidate *heaps; /* BLOCK heaps of `room`, the farthest at the root */
    size_t *sizes;
    float *product; /* DOTS_ROWS x lanes */
} bench;

typedef struct search {
    const points *points;
    nearest *out;
    dots dots;
    const float *rows;    /* the points as floats */
    const double *square; /* half of |point|^2 */
    size_t room;
    bench *benches;
    size_t first; /* of the points of this round */
} search;

void nearest_clear(nearest *n)
{
    mem_free(n->id);
    mem_free(n->distance);
    *n = (nearest){0};
}

static bool farther(const candidate *a, const candidate *b)
{
    return a->distance > b->distance || (a->distance == b->distance && a->id > b->id);
}

static int by_distance(const void *a, const void *b)
{
    return farther(a, b) ? 1 : -1; /* no two have one id */
}

static void sink_root(candidate *heap, size_t n)
{
    for (size_t i = 0;;) {
        size_t child = 2 * i + 1;
        if (child >= n) {
            return;
        }
        child += child + 1 < n && farther(&heap[child + 1], &heap[child]);
        if (!farther(&heap[child], &heap[i])) {
            return;
        }
        const candidate swap = heap[i];
        heap[i] = heap[child];
        heap[child] = swap;
        i = child;
    }
}

static void offer(candidate *heap, size_t *n, size_t room, candidate c)
{
    if (*n == room) {
        if (farther(&heap[0], &c)) {
            heap[0] = c;
            sink_root(heap, room);
        }
        return;
    }
    size_t i = (*n)++;
    for (; i > 0 && farther(&c, &heap[(i - 1) / 2]); i = (i - 1) / 2) {
        heap[i] = heap[(i - 1) / 2];
    }
    heap[i] = c;
}

/* All points against the lanes of a block. */
static void pass(const search *s, bench *b, size_t first, size_t count)
{
    const size_t n = s->points->count, dim = s->points->dim, wide = b->lanes.padded;
    for (size_t from = 0; from < n; from += DOTS_ROWS) {
        const size_t rows = n - from < DOTS_ROWS ? n - from : DOTS_ROWS;
        const void *row[DOTS_ROWS];
        for (size_t i = 0; i < DOTS_ROWS; i++) {
            row[i] = s->rows + (from + (i < rows ? i : rows - 1)) * dim;
        }
        s->dots.block(row, dim, b->lanes.values, wide, b->product, wide);
        for (size_t l = 0; l < count; l++) {
            for (size_t i = 0; i < rows; i++) {
                const double product = (double)b->product[i * wide + l] * b->lanes.norm[l];
                if (from + i != first + l) {
                    offer(b->heaps + l * s->room, &b->sizes[l], s->room,
                          (candidate){s->square[from + i] - product, (uint32_t)(from + i)});
                }
            }
        }
    }
}

static void settle(const search *s, candidate *found, size_t count, size_t point)
{
    for (size_t i = 0; i < count; i++) {
        found[i].distance = points_distance(s->points, point, found[i].id);
    }
    qsort(found, count, sizeof *found, by_distance);
    for (size_t i = 0; i < s->out->k; i++) {
        s->out->id[point * s->out->k + i] = found[i].id;
        s->out->distance[point * s->out->k + i] = found[i].distance;
    }
}

static void one_block(void *user, int thread, size_t block, size_t first, size_t last)
{
    const search *s = user;
    bench *b = &s->benches[thread];
    const size_t count = last - first, dim = s->points->dim;
    (void)block;
    first += s->first;
    for (size_t l = 0; l < BLOCK; l++) {
        const double *from = points_row(s->points, first + (l < count ? l : 0));
        memcpy(lanes_target(&b->lanes, l), from, dim * sizeof *from);
        lanes_seal(&b->lanes, l);
        b->sizes[l] = 0;
    }
    pass(s, b, first, count);
    for (size_t l = 0; l < count; l++) {
        settle(s, b->heaps + l * s->room, b->sizes[l], first + l);
    }
}

static void free_benches(bench *benches, int threads)
{
    for (int t = 0; benches && t < threads; t++) {
        lanes_clear(&benches[t].lanes);
        mem_free(benches[t].heaps);
        mem_free(benches[t].sizes);
        mem_free(benches[t].product);
    }
    mem_free(benches);
}

static bool make_benches(search *s, int threads)
{
    size_t heaps;
    bool ok = mem_multiply(BLOCK, s->room, &heaps);
    s->benches = ok ? mem_calloc((size_t)threads, sizeof *s->benches) : NULL;
    ok = s->benches != NULL;
    for (int t = 0; ok && t < threads; t++) {
        bench *b = &s->benches[t];
        ok = !lanes_init(&b->lanes, BLOCK, s->points->dim, NULL);
        b->heaps = ok ? mem_calloc(heaps, sizeof *b->heaps) : NULL;
        b->sizes = mem_calloc(BLOCK, sizeof *b->sizes);
        b->product = mem_alloc_aligned(DOTS_ROWS * BLOCK * sizeof *b->product);
        ok = b->heaps && b->sizes && b->product;
    }
    return ok;
}

static w2v_status rounds(search *s, int threads, nearest_progress *progress, void *user,
                         w2v_error *err)
{
    const size_t n = s->points->count, step = BLOCK * TOGETHER;
    for (s->first = 0; s->first < n; s->first += step) {
        const size_t count = n - s->first < step ? n - s->first : step;
        if (progress && !progress(user, s->first)) {
            return error_set(err, W2V_ERR_INTERRUPTED, "the map was stopped");
        }
        blocks_run(threads, count, BLOCK, one_block, s);
    }
    return W2V_OK;
}

w2v_status nearest_find(nearest *out, const points *p, size_t k, int threads,
                        nearest_progress *progress, void *user, w2v_error *err)
{
    const size_t n = p->count, size = n * p->dim; /* fits, as the points do */
    size_t all;
    search s = {.points = p, .out = out, .dots = dots_best()};
    s.room = k + EXTRA < n - 1 ? k + EXTRA : n - 1;
    *out = (nearest){.count = n, .k = k};
    float *rows = mem_calloc(size, sizeof *rows);
    double *square = mem_calloc(n, sizeof *square);
    if (mem_multiply(n, k, &all)) {
        out->id = mem_calloc(all, sizeof *out->id);
        out->distance = mem_calloc(all, sizeof *out->distance);
    }
    w2v_status status = W2V_OK;
    if (!rows || !square || !out->id || !out->distance || !make_benches(&s, threads)) {
        status = error_memory(err, "the neighbours of the points");
    } else {
        for (size_t i = 0; i < size; i++) {
            rows[i] = (float)p->values[i];
            square[i / p->dim] += 0.5 * p->values[i] * p->values[i];
        }
        s.rows = rows;
        s.square = square;
        status = rounds(&s, threads, progress, user, err);
    }
    free_benches(s.benches, threads);
    mem_free(rows);
    mem_free(square);
    if (status) {
        nearest_clear(out);
    }
    return status;
}
