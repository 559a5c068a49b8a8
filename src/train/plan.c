#include "train/plan.h"

#include "base/mem.h"

#include <string.h>

/* -------------------------------------------------------------- one group */

w2v_status plan_group_init(plan_group *g, uint32_t window, uint32_t negative, w2v_error *err)
{
    const size_t rows = plan_max_rows(window) + 1;
    const size_t outs = kernel_padded_outs(plan_max_outs(negative));
    memset(g, 0, sizeof *g);
    g->row_id = mem_calloc(rows, sizeof *g->row_id);
    g->out_id = mem_calloc(outs, sizeof *g->out_id);
    g->group.row = mem_calloc(rows, sizeof *g->group.row);
    g->group.out = mem_calloc(outs, sizeof *g->group.out);
    g->group.count = g->count = mem_calloc(rows, sizeof *g->count);
    g->times = mem_calloc(outs, sizeof *g->times);
    if (!g->row_id || !g->out_id || !g->group.row || !g->group.out || !g->count || !g->times) {
        plan_group_clear(g);
        return error_memory(err, "planning");
    }
    return W2V_OK;
}

void plan_group_clear(plan_group *g)
{
    mem_free(g->row_id);
    mem_free(g->out_id);
    mem_free(g->group.row);
    mem_free(g->group.out);
    mem_free(g->count);
    mem_free(g->times);
    memset(g, 0, sizeof *g);
}

/* A word that stands several times among the centres has one row, with the sum of the counts. */
static void join_rows(plan_group *g)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < g->group.rows; i++) {
        uint32_t r = 0;
        while (r < rows && g->row_id[r] != g->row_id[i]) {
            r++;
        }
        if (r == rows) {
            g->row_id[rows] = g->row_id[i];
            g->count[rows++] = 0.0f;
        }
        g->count[r] += 1.0f;
    }
    g->count[rows] = 0.0f;
    g->group.rows = rows;
}

/* Likewise the outputs; and negatives that are the true neighbour, out_id[0], are left out. */
static void join_outs(plan_group *g, uint32_t outs)
{
    uint32_t distinct = 1;
    g->times[0] = 1.0f;
    for (uint32_t i = 1; i < outs; i++) {
        const uint32_t id = g->out_id[i];
        uint32_t j = 0;
        while (j < distinct && g->out_id[j] != id) {
            j++;
        }
        if (j == distinct) {
            g->out_id[distinct] = id;
            g->times[distinct++] = 0.0f;
        }
        g->times[j] += j == 0 ? 0.0f : 1.0f;
    }
    const size_t padded = kernel_padded_outs(distinct);
    memset(g->times + distinct, 0, (padded - distinct) * sizeof *g->times);
    g->group.outs = distinct;
    g->group.times = g->times;
}

/* Every centre in [from, to) whose window reaches position p. */
static inline void plan_rows(const passage *text, plan_group *g, uint32_t from, uint32_t to, uint32_t p)
{
    uint32_t rows = 0, repeats = 0;
    for (uint32_t q = from; q < to; q++) {
        g->row_id[rows] = text->id[q];
        g->count[rows] = 1.0f;
        rows += passage_reaches(text, q, p); /* no branch: it is a coin's throw */
        repeats |= text->repeat[q];
    }
    g->count[rows] = 0.0f;
    g->group.rows = g->pairs = rows;
    if (repeats != 0) {
        join_rows(g);
    }
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
static inline void draw_ahead(plan *p)
{
    for (uint32_t k = 0; k < p->negative; k++) {
        p->draws[k] = rng_next(&p->random);
        __builtin_prefetch(&p->noise->columns[alias_column_of(p->noise, p->draws[k])]);
    }
}

/* The context rows: the word at the position, then the draws. */
static inline void plan_outs(plan *p, plan_group *g, uint32_t word)
{
    const uint32_t outs = 1 + p->negative;
    g->out_id[0] = word;
    for (uint32_t k = 1; k < outs; k++) {
        g->out_id[k] = alias_draw(p->noise, p->draws[k - 1]);
    }
    draw_ahead(p);
    if (all_differ(g->out_id, outs)) {
        g->group.outs = outs;
        g->group.times = p->ones;
    } else {
        join_outs(g, outs);
    }
}

/* ---------------------------------------------------------------- passages */

w2v_status plan_init(plan *p, const alias_table *noise, uint32_t window, uint32_t negative, bool share,
                     w2v_error *err)
{
    const size_t outs = plan_max_outs(negative);
    memset(p, 0, sizeof *p);
    p->noise = noise;
    p->window = window;
    p->negative = negative;
    p->share = share;
    p->draws = mem_calloc(negative, sizeof *p->draws);
    p->ones = mem_calloc(kernel_padded_outs(outs), sizeof *p->ones);
    if (!p->draws || !p->ones) {
        plan_clear(p);
        return error_memory(err, "planning");
    }
    for (size_t j = 0; j < outs; j++) {
        p->ones[j] = 1.0f;
    }
    return W2V_OK;
}

void plan_clear(plan *p)
{
    mem_free(p->draws);
    mem_free(p->ones);
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
static void plan_ahead(plan *p, plan_group *g)
{
    const uint32_t reach = p->position + 1 + p->window;
    const uint32_t to = reach < p->passage->size ? reach : p->passage->size;
    g->ahead = p->passage->id + p->ahead;
    g->ahead_count = to > p->ahead ? to - p->ahead : 0;
    p->ahead += g->ahead_count;
}

/* One pair of the position: the first centre from p->centre on whose window reaches it. */
static bool plan_one_row(plan *p, plan_group *g, uint32_t from, uint32_t to)
{
    const passage *text = p->passage;
    uint32_t q = p->centre > from ? p->centre : from;
    while (q < to && !passage_reaches(text, q, p->position)) {
        q++;
    }
    p->centre = q + 1;
    if (q >= to) {
        return false;
    }
    g->row_id[0] = text->id[q];
    g->count[0] = 1.0f;
    g->count[1] = 0.0f;
    g->group.rows = g->pairs = 1;
    return true;
}

bool plan_next(plan *p, plan_group *g)
{
    const passage *text = p->passage;
    while (p->piece < text->pieces) {
        const uint32_t begin = p->piece ? text->end[p->piece - 1] : 0;
        const uint32_t end = text->end[p->piece], at = p->position;
        const uint32_t from = at - begin > p->window ? at - p->window : begin;
        const uint32_t to = end - at > p->window ? at + p->window + 1 : end;
        bool found;
        if (p->share) {
            plan_rows(text, g, from, to, at);
            found = g->pairs > 0;
        } else {
            found = plan_one_row(p, g, from, to);
        }
        if (found) {
            plan_outs(p, g, text->id[at]);
            plan_ahead(p, g);
        }
        if (p->share || !found) { /* on to the next position */
            p->centre = 0;
            p->position++;
            p->piece += p->position == end;
        }
        if (found) {
            return true;
        }
    }
    return false;
}
