#include "text/select.h"

#include "base/mem.h"
#include "base/shown.h"
#include "os/pages.h"
#include "text/codes.h"
#include "text/fold.h"

#include <inttypes.h>
#include <string.h>

/* The words that may stay, before they are put in order. */
typedef struct candidates {
    ranked *items;
    size_t count, room;
    uint32_t *met; /* of each given word, its index in the text's table or TYPE_TABLE_NONE */
    size_t fixed;  /* the first items: words of the base, which stay where they are */
} candidates;

static uint32_t find_top(const type_table *met) /* the first of the most frequent types */
{
    uint32_t top = 0;
    for (uint32_t i = 1; i < met->count; i++) {
        const uint64_t count = type_table_at(met, i)->count;
        const uint64_t best = type_table_at(met, top)->count;
        if (count > best ||
            (count == best && type_table_first_seen(met, i) < type_table_first_seen(met, top))) {
            top = i;
        }
    }
    return top;
}

static w2v_status too_rare(const word_choice *choice, w2v_error *err)
{
    const uint64_t min_count = choice->options->min_count;
    if (choice->given) {
        return error_set(err, W2V_ERR_INPUT, "'%s' has no word with a count of %" PRIu64 " or more",
                         choice->options->read_vocab, min_count);
    }
    char word[FOLD_BYTES(TOKEN_MAX)], shown[SHOWN_WORD];
    const type_table_entry *top = type_table_at(choice->met, find_top(choice->met));
    type_table_copy_word(top, word);
    error_set(err, W2V_ERR_INPUT,
              "%s no word that reaches min-count %" PRIu64 " (most frequent: '%s', count %" PRIu64
              ")",
              choice->subject, min_count, shown_word(word, top->length, shown), top->count);
    error_hint(err, "lower min-count to %" PRIu64 " or less, or give more text", top->count);
    return W2V_ERR_INPUT;
}

static void keep(candidates *c, uint64_t count, uint64_t first, uint32_t index)
{
    c->items[c->count++] = (ranked){.count = count, .first = first, .index = index};
}

static bool make_room(candidates *c, size_t n)
{
    c->room = n;
    c->items = n ? pages_alloc(n * sizeof *c->items) : NULL;
    return n == 0 || c->items;
}

static w2v_status collect_met(const word_choice *choice, candidates *c, w2v_error *err)
{
    const type_table *met = choice->met;
    const uint64_t min_count = choice->options->min_count;
    size_t n = 0;
    for (uint32_t i = 0; i < met->count; i++) {
        n += type_table_at(met, i)->count >= min_count;
    }
    if (!make_room(c, n)) {
        return error_memory(err, "the vocabulary");
    }
    for (uint32_t i = 0; i < met->count; i++) {
        if (type_table_at(met, i)->count >= min_count) {
            keep(c, type_table_at(met, i)->count, type_table_first_seen(met, i), i);
        }
    }
    return W2V_OK;
}

/* Counts of the file decide where it has them; without, a listed word stays however rare it is. */
static w2v_status collect_given(const word_choice *choice, candidates *c, w2v_error *err)
{
    const vocab_list *given = choice->given;
    c->met = mem_alloc(given->names.count * sizeof *c->met);
    if (!c->met || !make_room(c, given->names.count)) {
        return error_memory(err, "the vocabulary");
    }
    for (uint32_t i = 0; i < given->names.count; i++) {
        token k;
        size_t n;
        const char *word = words_get(&given->names, i, &n);
        token_set(&k, word, n);
        c->met[i] = type_table_find(choice->met, &k);
        const uint64_t in_text =
            c->met[i] == TYPE_TABLE_NONE ? 0 : type_table_at(choice->met, c->met[i])->count;
        const uint64_t count = given->counts ? given->counts[i] : in_text;
        if (!given->counts || count >= choice->options->min_count) {
            keep(c, count, i, i);
        }
    }
    return W2V_OK;
}

/*
 * The words of the base come first, whatever their counts; their indices are their ids, and type i
 * of the text has index fixed + i. Of the text, those that are frequent enough follow.
 */
static w2v_status collect_onto_base(const word_choice *choice, candidates *c, uint32_t *ids,
                                    w2v_error *err)
{
    const w2v_vocab *base = choice->options->base;
    const type_table *met = choice->met;
    c->fixed = base->names.count;
    if (c->fixed + met->count >= CODES_DROPPED) {
        return error_set(err, W2V_ERR_INPUT, "%s too many words beside those of the checkpoint",
                         choice->subject);
    }
    c->met = mem_alloc(c->fixed * sizeof *c->met);
    if (!c->met || !make_room(c, c->fixed + met->count)) {
        return error_memory(err, "the vocabulary");
    }
    memset(ids, 0, met->count * sizeof *ids); /* 1: in the base */
    for (uint32_t i = 0; i < c->fixed; i++) {
        token k;
        size_t n;
        const char *word = words_get(&base->names, i, &n);
        token_set(&k, word, n);
        c->met[i] = type_table_find(met, &k);
        const bool known = c->met[i] != TYPE_TABLE_NONE;
        if (known) {
            ids[c->met[i]] = 1;
        }
        keep(c, base->counts[i] + (known ? type_table_at(met, c->met[i])->count : 0), i, i);
    }
    for (uint32_t i = 0; i < met->count; i++) {
        const uint64_t count = type_table_at(met, i)->count;
        if (!ids[i] && count >= choice->options->min_count) {
            keep(c, count, type_table_first_seen(met, i), (uint32_t)c->fixed + i);
        }
    }
    return W2V_OK;
}

static size_t met_word(void *user, uint32_t index, char *out)
{
    if (out) {
        type_table_take_word(user, index, out);
    }
    return type_table_at(user, index)->length;
}

static size_t given_word(void *user, uint32_t index, char *out)
{
    const vocab_list *given = user;
    size_t n;
    const char *word = words_get(&given->names, index, &n);
    if (out) {
        memcpy(out, word, n);
    }
    return n;
}

static size_t base_or_met_word(void *user, uint32_t index, char *out)
{
    const word_choice *choice = user;
    const w2v_vocab *base = choice->options->base;
    if (index >= base->names.count) {
        return met_word(choice->met, index - base->names.count, out);
    }
    size_t n;
    const char *word = words_get(&base->names, index, &n);
    if (out) {
        memcpy(out, word, n);
    }
    return n;
}

static w2v_status order_words(const word_choice *choice, candidates *c, w2v_vocab **vocab,
                              w2v_error *err)
{
    w2v_status status = rank_sort(c->items + c->fixed, c->count - c->fixed, err);
    if (status != W2V_OK) {
        return status;
    }
    const uint64_t limit = choice->options->vocab_size;
    if (limit && c->count > limit) {
        c->count = limit > c->fixed ? (size_t)limit : c->fixed;
    }
    if (choice->options->base) {
        word_choice source = *choice;
        return vocab_create(c->items, c->count, base_or_met_word, &source, vocab, err);
    }
    return choice->given ? vocab_create(c->items, c->count, given_word, choice->given, vocab, err)
                         : vocab_create(c->items, c->count, met_word, choice->met, vocab, err);
}

static void number_types(const word_choice *choice, const candidates *c, uint32_t *ids,
                         w2v_text_stats *stats)
{
    for (uint32_t i = 0; i < choice->met->count; i++) {
        ids[i] = CODES_DROPPED;
    }
    for (size_t id = 0; id < c->count; id++) {
        const uint32_t own = c->items[id].index;
        const uint32_t index =
            choice->given || own < c->fixed ? c->met[own] : own - (uint32_t)c->fixed;
        if (index == TYPE_TABLE_NONE) {
            stats->unseen++;
        } else {
            ids[index] = (uint32_t)id;
            stats->tokens_kept += type_table_at(choice->met, index)->count;
        }
    }
}

w2v_status select_words(const word_choice *choice, w2v_vocab **vocab, uint32_t *ids,
                        w2v_text_stats *stats, w2v_error *err)
{
    candidates c = {0};
    *vocab = NULL;
    stats->types = choice->met->count;
    stats->top_count = type_table_at(choice->met, find_top(choice->met))->count;
    w2v_status status = choice->given           ? collect_given(choice, &c, err)
                        : choice->options->base ? collect_onto_base(choice, &c, ids, err)
                                                : collect_met(choice, &c, err);
    type_table_drop_slots(choice->met);
    if (choice->given) {
        type_table_drop_letters(choice->met); /* of all words, only counts are needed now */
    }
    if (status == W2V_OK) {
        status = c.count ? order_words(choice, &c, vocab, err) : too_rare(choice, err);
    }
    if (status == W2V_OK) {
        number_types(choice, &c, ids, stats);
        stats->types_kept = c.count;
        if (stats->tokens_kept == 0) {
            const char *file = choice->options->read_vocab;
            status =
                error_set(err, W2V_ERR_INPUT, "%s none of the words of %s%s%s", choice->subject,
                          file ? "'" : "", file ? file : "the checkpoint", file ? "'" : "");
        }
    }
    pages_free(c.items, c.room * sizeof *c.items);
    mem_free(c.met);
    if (status != W2V_OK) {
        vocab_free(*vocab);
        *vocab = NULL;
    }
    return status;
}
