/* Is a corpus the one that a checkpoint was made on? If not, what differs. */
#include "base/num.h"
#include "base/shown.h"
#include "text/corpus.h"
#include "train/checkpoint.h"

#include <string.h>

static const char *count_of(const w2v_vocab *v, uint32_t id, char out[32])
{
    num_format_grouped(v->counts[id], out);
    return out;
}

static const char *shown(const words *names, uint32_t id, char out[SHOWN_WORD])
{
    size_t n;
    const char *word = words_get(names, id, &n);
    return shown_word(word, n, out);
}

static bool same_word(const words *a, const words *b, uint32_t id)
{
    size_t n, length;
    const char *x = words_get(a, id, &n), *y = words_get(b, id, &length);
    return n == length && memcmp(x, y, n) == 0;
}

static bool same_words(const w2v_vocab *was, const w2v_vocab *is)
{
    if (was->names.count != is->names.count) {
        return false;
    }
    for (uint32_t id = 0; id < was->names.count; id++) {
        if (was->counts[id] != is->counts[id] || !same_word(&was->names, &is->names, id)) {
            return false;
        }
    }
    return true;
}

/* A word of `a` that `b` has not, or UINT32_MAX. */
static uint32_t missing(const w2v_vocab *a, const w2v_vocab *b)
{
    for (uint32_t id = 0; id < a->names.count; id++) {
        size_t n;
        const char *word = words_get(&a->names, id, &n);
        if (w2v_vocab_find(b, word, n) == UINT32_MAX) {
            return id;
        }
    }
    return UINT32_MAX;
}

/* Vocabularies that differ, told by the first word that does. */
static w2v_status name_words(const w2v_vocab *was, const w2v_vocab *is, w2v_error *err)
{
    char word[SHOWN_WORD], before[32], now[32];
    for (uint32_t id = 0; id < was->names.count; id++) {
        size_t n;
        const char *name = words_get(&was->names, id, &n);
        const uint32_t other = w2v_vocab_find(is, name, n);
        if (other != UINT32_MAX && was->counts[id] != is->counts[other]) {
            return error_set(err, W2V_ERR_INPUT,
                             "the text is not the checkpoint's: it has %s tokens of '%s', the "
                             "checkpoint %s",
                             count_of(is, other, now), shown(&was->names, id, word),
                             count_of(was, id, before));
        }
    }
    uint32_t id = missing(was, is);
    if (id != UINT32_MAX) {
        return error_set(err, W2V_ERR_INPUT,
                         "the text is not the checkpoint's: it gives no word '%s', which the "
                         "checkpoint has %s times",
                         shown(&was->names, id, word), count_of(was, id, before));
    }
    id = missing(is, was);
    if (id != UINT32_MAX) {
        return error_set(err, W2V_ERR_INPUT,
                         "the text is not the checkpoint's: it has a word '%s' (%s tokens), which "
                         "the checkpoint has not",
                         shown(&is->names, id, word), count_of(is, id, now));
    }
    return error_set(err, W2V_ERR_INPUT,
                     "the text is not the checkpoint's: the words and their counts are the same, "
                     "but not their order");
}

static w2v_status compare_text(const w2v_checkpoint *c, const w2v_corpus *corpus, w2v_error *err)
{
    char before[32], now[32];
    uint64_t print;
    if (!same_words(c->vocab, corpus->vocab)) {
        return name_words(c->vocab, corpus->vocab, err);
    }
    if (corpus->stats.tokens_kept != c->tokens_kept) {
        num_format_grouped(c->tokens_kept, before);
        num_format_grouped(corpus->stats.tokens_kept, now);
        return error_set(err, W2V_ERR_INPUT,
                         "the text is not the checkpoint's: it has %s tokens, the checkpoint %s",
                         now, before);
    }
    if (corpus->stats.sentences != c->sentences) {
        num_format_grouped(c->sentences, before);
        num_format_grouped(corpus->stats.sentences, now);
        return error_set(err, W2V_ERR_INPUT,
                         "the text is not the checkpoint's: it has %s sentences, the checkpoint %s",
                         now, before);
    }
    const w2v_status status = corpus_fingerprint(corpus, &print, err);
    if (status == W2V_OK && print != c->fingerprint) {
        return error_set(err, W2V_ERR_INPUT,
                         "the text is not the checkpoint's: the words and their counts are the "
                         "same, but they stand in another order");
    }
    return status;
}

w2v_status w2v_checkpoint_check(const w2v_checkpoint *checkpoint, const w2v_train_options *train,
                                const w2v_text_options *text, const w2v_corpus *corpus,
                                w2v_error *err)
{
    const w2v_status status = checkpoint_compare_options(&checkpoint->info, train, text, err);
    return status || !corpus ? status : compare_text(checkpoint, corpus, err);
}
