/* Rows of words as places in the plane. */
#include "base/mem.h"
#include "map/pca.h"
#include "map/tsne.h"

#include <math.h>

/* Up to here every pair repels; beyond, squares of points do from afar. */
#define EXACT_MOST 2000
/* Squares of points count as one beyond twice their width, van der Maaten's usual choice. */
#define THETA 0.5
/* Neighbours for each unit of perplexity; what lies beyond has next to no affinity. */
#define NEIGHBOURS 3.0
/* Fewer points have no neighbourhoods to keep. */
#define TSNE_LEAST 5

w2v_map_options w2v_map_options_default(void)
{
    return (w2v_map_options){.method = W2V_TSNE,
                             .metric = W2V_COSINE,
                             .perplexity = 30.0,
                             .iterations = 1000,
                             .seed = 1,
                             .threads = 1};
}

void w2v_map_clear(w2v_map *map)
{
    if (map) {
        mem_free(map->places);
        *map = (w2v_map){0};
    }
}

static w2v_status check(size_t count, uint32_t dim, const w2v_map_options *o, w2v_error *err)
{
    if (count < 1 || count > UINT32_MAX || dim < 1) {
        return error_set(err, W2V_ERR_ARGUMENT, "a map needs at least one point of one number");
    }
    if (o->metric == W2V_DOT) {
        return error_set(err, W2V_ERR_ARGUMENT, "a map has distances; the dot product is none");
    }
    if (!(o->perplexity >= 1.0 && o->perplexity <= 1e6)) {
        return error_set(err, W2V_ERR_ARGUMENT, "perplexity is a number from 1 to 1000000");
    }
    if (o->iterations < 1 || o->threads < 1) {
        return error_set(err, W2V_ERR_ARGUMENT, "a map needs at least one iteration and thread");
    }
    return W2V_OK;
}

/* The largest tenth below (count - 1) / 3 that is not above what was asked for. */
static double perplexity_for(size_t count, double asked)
{
    const double most = (double)(count - 1) / NEIGHBOURS;
    return asked < most ? asked : (ceil(most * 10.0) - 1.0) / 10.0;
}

/* The callback, as the parts of the work call it. */
typedef struct caller {
    w2v_map_callback *callback;
    void *user;
    w2v_map_progress at;
} caller;

static bool tell(caller *c)
{
    return !c->callback || c->callback(c->user, &c->at) == 0;
}

static bool on_nearest(void *user, size_t done)
{
    caller *c = user;
    c->at.points = done;
    return tell(c);
}

static bool on_iteration(void *user, uint32_t iteration)
{
    caller *c = user;
    c->at.iteration = iteration;
    return tell(c);
}

static w2v_status descend(const affinity *a, const w2v_map_options *o, caller *c, w2v_map *out,
                          w2v_error *err)
{
    tsne_field field;
    w2v_status status =
        tsne_field_init(&field, a, a->count > EXACT_MOST ? THETA : 0.0, o->threads, err);
    if (!status) {
        const tsne_run run = {.iterations = o->iterations, .progress = on_iteration, .user = c};
        status = tsne_descend(&field, out->places, &run, err);
        out->divergence = status ? 0.0 : tsne_divergence(&field, out->places);
        tsne_field_clear(&field);
    }
    return status;
}

/* From the places of PCA to those of t-SNE. */
static w2v_status move(const points *p, const w2v_map_options *o, caller *c, w2v_map *out,
                       w2v_error *err)
{
    out->perplexity = perplexity_for(p->count, o->perplexity);
    size_t k = p->count - 1;
    if (NEIGHBOURS * out->perplexity < (double)k) {
        k = (size_t)ceil(NEIGHBOURS * out->perplexity);
    }
    nearest near;
    affinity a;
    w2v_status status = nearest_find(&near, p, k, o->threads, on_nearest, c, err);
    if (status) {
        return status;
    }
    c->at.points = p->count;
    status = affinity_build(&a, &near, out->perplexity, o->threads, err);
    nearest_clear(&near);
    if (!status) {
        tsne_start(out->places, p->count, o->seed);
        status = descend(&a, o, c, out, err);
        affinity_clear(&a);
    }
    return status;
}

w2v_status w2v_map_rows(const float *rows, size_t count, uint32_t dim,
                        const w2v_map_options *options, w2v_map_callback *callback, void *user,
                        w2v_map *out, w2v_error *err)
{
    const w2v_map_options o = options ? *options : w2v_map_options_default();
    points p = {0};
    size_t n;
    *out = (w2v_map){.count = count, .method = o.method};
    w2v_status status = check(count, dim, &o, err);
    if (!status) {
        out->places = mem_multiply(count, 2, &n) ? mem_calloc(n, sizeof *out->places) : NULL;
        status = out->places ? points_init(&p, rows, count, dim, o.metric, err)
                             : error_memory(err, "the places of the map");
    }
    if (!status) {
        pca_axis axes[2];
        status = pca(&p, o.threads, out->places, axes, err);
        for (int a = 0; a < 2 && !status; a++) {
            out->variance[a] = axes[a].variance;
            out->share[a] = axes[a].share;
        }
    }
    if (!status && o.method == W2V_TSNE && count < TSNE_LEAST) {
        out->method = W2V_PCA;
    } else if (!status && o.method == W2V_TSNE) {
        caller c = {.callback = callback, .user = user};
        c.at = (w2v_map_progress){.points_total = count, .iterations = o.iterations};
        status = move(&p, &o, &c, out, err);
    }
    points_clear(&p);
    if (status) {
        w2v_map_clear(out);
    }
    return status;
}
