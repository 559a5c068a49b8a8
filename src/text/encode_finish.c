#include "text/encode_pass.h"

#include "base/mem.h"
#include "os/file.h"
#include "text/select.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* "'x.txt' has" or "the 3 inputs have". */
static void describe_inputs(const w2v_inputs *inputs, char *out, size_t size)
{
    if (inputs->count == 1) {
        const char *path = inputs->paths[0];
        snprintf(out, size, "'%s' has", strcmp(path, "-") == 0 ? "standard input" : path);
    } else {
        snprintf(out, size, "the %zu inputs have", inputs->count);
    }
}

static text_met all_met(const encode_pass *p)
{
    text_met met = {0};
    for (int i = 0; i < p->request->options->threads; i++) {
        if (p->workers[i]) {
            met_add(&met, &p->workers[i]->tokens.met);
        }
    }
    return met;
}

static void fill_stats(const encode_pass *p, const text_met *met, w2v_text_stats *stats)
{
    stats->bytes = p->reader.text_offset;
    stats->tokens = met->tokens;
    stats->lines = met->lines + p->reader.open_lines;
    stats->long_tokens = met->long_tokens;
    stats->invalid_utf8 = met->invalid;
    stats->invalid_input = met->invalid_input;
    stats->invalid_offset = met->invalid_offset;
    stats->looks_latin1 = met->invalid > 0 && met->latin1 >= met->invalid - met->invalid / 10;
    stats->nul_bytes = met->nul_bytes;
    stats->gzip_trailing = p->reader.gzip_trailing;
}

/* How the reading ended. Invalid bytes come first: they were met in text before any other trouble.
 */
static w2v_status check_text(const encode_pass *p, const w2v_text_stats *stats, const char *subject,
                             w2v_error *err)
{
    const encode_request *request = p->request;
    if (request->options->invalid_utf8 == W2V_UTF8_FAIL && stats->invalid_utf8 > 0) {
        const char *path = request->inputs->paths[stats->invalid_input];
        error_set(err, W2V_ERR_INPUT, "'%s' is not UTF-8 at byte %" PRIu64,
                  strcmp(path, "-") == 0 ? "standard input" : path, stats->invalid_offset);
        if (err) {
            err->offset = stats->invalid_offset;
        }
        return W2V_ERR_INPUT;
    }
    if (p->error.code != W2V_OK) {
        return error_pass(err, &p->error);
    }
    if (stats->bytes == 0) {
        return error_set(err, W2V_ERR_INPUT, "%s no bytes", subject);
    }
    if (stats->tokens > 0) {
        return W2V_OK;
    }
    if (stats->long_tokens > 0) {
        return error_set(err, W2V_ERR_INPUT,
                         "%s no words but %" PRIu64 " over 4,096 bytes, which are skipped", subject,
                         stats->long_tokens);
    }
    return error_set(err, W2V_ERR_INPUT, "%s no words", subject);
}

/*
 * Joins the workers' tables in that of the first; maps[w][i] becomes the index
 * there of worker w's type i. The first has no such map: its types keep theirs.
 */
static w2v_status merge_tables(encode_pass *p, uint32_t **maps, int *first, w2v_error *err)
{
    *first = -1;
    for (int i = 0; i < p->request->options->threads; i++) {
        encode_worker *w = p->workers[i];
        if (!w) {
            continue;
        }
        if (*first < 0) {
            *first = i;
            continue;
        }
        type_table_drop_slots(&w->types);
        maps[i] = mem_alloc(w->types.count * sizeof **maps);
        if (!maps[i]) {
            return error_memory(err, "the vocabulary");
        }
        w->type_count = w->types.count;
        const w2v_status status =
            type_table_merge(&p->workers[*first]->types, &w->types, maps[i], err);
        if (status != W2V_OK) {
            return status;
        }
    }
    return W2V_OK;
}

/* What the base had counted, for who goes on with this text later. */
static w2v_status keep_base(w2v_corpus *corpus, const w2v_vocab *base, w2v_error *err)
{
    const size_t n = base->names.count;
    corpus->base_counts = mem_calloc(n, sizeof *corpus->base_counts);
    if (!corpus->base_counts) {
        return error_memory(err, "the vocabulary");
    }
    memcpy(corpus->base_counts, base->counts, n * sizeof *corpus->base_counts);
    corpus->base_words = base->names.count;
    return W2V_OK;
}

/* Vocabulary, and the maps from each worker's numbering to its ids. The tables are freed. */
static w2v_status make_vocab(encode_pass *p, vocab_list *given, const char *subject,
                             uint32_t **maps, w2v_corpus *corpus, w2v_error *err)
{
    const w2v_text_options *options = p->request->options;
    int first;
    w2v_status status = merge_tables(p, maps, &first, err);
    if (status != W2V_OK) {
        return status;
    }
    type_table *met = &p->workers[first]->types;
    uint32_t *ids = mem_alloc(met->count * sizeof *ids);
    if (!ids) {
        return error_memory(err, "the vocabulary");
    }
    maps[first] = ids;
    const word_choice choice = {met, options->read_vocab ? given : NULL, options, subject};
    status = select_words(&choice, &corpus->vocab, ids, &corpus->stats, err);
    if (status == W2V_OK && options->base) {
        status = keep_base(corpus, options->base, err);
    }
    for (int i = 0; i < options->threads; i++) {
        if (status == W2V_OK && p->workers[i] && i != first) {
            for (uint32_t k = 0; k < p->workers[i]->type_count; k++) {
                maps[i][k] = ids[maps[i][k]];
            }
        }
    }
    for (int i = 0; i < options->threads; i++) {
        encode_worker_free(p->workers[i]);
        p->workers[i] = NULL;
    }
    vocab_list_clear(given);
    return status;
}

/* What was counted must be what was encoded: they differ when a spilled text was changed on disk.
 */
static w2v_status check_count(uint64_t counted, uint64_t encoded, w2v_error *err)
{
    return counted == encoded
               ? W2V_OK
               : error_set(err, W2V_ERR_IO, "counted %" PRIu64 " tokens but encoded %" PRIu64,
                           counted, encoded);
}

static w2v_status join_codes(encode_pass *p, uint32_t *const *maps, w2v_corpus *corpus,
                             w2v_error *err)
{
    codes_result result;
    const w2v_text_options *o = p->request->options;
    const uint64_t later = corpus->vocab->names.count * o->memory_per_word;
    const w2v_status status = codes_finish(&p->store, maps, vocab_memory(corpus->vocab) + later,
                                           o->threads, &result, err);
    if (status == W2V_OK) {
        corpus->codes = result.codes;
        corpus->codes_bytes = result.codes_bytes;
        corpus->spill_fd = result.spill_fd;
        corpus->length = result.length;
        corpus->stats.sentences = result.sentences;
        corpus->stats.spilled = result.spill_fd >= 0 ? result.length * sizeof(uint32_t) : 0;
        return check_count(corpus->stats.tokens_kept, result.tokens, err);
    }
    return status;
}

w2v_status encode_finish(encode_pass *p, vocab_list *given, w2v_corpus *corpus, w2v_error *err)
{
    const int threads = p->request->options->threads;
    char subject[FILE_PATH_MAX];
    describe_inputs(p->request->inputs, subject, sizeof subject);
    const text_met met = all_met(p);
    fill_stats(p, &met, &corpus->stats);
    w2v_status status = check_text(p, &corpus->stats, subject, err);
    if (status != W2V_OK) {
        return status;
    }
    corpus->inputs = p->request->inputs->count;
    corpus->input_hashes = p->reader.hashes;
    p->reader.hashes = NULL;
    uint32_t **maps = mem_calloc((size_t)threads, sizeof *maps);
    if (!maps) {
        return error_memory(err, "the vocabulary");
    }
    status = make_vocab(p, given, subject, maps, corpus, err);
    if (status == W2V_OK && p->request->encode) {
        status = join_codes(p, maps, corpus, err);
    }
    if (status == W2V_OK && p->request->encode && p->request->options->fingerprint) {
        status = corpus_fingerprint(corpus, &corpus->fingerprint, err);
        corpus->fingerprinted = status == W2V_OK;
    }
    for (int i = 0; i < threads; i++) {
        mem_free(maps[i]);
    }
    mem_free(maps);
    return status;
}
