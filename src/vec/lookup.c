/* Rows of some words: from the index of a loaded table, or in one scan of the file. */
#include "base/mem.h"
#include "vec/file.h"
#include "vec/index.h"

#include <string.h>

typedef struct lookup {
    const w2v_term *words;
    size_t n;
    float *rows;
    uint32_t *ids;
    bool *known;
    uint32_t *slots; /* word + 1, 0 = empty; a word asked twice stands in it once */
    size_t slot_mask;
    size_t missing; /* different words not met yet */
    size_t dim;
    const w2v_vectors *v;
    w2v_error fault; /* of a row that was taken */
} lookup;

static size_t slot_of(const lookup *l, const char *word, size_t n)
{
    size_t at = (size_t)index_hash(word, n) & l->slot_mask;
    while (l->slots[at]) {
        const w2v_term *other = &l->words[l->slots[at] - 1];
        if (other->length == n && memcmp(other->word, word, n) == 0) {
            break;
        }
        at = (at + 1) & l->slot_mask;
    }
    return at;
}

static w2v_status build(lookup *l, w2v_error *err)
{
    const size_t slots = index_slots(l->n);
    l->slots = mem_calloc(slots, sizeof *l->slots);
    if (!l->slots) {
        return error_memory(err, "a list of words");
    }
    l->slot_mask = slots - 1;
    for (size_t i = 0; i < l->n; i++) {
        const size_t at = slot_of(l, l->words[i].word, l->words[i].length);
        if (!l->slots[at]) {
            l->slots[at] = (uint32_t)i + 1;
            l->missing++;
        }
    }
    return W2V_OK;
}

static bool look(void *user, const vec_batch *batch)
{
    lookup *l = user;
    for (size_t i = 0; i < batch->rows && l->missing > 0; i++) {
        const vec_row *row = &batch->row[i];
        const uint32_t slot = l->slots[slot_of(l, row->word, row->length)];
        if (slot && !l->known[slot - 1]) { /* of a word that stands twice the first row counts */
            l->known[slot - 1] = true;
            l->ids[slot - 1] = (uint32_t)(batch->first + i);
            memcpy(l->rows + (slot - 1) * l->dim, row->values, l->dim * sizeof *l->rows);
            l->missing--;
            if (vec_check_row(l->v, batch->first + i, row, &l->fault) != W2V_OK) {
                return false;
            }
        }
    }
    return l->missing > 0;
}

/* Words asked more than once have what the first of them has. */
static void fill_repeats(lookup *l)
{
    for (size_t i = 0; i < l->n; i++) {
        const size_t first = l->slots[slot_of(l, l->words[i].word, l->words[i].length)] - 1;
        if (first != i && l->known[first]) {
            l->known[i] = true;
            l->ids[i] = l->ids[first];
            memcpy(l->rows + i * l->dim, l->rows + first * l->dim, l->dim * sizeof *l->rows);
        }
    }
}

static w2v_status by_scan(lookup *l, w2v_vectors *v, w2v_error *err)
{
    w2v_status status = build(l, err);
    if (status == W2V_OK && l->n > 0) {
        const vec_scan_calls calls = {.in_order = look, .user = l};
        status = vec_scan(v, v->file->options.threads, &calls, err);
        if (status == W2V_OK && l->fault.code != W2V_OK) {
            status = error_pass(err, &l->fault);
        }
        fill_repeats(l);
    }
    mem_free(l->slots);
    return status;
}

static w2v_status by_index(lookup *l, w2v_vectors *v, w2v_error *err)
{
    w2v_status status = w2v_vectors_load(v, err);
    if (status == W2V_OK) {
        status = vec_build_index(v, err);
    }
    for (size_t i = 0; i < l->n && status == W2V_OK; i++) {
        const uint32_t id = vec_find(v, l->words[i].word, l->words[i].length);
        l->known[i] = id != UINT32_MAX;
        if (l->known[i]) {
            l->ids[i] = id;
            memcpy(l->rows + i * l->dim, w2v_vectors_row(v, id), l->dim * sizeof *l->rows);
        }
    }
    return status;
}

w2v_status w2v_lookup(w2v_vectors *vectors, const w2v_term *terms, size_t n, float **rows,
                      uint32_t *ids, bool *known, uint32_t *dim, uint64_t *size, w2v_error *err)
{
    *rows = NULL;
    if (n >= UINT32_MAX) {
        return error_set(err, W2V_ERR_ARGUMENT, "%zu words are too many for one lookup", n);
    }
    lookup l = {
        .words = terms, .n = n, .ids = ids, .known = known, .dim = vectors->dim, .v = vectors};
    size_t floats;
    if (!mem_multiply(n, l.dim, &floats)) {
        return error_memory(err, "the rows");
    }
    l.rows = mem_calloc(floats, sizeof *l.rows);
    if (!l.rows) {
        return error_memory(err, "the rows");
    }
    for (size_t i = 0; i < n; i++) {
        ids[i] = UINT32_MAX;
        known[i] = false;
    }
    const w2v_status status =
        vec_can_scan(vectors) ? by_scan(&l, vectors, err) : by_index(&l, vectors, err);
    if (status != W2V_OK) {
        mem_free(l.rows);
        return status;
    }
    *rows = l.rows;
    *dim = vectors->dim;
    *size = vec_rows_expected(vectors);
    return W2V_OK;
}
