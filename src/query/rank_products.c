/*
 * Ranks rows by 3CosMul (Levy and Goldberg 2014, "Linguistic Regularities in
 * Sparse and Explicit Word Representations", equation 4): with every cosine c shifted to
 * (1 + c) / 2, the product over the positive words divided by the product over the
 * negative ones plus a small number. A weight other than 1 or -1 is an exponent.
 *
 * The product grows with each positive cosine and falls with each negative
 * one. So with the cosines moved by the margin to their better side, floats give an upper
 * bound, and a row whose bound is below the k-th best is passed over.
 */
#include "query/board.h"

#include "base/mem.h"
#include "query/exact.h"

#include <math.h>

/* Keeps the quotient finite. gensim's value (the paper has 0.001), so that scores can be compared.
 */
#define EPSILON 1e-6

typedef struct ranker {
    board *board;
    const lanes *lanes;
    const size_t *lane_of; /* each word */
    bool *failed;          /* each thread */
    double margin;
} ranker;

static double factor(double cosine, double weight)
{
    const double shifted = (1.0 + cosine) / 2.0, exponent = fabs(weight);
    return exponent == 1.0 ? shifted : pow(shifted, exponent);
}

/* No less than the exact one. `cosines` has the product of the row with lane l in [l], times norm.
 */
static double bound(const ranker *r, const question *item, const float *product, double norm)
{
    double above = 1.0, below = 1.0;
    for (size_t t = 0; t < item->count; t++) {
        const double weight = item->parts[t].weight;
        const double cosine = (double)product[r->lane_of[item->parts[t].word]] / norm;
        if (weight > 0.0) {
            above *= factor(fmin(1.0, fmax(-1.0, cosine + r->margin)), weight);
        } else if (weight < 0.0) {
            below *= factor(fmax(-1.0, fmin(1.0, cosine - r->margin)), weight);
        }
    }
    return above / (below + EPSILON) * (1.0 + 0x1p-32); /* pow() may be off in the last places */
}

static double exactly(const ranker *r, const question *item, const void *row)
{
    const lanes *l = r->lanes;
    const double square = exact_square(row, l->dim);
    double above = 1.0, below = 1.0;
    for (size_t t = 0; t < item->count && square > 0.0; t++) {
        const size_t lane = r->lane_of[item->parts[t].word];
        const double weight = item->parts[t].weight;
        const double cosine =
            exact_cosine(lanes_target(l, lane), l->norm[lane], row, square, l->dim);
        if (weight > 0.0) {
            above *= factor(cosine, weight);
        } else if (weight < 0.0) {
            below *= factor(cosine, weight);
        }
    }
    return square > 0.0 ? above / (below + EPSILON) : -HUGE_VAL;
}

static bool visit(void *user, int thread, const sieve_block *block)
{
    const ranker *r = user;
    const questions *q = r->board->questions;
    for (size_t i = 0; i < block->rows; i++) {
        const float *product = block->product + i * r->lanes->padded;
        for (size_t k = 0; k < q->count; k++) {
            const question *item = &q->items[k];
            if (!questions_answerable(item)) {
                continue;
            }
            const ranking *best = board_ranking(r->board, thread, k);
            if (best->count == r->board->options->k && !isnan(block->norm[i]) &&
                bound(r, item, product, (double)block->norm[i]) < best->items[0].nearness) {
                continue;
            }
            const double near = exactly(r, item, block->row[i]->values);
            if (!board_offer(r->board, thread, k, near, block->id[i], block->row[i])) {
                r->failed[thread] = true;
                return false;
            }
        }
    }
    return true;
}

w2v_status rank_products(board *b, const lanes *l, const size_t *lane_of,
                         const word_set *candidates, w2v_vectors *vectors, w2v_error *err)
{
    if (l->count == 0) {
        return W2V_OK;
    }
    const dots products = dots_best();
    ranker r = {.board = b,
                .lanes = l,
                .lane_of = lane_of,
                .failed = mem_calloc((size_t)b->team, sizeof *r.failed),
                .margin = lanes_margin(l->dim)};
    if (!r.failed) {
        return error_memory(err, "the answers");
    }
    const sieve s = {
        .lanes = l, .dots = &products, .candidates = candidates, .visit = visit, .user = &r};
    w2v_status status = sieve_run(&s, vectors, b->options->threads, err);
    for (int t = 0; t < b->team && status == W2V_OK; t++) {
        status = r.failed[t] ? error_memory(err, "the answers") : W2V_OK;
    }
    mem_free(r.failed);
    return status;
}
