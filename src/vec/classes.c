#include "vec/classes.h"

#include "base/mem.h"
#include "vec/index.h"

#include <string.h>

void vec_classes_clear(vec_classes *c)
{
    mem_free(c->of);
    mem_free(c->next);
    mem_free(c->slots);
    mem_free(c->word);
    words_clear(&c->folded);
    fold_free(c->fold);
    *c = (vec_classes){0};
}

/* The slot that holds the word, folded where it has to be, or the empty one where it would go. */
static size_t slot_of(const vec_classes *c, const char *word, size_t n)
{
    size_t at = (size_t)index_hash(word, n) & c->slot_mask;
    while (c->slots[at]) {
        size_t length;
        const char *other = words_get(c->names, c->slots[at] - 1, &length);
        if (length == n && memcmp(other, word, n) == 0) {
            break;
        }
        at = (at + 1) & c->slot_mask;
    }
    return at;
}

static w2v_status fold_names(vec_classes *c, const words *names, size_t longest, w2v_error *err)
{
    for (uint32_t i = 0; i < names->count; i++) {
        size_t n;
        words_get(names, i, &n);
        longest = n > longest ? n : longest;
    }
    const fold_rules rules = {W2V_UTF8_KEEP, true, W2V_FORM_AS_IS};
    w2v_status status = fold_create(&rules, longest, &c->fold, err);
    if (status != W2V_OK) {
        return status;
    }
    c->word = mem_alloc(FOLD_BYTES(longest));
    if (!c->word) {
        return error_memory(err, "the words without case");
    }
    for (uint32_t i = 0; i < names->count && status == W2V_OK; i++) {
        size_t n, folded;
        const char *name = words_get(names, i, &n);
        status = fold_word(c->fold, name, n, c->word, &folded, err);
        if (status == W2V_OK && !words_append(&c->folded, c->word, folded)) {
            status = error_memory(err, "the words without case");
        }
    }
    c->names = &c->folded;
    return status;
}

w2v_status vec_classes_build(vec_classes *c, const w2v_vectors *vectors, bool ignore_case,
                             size_t longest, w2v_error *err)
{
    const uint32_t rows = vectors->rows;
    const size_t slots = index_slots(rows);
    *c = (vec_classes){.names = &vectors->names, .slot_mask = slots - 1};
    c->of = mem_calloc((size_t)rows + 1, sizeof *c->of);
    c->next = mem_calloc((size_t)rows + 1, sizeof *c->next);
    c->slots = mem_calloc(slots, sizeof *c->slots);
    w2v_status status =
        c->of && c->next && c->slots ? W2V_OK : error_memory(err, "the index of words");
    if (status == W2V_OK && ignore_case) {
        status = fold_names(c, &vectors->names, longest, err);
    }
    for (uint32_t row = 0; row < rows && status == W2V_OK; row++) {
        size_t n;
        const char *name = words_get(c->names, row, &n);
        const size_t at = slot_of(c, name, n);
        c->of[row] = row;
        c->next[row] = CLASS_NONE;
        if (c->slots[at]) {
            const uint32_t first = c->slots[at] - 1;
            c->of[row] = first;
            c->next[row] = c->next[first];
            c->next[first] = row;
        } else {
            c->slots[at] = row + 1;
        }
    }
    if (status != W2V_OK) {
        vec_classes_clear(c);
    }
    return status;
}

w2v_status vec_classes_find(vec_classes *c, const char *word, size_t length, uint32_t *class,
                            w2v_error *err)
{
    *class = CLASS_NONE;
    if (c->fold) {
        const w2v_status status = fold_word(c->fold, word, length, c->word, &length, err);
        if (status != W2V_OK) {
            return status;
        }
        word = c->word;
    }
    const size_t at = slot_of(c, word, length);
    *class = c->slots[at] ? c->slots[at] - 1 : CLASS_NONE;
    return W2V_OK;
}
