/* Reading a checkpoint, whoever wrote the file: all but its tables. */
#include "base/mem.h"
#include "os/file.h"
#include "text/corpus.h"
#include "train/checkpoint.h"

#include <math.h>
#include <string.h>

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool sound_state(const w2v_checkpoint *c, const uint64_t *state)
{
    const uint32_t epochs = c->info.train.epochs;
    const uint64_t kept = state[STATE_TOKENS_KEPT];
    for (int i = 0; i < STATE_COUNT; i++) {
        if (state[i] > INT64_MAX && i != STATE_EPOCH_LOSS && i != STATE_FINGERPRINT) {
            return false;
        }
    }
    const bool complete = state[STATE_EPOCH] == epochs;
    return state[STATE_EPOCH] <= epochs && state[STATE_EPOCH] == c->shape.epochs && kept > 0 &&
           kept <= INT64_MAX / epochs && state[STATE_TOKENS] <= kept * epochs &&
           state[STATE_EPOCH_PAIRS] <= state[STATE_PAIRS] &&
           isfinite(double_of(state[STATE_EPOCH_LOSS])) &&
           (!complete || (state[STATE_BLOCK] == 0 && state[STATE_EPOCH_PAIRS] == 0 &&
                          state[STATE_TOKENS] == kept * epochs));
}

static void keep_state(w2v_checkpoint *c, const uint64_t *state)
{
    c->place = (train_place){.epoch = (uint32_t)state[STATE_EPOCH],
                             .block = state[STATE_BLOCK],
                             .tokens = state[STATE_TOKENS],
                             .pairs = state[STATE_PAIRS],
                             .epoch_pairs = state[STATE_EPOCH_PAIRS],
                             .epoch_loss = double_of(state[STATE_EPOCH_LOSS])};
    c->tokens_kept = state[STATE_TOKENS_KEPT];
    c->sentences = state[STATE_SENTENCES];
    c->fingerprint = state[STATE_FINGERPRINT];
}

static w2v_status read_state(w2v_checkpoint *c, w2v_error *err)
{
    uint64_t *state = NULL, *losses = NULL;
    w2v_status status = checkpoint_take_numbers(c, STATE_COUNT, &state, err);
    status = status ? status : checkpoint_take_numbers(c, c->shape.epochs, &losses, err);
    if (status == W2V_OK && !sound_state(c, state)) {
        status = checkpoint_damaged(c, err, "it names no sound place");
    }
    if (status == W2V_OK) {
        keep_state(c, state);
        c->losses = mem_calloc(c->shape.epochs, sizeof *c->losses);
        status = c->losses ? W2V_OK : error_memory(err, "the checkpoint");
    }
    for (uint32_t e = 0; status == W2V_OK && e < c->shape.epochs; e++) {
        c->losses[e] = double_of(losses[e]); /* NaN: an epoch without a pair */
        if (isinf(c->losses[e])) {
            status = checkpoint_damaged(c, err, "a loss is infinite");
        }
    }
    mem_free(state);
    mem_free(losses);
    return status;
}

static bool sound_counts(const uint64_t *counts, uint32_t n)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (counts[i] > INT64_MAX - total) {
            return false;
        }
        total += counts[i];
    }
    return true;
}

/* Cuts the letters into words; none is empty, and none holds a NUL. */
static w2v_status cut_words(const w2v_checkpoint *c, const uint64_t *offsets, const char *letters,
                            words *names, w2v_error *err)
{
    const uint64_t end = c->shape.word_bytes, last = offsets[c->shape.words];
    if (offsets[0] != 0 || last > end || end - last >= 8) {
        return checkpoint_damaged(c, err, "its words are not sound");
    }
    for (uint32_t i = 0; i < c->shape.words; i++) {
        const uint64_t from = offsets[i], to = offsets[i + 1];
        if (to <= from || to > end || memchr(letters + from, '\0', (size_t)(to - from))) {
            return checkpoint_damaged(c, err, "its words are not sound");
        }
        if (!words_append(names, letters + from, (size_t)(to - from))) {
            return error_memory(err, "the vocabulary");
        }
    }
    return W2V_OK;
}

/* The words that an update began with, as they were counted then. */
static w2v_status make_base(w2v_checkpoint *c, uint64_t **counts, w2v_error *err)
{
    words names = {0};
    for (uint32_t i = 0; i < c->shape.base_words; i++) {
        size_t n;
        const char *word = words_get(&c->vocab->names, i, &n);
        if ((*counts)[i] > c->vocab->counts[i]) {
            words_clear(&names);
            return checkpoint_damaged(c, err, "its counts are not sound");
        }
        if (!words_append(&names, word, n)) {
            words_clear(&names);
            return error_memory(err, "the vocabulary");
        }
    }
    return c->shape.base_words ? vocab_adopt(&names, counts, &c->base, err) : W2V_OK;
}

static w2v_status read_words(w2v_checkpoint *c, w2v_error *err)
{
    uint64_t *counts = NULL, *base = NULL, *offsets = NULL;
    void *letters = NULL, *frozen = NULL;
    words names = {0};
    w2v_status status = checkpoint_take_numbers(c, c->shape.words, &counts, err);
    status = status ? status : checkpoint_take_numbers(c, c->shape.base_words, &base, err);
    status =
        status ? status : checkpoint_take_numbers(c, (uint64_t)c->shape.words + 1, &offsets, err);
    status = status ? status : checkpoint_take_new(c, c->shape.word_bytes, &letters, err);
    status = status            ? status
             : c->shape.frozen ? checkpoint_take_new(c, c->shape.words, &frozen, err)
                               : W2V_OK;
    c->frozen = frozen;
    status = status ? status : checkpoint_take_sum(c, err);
    if (status == W2V_OK && !sound_counts(counts, c->shape.words)) {
        status = checkpoint_damaged(c, err, "its counts are not sound");
    }
    status = status ? status : cut_words(c, offsets, letters, &names, err);
    if (status == W2V_OK) {
        w2v_error twice = {0};
        status = vocab_adopt(&names, &counts, &c->vocab, &twice);
        if (status != W2V_OK) {
            status = status == W2V_ERR_INPUT ? checkpoint_damaged(c, err, twice.text)
                                             : error_memory(err, "the vocabulary");
        }
    }
    status = status ? status : make_base(c, &base, err);
    words_clear(&names);
    mem_free(counts);
    mem_free(base);
    mem_free(offsets);
    mem_free(letters);
    return status;
}

/* ------------------------------------------------------------------ the whole */

static void fill_info(w2v_checkpoint *c)
{
    w2v_checkpoint_info *info = &c->info;
    const train_place *p = &c->place;
    info->words = c->shape.words;
    for (uint32_t i = 0; c->frozen && i < c->shape.words; i++) {
        info->frozen += c->frozen[i] != 0;
    }
    info->epochs = p->epoch;
    info->tokens = p->tokens;
    info->tokens_total = c->tokens_kept * info->train.epochs;
    info->pairs = p->pairs;
    info->complete = p->epoch == info->train.epochs;
    info->loss = p->epoch_pairs ? p->epoch_loss / (double)p->epoch_pairs
                 : p->epoch     ? c->losses[p->epoch - 1]
                                : (double)NAN;
    info->text.base = c->base;
}

w2v_status checkpoint_open_source(source *src, const char *name, uint64_t size, bool checked,
                                  w2v_checkpoint **out, w2v_error *err)
{
    *out = NULL;
    w2v_checkpoint *c = mem_calloc(1, sizeof *c);
    if (!c) {
        source_close(src);
        return error_memory(err, "the checkpoint");
    }
    c->src = src;
    c->size = size;
    c->checked = checked;
    c->sum = (hash){.sum = HASH_START};
    c->name = mem_strndup(name, strlen(name));
    w2v_status status =
        c->name ? checkpoint_read_head(c, err) : error_memory(err, "the checkpoint");
    status = status ? status : read_state(c, err);
    status = status ? status : read_words(c, err);
    if (status != W2V_OK) {
        w2v_checkpoint_free(c);
        return status;
    }
    fill_info(c);
    *out = c;
    return W2V_OK;
}

w2v_status w2v_checkpoint_open(const char *path, w2v_checkpoint **out, w2v_error *err)
{
    *out = NULL;
    source *src;
    file_facts facts = {.kind = FILE_NONE};
    const w2v_status status = source_open(path, NULL, &src, err);
    if (status != W2V_OK) {
        return status;
    }
    const bool sized =
        strcmp(path, "-") != 0 && file_stat(path, &facts) == 0 && facts.kind == FILE_REGULAR;
    return checkpoint_open_source(src, strcmp(path, "-") == 0 ? "standard input" : path,
                                  sized ? facts.size : 0, true, out, err);
}

void w2v_checkpoint_free(w2v_checkpoint *c)
{
    if (c) {
        source_close(c->src);
        vocab_free(c->vocab);
        vocab_free(c->base);
        mem_free(c->name);
        mem_free(c->read_vocab);
        mem_free(c->losses);
        mem_free(c->frozen);
        mem_free(c);
    }
}

const w2v_checkpoint_info *w2v_checkpoint_facts(const w2v_checkpoint *checkpoint)
{
    return &checkpoint->info;
}

const w2v_vocab *w2v_checkpoint_vocab(const w2v_checkpoint *checkpoint)
{
    return checkpoint->vocab;
}
