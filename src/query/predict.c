/* What a model expects near a word: rows of the word table against all rows of the context table.
 */
#include "base/mem.h"
#include "os/thread.h"
#include "query/exact.h"
#include "query/ranking.h"
#include "vec/vectors.h"

#include <math.h>
#include <string.h>

w2v_predict_options w2v_predict_options_default(void)
{
    return (w2v_predict_options){.k = 10, .ns_exponent = 0.75, .threads = 1};
}

void w2v_predictions_clear(w2v_predictions *p)
{
    if (p) {
        mem_free(p->real);
        mem_free(p->expected);
        *p = (w2v_predictions){0};
    }
}

/* What one call works with. Of each row of the context table: */
typedef struct predictor {
    w2v_vectors *context;
    const w2v_predict_options *options;
    bool *ranked;  /* is it the first with its word? */
    double *noise; /* logarithm of its part in the noise; -HUGE_VAL without a count or when not
                      ranked; NULL: no counts */
    double *dot;   /* with the word asked now; NAN for a row that is not to be ranked */
    double *wide;  /* the row of that word */
} predictor;

static w2v_status check(const w2v_vectors *vectors, const w2v_vectors *context,
                        const w2v_predict_options *options, w2v_error *err)
{
    if (options->k == 0 || options->threads < 1) {
        return error_set(err, W2V_ERR_ARGUMENT, "%s are too few; at least 1 is needed",
                         options->k == 0 ? "0 answers" : "0 threads");
    }
    if (!(options->ns_exponent >= -10.0 && options->ns_exponent <= 10.0)) {
        return error_set(err, W2V_ERR_ARGUMENT, "the exponent of the noise is not -10 to 10");
    }
    if (vectors->dim != context->dim) {
        error_set(err, W2V_ERR_INPUT,
                  "'%s' has %u columns and '%s' has %u: they are not tables of one model",
                  vec_name(vectors), (unsigned)vectors->dim, vec_name(context),
                  (unsigned)context->dim);
        error_hint(err, "'w2v train --save-context FILE' writes the context table of a run");
        return W2V_ERR_INPUT;
    }
    return W2V_OK;
}

/* The index is built. */
static void choose_rows(predictor *p)
{
    const w2v_vectors *v = p->context;
    for (uint32_t id = 0; id < v->rows; id++) {
        size_t length;
        const char *word = words_get(&v->names, id, &length);
        p->ranked[id] = v->index.duplicates == 0 || vec_find(v, word, length) == id;
    }
}

static w2v_status weigh_noise(predictor *p, w2v_error *err)
{
    bool any = false;
    for (uint32_t id = 0; id < p->context->rows; id++) {
        const uint64_t count = p->options->counts[id];
        const bool known = count > 0 && p->ranked[id];
        /* Their common sum changes nothing of a softmax. */
        p->noise[id] = known ? p->options->ns_exponent * log((double)count) : -HUGE_VAL;
        any |= known;
    }
    return any ? W2V_OK
               : error_set(err, W2V_ERR_INPUT, "no word of '%s' has a count", vec_name(p->context));
}

static w2v_status prepare(predictor *p, w2v_error *err)
{
    w2v_status status = w2v_vectors_load(p->context, err);
    status = status ? status : vec_build_index(p->context, err);
    if (status != W2V_OK) {
        return status;
    }
    const size_t rows = p->context->rows;
    p->ranked = mem_calloc(rows, sizeof *p->ranked);
    p->dot = mem_calloc(rows, sizeof *p->dot);
    p->noise = p->options->counts ? mem_calloc(rows, sizeof *p->noise) : NULL;
    p->wide = mem_calloc(p->context->dim, sizeof *p->wide);
    if (!p->ranked || !p->dot || !p->wide || (p->options->counts && !p->noise)) {
        return error_memory(err, "the answers");
    }
    choose_rows(p);
    return p->noise ? weigh_noise(p, err) : W2V_OK;
}

/* Each row has one product, whichever thread takes it. */
static void multiply(void *arg, int thread, int team)
{
    const predictor *p = arg;
    const w2v_vectors *v = p->context;
    const uint64_t rows = v->rows;
    const size_t from = (size_t)(rows * (uint64_t)thread / (uint64_t)team);
    const size_t to = (size_t)(rows * ((uint64_t)thread + 1) / (uint64_t)team);
    for (size_t id = from; id < to; id++) {
        p->dot[id] = p->ranked[id] ? exact_dot(p->wide, v->values + id * v->stride, v->dim) : NAN;
    }
}

static double logistic(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

/* The logarithm of the sum of exp(dot + noise): the largest is taken out, so that none overflows.
 */
static double log_sum(const predictor *p)
{
    double most = -HUGE_VAL, sum = 0.0;
    for (size_t id = 0; id < p->context->rows; id++) {
        if (p->noise[id] > -HUGE_VAL) {
            most = fmax(most, p->dot[id] + p->noise[id]);
        }
    }
    for (size_t id = 0; id < p->context->rows; id++) {
        if (p->noise[id] > -HUGE_VAL) {
            sum += exp(p->dot[id] + p->noise[id] - most);
        }
    }
    return most + log(sum);
}

/* Rows by `dot`, or by dot + noise; false without memory. */
static bool rank(const predictor *p, bool by_noise, ranking *best)
{
    const w2v_vectors *v = p->context;
    for (uint32_t id = 0; id < v->rows; id++) {
        const double score = by_noise ? p->dot[id] + p->noise[id] : p->dot[id];
        if (isfinite(score) && ranking_admits(best, p->options->k, score, id)) {
            size_t length;
            const char *word = words_get(&v->names, id, &length);
            if (!ranking_add(best, p->options->k, score, id, word, (uint32_t)length)) {
                return false;
            }
        }
    }
    ranking_finish(best, p->options->k);
    return true;
}

static bool hand_over(const predictor *p, bool by_noise, double total, w2v_prediction **items,
                      size_t *count)
{
    ranking best = {0};
    bool ok = rank(p, by_noise, &best);
    *items = ok ? mem_calloc(best.count + 1, sizeof **items) : NULL;
    ok = *items != NULL;
    *count = ok ? best.count : 0;
    for (size_t i = 0; i < *count; i++) {
        const uint32_t id = best.items[i].id;
        w2v_prediction *to = &(*items)[i];
        *to = (w2v_prediction){.id = id,
                               .dot = p->dot[id],
                               .real = logistic(p->dot[id]),
                               .expectation = p->noise && p->noise[id] > -HUGE_VAL
                                                  ? exp(p->dot[id] + p->noise[id] - total)
                                                  : NAN};
        to->word = words_get(&p->context->names, id, &to->length);
    }
    ranking_clear(&best);
    return ok;
}

static w2v_status predict_one(predictor *p, const float *row, w2v_predictions *out, w2v_error *err)
{
    for (size_t c = 0; c < p->context->dim; c++) {
        p->wide[c] = (double)row[c];
    }
    thread_team(p->options->threads, multiply, p);
    const double total = p->noise ? log_sum(p) : 0.0;
    const bool ok = hand_over(p, false, total, &out->real, &out->real_count) &&
                    (!p->noise || hand_over(p, true, total, &out->expected, &out->expected_count));
    return ok ? W2V_OK : error_memory(err, "the answers");
}

static w2v_status predict_all(predictor *p, w2v_vectors *vectors, const w2v_term *asked, size_t n,
                              w2v_predictions *out, w2v_error *err)
{
    float *rows = NULL;
    uint32_t *ids = mem_calloc(n, sizeof *ids);
    bool *known = mem_calloc(n, sizeof *known);
    uint32_t dim;
    uint64_t size;
    w2v_status status = ids && known ? W2V_OK : error_memory(err, "the words");
    status = status ? status : w2v_lookup(vectors, asked, n, &rows, ids, known, &dim, &size, err);
    for (size_t i = 0; i < n && status == W2V_OK; i++) {
        out[i].unknown = !known[i];
        if (known[i]) {
            status = predict_one(p, rows + i * (size_t)dim, &out[i], err);
        }
    }
    mem_free(ids);
    mem_free(known);
    mem_free(rows);
    return status;
}

w2v_status w2v_predict(w2v_vectors *vectors, w2v_vectors *context, const w2v_term *asked, size_t n,
                       const w2v_predict_options *options, w2v_predictions *out, w2v_error *err)
{
    const w2v_predict_options chosen = options ? *options : w2v_predict_options_default();
    predictor p = {.context = context, .options = &chosen};
    for (size_t i = 0; i < n; i++) {
        out[i] = (w2v_predictions){0};
    }
    w2v_status status = check(vectors, context, &chosen, err);
    status = status ? status : prepare(&p, err);
    if (status == W2V_OK && n > 0) {
        status = predict_all(&p, vectors, asked, n, out, err);
    }
    mem_free(p.ranked);
    mem_free(p.noise);
    mem_free(p.dot);
    mem_free(p.wide);
    for (size_t i = 0; i < n && status != W2V_OK; i++) {
        w2v_predictions_clear(&out[i]);
    }
    return status;
}
