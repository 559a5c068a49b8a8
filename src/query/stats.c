/* What a table looks like as geometry: norms, repeated rows, and the parts put together. */
#include "query/stats.h"

#include "base/mem.h"
#include "os/thread.h"
#include "query/correlation.h"
#include "query/covariance.h"
#include "query/eigen.h"
#include "query/exact.h"
#include "vec/index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Norms that differ by less are those of rows brought to length 1 in floats, and have no order. */
#define EQUAL_NORMS 1e-6

w2v_stats_options w2v_stats_options_default(void)
{
    return (w2v_stats_options){
        .pairs = 100000, .sample = 2000, .hubs = 10, .seed = 1, .threads = 1};
}

void w2v_stats_clear(w2v_stats *stats)
{
    if (stats) {
        mem_free(stats->variance);
        mem_free(stats->hubs);
        *stats = (w2v_stats){0};
    }
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void stats_sort(double *numbers, size_t n)
{
    qsort(numbers, n, sizeof *numbers, by_value);
}

double stats_median(const double *sorted, size_t n)
{
    return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0;
}

/* ------------------------------------------------------------------------ rows */

typedef struct norm_work {
    const w2v_vectors *v;
    double *norm;
} norm_work;

static void take_norms(void *arg, int thread, int team)
{
    const norm_work *w = arg;
    const uint64_t rows = w->v->rows;
    const uint32_t from = (uint32_t)(rows * (uint64_t)thread / (uint64_t)team);
    const uint32_t to = (uint32_t)(rows * ((uint64_t)thread + 1) / (uint64_t)team);
    for (uint32_t i = from; i < to; i++) {
        w->norm[i] = sqrt(exact_square(stats_row(w->v, i), w->v->dim));
    }
}

w2v_status stats_rows_init(stats_rows *r, const w2v_vectors *v, int threads, w2v_error *err)
{
    r->norm = mem_calloc((size_t)v->rows + 1, sizeof *r->norm);
    r->directed = mem_calloc((size_t)v->rows + 1, sizeof *r->directed);
    if (!r->norm || !r->directed) {
        return error_memory(err, "the norms");
    }
    norm_work w = {.v = v, .norm = r->norm};
    thread_team(threads, take_norms, &w);
    for (uint32_t i = 0; i < v->rows; i++) {
        if (r->norm[i] > 0.0) {
            r->directed[r->directed_count++] = i;
        }
    }
    return W2V_OK;
}

void stats_rows_clear(stats_rows *r)
{
    mem_free(r->norm);
    mem_free(r->directed);
    *r = (stats_rows){0};
}

/* ----------------------------------------------------------------------- norms */

static void set_bands(const double *norm, uint64_t rows, w2v_stats *out)
{
    double sum = 0.0;
    for (uint64_t first = 0, end = 10; first < rows; first = end, end *= 10) {
        w2v_norm_band *band = &out->bands[out->band_count++];
        end = end < rows ? end : rows;
        double part = 0.0;
        for (uint64_t i = first; i < end; i++) {
            part += norm[i];
        }
        *band =
            (w2v_norm_band){.first = first + 1, .last = end, .mean = part / (double)(end - first)};
        sum += part;
    }
    out->norm_mean = sum / (double)rows;
}

w2v_status stats_norms(const w2v_vectors *v, const stats_rows *r, w2v_stats *out, w2v_error *err)
{
    const size_t n = v->rows;
    double *sorted = mem_calloc(n, sizeof *sorted);
    if (!sorted) {
        return error_memory(err, "the norms");
    }
    memcpy(sorted, r->norm, n * sizeof *sorted);
    stats_sort(sorted, n);
    out->norm_min = sorted[0];
    out->norm_median = stats_median(sorted, n);
    out->norm_max = sorted[n - 1];
    out->zero_rows = v->rows - r->directed_count;
    set_bands(r->norm, n, out);
    w2v_status status = W2V_OK;
    if (out->norm_max - out->norm_min > EQUAL_NORMS * out->norm_max) {
        double *rank = sorted; /* their order is not needed any more */
        for (size_t i = 0; i < n; i++) {
            rank[i] = (double)(i + 1);
        }
        w2v_correlation c;
        status = correlation_spearman(rank, r->norm, n, &c, err);
        out->norm_rank = c.value;
    }
    mem_free(sorted);
    return status;
}

/* -------------------------------------------------------------- repeated rows */

/* -0 is 0: added to 0 it becomes so. */
static uint64_t hash_row(const float *row, size_t dim, float *scratch)
{
    for (size_t c = 0; c < dim; c++) {
        scratch[c] = row[c] + 0.0f;
    }
    return index_hash((const char *)scratch, dim * sizeof *scratch);
}

static bool equal_rows(const float *x, const float *y, size_t dim)
{
    for (size_t c = 0; c < dim; c++) {
        if (x[c] < y[c] || x[c] > y[c]) {
            return false;
        }
    }
    return true;
}

/* Rows with a direction, each once: open addressing, row + 1 in a slot. */
static void count_repeats(const w2v_vectors *v, const stats_rows *r, uint32_t *slots, size_t mask,
                          float *scratch, w2v_stats *out)
{
    for (uint32_t k = 0; k < r->directed_count; k++) {
        const uint32_t id = r->directed[k];
        const float *row = stats_row(v, id);
        size_t at = (size_t)hash_row(row, v->dim, scratch) & mask;
        while (slots[at] && !equal_rows(row, stats_row(v, slots[at] - 1), v->dim)) {
            at = (at + 1) & mask;
        }
        if (!slots[at]) {
            slots[at] = id + 1;
        } else if (out->duplicate_rows++ == 0) {
            out->duplicate_id[0] = id;
            out->duplicate_id[1] = slots[at] - 1;
        }
    }
}

w2v_status stats_repeats(w2v_vectors *v, const stats_rows *r, w2v_stats *out, w2v_error *err)
{
    w2v_status status = vec_build_index(v, err);
    if (status != W2V_OK) {
        return status;
    }
    out->duplicate_words = v->index.duplicates;
    const size_t count = index_slots(r->directed_count);
    uint32_t *slots = mem_calloc(count, sizeof *slots);
    float *scratch = mem_calloc(v->dim, sizeof *scratch);
    if (slots && scratch) {
        count_repeats(v, r, slots, count - 1, scratch, out);
    } else {
        status = error_memory(err, "the repeated rows");
    }
    mem_free(slots);
    mem_free(scratch);
    return status;
}

/* -------------------------------------------------------------------- spectrum */

static w2v_status set_spectrum(const w2v_vectors *v, int threads, w2v_stats *out, w2v_error *err)
{
    const size_t dim = v->dim;
    const table_view table = vec_table(v);
    if (dim > W2V_SPECTRUM_MOST) {
        return W2V_OK;
    }
    double *cov = mem_calloc(dim * dim, sizeof *cov);
    out->variance = mem_calloc(dim, sizeof *out->variance);
    w2v_status status = cov && out->variance ? W2V_OK : error_memory(err, "the covariance");
    status = status ? status : covariance_of(&table, threads, cov, err);
    status = status ? status : eigen_top(cov, dim, dim, out->variance, NULL, err);
    mem_free(cov);
    if (status != W2V_OK) {
        return status;
    }
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < dim; i++) {
        /* No variance is below 0 but by rounding. */
        out->variance[i] = out->variance[i] > 0.0 ? out->variance[i] : 0.0;
        sum += out->variance[i];
    }
    for (size_t i = 0; i < dim && sum > 0.0; i++) {
        squares += out->variance[i] / sum * (out->variance[i] / sum);
    }
    out->total_variance = sum;
    out->effective_dim = sum > 0.0 ? 1.0 / squares : NAN;
    return W2V_OK;
}

/* ------------------------------------------------------------------- the whole */

static w2v_status check(const w2v_stats_options *options, w2v_error *err)
{
    if (options->pairs < 1 || options->pairs > 10000000) {
        return error_set(err, W2V_ERR_ARGUMENT, "the number of pairs is not 1 to 10000000");
    }
    if (options->hubs < 1 || options->hubs > 1000) {
        return error_set(err, W2V_ERR_ARGUMENT, "the number of hubs is not 1 to 1000");
    }
    if (options->sample < 1 || options->threads < 1) {
        return error_set(err, W2V_ERR_ARGUMENT, "%s; at least 1 is needed",
                         options->sample < 1 ? "the sample is empty" : "there are no threads");
    }
    return W2V_OK;
}

static w2v_status describe(w2v_vectors *v, const w2v_stats_options *options, w2v_stats *out,
                           w2v_error *err)
{
    stats_rows rows = {0};
    out->rows = v->rows;
    out->dim = v->dim;
    w2v_status status = stats_rows_init(&rows, v, options->threads, err);
    status = status ? status : stats_norms(v, &rows, out, err);
    status = status ? status : stats_repeats(v, &rows, out, err);
    status = status ? status : stats_cosines(v, &rows, options, out, err);
    status = status ? status : set_spectrum(v, options->threads, out, err);
    status = status ? status : stats_hubs(v, &rows, options, out, err);
    stats_rows_clear(&rows);
    return status;
}

w2v_status w2v_stats_of(w2v_vectors *vectors, const w2v_stats_options *options, w2v_stats *out,
                        w2v_error *err)
{
    const w2v_stats_options chosen = options ? *options : w2v_stats_options_default();
    *out = (w2v_stats){.norm_rank = NAN,
                       .cosine_mean = NAN,
                       .cosine_sd = NAN,
                       .cosine_median = NAN,
                       .cosine_99 = NAN,
                       .cosine_999 = NAN,
                       .total_variance = NAN,
                       .effective_dim = NAN,
                       .hub_mean = NAN,
                       .hub_skewness = NAN,
                       .hub_chance = NAN};
    w2v_status status = check(&chosen, err);
    status = status ? status : w2v_vectors_load(vectors, err);
    status = status ? status : describe(vectors, &chosen, out, err);
    if (status != W2V_OK) {
        w2v_stats_clear(out);
    }
    return status;
}
