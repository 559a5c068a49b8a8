#include "query/questions.h"

#include "base/mem.h"
#include "base/shown.h"
#include "query/exact.h"

#include <inttypes.h>
#include <math.h>

/* What is left of rows that cancel is rounding, not a direction: king - king, or a row less twice
   its half. Sums of doubles are good to 1e-15 of what was added. */
#define CANCELLED 1e-12

void questions_clear(questions *q)
{
    word_set_clear(&q->words);
    find_clear(&q->found);
    mem_free(q->parts);
    mem_free(q->items);
    *q = (questions){0};
}

/* Not so for NaN. */
static bool sound_weight(double weight)
{
    const double size = fabs(weight);
    return size == 0.0 || (size >= 1 / W2V_WEIGHT_MAX && size <= W2V_WEIGHT_MAX);
}

static w2v_status check(const w2v_query *queries, size_t n, size_t *parts, w2v_error *err)
{
    *parts = 0;
    for (size_t i = 0; i < n; i++) {
        if (queries[i].term_count == 0 || queries[i].term_count > SIZE_MAX - *parts) {
            return error_set(err, W2V_ERR_ARGUMENT, "question %zu has no word", i + 1);
        }
        for (size_t t = 0; t < queries[i].term_count; t++) {
            const w2v_term *term = &queries[i].terms[t];
            if (!sound_weight(term->weight)) {
                char word[SHOWN_WORD];
                return error_set(err, W2V_ERR_ARGUMENT,
                                 "the weight %g of '%s' is neither 0 nor from %g to %g in size",
                                 term->weight, shown_word(term->word, term->length, word),
                                 1 / W2V_WEIGHT_MAX, W2V_WEIGHT_MAX);
            }
        }
        *parts += queries[i].term_count;
    }
    return W2V_OK;
}

static bool number_words(questions *q, const w2v_query *queries, size_t n)
{
    part *next = q->parts;
    for (size_t i = 0; i < n; i++) {
        q->items[i] = (question){.parts = next, .count = queries[i].term_count, .lane = NO_LANE};
        for (size_t t = 0; t < queries[i].term_count; t++) {
            const w2v_term *term = &queries[i].terms[t];
            next->word = word_set_add(&q->words, term->word, term->length);
            next->weight = term->weight;
            if (next->word == WORD_SET_NONE && term->length > 0) {
                return false;
            }
            next++;
        }
    }
    return true;
}

static bool is_unknown(const questions *q, uint32_t word)
{
    return word == WORD_SET_NONE || q->found.id[word] == FIND_NONE;
}

w2v_status questions_prepare(questions *q, w2v_vectors *vectors, const w2v_query *queries, size_t n,
                             int threads, w2v_error *err)
{
    size_t parts;
    w2v_status status = check(queries, n, &parts, err);
    if (status != W2V_OK) {
        return status;
    }
    *q = (questions){.count = n, .dim = vectors->dim};
    q->parts = mem_calloc(parts ? parts : 1, sizeof *q->parts);
    q->items = mem_calloc(n ? n : 1, sizeof *q->items);
    if (!q->parts || !q->items || !number_words(q, queries, n)) {
        status = error_memory(err, "the questions");
    } else {
        status = find_rows(vectors, &q->words, threads, &q->found, err);
    }
    if (status != W2V_OK) {
        questions_clear(q);
        return status;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t t = 0; t < q->items[i].count; t++) {
            q->items[i].unknown |= is_unknown(q, q->items[i].parts[t].word);
        }
    }
    return W2V_OK;
}

void questions_add(const questions *q, uint32_t word, double weight, bool unit, double *target)
{
    const float *row = find_values(&q->found, word);
    const double norm = unit ? sqrt(exact_square(row, q->dim)) : 1.0;
    for (size_t c = 0; norm > 0.0 && c < q->dim; c++) {
        target[c] += weight * ((double)row[c] / norm);
    }
}

/* Length of all that was added, were nothing to cancel. */
static double added(const questions *q, const question *item, bool unit)
{
    double sum = 0.0;
    for (size_t t = 0; t < item->count; t++) {
        const double square = exact_square(find_values(&q->found, item->parts[t].word), q->dim);
        sum += fabs(item->parts[t].weight) * (unit ? 1.0 : sqrt(square));
    }
    return sum;
}

w2v_status questions_sums(questions *q, const w2v_ask_options *options, lanes *out, w2v_error *err)
{
    const bool unit = options->metric == W2V_COSINE && !options->raw;
    size_t count = 0;
    for (size_t i = 0; i < q->count; i++) {
        count += !q->items[i].unknown;
    }
    const w2v_status status = lanes_init(out, count, q->dim, err);
    if (status != W2V_OK) {
        return status;
    }
    size_t lane = 0;
    for (size_t i = 0; i < q->count; i++) {
        question *item = &q->items[i];
        if (item->unknown) {
            continue;
        }
        for (size_t t = 0; t < item->count; t++) {
            questions_add(q, item->parts[t].word, item->parts[t].weight, unit,
                          lanes_target(out, lane));
        }
        lanes_seal(out, lane);
        item->no_direction =
            options->metric == W2V_COSINE && out->norm[lane] <= CANCELLED * added(q, item, unit);
        item->lane = lane++; /* one without direction keeps its lane, which nobody asks */
    }
    return W2V_OK;
}

w2v_status questions_units(questions *q, lanes *out, size_t *lane_of, w2v_error *err)
{
    size_t count = 0;
    for (uint32_t w = 0; w < q->words.list.count; w++) {
        const bool some =
            q->found.id[w] != FIND_NONE && exact_square(find_values(&q->found, w), q->dim) > 0.0;
        lane_of[w] = some ? count++ : NO_LANE;
    }
    const w2v_status status = lanes_init(out, count, q->dim, err);
    for (uint32_t w = 0; status == W2V_OK && w < q->words.list.count; w++) {
        if (lane_of[w] != NO_LANE) {
            questions_add(q, w, 1.0, true, lanes_target(out, lane_of[w]));
            lanes_seal(out, lane_of[w]);
        }
    }
    for (size_t i = 0; status == W2V_OK && i < q->count; i++) {
        question *item = &q->items[i];
        for (size_t t = 0; !item->unknown && t < item->count; t++) {
            item->no_direction |= lane_of[item->parts[t].word] == NO_LANE;
        }
    }
    return status;
}

bool questions_is_input(const questions *q, const question *item, const char *word, size_t length)
{
    for (size_t t = 0; t < item->count; t++) {
        if (item->parts[t].word != WORD_SET_NONE &&
            word_set_is(&q->words, item->parts[t].word, word, length)) {
            return true;
        }
    }
    return false;
}
