#include "query/sieve.h"

#include "base/mem.h"

#include <math.h>

/* Squared lengths between these can be trusted: single squares that underflow add less than 1e-38
   of a column to 1e-30, and products with lanes of length 1 cannot overflow. */
#define LEAST_SQUARE 1e-30f
#define MOST_SQUARE 1e30f

/* Of one thread. */
typedef struct state {
    float *product; /* DOTS_ROWS x lanes->padded, aligned */
    uint32_t *hits;
} state;

typedef struct pass {
    const sieve *sieve;
    state *states;
} pass;

/* Products of a block: rows beyond the last repeat it, since panels take whole blocks. */
static void multiply(const sieve *s, const void *row[DOTS_ROWS], sieve_block *b, float *product)
{
    const lanes *l = s->lanes;
    const size_t few = l->panels ? 0 : l->count;
    s->dots->rows(row, b->rows, l->dim, l->values, l->stride, few, product, l->padded, b->square);
    if (l->panels) {
        for (size_t i = b->rows; i < DOTS_ROWS; i++) {
            row[i] = row[i - 1];
        }
        s->dots->block(row, l->dim, l->values, l->padded, product, l->padded);
    }
    for (size_t i = 0; i < b->rows; i++) {
        if (!(b->square[i] >= LEAST_SQUARE && b->square[i] <= MOST_SQUARE)) {
            b->square[i] = NAN;
        }
        b->norm[i] = sqrtf(b->square[i]);
    }
}

static bool visit(void *user, int thread, const vec_batch *batch)
{
    const pass *p = user;
    const sieve *s = p->sieve;
    const state *mine = &p->states[thread];
    sieve_block b = {.product = mine->product, .hits = mine->hits};
    for (size_t i = 0; i < batch->rows;) {
        const void *row[DOTS_ROWS];
        b.rows = 0;
        for (; i < batch->rows && b.rows < DOTS_ROWS; i++) {
            const vec_row *next = &batch->row[i];
            if (s->candidates &&
                word_set_find(s->candidates, next->word, next->length) == WORD_SET_NONE) {
                continue;
            }
            b.row[b.rows] = next;
            row[b.rows] = next->values;
            b.id[b.rows++] = (uint32_t)(batch->first + i);
        }
        if (b.rows > 0) {
            multiply(s, row, &b, mine->product);
            if (!s->visit(s->user, thread, &b)) {
                return false;
            }
        }
    }
    return true;
}

static void free_states(state *states, int team)
{
    for (int i = 0; states && i < team; i++) {
        mem_free(states[i].product);
        mem_free(states[i].hits);
    }
    mem_free(states);
}

static state *make_states(int team, size_t padded)
{
    size_t bytes;
    state *states = mem_calloc((size_t)team, sizeof *states);
    bool ok = states && mem_multiply(padded, DOTS_ROWS * sizeof(float), &bytes);
    for (int i = 0; ok && i < team; i++) {
        states[i].product = mem_alloc_aligned(bytes);
        states[i].hits = mem_calloc(padded, sizeof *states[i].hits);
        ok = states[i].product && states[i].hits;
    }
    if (!ok) {
        free_states(states, team);
        return NULL;
    }
    return states;
}

w2v_status sieve_run(const sieve *s, w2v_vectors *vectors, int threads, w2v_error *err)
{
    const int team = vec_scan_threads(threads);
    pass p = {.sieve = s, .states = make_states(team, s->lanes->padded)};
    if (!p.states) {
        return error_memory(err, "the products");
    }
    const vec_scan_calls calls = {.visit = visit, .user = &p};
    const w2v_status status = vec_scan(vectors, threads, &calls, err);
    free_states(p.states, team);
    return status;
}
