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
    g->count = mem_calloc(rows, sizeof *g->count);
    g->ones = mem_calloc(rows, sizeof *g->ones);
    g->times = mem_calloc(outs, sizeof *g->times);
    if (!g->row_id || !g->out_id || !g->group.row || !g->group.out || !g->count || !g->ones ||
        !g->times) {
        plan_group_clear(g);
        return error_memory(err, "planning");
    }
    for (size_t i = 0; i < rows; i++) {
        g->ones[i] = 1.0f;
    }
    g->group.count = g->ones;
    return W2V_OK;
}

void plan_group_clear(plan_group *g)
{
    mem_free(g->row_id);
    mem_free(g->out_id);
    mem_free(g->group.row);
    mem_free(g->group.out);
    mem_free(g->count);
    mem_free(g->ones);
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
    g->group.count = g->count;
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

/* Every centre in [from, to) whose window reaches position p. All counts are 1 but the last, which
   is 0, unless words repeat. No branches: whether a window reaches is a coin's throw. */
static inline void plan_rows(const passage *text, plan_group *g, uint32_t from, uint32_t to, uint32_t p)
{
    const uint32_t *id = text->id;
    uint32_t *row_id = g->row_id, rows = 0, repeats = 0;
    g->ones[g->pairs] = 1.0f; /* where the group before ended */
    for (uint32_t q = from; q < p; q++) {
        row_id[rows] = id[q];
        rows += text->radius[q] >= p - q;
        repeats |= text->repeat[q];
    }
    for (uint32_t q = p + 1; q < to; q++) {
        row_id[rows] = id[q];
        rows += text->radius[q] >= q - p;
        repeats |= text->repeat[q];
    }
    g->group.rows = g->pairs = rows;
    g->group.count = g->ones;
    g->ones[rows] = 0.0f;
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

static inline uint32_t set_count(const plan *p)
{
    return p->share ? 2 * p->window + 1 : 1;
}

/* Draws for the next set now: the table is too large to be near when it is asked. */
static inline void draw_ahead(plan *p)
{
    for (uint32_t k = 0; k < p->negative; k++) {
        p->draws[k] = rng_next(&p->random);
        __builtin_prefetch(&p->noise->columns[alias_column_of(p->noise, p->draws[k])]);
    }
}

/* The negatives of the next group: fresh, or those of 2 * window + 1 groups ago once more. */
static inline const uint32_t *next_set(plan *p, bool *differ)
{
    const uint32_t turn = p->turn;
    uint32_t *set = p->sets + (size_t)turn * p->negative;
    if (!p->share || p->round % PLAN_USES == 0) {
        for (uint32_t k = 0; k < p->negative; k++) {
            set[k] = alias_draw(p->noise, p->draws[k]);
        }
        p->differ[turn] = all_differ(set, p->negative);
        draw_ahead(p);
    }
    *differ = p->differ[turn];
    if (++p->turn == set_count(p)) {
        p->turn = 0;
        p->round++;
    }
    return set;
}

/* The context rows: the word at the position, then the negatives. */
static inline void plan_outs(plan *p, plan_group *g, uint32_t word)
{
    const uint32_t outs = 1 + p->negative;
    bool differ;
    const uint32_t *set = next_set(p, &differ);
    g->out_id[0] = word;
    for (uint32_t k = 1; k < outs; k++) {
        g->out_id[k] = set[k - 1];
        differ = differ & (set[k - 1] != word);
    }
    if (differ) {
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
    p->sets = mem_calloc((size_t)set_count(p) * negative, sizeof *p->sets);
    p->differ = mem_calloc(set_count(p), sizeof *p->differ);
    if (!p->draws || !p->ones || !p->sets || !p->differ) {
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
    mem_free(p->sets);
    mem_free(p->differ);
    memset(p, 0, sizeof *p);
}

void plan_begin(plan *p, const passage *text, rng random)
{
    p->passage = text;
    p->random = random;
    p->piece = p->position = p->centre = p->ahead = 0;
    p->turn = p->round = 0;
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
    g->ones[1] = 0.0f;
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
