#include "train/plan.h"

#include "base/mem.h"

#include <string.h>

/* -------------------------------------------------------------- one group */

size_t plan_max_rows(uint32_t window)
{
    return 2 * (size_t)window + PLAN_SHARE;
}

size_t plan_max_outs(uint32_t negative)
{
    return PLAN_SHARE + (size_t)negative;
}

w2v_status plan_group_init(plan_group *g, uint32_t window, uint32_t negative, w2v_error *err)
{
    const size_t rows = plan_max_rows(window) + 1, outs = plan_max_outs(negative);
    const size_t padded = kernel_padded_outs(outs);
    memset(g, 0, sizeof *g);
    g->row_id = mem_calloc(rows, sizeof *g->row_id);
    g->out_id = mem_calloc(padded, sizeof *g->out_id);
    g->column = mem_calloc(padded, sizeof *g->column);
    g->group.row = mem_calloc(rows, sizeof *g->group.row);
    g->group.out = mem_calloc(padded, sizeof *g->group.out);
    g->count = mem_calloc(rows * PLAN_SHARE, sizeof *g->count);
    g->positive = mem_calloc(padded * PLAN_SHARE, sizeof *g->positive);
    g->total = mem_calloc(padded * PLAN_SHARE, sizeof *g->total);
    g->group.count = g->count;
    if (!g->row_id || !g->out_id || !g->column || !g->group.row || !g->group.out || !g->count || !g->positive ||
        !g->total) {
        plan_group_clear(g);
        return error_memory(err, "planning");
    }
    return W2V_OK;
}

void plan_group_clear(plan_group *g)
{
    mem_free(g->row_id);
    mem_free(g->out_id);
    mem_free(g->column);
    mem_free(g->group.row);
    mem_free(g->group.out);
    mem_free(g->count);
    mem_free(g->positive);
    mem_free(g->total);
    memset(g, 0, sizeof *g);
}

/* A word that stands several times among the centres has one row, with the sum of the counts. */
static void join_rows(plan_group *g, uint32_t n)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < g->group.rows; i++) {
        uint32_t r = 0;
        while (r < rows && g->row_id[r] != g->row_id[i]) {
            r++;
        }
        for (uint32_t k = 0; k < n; k++) {
            const float count = g->count[i * n + k];
            g->count[r * n + k] = r < rows ? g->count[r * n + k] + count : count;
        }
        g->row_id[r] = g->row_id[i];
        rows += r == rows;
    }
    memset(g->count + rows * n, 0, n * sizeof *g->count);
    g->group.rows = rows;
}

/* The word rows of positions p .. p + n - 1: every centre whose window reaches one of them. */
static inline void plan_rows(plan *pl, plan_group *g, uint32_t begin, uint32_t end, uint32_t p,
                             const uint32_t n)
{
    const passage *text = pl->passage;
    const uint32_t from = p - begin > pl->window ? p - pl->window : begin;
    const uint32_t to = end - (p + n) > pl->window ? p + n + pl->window : end;
    uint32_t rows = 0, pairs = 0, repeats = 0;
    for (uint32_t q = from; q < to; q++) {
        float *count = g->count + rows * n;
        uint32_t reached = 0;
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t hit = passage_reaches(text, q, p + k);
            count[k] = (float)(int32_t)hit;
            reached += hit;
        }
        g->row_id[rows] = text->id[q];
        rows += reached != 0; /* no branch: whether a centre reaches is a coin's throw */
        pairs += reached;
        repeats |= text->repeat[q];
    }
    memset(g->count + rows * n, 0, n * sizeof *g->count);
    g->group.rows = rows;
    g->pairs = pairs;
    if (repeats != 0) {
        join_rows(g, n);
    }
}

/* Fills columns j of both weights: the words of n positions, then the draws. */
static void weigh_outs(plan_group *g, const uint32_t *word, uint32_t n, uint32_t draws)
{
    const uint32_t outs = n + draws;
    uint32_t *column = g->column, distinct = 0;
    for (uint32_t i = 0; i < outs; i++) {
        uint32_t j = 0;
        while (j < distinct && g->out_id[j] != g->out_id[i]) {
            j++;
        }
        g->out_id[j] = g->out_id[i];
        column[i] = j;
        distinct += j == distinct;
    }
    const size_t padded = kernel_padded_outs(distinct);
    memset(g->positive, 0, n * padded * sizeof *g->positive);
    memset(g->total, 0, n * padded * sizeof *g->total);
    for (uint32_t k = 0; k < n; k++) {
        g->positive[k * padded + column[k]] = 1.0f;
        g->total[k * padded + column[k]] = 1.0f;
        for (uint32_t i = n; i < outs; i++) {
            g->total[k * padded + column[i]] += g->out_id[column[i]] == word[k] ? 0.0f : 1.0f;
        }
    }
    g->group.outs = distinct;
    g->group.positive = g->positive;
    g->group.total = g->total;
}

static inline bool all_differ(const uint32_t *id, uint32_t n)
{
    uint32_t same = 0;
    for (uint32_t i = 1; i < n; i++) {
        for (uint32_t j = 0; j < i; j++) {
            same |= id[i] == id[j];
        }
    }
    return same == 0;
}

/* Draws for the next group now: the table is too large to be near when it is asked. */
static inline void draw_ahead(plan *pl)
{
    for (uint32_t k = 0; k < pl->negative; k++) {
        pl->draws[k] = rng_next(&pl->random);
        __builtin_prefetch(&pl->noise->columns[alias_column_of(pl->noise, pl->draws[k])]);
    }
}

/* The context rows of n positions and of `negative` draws, and what weight they have. */
static inline void plan_outs(plan *pl, plan_group *g, const uint32_t *word, const uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        g->out_id[k] = word[k];
    }
    for (uint32_t k = 0; k < pl->negative; k++) {
        g->out_id[n + k] = alias_draw(pl->noise, pl->draws[k]);
    }
    draw_ahead(pl);
    g->group.positions = n;
    if (all_differ(g->out_id, n + pl->negative)) {
        g->group.outs = n + pl->negative;
        g->group.positive = pl->usual[n - 1].positive;
        g->group.total = pl->usual[n - 1].total;
    } else {
        weigh_outs(g, word, n, pl->negative);
    }
}

/* ---------------------------------------------------------------- passages */

/* n different words and draws that are none of them: each position has its own word, and every
   draw is a negative for all. */
static bool usual_init(plan_usual *usual, uint32_t n, uint32_t negative)
{
    const size_t padded = kernel_padded_outs((size_t)n + negative);
    usual->positive = mem_calloc(n * padded, sizeof *usual->positive);
    usual->total = mem_calloc(n * padded, sizeof *usual->total);
    if (!usual->positive || !usual->total) {
        return false;
    }
    for (uint32_t k = 0; k < n; k++) {
        usual->positive[k * padded + k] = usual->total[k * padded + k] = 1.0f;
        for (uint32_t j = n; j < n + negative; j++) {
            usual->total[k * padded + j] = 1.0f;
        }
    }
    return true;
}

w2v_status plan_init(plan *p, const alias_table *noise, uint32_t window, uint32_t negative, bool share,
                     w2v_error *err)
{
    memset(p, 0, sizeof *p);
    p->noise = noise;
    p->window = window;
    p->negative = negative;
    p->share = share;
    p->draws = mem_calloc(negative, sizeof *p->draws);
    for (uint32_t n = 1; n <= PLAN_SHARE; n++) {
        if (!p->draws || !usual_init(&p->usual[n - 1], n, negative)) {
            plan_clear(p);
            return error_memory(err, "planning");
        }
    }
    return W2V_OK;
}

void plan_clear(plan *p)
{
    for (uint32_t n = 0; n < PLAN_SHARE; n++) {
        mem_free(p->usual[n].positive);
        mem_free(p->usual[n].total);
    }
    mem_free(p->draws);
    memset(p, 0, sizeof *p);
}

void plan_begin(plan *p, const passage *text, rng random)
{
    p->passage = text;
    p->random = random;
    p->piece = p->position = p->centre = p->ahead = 0;
    draw_ahead(p);
}

/* Words that come into the windows' reach with this group. */
static void plan_ahead(plan *p, plan_group *g, uint32_t reach)
{
    const uint32_t to = reach < p->passage->size ? reach : p->passage->size;
    g->ahead = p->passage->id + p->ahead;
    g->ahead_count = to > p->ahead ? to - p->ahead : 0;
    p->ahead += g->ahead_count;
}

static bool next_shared(plan *p, plan_group *g)
{
    while (p->piece < p->passage->pieces) {
        const uint32_t begin = p->piece ? p->passage->end[p->piece - 1] : 0;
        const uint32_t end = p->passage->end[p->piece];
        const uint32_t at = p->position;
        const uint32_t n = end - at < PLAN_SHARE ? end - at : PLAN_SHARE;
        if (n == PLAN_SHARE) {
            plan_rows(p, g, begin, end, at, PLAN_SHARE);
        } else if (n > 0) {
            plan_rows(p, g, begin, end, at, n);
        }
        p->position += n;
        p->piece += p->position == end;
        if (n == 0 || g->group.rows == 0) {
            continue;
        }
        if (n == PLAN_SHARE) {
            plan_outs(p, g, p->passage->id + at, PLAN_SHARE);
        } else {
            plan_outs(p, g, p->passage->id + at, n);
        }
        plan_ahead(p, g, at + n + p->window);
        return true;
    }
    return false;
}

static bool next_single(plan *p, plan_group *g)
{
    const passage *text = p->passage;
    while (p->piece < text->pieces) {
        const uint32_t begin = p->piece ? text->end[p->piece - 1] : 0;
        const uint32_t end = text->end[p->piece];
        const uint32_t at = p->position;
        const uint32_t from = at - begin > p->window ? at - p->window : begin;
        const uint32_t to = end - at > p->window ? at + p->window + 1 : end;
        for (uint32_t q = p->centre > from ? p->centre : from; q < to; q++) {
            if (passage_reaches(text, q, at)) {
                g->row_id[0] = text->id[q];
                g->count[0] = 1.0f;
                g->count[1] = 0.0f;
                g->group.rows = g->pairs = 1;
                plan_outs(p, g, text->id + at, 1);
                plan_ahead(p, g, at + 1 + p->window);
                p->centre = q + 1;
                return true;
            }
        }
        p->centre = 0;
        p->position++;
        p->piece += p->position == end;
    }
    return false;
}

bool plan_next(plan *p, plan_group *g)
{
    return p->share ? next_shared(p, g) : next_single(p, g);
}
