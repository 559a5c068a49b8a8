/*
 * Ranks rows by how near they are to weighted sums of rows (3CosAdd).
 *
 * Of a lane's ranking the root, the k-th best so far, sets a limit. A row that
 * floats prove to be worse is passed over; every other row is computed exactly,
 * and that alone decides. So the answer is exact as long as no limit is too high.
 *
 * Let q = target / sigma with sigma = |target|, or 1 for a zero target; s the float product q.r,
 * and m = lanes_margin(), so that |s - q.r| <= m/2 |r| and the float length and square of a row are
 * right within a share of m/2. With e the k-th best cosine, dot product or distance, a row at
 * least as good has
 *
 *     cosine:    s >= (e - m) |r|
 *     dot:       s >= e / sigma - m |r|
 *     distance:  2 t.r >= |t|^2 + |r|^2 - e^2, and |r| <= (|r|^2 / sigma + sigma) / 2, so
 *                s >= (|t|^2 - e^2) / (2 sigma) - m sigma + |r|^2 (1 - 2 m) / (2 sigma)
 *
 * each of the form s >= a alpha + b beta, with a and b of the lane and alpha, beta >= 0 of the
 * row. In the third, the numbers that cancel when a row is near a long target are all there in the
 * margin: it grows with |t|^2 and |r|^2, not with their difference.
 */
#include "query/board.h"

#include "base/mem.h"
#include "query/exact.h"

#include <math.h>

/* A thread's limits for all lanes. */
typedef struct limits {
    float *a, *b;
    bool failed;
} limits;

typedef struct ranker {
    board *board;
    const lanes *lanes;
    const dots *dots;
    const size_t *question_of; /* each lane */
    limits *limits;            /* each thread */
    double margin;
} ranker;

/* Rounded down by more than a * alpha + b * beta can gain in float arithmetic: 3 * 2^-24 of each.
 */
static float lowered(double x)
{
    return (float)(x - fabs(x) * 0x1p-21);
}

/* After a change of the lane's ranking. NaN is a limit that nothing is below. */
static void set_limit(const ranker *r, int thread, size_t lane)
{
    const ranking *best = board_ranking(r->board, thread, r->question_of[lane]);
    float *a = &r->limits[thread].a[lane], *b = &r->limits[thread].b[lane];
    *a = NAN;
    if (best->count < r->board->options->k) {
        return;
    }
    const double e = best->items[0].nearness, m = r->margin;
    const double norm = r->lanes->norm[lane], sigma = norm > 0.0 ? norm : 1.0;
    switch (r->board->options->metric) {
    case W2V_COSINE:
        *a = lowered(e - m);
        *b = 0.0f;
        break;
    case W2V_DOT:
        *a = lowered(e / sigma);
        *b = lowered(-m);
        break;
    case W2V_EUCLIDEAN: {
        const double rounding = (norm * norm + e * e) * 0x1p-48; /* of the difference below */
        *a = lowered((norm * norm - e * e - rounding) / (2.0 * sigma) - m * sigma);
        *b = lowered((1.0 - 2.0 * m) / (2.0 * sigma));
        break;
    }
    }
    if (!isfinite(*a) || !isfinite(*b)) {
        *a = NAN;
    }
}

/* -HUGE_VAL for a row that has no place under this metric. */
static double nearness(const ranker *r, size_t lane, const void *row)
{
    const lanes *l = r->lanes;
    const double *target = lanes_target(l, lane);
    switch (r->board->options->metric) {
    case W2V_COSINE: {
        const double square = exact_square(row, l->dim);
        return square > 0.0 ? exact_cosine(target, l->norm[lane], row, square, l->dim) : -HUGE_VAL;
    }
    case W2V_DOT:
        return exact_dot(target, row, l->dim);
    case W2V_EUCLIDEAN:
        return -sqrt(exact_distance_square(target, row, l->dim));
    }
    return -HUGE_VAL;
}

static bool visit(void *user, int thread, const sieve_block *block)
{
    const ranker *r = user;
    limits *mine = &r->limits[thread];
    const w2v_metric metric = r->board->options->metric;
    for (size_t i = 0; i < block->rows; i++) {
        const float one = isnan(block->square[i]) ? NAN : 1.0f;
        const float alpha = metric == W2V_COSINE ? block->norm[i] : one;
        const float beta = metric == W2V_EUCLIDEAN ? block->square[i] : block->norm[i];
        const size_t n = r->dots->sift(block->product + i * r->lanes->padded, mine->a, mine->b,
                                       alpha, beta, r->lanes->padded, block->hits);
        for (size_t h = 0; h < n; h++) {
            const size_t lane = block->hits[h];
            if (lane >= r->lanes->count || r->question_of[lane] == NO_LANE) {
                continue;
            }
            const double near = nearness(r, lane, block->row[i]->values);
            if (!board_offer(r->board, thread, r->question_of[lane], near, block->id[i],
                             block->row[i])) {
                mine->failed = true;
                return false;
            }
            set_limit(r, thread, lane);
        }
    }
    return true;
}

static void free_limits(limits *all, int team)
{
    for (int t = 0; all && t < team; t++) {
        mem_free(all[t].a);
        mem_free(all[t].b);
    }
    mem_free(all);
}

static limits *make_limits(int team, size_t padded, const size_t *question_of, size_t count)
{
    limits *all = mem_calloc((size_t)team, sizeof *all);
    bool ok = all != NULL;
    for (int t = 0; ok && t < team; t++) {
        all[t].a = mem_calloc(padded, sizeof *all[t].a);
        all[t].b = mem_calloc(padded, sizeof *all[t].b);
        ok = all[t].a && all[t].b;
        for (size_t lane = 0; ok && lane < padded; lane++) {
            const bool asked = lane < count && question_of[lane] != NO_LANE;
            all[t].a[lane] = asked ? NAN : INFINITY;
        }
    }
    if (!ok) {
        free_limits(all, team);
        return NULL;
    }
    return all;
}

/* Which question a lane belongs to; NO_LANE for one that has no direction. */
static size_t *invert(const questions *q, size_t count)
{
    size_t *question_of = mem_alloc((count ? count : 1) * sizeof *question_of);
    for (size_t i = 0; question_of && i < q->count; i++) {
        if (q->items[i].lane != NO_LANE) {
            question_of[q->items[i].lane] = questions_answerable(&q->items[i]) ? i : NO_LANE;
        }
    }
    return question_of;
}

w2v_status rank_sums(board *b, const lanes *l, const word_set *candidates, w2v_vectors *vectors,
                     w2v_error *err)
{
    if (l->count == 0) {
        return W2V_OK;
    }
    const dots products = dots_best();
    size_t *question_of = invert(b->questions, l->count);
    ranker r = {.board = b,
                .lanes = l,
                .dots = &products,
                .question_of = question_of,
                .margin = lanes_margin(l->dim)};
    r.limits = question_of ? make_limits(b->team, l->padded, question_of, l->count) : NULL;
    w2v_status status = W2V_OK;
    if (r.limits) {
        const sieve s = {
            .lanes = l, .dots = &products, .candidates = candidates, .visit = visit, .user = &r};
        status = sieve_run(&s, vectors, b->options->threads, err);
    }
    bool failed = !r.limits;
    for (int t = 0; r.limits && t < b->team; t++) {
        failed |= r.limits[t].failed;
    }
    free_limits(r.limits, b->team);
    mem_free(question_of);
    return status != W2V_OK ? status : failed ? error_memory(err, "the answers") : W2V_OK;
}
