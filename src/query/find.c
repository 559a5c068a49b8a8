#include "query/find.h"

#include "base/mem.h"

#include <string.h>

typedef struct search {
    const word_set *set;
    found *found;
    uint32_t missing;
    uint64_t rows;
    const w2v_vectors *vectors;
    w2v_error fault; /* of a row that was taken */
} search;

void find_clear(found *f)
{
    mem_free(f->id);
    mem_free(f->values);
    *f = (found){0};
}

/* Batches come in the order of rows, so the first row seen with a word is the one that is meant. */
static bool look(void *user, const vec_batch *batch)
{
    search *s = user;
    found *f = s->found;
    for (size_t i = 0; i < batch->rows && s->missing > 0; i++) {
        const vec_row *row = &batch->row[i];
        const uint32_t word = word_set_find(s->set, row->word, row->length);
        if (word != WORD_SET_NONE && f->id[word] == FIND_NONE) {
            f->id[word] = (uint32_t)(batch->first + i);
            memcpy(f->values + (size_t)word * f->dim, row->values, f->dim * sizeof *f->values);
            s->missing--;
            if (vec_check_row(s->vectors, batch->first + i, row, &s->fault) != W2V_OK) {
                return false;
            }
        }
    }
    s->rows = batch->first + batch->rows;
    return s->missing > 0;
}

/* The same through the index of a loaded table, for a word or two of a dialogue. */
static void look_up(const w2v_vectors *vectors, const word_set *set, found *f)
{
    for (uint32_t i = 0; i < set->list.count; i++) {
        size_t length;
        const char *word = words_get(&set->list, i, &length);
        f->id[i] = vec_find(vectors, word, length);
        if (f->id[i] != FIND_NONE) {
            memcpy(f->values + (size_t)i * f->dim,
                   vectors->values + (size_t)f->id[i] * vectors->stride,
                   f->dim * sizeof *f->values);
        }
    }
}

w2v_status find_rows(w2v_vectors *vectors, const word_set *set, int threads, found *f,
                     w2v_error *err)
{
    const uint32_t count = set->list.count;
    *f = (found){.dim = vectors->dim};
    size_t floats;
    f->id = mem_alloc((count ? count : 1) * sizeof *f->id);
    f->values = mem_multiply(count, f->dim, &floats)
                    ? mem_calloc(floats ? floats : 1, sizeof(float))
                    : NULL;
    if (!f->id || !f->values) {
        find_clear(f);
        return error_memory(err, "the rows of the words asked for");
    }
    for (uint32_t i = 0; i < count; i++) {
        f->id[i] = FIND_NONE;
    }
    if (vectors->loaded && vectors->index.slots) {
        look_up(vectors, set, f);
        f->rows = vectors->rows;
        return W2V_OK;
    }
    search s = {.set = set, .found = f, .missing = count, .vectors = vectors};
    const vec_scan_calls calls = {.in_order = look, .user = &s};
    w2v_status status = count ? vec_scan(vectors, threads, &calls, err) : W2V_OK;
    if (status == W2V_OK && s.fault.code != W2V_OK) {
        status = error_set(err, s.fault.code, "%s", s.fault.text);
        error_hint(err, "%s", s.fault.hint);
    }
    if (status != W2V_OK) {
        find_clear(f);
        return status;
    }
    f->rows = vectors->loaded ? vectors->rows : s.missing > 0 ? s.rows : 0;
    return W2V_OK;
}
