/* The forces of t-SNE. */
#include "map/tsne.h"

#include "base/mem.h"
#include "map/blocks.h"

#include <math.h>

#define BLOCK 128
#define LANES 4
/* Squares and points that a point meets in the quadtree, roughly; and pairs below which a team of
   threads costs more than it saves. */
#define SQUARES_MET 400.0
#define PAIRS_LEAST 5e5

typedef struct force {
    tsne_field *field;
    const double *xy;
    double *gradient; /* holds the pull at first */
} force;

void tsne_field_clear(tsne_field *f)
{
    quadtree_clear(&f->tree);
    mem_free(f->push);
    mem_free(f->apart);
    mem_free(f->sums);
    *f = (tsne_field){0};
}

w2v_status tsne_field_init(tsne_field *f, const affinity *a, double theta, int threads,
                           w2v_error *err)
{
    *f = (tsne_field){.affinity = a, .theta = theta, .threads = threads};
    f->push = mem_calloc(2 * a->count, sizeof *f->push);
    f->apart = mem_calloc(2 * a->count, sizeof *f->apart);
    f->sums = mem_calloc(blocks_count(a->count, BLOCK), sizeof *f->sums);
    w2v_status status = W2V_OK;
    if (!f->push || !f->apart || !f->sums) {
        status = error_memory(err, "the places of the map");
    } else if (theta > 0.0) {
        status = quadtree_init(&f->tree, a->count, err);
    }
    if (status) {
        tsne_field_clear(f);
    }
    return status;
}

/* Sums over the affinities of point i, into pull[2]. */
static void pull_point(const affinity *a, const double *xy, size_t i, double pull[2])
{
    double x = 0.0, y = 0.0;
    for (size_t e = a->start[i]; e < a->start[i + 1]; e++) {
        const size_t j = a->column[e];
        const double dx = xy[2 * i] - xy[2 * j], dy = xy[2 * i + 1] - xy[2 * j + 1];
        const double strength = a->value[e] / (1.0 + dx * dx + dy * dy);
        x += strength * dx;
        y += strength * dy;
    }
    pull[0] = x;
    pull[1] = y;
}

/* All pairs of point i, in LANES sums that the compiler can keep in vectors. */
static double push_point(const tsne_field *f, size_t i, double push[2])
{
    const size_t n = f->affinity->count;
    const double *x = f->apart, *y = f->apart + n;
    double sum[LANES] = {0.0}, fx[LANES] = {0.0}, fy[LANES] = {0.0};
    size_t j = 0;
    for (; n - j >= LANES; j += LANES) {
        for (size_t l = 0; l < LANES; l++) {
            const double dx = x[i] - x[j + l], dy = y[i] - y[j + l];
            const double near = 1.0 / (1.0 + dx * dx + dy * dy);
            sum[l] += near;
            fx[l] += near * near * dx;
            fy[l] += near * near * dy;
        }
    }
    for (size_t l = 0; j < n; j++, l++) {
        const double dx = x[i] - x[j], dy = y[i] - y[j];
        const double near = 1.0 / (1.0 + dx * dx + dy * dy);
        sum[l] += near;
        fx[l] += near * near * dx;
        fy[l] += near * near * dy;
    }
    double all = -1.0; /* the point met itself, at distance 0 */
    push[0] = push[1] = 0.0;
    for (size_t l = 0; l < LANES; l++) {
        all += sum[l];
        push[0] += fx[l];
        push[1] += fy[l];
    }
    return all;
}

static void some_points(void *user, int thread, size_t block, size_t first, size_t last)
{
    const force *w = user;
    tsne_field *f = w->field;
    double sum = 0.0;
    (void)thread;
    for (size_t place = first; place < last; place++) {
        const bool far = f->theta > 0.0;
        const size_t i = far ? f->tree.order[place] : place;
        sum += far ? quadtree_repulsion(&f->tree, place, f->push + 2 * i)
                   : push_point(f, i, f->push + 2 * i);
        pull_point(f->affinity, w->xy, i, w->gradient + 2 * i);
    }
    f->sums[block] = sum;
}

/* Threads that are worth waking for this many points. */
static int threads_for(const tsne_field *f, size_t n)
{
    const double pairs = (double)n * (f->theta > 0.0 ? SQUARES_MET : (double)n);
    return pairs < PAIRS_LEAST ? 1 : f->threads;
}

w2v_status tsne_gradient(tsne_field *f, const double *xy, double exaggeration, double *gradient,
                         w2v_error *err)
{
    force w = {.field = f, .xy = xy, .gradient = gradient};
    const size_t n = f->affinity->count;
    if (f->theta > 0.0) {
        const w2v_status status = quadtree_build(&f->tree, xy, f->theta, err);
        if (status) {
            return status;
        }
    }
    for (size_t i = 0; i < n && !(f->theta > 0.0); i++) {
        f->apart[i] = xy[2 * i];
        f->apart[n + i] = xy[2 * i + 1];
    }
    blocks_run(threads_for(f, n), n, BLOCK, some_points, &w);
    f->all = 0.0;
    for (size_t b = 0; b < blocks_count(n, BLOCK); b++) {
        f->all += f->sums[b];
    }
    for (size_t i = 0; i < 2 * n; i++) {
        gradient[i] = 4.0 * (exaggeration * gradient[i] - f->push[i] / f->all);
    }
    return W2V_OK;
}

double tsne_divergence(const tsne_field *f, const double *xy)
{
    const affinity *a = f->affinity;
    double sum = 0.0, shares = 0.0;
    for (size_t i = 0; i < a->count; i++) {
        for (size_t e = a->start[i]; e < a->start[i + 1]; e++) {
            const size_t j = a->column[e];
            const double dx = xy[2 * i] - xy[2 * j], dy = xy[2 * i + 1] - xy[2 * j + 1];
            const double p = a->value[e];
            sum += p > 0.0 ? p * log(p * (1.0 + dx * dx + dy * dy)) : 0.0;
            shares += p;
        }
    }
    return sum + shares * log(f->all);
}
