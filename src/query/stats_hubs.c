/* Hubs: rows that are among the nearest of many others. */
#include "base/mem.h"
#include "base/rng.h"
#include "query/stats.h"

#include <math.h>

/* Questions that are answered together. */
#define TOGETHER ((size_t)4096)

typedef struct hubs {
    w2v_vectors *v;
    const stats_rows *rows;
    const w2v_stats_options *options;
    uint32_t *asked; /* rows of the sample */
    uint32_t asked_count;
    uint32_t *times; /* of each row */
} hubs;

/* A row that its word leads to; the index is built. */
static bool can_be_asked(const hubs *h, uint32_t id)
{
    size_t length;
    const char *word = words_get(&h->v->names, id, &length);
    return length > 0 && (h->v->index.duplicates == 0 || vec_find(h->v, word, length) == id);
}

/* Each of the rows that can be asked is as likely as any other: Knuth's selection sampling (The Art
   of Computer Programming 2, section 3.4.2). */
static void choose(hubs *h)
{
    uint32_t left = 0;
    for (uint32_t k = 0; k < h->rows->directed_count; k++) {
        left += can_be_asked(h, h->rows->directed[k]);
    }
    uint32_t wanted = h->options->sample < left ? (uint32_t)h->options->sample : left;
    rng r = rng_stream(h->options->seed, RNG_ROWS, 0, 0);
    for (uint32_t k = 0; k < h->rows->directed_count && wanted > 0; k++) {
        const uint32_t id = h->rows->directed[k];
        if (can_be_asked(h, id)) {
            if (rng_below(&r, left) < wanted) {
                h->asked[h->asked_count++] = id;
                wanted--;
            }
            left--;
        }
    }
}

static w2v_status ask(hubs *h, const uint32_t *ids, size_t n, w2v_term *terms, w2v_query *queries,
                      w2v_answers *answers, w2v_error *err)
{
    w2v_ask_options ask = w2v_ask_options_default();
    ask.exclude_inputs = true;
    ask.ranks = false;
    ask.k = W2V_HUB_NEAREST;
    ask.threads = h->options->threads;
    for (size_t i = 0; i < n; i++) {
        terms[i].weight = 1.0;
        terms[i].word = words_get(&h->v->names, ids[i], &terms[i].length);
        queries[i] = (w2v_query){.terms = &terms[i], .term_count = 1};
    }
    const w2v_status status = w2v_ask(h->v, queries, n, &ask, answers, err);
    for (size_t i = 0; i < n && status == W2V_OK; i++) {
        for (size_t k = 0; k < answers[i].count; k++) {
            h->times[answers[i].items[k].id]++;
        }
        w2v_answers_clear(&answers[i]);
    }
    return status;
}

static w2v_status ask_all(hubs *h, w2v_error *err)
{
    const size_t most = h->asked_count < TOGETHER ? h->asked_count : TOGETHER;
    w2v_term *terms = mem_calloc(most + 1, sizeof *terms);
    w2v_query *queries = mem_calloc(most + 1, sizeof *queries);
    w2v_answers *answers = mem_calloc(most + 1, sizeof *answers);
    w2v_status status = terms && queries && answers ? W2V_OK : error_memory(err, "the neighbours");
    for (size_t i = 0; i < h->asked_count && status == W2V_OK; i += most) {
        const size_t n = h->asked_count - i < most ? h->asked_count - i : most;
        status = ask(h, h->asked + i, n, terms, queries, answers, err);
    }
    mem_free(terms);
    mem_free(queries);
    mem_free(answers);
    return status;
}

/* Mean and skewness over the rows with a direction. */
static void set_moments(const hubs *h, w2v_stats *out)
{
    const uint32_t n = h->rows->directed_count;
    double sum = 0.0, second = 0.0, third = 0.0;
    for (uint32_t k = 0; k < n; k++) {
        sum += (double)h->times[h->rows->directed[k]];
    }
    out->hub_mean = sum / (double)n;
    for (uint32_t k = 0; k < n; k++) {
        const double d = (double)h->times[h->rows->directed[k]] - out->hub_mean;
        second += d * d / (double)n;
        third += d * d * d / (double)n;
    }
    out->hub_chance = 1.0 / sqrt(out->hub_mean);
    bool even = true; /* asked of the numbers, since their mean is rounded */
    for (uint32_t k = 1; k < n && even; k++) {
        even = h->times[h->rows->directed[k]] == h->times[h->rows->directed[0]];
    }
    out->hub_skewness = even ? NAN : third / (second * sqrt(second));
}

/* Inserts a row where it belongs among the best so far. */
static void list_hub(const hubs *h, uint32_t id, size_t most, w2v_stats *out)
{
    const uint64_t times = h->times[id];
    size_t at = out->hub_count;
    if (at == most && out->hubs[at - 1].times >= times) {
        return;
    }
    if (at < most) {
        out->hub_count++;
    } else {
        at--;
    }
    for (; at > 0 && out->hubs[at - 1].times < times; at--) {
        out->hubs[at] = out->hubs[at - 1];
    }
    out->hubs[at] = (w2v_hub){.id = id, .times = times};
    out->hubs[at].word = words_get(&h->v->names, id, &out->hubs[at].length);
}

static w2v_status finish(const hubs *h, w2v_stats *out, w2v_error *err)
{
    const uint32_t n = h->rows->directed_count;
    const size_t most = h->options->hubs < n ? (size_t)h->options->hubs : n;
    out->hubs = mem_calloc(most + 1, sizeof *out->hubs);
    if (!out->hubs) {
        return error_memory(err, "the hubs");
    }
    out->sampled = h->asked_count;
    set_moments(h, out);
    for (uint32_t k = 0; k < n; k++) {
        if (h->times[h->rows->directed[k]] > 0) {
            list_hub(h, h->rows->directed[k], most, out);
        }
    }
    return W2V_OK;
}

w2v_status stats_hubs(w2v_vectors *v, const stats_rows *r, const w2v_stats_options *options,
                      w2v_stats *out, w2v_error *err)
{
    hubs h = {.v = v, .rows = r, .options = options};
    if (r->directed_count < 2) {
        return W2V_OK;
    }
    h.asked = mem_calloc(r->directed_count, sizeof *h.asked);
    h.times = mem_calloc(v->rows, sizeof *h.times);
    w2v_status status = W2V_OK;
    if (h.asked && h.times) {
        choose(&h);
        status = ask_all(&h, err);
        status = status ? status : finish(&h, out, err);
    } else {
        status = error_memory(err, "the hubs");
    }
    mem_free(h.asked);
    mem_free(h.times);
    return status;
}
