/*
 * Any bytes as a text, counted and encoded. The first byte chooses how: the
 * answer must not depend on the number of threads, nor on whether the text is
 * kept; counts add up; words are what the options promise.
 */
#include "fuzz_file.h"

#include "base/utf8.h"
#include "text/corpus.h"
#include "text/fold.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static w2v_text_options options_of(uint8_t how)
{
    w2v_text_options o = w2v_text_options_default();
    o.min_count = 1 + (how & 1);
    o.lines_are_sentences = (how & 2) != 0;
    o.invalid_utf8 = (w2v_invalid_utf8)(how >> 2 & 3);
    o.lowercase = (how & 16) != 0 && fold_has_case();
    o.normal_form = (how & 32) != 0 && fold_has_case() ? W2V_FORM_NFC : W2V_FORM_AS_IS;
    o.vocab_size = how >> 6;
    return o;
}

static void look_at_words(const w2v_vocab *v, const w2v_text_options *o)
{
    uint64_t total = 0;
    for (uint32_t id = 0; id < w2v_vocab_size(v); id++) {
        size_t n;
        const char *word = w2v_vocab_word(v, id, &n);
        const uint64_t count = w2v_vocab_count(v, id);
        const bool whole = o->invalid_utf8 == W2V_UTF8_KEEP || utf8_valid(word, n);
        if (n == 0 || strcspn(word, " \t\n\v\f\r") != n || !whole || count < o->min_count ||
            (id > 0 && count > w2v_vocab_count(v, id - 1)) || w2v_vocab_find(v, word, n) != id) {
            abort();
        }
        total += count;
    }
    if (total != w2v_vocab_total(v) || (o->vocab_size && w2v_vocab_size(v) > o->vocab_size)) {
        abort();
    }
}

static void look_at_codes(const w2v_corpus *c)
{
    uint64_t tokens = 0;
    for (uint64_t i = 0; i < c->length; i++) {
        uint32_t buffer;
        const uint32_t *code = corpus_read(c, i, i + 1, &buffer, NULL);
        if (!code || (*code != CORPUS_BREAK && *code >= w2v_vocab_size(c->vocab))) {
            abort();
        }
        tokens += *code != CORPUS_BREAK;
    }
    if (tokens != c->stats.tokens_kept || tokens != w2v_vocab_total(c->vocab)) {
        abort();
    }
}

static void same(const w2v_corpus *a, const w2v_corpus *b)
{
    if (w2v_vocab_size(a->vocab) != w2v_vocab_size(b->vocab) ||
        a->stats.tokens != b->stats.tokens || a->stats.lines != b->stats.lines ||
        a->stats.invalid_utf8 != b->stats.invalid_utf8) {
        abort();
    }
    for (uint32_t id = 0; id < w2v_vocab_size(a->vocab); id++) {
        if (strcmp(w2v_vocab_word(a->vocab, id, NULL), w2v_vocab_word(b->vocab, id, NULL)) != 0) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    w2v_text_options options = options_of(size > 0 ? data[0] : 0);
    const char *path = fuzz_file(0, data + (size > 0), size - (size > 0));
    w2v_inputs *inputs;
    w2v_corpus *kept = NULL, *counted = NULL;
    w2v_error err = {0}, again = {0};
    if (w2v_inputs_create(&path, 1, false, &inputs, NULL) != W2V_OK) {
        abort();
    }
    const w2v_status status = w2v_corpus_create(inputs, &options, NULL, NULL, &kept, &err);
    options.threads = 3;
    if (w2v_corpus_count(inputs, &options, NULL, NULL, &counted, &again) != status ||
        err.code != status || (status != W2V_OK) != (err.text[0] != '\0')) {
        abort();
    }
    if (status == W2V_OK) {
        look_at_words(kept->vocab, &options);
        look_at_codes(kept);
        same(kept, counted);
    }
    w2v_corpus_free(kept);
    w2v_corpus_free(counted);
    w2v_inputs_free(inputs);
    return 0;
}
