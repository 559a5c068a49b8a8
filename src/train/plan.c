#include "train/plan.h"

#include "base/mem.h"

#include <string.h>

/* -------------------------------------------------------------- one group */

w2v_status plan_group_init(plan_group *g, w2v_error *err)
{
    const size_t rows = PLAN_ROWS + 1, outs = kernel_padded_outs(PLAN_OUTS);
    memset(g, 0, sizeof *g);
    g->row_id = mem_calloc_aligned(rows, sizeof *g->row_id);
    g->joined = mem_calloc_aligned(outs, sizeof *g->joined);
    g->group.row = mem_calloc_aligned(rows, sizeof *g->group.row);
    g->group.out = mem_calloc_aligned(outs, sizeof *g->group.out);
    g->count = mem_calloc_aligned(rows, sizeof *g->count);
    g->ones = mem_calloc_aligned(rows, sizeof *g->ones);
    g->times = mem_calloc_aligned(outs, sizeof *g->times);
    if (!g->row_id || !g->joined || !g->group.row || !g->group.out || !g->count || !g->ones ||
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
    mem_free(g->joined);
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
        while (j < distinct && g->joined[j] != id) {
            j++;
        }
        if (j == distinct) {
            g->joined[distinct] = id;
            g->times[distinct++] = 0.0f;
        }
        g->times[j] += 1.0f;
    }
    const size_t padded = kernel_padded_outs(distinct);
    memset(g->times + distinct, 0, (padded - distinct) * sizeof *g->times);
    g->out_id = g->joined;
    g->group.outs = distinct;
    g->group.times = g->times;
}

/* Centres among n places from `from` on whose windows reach p; returns how many. No branches:
   whether a window reaches is a coin's throw. */
static inline size_t centres(const passage *text, uint32_t *row_id, uint32_t from, uint32_t n,
                             uint32_t p)
{
    size_t rows = 0;
    for (uint32_t q = from; q < from + n; q++) {
        row_id[rows] = text->id[q];
        rows += passage_reaches(text, q, p);
    }
    return rows;
}

/* Every centre in [from, to) whose window reaches position p. All counts are 1 but the last, which
   is 0, unless words repeat. */
static inline void plan_rows(const passage *text, plan_group *g, uint32_t from, uint32_t to,
                             uint32_t p)
{
    const size_t rows = centres(text, g->row_id, from, to - from, p);
    g->ones[g->reached] = 1.0f; /* where the group before ended */
    g->ones[rows] = 0.0f;
    g->reached = (uint32_t)rows;
    g->group.rows = rows;
    g->group.count = g->ones;
    if (from < to && passage_repeats(text, from, to)) {
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

/* Draws for the next set now: the table is too large to be near when it is asked. */
static inline void draw_ahead(plan *p)
{
    for (uint32_t k = 0; k < p->negative; k++) {
        p->draws[k] = rng_next(&p->random);
        __builtin_prefetch(&p->noise->columns[alias_column_of(p->noise, p->draws[k])]);
    }
}

/* Chooses the negatives of a position: fresh, or those of set_count choices ago once more. */
static inline void choose_set(plan *p)
{
    uint32_t *set = p->sets + (size_t)p->turn * (1 + p->negative);
    p->set_fresh = p->round % PLAN_USES == 0;
    if (p->set_fresh) {
        for (uint32_t k = 0; k < p->negative; k++) {
            set[1 + k] = alias_draw(p->noise, p->draws[k]);
        }
        p->differ[p->turn] = all_differ(set + 1, p->negative);
        draw_ahead(p);
    }
    p->set = set;
    p->set_differs = p->differ[p->turn];
    if (++p->turn == p->set_count) {
        p->turn = 0;
        p->round += p->share; /* else every set is fresh */
    }
}

/* Context rows of the set from `begin` on: the word at the position, then the negatives. */
static inline void plan_outs(plan *p, plan_group *g, uint32_t word, uint32_t begin, uint32_t outs)
{
    uint32_t *set = p->set;
    uint32_t met = 0;
    for (uint32_t k = begin > 0 ? begin : 1; k < begin + outs; k++) {
        met |= set[k] == word;
    }
    set[0] = word;
    g->fresh = p->set_fresh;
    g->drawn = outs;
    g->group.positive = begin == 0;
    g->out_id = set + begin;
    g->group.outs = outs;
    g->group.times = p->ones + (PLAN_OUTS - outs);
    if (met != 0 || !p->set_differs) {
        join_outs(g, outs, word);
    }
}

/* ---------------------------------------------------------------- passages */

w2v_status plan_init(plan *p, const alias_table *noise, uint32_t window, uint32_t negative,
                     bool share, w2v_error *err)
{
    memset(p, 0, sizeof *p);
    p->noise = noise;
    p->window = window;
    p->negative = negative;
    p->share = share;
    p->whole = share && 2 * window <= PLAN_ROWS && 1 + negative <= PLAN_OUTS;
    p->set_count = share ? 2 * window + 1 : 1;
    p->draws = mem_calloc_aligned(negative, sizeof *p->draws);
    p->sets = mem_calloc_aligned((size_t)p->set_count * (1 + negative), sizeof *p->sets);
    p->differ = mem_calloc_aligned(p->set_count, sizeof *p->differ);
    p->ones = mem_calloc_aligned(PLAN_OUTS + KERNEL_OUTS, sizeof *p->ones);
    if (!p->draws || !p->ones || !p->sets || !p->differ) {
        plan_clear(p);
        return error_memory(err, "planning");
    }
    for (size_t j = 0; j < PLAN_OUTS; j++) {
        p->ones[j] =
            1.0f; /* and zeros behind: the padding of any number of outputs up to PLAN_OUTS */
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
    p->piece = p->position = p->centre = p->out = p->met = p->ahead = p->begin = 0;
    p->end = text->pieces ? text->end[0] : 0;
    p->set = NULL;
    p->turn = p->round = 0;
    draw_ahead(p);
}

/* Words that come into the windows' reach with this group. */
static inline void plan_ahead(plan *p, plan_group *g)
{
    const uint32_t reach = p->position + 1 + p->window;
    const uint32_t to = reach < p->passage->size ? reach : p->passage->size;
    g->ahead = p->passage->id + p->ahead;
    g->ahead_count = to > p->ahead ? to - p->ahead : 0;
    p->ahead += g->ahead_count;
}

/* Goes on to the next piece when one is at its end; false after the last. */
static inline bool in_piece(plan *p)
{
    if (p->position == p->end) {
        if (p->position == p->passage->size) {
            return false;
        }
        p->begin = p->end;
        p->end = p->passage->end[++p->piece];
    }
    return true;
}

/* Candidates for a position's centres. */
static inline uint32_t window_begin(const plan *p)
{
    return p->position - p->begin > p->window ? p->position - p->window : p->begin;
}
static inline uint32_t window_end(const plan *p)
{
    return p->end - p->position > p->window ? p->position + p->window + 1 : p->end;
}

static bool next_whole(plan *p, plan_group *g)
{
    for (; in_piece(p); p->position++) {
        const uint32_t at = p->position;
        plan_rows(p->passage, g, window_begin(p), window_end(p), at);
        if (g->reached > 0) {
            choose_set(p);
            plan_outs(p, g, p->passage->id[at], 0, 1 + p->negative);
            plan_ahead(p, g);
            g->pairs = g->reached;
            p->position++;
            return true;
        }
    }
    return false;
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
static uint32_t centres_end(const plan *p, uint32_t from, uint32_t to)
{
    if (!p->share) {
        return one_centre(p->passage, from, to, p->position);
    }
    return to - from > PLAN_ROWS ? from + PLAN_ROWS : to;
}

/* The next outputs for a group's rows, which meet all of them, part by part. */
static void next_outs(plan *p, plan_group *g)
{
    const uint32_t all = 1 + p->negative, begin = p->out;
    const uint32_t outs = all - begin < PLAN_OUTS ? all - begin : PLAN_OUTS;
    if (!p->set) {
        choose_set(p);
    }
    g->pairs = begin == 0 ? g->reached : 0;
    g->opens = p->met % PLAN_ROWS == 0;
    plan_outs(p, g, p->passage->id[p->position], begin, outs);
    plan_ahead(p, g);
    p->out = begin + outs < all ? begin + outs : 0;
}

/* A position in several groups, or in one for each pair. */
static bool next_part(plan *p, plan_group *g)
{
    while (in_piece(p)) {
        const uint32_t from = window_begin(p), to = window_end(p);
        const uint32_t first = p->centre > from ? p->centre : from;
        const uint32_t last = centres_end(p, first, to);
        plan_rows(p->passage, g, first, last, p->position);
        if (g->reached > 0) {
            next_outs(p, g);
        }
        if (p->out == 0) { /* these centres have met all outputs */
            p->met += g->reached;
            p->centre = last;
            p->set = p->share ? p->set : NULL;
            if (last == to) {
                p->centre = p->met = 0;
                p->set = NULL;
                p->position++;
            }
        }
        if (g->reached > 0 && g->group.outs > 0) {
            return true;
        }
    }
    return false;
}

bool plan_next(plan *p, plan_group *g)
{
    return p->whole ? next_whole(p, g) : next_part(p, g);
}
