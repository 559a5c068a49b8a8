#include "map/affinity.h"

#include "base/mem.h"
#include "map/blocks.h"

#include <math.h>
#include <string.h>

#define BLOCK 64
/* Halvings: a double has no more to halve. */
#define BISECTIONS 200
#define ENTROPY_ERROR 1e-10

void affinity_clear(affinity *a)
{
    mem_free(a->start);
    mem_free(a->column);
    mem_free(a->value);
    *a = (affinity){0};
}

/* Shares under the precision `beta`; returns their entropy in nats. */
static double shares_under(double beta, const double *distance, size_t k, double *share)
{
    double sum = 0.0, mean = 0.0;
    for (size_t i = 0; i < k; i++) {
        const double beyond = distance[i] - distance[0]; /* the nearest keeps e^0: no underflow */
        share[i] = exp(-beta * beyond);
        sum += share[i];
        mean += beyond > 0.0 ? share[i] * beyond : 0.0; /* beta may be infinite, 0 * inf is not 0 */
    }
    for (size_t i = 0; i < k; i++) {
        share[i] /= sum;
    }
    return log(sum) + (mean > 0.0 ? beta * mean / sum : 0.0);
}

double affinity_shares(const double *distance, size_t k, double perplexity, double *share)
{
    const double spread = distance[k - 1] - distance[0];
    const double wanted = log(perplexity);
    double low = 0.0, high = HUGE_VAL, beta = spread > 0.0 ? 1.0 / spread : 0.0;
    double entropy = shares_under(beta, distance, k, share);
    for (int i = 0; i < BISECTIONS && spread > 0.0 && fabs(entropy - wanted) > ENTROPY_ERROR; i++) {
        if (entropy > wanted) {
            low = beta;
            beta = isinf(high) ? 2.0 * beta : 0.5 * (low + high);
        } else {
            high = beta;
            beta = 0.5 * (low + high);
        }
        if (!isfinite(beta)) {
            break; /* more equal nearest neighbours than the perplexity wants */
        }
        entropy = shares_under(beta, distance, k, share);
    }
    return exp(entropy);
}

typedef struct widths {
    const nearest *near;
    double perplexity;
    double *share;
} widths;

static void find_shares(void *user, int thread, size_t block, size_t first, size_t last)
{
    const widths *w = user;
    const size_t k = w->near->k;
    (void)thread;
    (void)block;
    for (size_t i = first; i < last; i++) {
        affinity_shares(w->near->distance + i * k, k, w->perplexity, w->share + i * k);
    }
}

/* Entries in order of their columns: going through points in order, each is appended to the rows of
   its neighbours, and so to each row in order. Own neighbours come first, all of them; a mutual
   pair stands twice and is joined afterwards. */
static void fill(affinity *a, const nearest *near, const double *share, size_t *at)
{
    const double half = 0.5 / (double)near->count;
    for (size_t i = 0; i < near->count; i++) {
        for (size_t e = 0; e < near->k; e++) {
            const uint32_t j = near->id[i * near->k + e];
            a->column[at[i]] = j;
            a->value[at[i]++] = half * share[i * near->k + e];
            a->column[at[j]] = (uint32_t)i;
            a->value[at[j]++] = half * share[i * near->k + e];
        }
    }
}

/* Joins the entries of a row that have the same column; `seen[j]` is 1 + where j stands. */
static size_t join_row(affinity *a, size_t from, size_t to, size_t out, size_t *seen)
{
    const size_t begin = out;
    for (size_t e = from; e < to; e++) {
        const uint32_t j = a->column[e];
        if (seen[j] > begin) {
            a->value[seen[j] - 1] += a->value[e];
        } else {
            a->column[out] = j;
            a->value[out++] = a->value[e];
            seen[j] = out;
        }
    }
    return out;
}

/* Rows by column again: the matrix is symmetric, so writing it by columns sorts it by rows. */
static void transpose(const affinity *a, affinity *to, size_t *at)
{
    memcpy(at, a->start, a->count * sizeof *at);
    for (size_t i = 0; i < a->count; i++) {
        for (size_t e = a->start[i]; e < a->start[i + 1]; e++) {
            const size_t place = at[a->column[e]]++;
            to->column[place] = (uint32_t)i;
            to->value[place] = a->value[e];
        }
    }
}

static bool make(affinity *a, size_t count, size_t entries)
{
    a->count = count;
    a->start = mem_calloc(count + 1, sizeof *a->start);
    a->column = mem_calloc(entries, sizeof *a->column);
    a->value = mem_calloc(entries, sizeof *a->value);
    return a->start && a->column && a->value;
}

static void assemble(affinity *raw, affinity *out, const nearest *near, const double *share,
                     size_t *at, size_t *seen)
{
    const size_t n = near->count;
    for (size_t e = 0; e < n * near->k; e++) {
        raw->start[near->id[e] + 1]++;
    }
    for (size_t i = 0; i < n; i++) {
        raw->start[i + 1] += raw->start[i] + near->k;
        at[i] = raw->start[i];
    }
    fill(raw, near, share, at);
    size_t end = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t from = i ? at[i - 1] : 0; /* where the row stood before the joining */
        at[i] = raw->start[i + 1];
        raw->start[i] = end;
        end = join_row(raw, from, at[i], end, seen);
    }
    raw->start[n] = end;
    memcpy(out->start, raw->start, (n + 1) * sizeof *out->start);
    transpose(raw, out, at);
}

w2v_status affinity_build(affinity *a, const nearest *near, double perplexity, int threads,
                          w2v_error *err)
{
    const size_t n = near->count;
    size_t entries;
    affinity raw = {0};
    widths w = {.near = near, .perplexity = perplexity};
    *a = (affinity){0};
    bool ok = mem_multiply(2 * n, near->k, &entries);
    w.share = ok ? mem_calloc(entries / 2, sizeof *w.share) : NULL;
    size_t *at = mem_calloc(n, sizeof *at);
    size_t *seen = mem_calloc(n, sizeof *seen);
    ok = w.share && at && seen && make(&raw, n, entries) && make(a, n, entries);
    if (ok) {
        blocks_run(threads, n, BLOCK, find_shares, &w);
        assemble(&raw, a, near, w.share, at, seen);
    } else {
        affinity_clear(a);
    }
    affinity_clear(&raw);
    mem_free(w.share);
    mem_free(at);
    mem_free(seen);
    return ok ? W2V_OK : error_memory(err, "the affinities of the points");
}
