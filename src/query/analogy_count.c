/*
 * The pass over the rows. A block of rows is multiplied with all words; then
 * each question looks at the block's row products of its three words. Floats only pass over rows
 * that are surely worse than the right one; the arithmetic of exact.h decides all others.
 *
 * 3CosAdd: a float sum of three products is off by at most 3 m/2 |r| with m = lanes_margin(), the
 * length of the row by a share of m/2 of a score of at most 3 |r|, hence 4 m with room for the
 * roundings of the sum. 3CosMul: each cosine is moved by m to its better side.
 */
#include "base/mem.h"
#include "query/analogies.h"
#include "query/exact.h"
#include "query/ranking.h"
#include "query/sieve.h"

#include <math.h>
#include <stdatomic.h>

#define EPSILON 1e-6 /* of 3CosMul, as in rank_products.c */

/* A task that may still be right, with what the inner loop needs of it. */
typedef struct live {
    uint32_t a, b, c;
    uint32_t task;
    float limit;
} live;

typedef struct worker {
    float *column; /* product of lane l with row j of the block: [l * DOTS_ROWS + j] */
    float *other;  /* under 3CosMul: `column` holds the best that (1 + cosine) / 2 may be, and
                      this the least */
    live *live;
    size_t live_count;
    uint32_t *before, *inputs_before; /* of each task */
    float *limit, *zero;              /* of each lane: what a nearer neighbour has */
    double *cosine;                   /* of each lane: the nearest so far */
    uint32_t *nearest;
    double *target; /* scratch */
    uint64_t rows;  /* looked at since it last told of them */
} worker;

typedef struct counter {
    const analogy_part *part;
    const dots *dots;
    worker *workers;
    double margin;
    uint64_t rows; /* of the table */
    atomic_uint_fast64_t done;
    atomic_bool stopped;
} counter;

#define TELL_ROWS 1024u /* some milliseconds of a thread's work */

/* ---------------------------------------------------------------- exact scores */

void analogy_sum(const analogy_part *p, const analogy *item, double *target)
{
    const double *a = lanes_target(&p->lanes, item->lane[0]);
    const double *b = lanes_target(&p->lanes, item->lane[1]);
    const double *c = lanes_target(&p->lanes, item->lane[2]);
    for (size_t i = 0; i < p->lanes.dim; i++) {
        target[i] = b[i] - a[i] + c[i];
    }
}

static double shifted(const analogy_part *p, uint32_t lane, const void *row, double square)
{
    const lanes *l = &p->lanes;
    return (1.0 + exact_cosine(lanes_target(l, lane), l->norm[lane], row, square, l->dim)) / 2.0;
}

double analogy_score(const analogy_part *p, const analogy *item, const void *row, double *target)
{
    const size_t dim = p->lanes.dim;
    const double square = exact_square(row, dim);
    if (!(square > 0.0)) {
        return -HUGE_VAL;
    }
    if (p->method == W2V_MUL) {
        return shifted(p, item->lane[1], row, square) * shifted(p, item->lane[2], row, square) /
               (shifted(p, item->lane[0], row, square) + EPSILON);
    }
    analogy_sum(p, item, target);
    return exact_cosine(target, sqrt(exact_square_of_doubles(target, dim)), row, square, dim);
}

/* --------------------------------------------------------------------- a block */

static void set_columns(const counter *c, worker *mine, const sieve_block *block)
{
    const size_t lanes_count = c->part->lanes.count, padded = c->part->lanes.padded;
    for (size_t l = 0; l < lanes_count; l++) {
        float *to = mine->column + l * DOTS_ROWS;
        for (size_t j = 0; j < DOTS_ROWS; j++) {
            to[j] = j < block->rows ? block->product[j * padded + l] : 0.0f;
        }
    }
}

/* Turns products into bounds of (1 + cosine) / 2. An undefined length makes both undefined. */
static void set_bounds(const counter *c, worker *mine, const float norm[DOTS_ROWS])
{
    const float m = (float)c->margin;
    for (size_t l = 0; l < c->part->lanes.count; l++) {
        float *high = mine->column + l * DOTS_ROWS, *low = mine->other + l * DOTS_ROWS;
        for (size_t j = 0; j < DOTS_ROWS; j++) {
            const float cosine = high[j] / norm[j];
            const float above = cosine + m, below = cosine - m;
            high[j] = (1.0f + (above > 1.0f ? 1.0f : above)) / 2.0f;
            low[j] = (1.0f + (below < -1.0f ? -1.0f : below)) / 2.0f;
        }
    }
}

/* Bit j: row j of the block may be before the right one. */
static unsigned sums_at_least(const worker *mine, const live *t, const float norm[DOTS_ROWS])
{
    const float *a = mine->column + (size_t)t->a * DOTS_ROWS;
    const float *b = mine->column + (size_t)t->b * DOTS_ROWS;
    const float *c = mine->column + (size_t)t->c * DOTS_ROWS;
    int hit[DOTS_ROWS], any = 0;
    for (size_t j = 0; j < DOTS_ROWS; j++) {
        hit[j] = !(b[j] - a[j] + c[j] < t->limit * norm[j]);
        any |= hit[j];
    }
    unsigned bits = 0;
    for (size_t j = 0; any && j < DOTS_ROWS; j++) {
        bits |= (unsigned)hit[j] << j;
    }
    return bits;
}

static unsigned products_at_least(const worker *mine, const live *t)
{
    const float *a = mine->other + (size_t)t->a * DOTS_ROWS;
    const float *b = mine->column + (size_t)t->b * DOTS_ROWS;
    const float *c = mine->column + (size_t)t->c * DOTS_ROWS;
    int hit[DOTS_ROWS], any = 0;
    for (size_t j = 0; j < DOTS_ROWS; j++) {
        hit[j] = !(b[j] * c[j] < t->limit * (a[j] + (float)EPSILON));
        any |= hit[j];
    }
    unsigned bits = 0;
    for (size_t j = 0; any && j < DOTS_ROWS; j++) {
        bits |= (unsigned)hit[j] << j;
    }
    return bits;
}

/* Counts the rows of `bits` that are before the right one. False: there are enough of them. */
static bool count_rows(const counter *c, worker *mine, uint32_t number, unsigned bits,
                       const sieve_block *block)
{
    const analogy_part *p = c->part;
    const analogy_task *task = &p->tasks[number];
    const analogy *item = &p->items[task->analogy];
    for (size_t j = 0; j < block->rows; j++) {
        if (!(bits >> j & 1u) ||
            !ranking_before(analogy_score(p, item, block->row[j]->values, mine->target),
                            block->id[j], task->least, task->id)) {
            continue;
        }
        const uint32_t class = p->classes->of[block->id[j]];
        bool input = false;
        for (size_t i = 0; i < 3; i++) {
            input |= p->lane_class[item->lane[i]] == class;
        }
        if (input) {
            mine->inputs_before[number]++;
        } else if (++mine->before[number] >= p->top) {
            return false;
        }
    }
    return true;
}

static void look_at_questions(const counter *c, worker *mine, const sieve_block *block)
{
    float norm[DOTS_ROWS];
    for (size_t j = 0; j < DOTS_ROWS; j++) {
        norm[j] = j < block->rows ? block->norm[j] : 1.0f;
    }
    set_columns(c, mine, block);
    const bool products = c->part->method == W2V_MUL;
    if (products) {
        set_bounds(c, mine, norm);
    }
    for (size_t i = 0; i < mine->live_count;) {
        const live *t = &mine->live[i];
        const unsigned bits = products ? products_at_least(mine, t) : sums_at_least(mine, t, norm);
        if (bits && !count_rows(c, mine, t->task, bits, block)) {
            mine->live[i] = mine->live[--mine->live_count];
        } else {
            i++;
        }
    }
}

static void look_at_neighbours(const counter *c, worker *mine, const sieve_block *block)
{
    const lanes *l = &c->part->lanes;
    for (size_t j = 0; j < block->rows; j++) {
        const void *row = block->row[j]->values;
        const size_t n = c->dots->sift(block->product + j * l->padded, mine->limit, mine->zero,
                                       block->norm[j], 0.0f, l->padded, block->hits);
        const uint32_t class = c->part->classes->of[block->id[j]];
        for (size_t h = 0; h < n && block->hits[h] < l->count; h++) {
            const size_t lane = block->hits[h];
            const double square = exact_square(row, l->dim);
            if (class == c->part->lane_class[lane] || !(square > 0.0) || !(l->norm[lane] > 0.0)) {
                continue;
            }
            const double cosine =
                exact_cosine(lanes_target(l, lane), l->norm[lane], row, square, l->dim);
            if (mine->nearest[lane] == CLASS_NONE ||
                ranking_before(cosine, block->id[j], mine->cosine[lane], mine->nearest[lane])) {
                const double limit = cosine - c->margin;
                mine->cosine[lane] = cosine;
                mine->nearest[lane] = block->id[j];
                mine->limit[lane] = (float)(limit - fabs(limit) * 0x1p-21);
            }
        }
    }
}

/* Counts the block; the first thread tells of all of them. False: to stop. */
static bool tell(counter *c, int thread, size_t rows)
{
    const analogy_part *p = c->part;
    worker *mine = &c->workers[thread];
    mine->rows += rows;
    if (!p->progress || mine->rows < TELL_ROWS) {
        return true;
    }
    const uint64_t done = atomic_fetch_add(&c->done, mine->rows) + mine->rows;
    mine->rows = 0;
    if (thread == 0) {
        const double share = (double)done / (double)c->rows;
        const uint64_t questions = p->first + (uint64_t)((double)(p->end - p->first) * share);
        if (p->progress(p->progress_user, questions, p->file->question_count) != 0) {
            atomic_store(&c->stopped, true);
        }
    }
    return !atomic_load(&c->stopped);
}

static bool visit(void *user, int thread, const sieve_block *block)
{
    counter *c = user;
    worker *mine = &c->workers[thread];
    look_at_neighbours(c, mine, block);
    look_at_questions(c, mine, block);
    return tell(c, thread, block->rows);
}

/* ------------------------------------------------------------------ the workers */

static void free_workers(worker *all, int team)
{
    for (int t = 0; all && t < team; t++) {
        mem_free(all[t].column);
        mem_free(all[t].other);
        mem_free(all[t].live);
        mem_free(all[t].before);
        mem_free(all[t].inputs_before);
        mem_free(all[t].limit);
        mem_free(all[t].zero);
        mem_free(all[t].cosine);
        mem_free(all[t].nearest);
        mem_free(all[t].target);
    }
    mem_free(all);
}

static bool make_worker(const analogy_part *p, worker *w)
{
    const size_t padded = p->lanes.padded, tasks = p->task_count + 1;
    w->column = mem_alloc_aligned(padded * DOTS_ROWS * sizeof *w->column);
    w->other = mem_alloc_aligned(p->method == W2V_MUL ? padded * DOTS_ROWS * sizeof *w->other : 1);
    w->live = mem_calloc(tasks, sizeof *w->live);
    w->before = mem_calloc(tasks, sizeof *w->before);
    w->inputs_before = mem_calloc(tasks, sizeof *w->inputs_before);
    w->limit = mem_calloc(padded, sizeof *w->limit);
    w->zero = mem_calloc(padded, sizeof *w->zero);
    w->cosine = mem_calloc(padded, sizeof *w->cosine);
    w->nearest = mem_calloc(padded, sizeof *w->nearest);
    w->target = mem_calloc(p->lanes.dim, sizeof *w->target);
    if (!w->column || !w->other || !w->live || !w->before || !w->inputs_before || !w->limit ||
        !w->zero || !w->cosine || !w->nearest || !w->target) {
        return false;
    }
    for (size_t l = 0; l < padded; l++) {
        w->limit[l] = l < p->lanes.count && p->lanes.norm[l] > 0.0 ? NAN : INFINITY;
        w->nearest[l] = CLASS_NONE;
    }
    for (size_t i = 0; i < p->task_count; i++) {
        const uint32_t *lane = p->items[p->tasks[i].analogy].lane;
        w->live[w->live_count++] = (live){.a = lane[0],
                                          .b = lane[1],
                                          .c = lane[2],
                                          .task = (uint32_t)i,
                                          .limit = p->tasks[i].limit};
    }
    return true;
}

static void set_limits(analogy_part *p, double margin, double *target)
{
    for (size_t i = 0; i < p->task_count; i++) {
        analogy_task *task = &p->tasks[i];
        double limit = task->least;
        if (p->method == W2V_ADD) {
            analogy_sum(p, &p->items[task->analogy], target);
            limit = limit * sqrt(exact_square_of_doubles(target, p->lanes.dim)) - 4.0 * margin;
        }
        task->limit = (float)(limit - fabs(limit) * 0x1p-20);
    }
}

static void gather(analogy_part *p, const worker *all, int team)
{
    for (size_t i = 0; i < p->task_count; i++) {
        for (int t = 0; t < team; t++) {
            p->before[i] += all[t].before[i];
            p->inputs_before[i] += all[t].inputs_before[i];
        }
    }
    for (size_t l = 0; l < p->lanes.count; l++) {
        uint32_t best = CLASS_NONE;
        double cosine = 0.0;
        for (int t = 0; t < team; t++) {
            const uint32_t id = all[t].nearest[l];
            if (id != CLASS_NONE &&
                (best == CLASS_NONE || ranking_before(all[t].cosine[l], id, cosine, best))) {
                best = id;
                cosine = all[t].cosine[l];
            }
        }
        p->nearest[l] = best == CLASS_NONE ? CLASS_NONE : p->classes->of[best];
    }
}

w2v_status analogy_count(analogy_part *p, w2v_vectors *vectors, int threads, w2v_error *err)
{
    const int team = vec_scan_threads(threads);
    const dots products = dots_best();
    counter c = {.part = p,
                 .dots = &products,
                 .workers = mem_calloc((size_t)team, sizeof *c.workers),
                 .margin = lanes_margin(p->lanes.dim),
                 .rows = vectors->rows};
    double *target = mem_calloc(p->lanes.dim, sizeof *target);
    bool ok = c.workers && target;
    if (ok) {
        set_limits(p, c.margin, target);
    }
    for (int t = 0; ok && t < team; t++) {
        ok = make_worker(p, &c.workers[t]);
    }
    w2v_status status = W2V_OK;
    if (ok) {
        const sieve s = {.lanes = &p->lanes, .dots = &products, .visit = visit, .user = &c};
        status = sieve_run(&s, vectors, threads, err);
    } else {
        status = error_memory(err, "the questions");
    }
    if (status == W2V_OK && atomic_load(&c.stopped)) {
        status = error_set(err, W2V_ERR_INTERRUPTED, "scoring was stopped");
    }
    if (status == W2V_OK) {
        gather(p, c.workers, team);
    }
    free_workers(c.workers, team);
    mem_free(target);
    return status;
}
