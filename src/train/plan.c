#include "train/plan.h"

#include "base/mem.h"

#include <string.h>

/* -------------------------------------------------------------- one group */

w2v_status plan_group_init(plan_group *g, w2v_error *err)
{
    const size_t rows = PLAN_ROWS + 1, outs = kernel_padded_outs(PLAN_OUTS);
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

/* Likewise the outputs; and negatives that are the true neighbour are left out. */
static void join_outs(plan_group *g, uint32_t outs, uint32_t word)
{
    uint32_t distinct = 0;
    for (uint32_t i = 0; i < outs; i++) {
        const uint32_t id = g->out_id[i];
        if (id == word && (i > 0 || !g->group.positive)) {
            continue;
        }
        uint32_t j = 0;
        while (j < distinct && g->out_id[j] != id) {
            j++;
        }
        if (j == distinct) {
            g->out_id[distinct] = id;
            g->times[distinct++] = 0.0f;
        }
        g->times[j] += 1.0f;
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
    g->ones[g->reached] = 1.0f; /* where the group before ended */
    for (uint32_t q = from; q < to && q < p; q++) {
        row_id[rows] = id[q];
        rows += text->radius[q] >= p - q;
        repeats |= text->repeat[q];
    }
    for (uint32_t q = from > p ? from : p + 1; q < to; q++) {
        row_id[rows] = id[q];
        rows += text->radius[q] >= q - p;
        repeats |= text->repeat[q];
    }
    g->reached = rows;
    g->ones[rows] = 0.0f;
    g->group.rows = rows;
    g->group.count = g->ones;
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

/* Chooses the negatives of a position: fresh, or those of 2 * window + 1 choices ago once more. */
static inline void choose_set(plan *p)
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
    p->set = set;
    p->set_differs = p->differ[turn];
    if (++p->turn == set_count(p)) {
        p->turn = 0;
        p->round++;
    }
}

/* Context rows from p->out on: the word at the position, then the negatives. */
static inline void plan_outs(plan *p, plan_group *g, uint32_t word)
{
    const uint32_t all = 1 + p->negative, begin = p->out;
    const uint32_t outs = all - begin < PLAN_OUTS ? all - begin : PLAN_OUTS;
    bool differ = p->set_differs;
    g->group.positive = begin == 0;
    g->out_id[0] = word;
    for (uint32_t k = begin == 0; k < outs; k++) {
        g->out_id[k] = p->set[begin + k - 1];
        differ = differ & (g->out_id[k] != word);
    }
    if (differ) {
        g->group.outs = outs;
        g->group.times = p->ones + (PLAN_OUTS - outs);
    } else {
        join_outs(g, outs, word);
    }
    p->out = begin + outs < all ? begin + outs : 0;
}

/* ---------------------------------------------------------------- passages */

w2v_status plan_init(plan *p, const alias_table *noise, uint32_t window, uint32_t negative, bool share,
                     w2v_error *err)
{
    memset(p, 0, sizeof *p);
    p->noise = noise;
    p->window = window;
    p->negative = negative;
    p->share = share;
    p->draws = mem_calloc(negative, sizeof *p->draws);
    p->sets = mem_calloc((size_t)set_count(p) * negative, sizeof *p->sets);
    p->differ = mem_calloc(set_count(p), sizeof *p->differ);
    p->ones = mem_calloc(PLAN_OUTS + KERNEL_OUTS, sizeof *p->ones);
    if (!p->draws || !p->ones || !p->sets || !p->differ) {
        plan_clear(p);
        return error_memory(err, "planning");
    }
    for (size_t j = 0; j < PLAN_OUTS; j++) {
        p->ones[j] = 1.0f; /* and zeros behind: the padding of any number of outputs up to PLAN_OUTS */
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
    p->piece = p->position = p->centre = p->out = p->ahead = 0;
    p->set = NULL;
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

/* The first centre in [from, to) whose window reaches the position, and what comes behind it. */
static uint32_t one_centre(const passage *text, uint32_t from, uint32_t to, uint32_t p)
{
    while (from < to && !passage_reaches(text, from, p)) {
        from++;
    }
    return from < to ? from + 1 : to;
}

/* Where the centres of a group that begins with `from` end. */
static inline uint32_t centres_end(const plan *p, uint32_t from, uint32_t to)
{
    if (!p->share) {
        return one_centre(p->passage, from, to, p->position);
    }
    return to - from > PLAN_ROWS ? from + PLAN_ROWS : to;
}

static void next_position(plan *p, uint32_t end)
{
    p->centre = 0;
    p->set = NULL;
    p->position++;
    p->piece += p->position == end;
}

bool plan_next(plan *p, plan_group *g)
{
    const passage *text = p->passage;
    while (p->piece < text->pieces) {
        const uint32_t begin = p->piece ? text->end[p->piece - 1] : 0;
        const uint32_t end = text->end[p->piece], at = p->position;
        const uint32_t from = at - begin > p->window ? at - p->window : begin;
        const uint32_t to = end - at > p->window ? at + p->window + 1 : end;
        const uint32_t first = p->centre > from ? p->centre : from;
        const uint32_t last = centres_end(p, first, to);
        plan_rows(text, g, first, last, at);
        if (g->reached > 0) {
            if (!p->set) {
                choose_set(p);
            }
            g->pairs = p->out == 0 ? g->reached : 0;
            plan_outs(p, g, text->id[at]);
            plan_ahead(p, g);
        }
        if (p->out == 0) { /* these centres have met all outputs */
            p->centre = last;
            p->set = p->share ? p->set : NULL;
            if (last == to) {
                next_position(p, end);
            }
        }
        if (g->reached > 0 && g->group.outs > 0) {
            return true;
        }
    }
    return false;
}
