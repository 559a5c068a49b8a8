/*
 * Any bytes as a text, counted and encoded. The first byte chooses how. What comes of it must
 * depend neither on where the text is cut for the threads, nor on their number, nor on whether it
 * is kept in memory, on disk or not at all; counts add up; words are what the options promise.
 */
#include "fuzz_file.h"

#include "base/utf8.h"
#include "text/chunk.h"
#include "text/codes.h"
#include "text/encode.h"
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

static bool same_facts(const w2v_text_stats *a, const w2v_text_stats *b)
{
    return a->bytes == b->bytes && a->tokens == b->tokens && a->types == b->types &&
           a->top_count == b->top_count && a->lines == b->lines &&
           a->tokens_kept == b->tokens_kept && a->types_kept == b->types_kept &&
           a->long_tokens == b->long_tokens && a->invalid_utf8 == b->invalid_utf8 &&
           a->invalid_offset == b->invalid_offset && a->nul_bytes == b->nul_bytes &&
           a->looks_latin1 == b->looks_latin1;
}

static bool same_words(const w2v_vocab *a, const w2v_vocab *b)
{
    bool is = w2v_vocab_size(a) == w2v_vocab_size(b);
    for (uint32_t id = 0; is && id < w2v_vocab_size(a); id++) {
        is = strcmp(w2v_vocab_word(a, id, NULL), w2v_vocab_word(b, id, NULL)) == 0 &&
             w2v_vocab_count(a, id) == w2v_vocab_count(b, id);
    }
    return is;
}

static bool same_codes(const w2v_corpus *a, const w2v_corpus *b)
{
    bool is = a->length == b->length && a->stats.sentences == b->stats.sentences;
    for (uint64_t i = 0; is && i < a->length; i++) {
        uint32_t buffer[2];
        const uint32_t *x = corpus_read(a, i, i + 1, &buffer[0], NULL);
        const uint32_t *y = corpus_read(b, i, i + 1, &buffer[1], NULL);
        is = x && y && *x == *y;
    }
    return is;
}

/* What comes of it, or the error. */
static w2v_corpus *read_text(const encode_request *request, w2v_error *err)
{
    w2v_corpus *corpus = NULL;
    const w2v_status status = encode_text(request, &corpus, err);
    if (err->code != status || (status != W2V_OK) != (err->text[0] != '\0') ||
        (status == W2V_OK) != (corpus != NULL)) {
        abort();
    }
    return corpus;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    w2v_text_options options = options_of(size > 0 ? data[0] : 0), others = options;
    const char *path = fuzz_file(0, data + (size > 0), size - (size > 0));
    w2v_inputs *inputs;
    if (w2v_inputs_create(&path, 1, false, &inputs, NULL) != W2V_OK) {
        abort();
    }
    others.threads = 1 + (int)(size / 2 % 2);
    others.tmp_dir = "/tmp";
    others.max_memory = size % 2; /* 1: so it goes to disk */
    const encode_request at_once = {inputs, &options, ENCODE_SIZES_DEFAULT, true, NULL, NULL};
    const encode_sizes small = {CHUNK_SIZE_MIN, CODES_BLOCK_MIN};
    const encode_request in_pieces = {inputs, &others, small, true, NULL, NULL};
    const encode_request counting = {inputs, &others, small, false, NULL, NULL};
    w2v_error err[3] = {{0}};
    w2v_corpus *first = read_text(&at_once, &err[0]);
    w2v_corpus *second = read_text(&in_pieces, &err[1]);
    w2v_corpus *third = read_text(&counting, &err[2]);
    for (int i = 1; i < 3; i++) {
        if (err[i].code != err[0].code || strcmp(err[i].text, err[0].text) != 0) {
            abort();
        }
    }
    if (first) {
        look_at_words(first->vocab, &options);
        look_at_codes(first);
        if (!same_facts(&first->stats, &second->stats) ||
            !same_facts(&first->stats, &third->stats) || !same_words(first->vocab, second->vocab) ||
            !same_words(first->vocab, third->vocab) || !same_codes(first, second)) {
            abort();
        }
    }
    w2v_corpus_free(first);
    w2v_corpus_free(second);
    w2v_corpus_free(third);
    w2v_inputs_free(inputs);
    return 0;
}
