/* Cosines of rows that nothing brought together: what any two words of a table have in common. */
#include "base/mem.h"
#include "base/rng.h"
#include "os/thread.h"
#include "query/exact.h"
#include "query/stats.h"

#include <math.h>
#include <stdlib.h>

#define BLOCK ((uint64_t)4096) /* pairs from one stream of random numbers */

typedef struct cosines {
    const w2v_vectors *v;
    const stats_rows *rows;
    uint64_t seed, count;
    bool all;
    double *value;
    double *scratch; /* of each thread: a row */
} cosines;

static double cosine(const cosines *w, uint32_t a, uint32_t b, double *wide)
{
    const uint32_t x = w->rows->directed[a], y = w->rows->directed[b];
    const size_t dim = w->v->dim;
    const float *row = stats_row(w->v, x);
    for (size_t c = 0; c < dim; c++) {
        wide[c] = (double)row[c];
    }
    const double square = w->rows->norm[y] * w->rows->norm[y];
    return exact_cosine(wide, w->rows->norm[x], stats_row(w->v, y), square, dim);
}

/* Two different rows, all pairs alike. */
static void draw_block(const cosines *w, uint64_t block, double *wide)
{
    const uint32_t n = w->rows->directed_count;
    const uint64_t first = block * BLOCK;
    const uint64_t end = w->count - first < BLOCK ? w->count : first + BLOCK;
    rng r = rng_stream(w->seed, RNG_PAIRS, 0, block);
    for (uint64_t i = first; i < end; i++) {
        const uint32_t a = rng_below(&r, n), other = rng_below(&r, n - 1);
        w->value[i] = cosine(w, a, other + (other >= a), wide);
    }
}

static void draw(void *arg, int thread, int team)
{
    const cosines *w = arg;
    double *wide = w->scratch + (size_t)thread * w->v->dim;
    const uint64_t blocks = (w->count + BLOCK - 1) / BLOCK;
    for (uint64_t b = (uint64_t)thread; b < blocks; b += (uint64_t)team) {
        draw_block(w, b, wide);
    }
}

static void take_all(const cosines *w)
{
    uint64_t i = 0;
    for (uint32_t a = 0; a < w->rows->directed_count; a++) {
        for (uint32_t b = a + 1; b < w->rows->directed_count; b++) {
            w->value[i++] = cosine(w, a, b, w->scratch);
        }
    }
}

/* The least number that a share of `part` out of `whole` is not above. */
static double quantile(const double *sorted, uint64_t n, uint64_t part, uint64_t whole)
{
    return n < whole ? NAN : sorted[(n * part + whole - 1) / whole - 1];
}

static void summarise(double *value, uint64_t n, w2v_stats *out)
{
    double sum = 0.0, squares = 0.0;
    for (uint64_t i = 0; i < n; i++) {
        sum += value[i];
    }
    out->cosine_mean = sum / (double)n;
    for (uint64_t i = 0; i < n; i++) {
        squares += (value[i] - out->cosine_mean) * (value[i] - out->cosine_mean);
    }
    if (n > 1) {
        out->cosine_sd = sqrt(squares / (double)(n - 1));
    }
    stats_sort(value, n);
    out->cosine_median = stats_median(value, n);
    out->cosine_99 = quantile(value, n, 99, 100);
    out->cosine_999 = quantile(value, n, 999, 1000);
}

w2v_status stats_cosines(const w2v_vectors *v, const stats_rows *r,
                         const w2v_stats_options *options, w2v_stats *out, w2v_error *err)
{
    const uint64_t n = r->directed_count, there = n < 2 ? 0 : n * (n - 1) / 2;
    cosines w = {.v = v,
                 .rows = r,
                 .seed = options->seed,
                 .all = there <= options->pairs,
                 .count = there <= options->pairs ? there : options->pairs};
    out->pairs = w.count;
    out->pairs_all = w.all;
    if (w.count == 0) {
        return W2V_OK;
    }
    size_t wide;
    if (mem_multiply((size_t)options->threads, v->dim, &wide)) {
        w.scratch = mem_calloc(wide, sizeof *w.scratch);
    }
    w.value = mem_calloc(w.count, sizeof *w.value);
    if (w.value && w.scratch) {
        if (w.all) {
            take_all(&w);
        } else {
            thread_team(options->threads, draw, &w);
        }
        summarise(w.value, w.count, out);
    }
    const bool ok = w.value && w.scratch;
    mem_free(w.value);
    mem_free(w.scratch);
    return ok ? W2V_OK : error_memory(err, "the cosines");
}
