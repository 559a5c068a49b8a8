#include "query/standing.h"

#include "base/mem.h"
#include "query/exact.h"

#include <math.h>

/* A word of a question and the answer that is looked for among its neighbours. */
typedef struct pair {
    size_t question, part;
    uint32_t word, id;
    double cosine; /* of the answer */
} pair;

/* A pair is a lane. */
typedef struct counter {
    const questions *questions;
    const lanes *lanes;
    const dots *dots;
    const pair *pairs;
    float *a, *b;     /* limits: cosines that may be better */
    uint64_t *before; /* of each thread and lane: rows before the answer */
    double margin;
} counter;

static const w2v_answer *best_new(const w2v_answers *answers)
{
    for (size_t i = 0; i < answers->count; i++) {
        if (!answers->items[i].input) {
            return &answers->items[i];
        }
    }
    return NULL;
}

/* Lists the pairs of a question at out (NULL: only counts them). */
static size_t list_pairs(const board *b, size_t number, const w2v_answers *answers, pair *out)
{
    const question *item = &b->questions->items[number];
    const w2v_answer *best = item->count > 1 ? best_new(answers) : NULL;
    const float *row = best ? board_leader(b, number, best->id) : NULL;
    size_t n = 0;
    if (!row || !(exact_square(row, b->questions->dim) > 0.0)) {
        return 0;
    }
    for (size_t t = 0; t < item->count; t++) {
        const uint32_t word = item->parts[t].word;
        const float *values = find_values(&b->questions->found, word);
        if (item->parts[t].weight > 0.0 && exact_square(values, b->questions->dim) > 0.0) {
            if (out) {
                out[n] = (pair){.question = number, .part = t, .word = word, .id = best->id};
            }
            n++;
        }
    }
    return n;
}

static bool visit(void *user, int thread, const sieve_block *block)
{
    const counter *c = user;
    const lanes *l = c->lanes;
    uint64_t *before = c->before + (size_t)thread * l->count;
    for (size_t i = 0; i < block->rows; i++) {
        const float *product = block->product + i * l->padded;
        const vec_row *row = block->row[i];
        const size_t n =
            c->dots->sift(product, c->a, c->b, block->norm[i], 0.0f, l->padded, block->hits);
        for (size_t h = 0; h < n; h++) {
            const size_t lane = block->hits[h];
            if (lane >= l->count) {
                break;
            }
            const pair *p = &c->pairs[lane];
            const double sure = (p->cosine + c->margin) * (double)block->norm[i];
            bool better = (double)product[lane] > sure;
            if (!better) {
                const double square = exact_square(row->values, l->dim);
                better = square > 0.0 &&
                         ranking_before(exact_cosine(lanes_target(l, lane), l->norm[lane],
                                                     row->values, square, l->dim),
                                        block->id[i], p->cosine, p->id);
            }
            before[lane] +=
                better && !word_set_is(&c->questions->words, p->word, row->word, row->length);
        }
    }
    return true;
}

/* Fills lanes, cosines and limits of the pairs. */
static void prepare(const board *b, const counter *c, lanes *l, pair *pairs)
{
    for (size_t i = 0; i < l->padded; i++) {
        c->a[i] = INFINITY;
        if (i >= l->count) {
            continue;
        }
        questions_add(b->questions, pairs[i].word, 1.0, true, lanes_target(l, i));
        lanes_seal(l, i);
        const float *row = board_leader(b, pairs[i].question, pairs[i].id);
        pairs[i].cosine =
            exact_cosine(lanes_target(l, i), l->norm[i], row, exact_square(row, l->dim), l->dim);
        const double limit = pairs[i].cosine - c->margin;
        c->a[i] = (float)(limit - fabs(limit) * 0x1p-21);
    }
}

static w2v_status count(const board *b, pair *pairs, size_t n, const word_set *candidates,
                        w2v_vectors *vectors, w2v_answers *answers, w2v_error *err)
{
    lanes l = {0};
    w2v_status status = lanes_init(&l, n, b->questions->dim, err);
    if (status != W2V_OK) {
        return status;
    }
    const dots products = dots_best();
    counter c = {.questions = b->questions,
                 .lanes = &l,
                 .dots = &products,
                 .pairs = pairs,
                 .a = mem_calloc(l.padded, sizeof *c.a),
                 .b = mem_calloc(l.padded, sizeof *c.b),
                 .margin = lanes_margin(l.dim)};
    size_t counts;
    c.before =
        mem_multiply((size_t)b->team, n, &counts) ? mem_calloc(counts, sizeof *c.before) : NULL;
    if (c.a && c.b && c.before) {
        prepare(b, &c, &l, pairs);
        const sieve s = {
            .lanes = &l, .dots = &products, .candidates = candidates, .visit = visit, .user = &c};
        status = sieve_run(&s, vectors, b->options->threads, err);
    } else {
        status = error_memory(err, "the ranks of the answers");
    }
    for (size_t i = 0; status == W2V_OK && i < n; i++) {
        w2v_answers *to = &answers[pairs[i].question];
        to->best_rank[pairs[i].part] = 1;
        to->best_cosine[pairs[i].part] = pairs[i].cosine;
        for (int t = 0; t < b->team; t++) {
            to->best_rank[pairs[i].part] += c.before[(size_t)t * n + i];
        }
    }
    mem_free(c.a);
    mem_free(c.b);
    mem_free(c.before);
    lanes_clear(&l);
    return status;
}

w2v_status standing_count(const board *b, const word_set *candidates, w2v_vectors *vectors,
                          w2v_answers *answers, w2v_error *err)
{
    size_t n = 0;
    for (size_t i = 0; i < b->questions->count; i++) {
        n += list_pairs(b, i, &answers[i], NULL);
    }
    if (n == 0) {
        return W2V_OK;
    }
    pair *pairs = mem_calloc(n, sizeof *pairs);
    if (!pairs) {
        return error_memory(err, "the ranks of the answers");
    }
    size_t used = 0;
    for (size_t i = 0; i < b->questions->count; i++) {
        used += list_pairs(b, i, &answers[i], pairs + used);
    }
    const w2v_status status = count(b, pairs, n, candidates, vectors, answers, err);
    mem_free(pairs);
    return status;
}
