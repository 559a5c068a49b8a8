/* How much two tables agree on the neighbours of the words of a file. */
#include "base/mem.h"
#include "query/question_file.h"
#include "vec/classes.h"

#include <math.h>
#include <string.h>

/* Questions that are asked together. */
#define TOGETHER ((size_t)4096)

struct w2v_neighbourhoods {
    w2v_answers *of; /* of each word of the file */
    bool *known;
    uint32_t count;
    uint64_t k;
};

void w2v_neighbourhoods_free(w2v_neighbourhoods *n)
{
    if (n) {
        for (uint32_t w = 0; n->of && w < n->count; w++) {
            w2v_answers_clear(&n->of[w]);
        }
        mem_free(n->of);
        mem_free(n->known);
        mem_free(n);
    }
}

/* Words number `*at` and on that the table has, as the table spells them; TOGETHER at most. */
static w2v_status choose(const w2v_neighbourhoods *n, const w2v_vectors *v,
                         const w2v_question_file *f, vec_classes *classes, uint32_t *at,
                         w2v_term *terms, uint32_t *number, size_t *count, w2v_error *err)
{
    *count = 0;
    for (; *at < n->count && *count < TOGETHER; (*at)++) {
        size_t length;
        uint32_t class;
        const char *word = words_get(&f->words.list, *at, &length);
        const w2v_status status = vec_classes_find(classes, word, length, &class, err);
        if (status != W2V_OK) {
            return status;
        }
        n->known[*at] = class != CLASS_NONE;
        if (class != CLASS_NONE) {
            w2v_term *term = &terms[*count];
            term->word = words_get(&v->names, class, &term->length);
            term->weight = 1.0;
            number[(*count)++] = *at;
        }
    }
    return W2V_OK;
}

static w2v_status ask(w2v_neighbourhoods *n, w2v_vectors *v, const w2v_term *terms,
                      const uint32_t *number, size_t count, int threads, w2v_error *err)
{
    w2v_ask_options options = w2v_ask_options_default();
    options.exclude_inputs = true;
    options.k = n->k;
    options.ranks = false;
    options.threads = threads;
    w2v_query *queries = mem_calloc(count + 1, sizeof *queries);
    w2v_answers *answers = mem_calloc(count + 1, sizeof *answers);
    w2v_status status = queries && answers ? W2V_OK : error_memory(err, "the neighbours");
    if (status == W2V_OK) {
        for (size_t i = 0; i < count; i++) {
            queries[i] = (w2v_query){.terms = &terms[i], .term_count = 1};
        }
        status = w2v_ask(v, queries, count, &options, answers, err);
    }
    for (size_t i = 0; i < count && status == W2V_OK; i++) {
        n->of[number[i]] = answers[i];
    }
    mem_free(queries);
    mem_free(answers);
    return status;
}

static w2v_status fill(w2v_neighbourhoods *n, w2v_vectors *v, const w2v_question_file *f,
                       const w2v_score_options *options, w2v_error *err)
{
    vec_classes classes = {0};
    w2v_status status = vec_classes_build(&classes, v, options->ignore_case, f->longest, err);
    w2v_term *terms = mem_calloc(TOGETHER, sizeof *terms);
    uint32_t *number = mem_calloc(TOGETHER, sizeof *number);
    if (status == W2V_OK && (!terms || !number)) {
        status = error_memory(err, "the neighbours");
    }
    for (uint32_t at = 0; at < n->count && status == W2V_OK;) {
        size_t count;
        status = choose(n, v, f, &classes, &at, terms, number, &count, err);
        if (status == W2V_OK && count > 0) {
            status = ask(n, v, terms, number, count, options->threads, err);
        }
    }
    mem_free(terms);
    mem_free(number);
    vec_classes_clear(&classes);
    return status;
}

w2v_status w2v_neighbourhoods_create(w2v_vectors *vectors, const w2v_question_file *file,
                                     const w2v_score_options *options, uint64_t k,
                                     w2v_neighbourhoods **out, w2v_error *err)
{
    const w2v_score_options chosen = options ? *options : w2v_score_options_default();
    *out = NULL;
    w2v_status status = w2v_vectors_load(vectors, err);
    if (status != W2V_OK) {
        return status;
    }
    w2v_neighbourhoods *n = mem_calloc(1, sizeof *n);
    if (!n) {
        return error_memory(err, "the neighbours");
    }
    n->count = file->words.list.count;
    n->k = k;
    n->of = mem_calloc((size_t)n->count + 1, sizeof *n->of);
    n->known = mem_calloc((size_t)n->count + 1, sizeof *n->known);
    status = n->of && n->known ? fill(n, vectors, file, &chosen, err)
                               : error_memory(err, "the neighbours");
    if (status != W2V_OK) {
        w2v_neighbourhoods_free(n);
        return status;
    }
    *out = n;
    return W2V_OK;
}

/* Share of the words that both lists hold, of the longer list. */
static double common(const w2v_answers *a, const w2v_answers *b)
{
    size_t both = 0;
    for (size_t i = 0; i < a->count; i++) {
        for (size_t j = 0; j < b->count; j++) {
            if (a->items[i].length == b->items[j].length &&
                memcmp(a->items[i].word, b->items[j].word, a->items[i].length) == 0) {
                both++;
                break;
            }
        }
    }
    const size_t longer = a->count > b->count ? a->count : b->count;
    return (double)both / (double)longer;
}

double w2v_neighbourhoods_overlap(const w2v_neighbourhoods *a, const w2v_neighbourhoods *b,
                                  uint64_t *count)
{
    double sum = 0.0;
    *count = 0;
    for (uint32_t w = 0; w < a->count && w < b->count; w++) {
        if (a->known[w] && b->known[w] && a->of[w].count + b->of[w].count > 0) {
            sum += common(&a->of[w], &b->of[w]);
            (*count)++;
        }
    }
    return *count ? sum / (double)*count : NAN;
}
