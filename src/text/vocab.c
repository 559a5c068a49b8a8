#include "text/vocab.h"

#include "base/mem.h"
#include "base/shown.h"
#include "io/sink.h"
#include "os/pages.h"
#include "text/token.h"

#include <inttypes.h>
#include <string.h>

uint32_t w2v_vocab_size(const w2v_vocab *vocab)
{
    return vocab->names.count;
}

const char *w2v_vocab_word(const w2v_vocab *vocab, uint32_t id, size_t *length)
{
    return words_get(&vocab->names, id, length);
}

uint64_t w2v_vocab_count(const w2v_vocab *vocab, uint32_t id)
{
    return vocab->counts[id];
}

uint64_t w2v_vocab_total(const w2v_vocab *vocab)
{
    return vocab->total;
}

/* Slot of the word, or the empty one where it belongs. */
static size_t find_slot(const w2v_vocab *vocab, const char *word, size_t n)
{
    token k;
    token_set(&k, word, n);
    size_t at = k.hash & vocab->slot_mask;
    for (; vocab->slots[at]; at = (at + 1) & vocab->slot_mask) {
        size_t length;
        const char *other = words_get(&vocab->names, vocab->slots[at] - 1, &length);
        if (length == n && memcmp(other, word, n) == 0) {
            break;
        }
    }
    return at;
}

uint32_t w2v_vocab_find(const w2v_vocab *vocab, const char *word, size_t length)
{
    /* Slot 0 means none, and 0 - 1 is UINT32_MAX. */
    return length ? vocab->slots[find_slot(vocab, word, length)] - 1 : UINT32_MAX;
}

static bool build_slots(w2v_vocab *vocab)
{
    size_t slots = 16;
    while (slots < 2 * (size_t)vocab->names.count) {
        slots *= 2;
    }
    vocab->slots = pages_alloc(slots * sizeof *vocab->slots);
    if (!vocab->slots) {
        return false;
    }
    vocab->slot_mask = slots - 1;
    for (uint32_t id = 0; id < vocab->names.count; id++) {
        size_t n;
        const char *word = words_get(&vocab->names, id, &n);
        vocab->slots[find_slot(vocab, word, n)] = id + 1;
    }
    return true;
}

/* Exactly what is needed at once: growing would hold half as much again. */
static bool make_room(w2v_vocab *vocab, const ranked *order, size_t n, vocab_word_source *word,
                      void *user)
{
    words *names = &vocab->names;
    names->offsets = mem_calloc(n + 1, sizeof *names->offsets);
    vocab->counts = mem_calloc(n, sizeof *vocab->counts);
    if (!names->offsets || !vocab->counts) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        names->offsets[i + 1] = names->offsets[i] + word(user, order[i].index, NULL) + 1;
        vocab->counts[i] = order[i].count;
        vocab->total += order[i].count;
    }
    if (names->offsets[n] > SIZE_MAX) {
        return false;
    }
    names->bytes_capacity = (size_t)names->offsets[n];
    names->offsets_capacity = n + 1;
    names->count = (uint32_t)n;
    names->bytes = mem_alloc(names->bytes_capacity);
    return names->bytes != NULL;
}

/* Copies the words in the order of their indices, each to its place. */
static bool copy_words(w2v_vocab *vocab, const ranked *order, size_t n, vocab_word_source *word,
                       void *user)
{
    size_t indices = 0;
    for (size_t i = 0; i < n; i++) {
        indices = order[i].index >= indices ? (size_t)order[i].index + 1 : indices;
    }
    uint32_t *ids = mem_calloc(indices, sizeof *ids); /* id + 1, 0 = not in the vocabulary */
    if (!ids) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        ids[order[i].index] = (uint32_t)i + 1;
    }
    for (size_t index = 0; index < indices; index++) {
        if (ids[index]) {
            char *to = vocab->names.bytes + vocab->names.offsets[ids[index] - 1];
            to[word(user, (uint32_t)index, to)] = '\0';
        }
    }
    mem_free(ids);
    return true;
}

w2v_status vocab_create(const ranked *order, size_t n, vocab_word_source *word, void *user,
                        w2v_vocab **out, w2v_error *err)
{
    *out = NULL;
    w2v_vocab *vocab = mem_calloc(1, sizeof *vocab);
    if (!vocab || !make_room(vocab, order, n, word, user) ||
        !copy_words(vocab, order, n, word, user) || !build_slots(vocab)) {
        vocab_free(vocab);
        return error_memory(err, "the vocabulary");
    }
    *out = vocab;
    return W2V_OK;
}

/* A word that stands twice is found where it stands last. */
static w2v_status check_distinct(const w2v_vocab *vocab, w2v_error *err)
{
    for (uint32_t id = 0; id < vocab->names.count; id++) {
        size_t n;
        char shown[SHOWN_WORD];
        const char *word = words_get(&vocab->names, id, &n);
        if (w2v_vocab_find(vocab, word, n) != id) {
            return error_set(err, W2V_ERR_INPUT, "the word '%s' stands twice",
                             shown_word(word, n, shown));
        }
    }
    return W2V_OK;
}

w2v_status vocab_adopt(words *names, uint64_t **counts, w2v_vocab **out, w2v_error *err)
{
    *out = NULL;
    w2v_vocab *vocab = mem_calloc(1, sizeof *vocab);
    if (!vocab) {
        words_clear(names);
        mem_free(*counts);
        *counts = NULL;
        return error_memory(err, "the vocabulary");
    }
    vocab->names = *names;
    vocab->counts = *counts;
    *names = (words){0};
    *counts = NULL;
    for (uint32_t id = 0; id < vocab->names.count; id++) {
        vocab->total += vocab->counts[id];
    }
    const w2v_status status =
        build_slots(vocab) ? check_distinct(vocab, err) : error_memory(err, "the vocabulary");
    if (status != W2V_OK) {
        vocab_free(vocab);
        return status;
    }
    *out = vocab;
    return W2V_OK;
}

void vocab_free(w2v_vocab *vocab)
{
    if (vocab) {
        words_clear(&vocab->names);
        mem_free(vocab->counts);
        pages_free(vocab->slots, (vocab->slot_mask + 1) * sizeof *vocab->slots);
        mem_free(vocab);
    }
}

uint64_t vocab_memory(const w2v_vocab *vocab)
{
    return sizeof *vocab + vocab->names.bytes_capacity +
           vocab->names.offsets_capacity * sizeof *vocab->names.offsets +
           vocab->names.count * sizeof *vocab->counts +
           (vocab->slot_mask + 1) * sizeof *vocab->slots;
}

w2v_status w2v_vocab_save(const w2v_vocab *vocab, const char *path, w2v_error *err)
{
    static const char mark[] = "\xef\xbb\xbf";
    sink *s = NULL;
    w2v_status status = sink_open(path, sink_name_is_gzip(path), &s, err);
    if (status != W2V_OK) {
        return status;
    }
    size_t n = 0;
    const char *first = vocab->names.count ? w2v_vocab_word(vocab, 0, &n) : "";
    if (strncmp(first, mark, 3) == 0) {
        /* A reader takes a byte order mark off: give it one, so that the word keeps its own. */
        status = sink_write(s, mark, 3, err);
    }
    for (uint32_t id = 0; id < vocab->names.count && status == W2V_OK; id++) {
        const char *word = w2v_vocab_word(vocab, id, &n);
        status = sink_write(s, word, n, err);
        if (status == W2V_OK) {
            status = sink_printf(s, err, " %" PRIu64 "\n", vocab->counts[id]);
        }
    }
    if (status != W2V_OK) {
        sink_abort(s);
        return status;
    }
    return sink_commit(s, NULL, err);
}
