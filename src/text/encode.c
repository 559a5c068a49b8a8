#include "text/encode.h"

#include "base/mem.h"
#include "os/file.h"
#include "text/chunk.h"
#include "text/codes.h"
#include "text/compose.h"
#include "text/fold.h"
#include "text/select.h"
#include "text/tokenizer.h"
#include "text/type_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What a thread works with; made when it gets its first chunk. */
typedef struct worker {
    char *buffer;
    size_t buffer_size;
    type_table types;
    uint32_t type_count; /* of them, once they were merged */
    tokenizer tokens;
    codes_store *store; /* NULL: count only */
    codes_writer *writer;
    uint64_t told; /* tokens that the pass knows of */
} worker;

/* Shared by the threads; all below `lock` only with it held. */
typedef struct pass {
    const encode_request *request;
    codes_store store;
    worker **workers; /* options->threads, NULL where a thread had nothing to do */
    mutex *lock;
    chunk_reader reader;
    uint64_t tokens;
    bool stopped;
    w2v_error error; /* the first */
} pass;

static void worker_free(worker *w)
{
    if (w) {
        mem_free(w->buffer);
        type_table_clear(&w->types);
        tokenizer_clear(&w->tokens);
        mem_free(w);
    }
}

static w2v_status take_tokens(void *user, const token *tokens, size_t n, w2v_error *err)
{
    worker *w = user;
    uint32_t ids[TOKEN_BATCH];
    if (!w->store) {
        return type_table_count(&w->types, tokens, n, ids, err);
    }
    uint32_t *codes = codes_room(w->store, w->writer, w->buffer_size + w->types.memory, err);
    if (!codes) {
        return err->code;
    }
    const w2v_status status = type_table_count(&w->types, tokens, n, codes, err);
    if (status == W2V_OK) {
        codes_advance(w->writer, n);
    }
    return status;
}

static worker *worker_create(pass *p, int thread, w2v_error *err)
{
    const encode_request *request = p->request;
    worker *w = mem_calloc(1, sizeof *w);
    if (!w) {
        error_memory(err, "reading the text");
        return NULL;
    }
    if (request->encode) {
        w->store = &p->store;
        w->writer = &p->store.writers[thread];
    }
    w->buffer_size = CHUNK_BUFFER(request->sizes.chunk);
    w->buffer = mem_alloc(w->buffer_size);
    w2v_status status =
        w->buffer ? type_table_init(&w->types, err) : error_memory(err, "reading the text");
    if (status == W2V_OK) {
        status = tokenizer_init(&w->tokens, request->options, take_tokens, w, err);
    }
    if (status != W2V_OK) {
        worker_free(w);
        return NULL;
    }
    return w;
}

static w2v_status read_chunk(pass *p, worker *w, chunk *c, w2v_error *err)
{
    const encode_request *request = p->request;
    p->tokens += w->tokens.met.tokens - w->told;
    w->told = w->tokens.met.tokens;
    const w2v_status status = chunk_next(&p->reader, w->buffer, c, err);
    if (status != W2V_OK || !request->progress) {
        return status;
    }
    const int stop = request->progress(request->user, chunk_stored_done(&p->reader),
                                       inputs_total_size(request->inputs), p->tokens);
    return stop ? error_set(err, W2V_ERR_INTERRUPTED, "reading the text was stopped") : W2V_OK;
}

/* The thread's next chunk, in the order of the text; false when there is no more to do. */
static bool take_chunk(pass *p, int thread, chunk *c)
{
    bool taken = false;
    mutex_lock(p->lock);
    if (!p->stopped && !chunk_at_end(&p->reader)) {
        if (!p->workers[thread]) {
            p->workers[thread] = worker_create(p, thread, &p->error);
        }
        worker *w = p->workers[thread];
        taken = w && read_chunk(p, w, c, &p->error) == W2V_OK;
        p->stopped = !taken;
    }
    mutex_unlock(p->lock);
    return taken;
}

static void stop(pass *p, const w2v_error *err)
{
    mutex_lock(p->lock);
    p->stopped = true;
    if (p->error.code == W2V_OK) {
        p->error = *err;
    }
    mutex_unlock(p->lock);
}

static void pass_body(void *arg, int thread, int team)
{
    pass *p = arg;
    const bool strict = p->request->options->invalid_utf8 == W2V_UTF8_FAIL;
    chunk c;
    (void)team;
    while (take_chunk(p, thread, &c)) {
        w2v_error err = {0};
        worker *w = p->workers[thread];
        if (w->writer) {
            codes_begin_chunk(w->writer, c.number);
        }
        tokenizer_run(&w->tokens, &c, &err);
        if (err.code != W2V_OK || (strict && w->tokens.met.invalid > 0)) {
            stop(p, &err);
        }
    }
}

/* ------------------------------------------------------- after the last chunk */

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

static text_met all_met(const pass *p)
{
    text_met met = {0};
    for (int i = 0; i < p->request->options->threads; i++) {
        if (p->workers[i]) {
            met_add(&met, &p->workers[i]->tokens.met);
        }
    }
    return met;
}

static void fill_stats(const pass *p, const text_met *met, w2v_text_stats *stats)
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
static w2v_status check_text(const pass *p, const w2v_text_stats *stats, const char *subject,
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
        if (err && err->code == W2V_OK) {
            *err = p->error;
        }
        return p->error.code;
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
static w2v_status merge_tables(pass *p, uint32_t **maps, int *first, w2v_error *err)
{
    *first = -1;
    for (int i = 0; i < p->request->options->threads; i++) {
        worker *w = p->workers[i];
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
static w2v_status make_vocab(pass *p, vocab_list *given, const char *subject, uint32_t **maps,
                             w2v_corpus *corpus, w2v_error *err)
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
        worker_free(p->workers[i]);
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

static w2v_status join_codes(pass *p, uint32_t *const *maps, w2v_corpus *corpus, w2v_error *err)
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

static w2v_status finish(pass *p, vocab_list *given, w2v_corpus *corpus, w2v_error *err)
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

/* ------------------------------------------------------------------ the whole */

static w2v_status check_options(const w2v_text_options *o, w2v_error *err)
{
    if (o->min_count < 1) {
        return error_set(err, W2V_ERR_ARGUMENT, "min-count must be at least 1");
    }
    if (o->threads < 1) {
        return error_set(err, W2V_ERR_ARGUMENT, "threads must be at least 1, not %d", o->threads);
    }
    if ((unsigned)o->invalid_utf8 > W2V_UTF8_FAIL) {
        return error_set(err, W2V_ERR_ARGUMENT, "invalid-utf8 has no policy %d",
                         (int)o->invalid_utf8);
    }
    if (o->base && o->read_vocab) {
        return error_set(err, W2V_ERR_ARGUMENT,
                         "words come from a vocabulary file or from a base, not from both");
    }
    if ((unsigned)o->normal_form > W2V_FORM_NFC) {
        return error_set(err, W2V_ERR_ARGUMENT, "there is no normal form %d", (int)o->normal_form);
    }
    if (o->normal_form != W2V_FORM_AS_IS && !compose_is_there()) {
        error_set(err, W2V_ERR_UNSUPPORTED, "NFC needs a build with ICU, and this one has none");
        error_hint(err, "install ICU's headers and build again, or run 'uconv -x any-nfc' first");
        return W2V_ERR_UNSUPPORTED;
    }
    if (o->lowercase && !fold_has_case()) {
        error_set(err, W2V_ERR_UNSUPPORTED,
                  "lowercase needs a build with ICU, and this one has none");
        error_hint(err,
                   "install ICU's headers and build again, or lower the case of the text first");
        return W2V_ERR_UNSUPPORTED;
    }
    return W2V_OK;
}

static w2v_status pass_init(pass *p, const encode_request *request, w2v_error *err)
{
    const w2v_text_options *o = request->options;
    p->request = request;
    p->store.spill_fd = -1;
    p->lock = mutex_create();
    p->workers = mem_calloc((size_t)o->threads, sizeof *p->workers);
    if (!p->lock || !p->workers) {
        return error_memory(err, "reading the text");
    }
    const w2v_status status =
        chunk_reader_init(&p->reader, request->inputs, request->sizes.chunk, o->hash_inputs, err);
    if (status != W2V_OK || !request->encode) {
        return status;
    }
    return codes_init(&p->store, o->threads, request->sizes.block_codes, o->max_memory, o->tmp_dir,
                      err);
}

static void pass_clear(pass *p)
{
    for (int i = 0; p->workers && i < p->request->options->threads; i++) {
        worker_free(p->workers[i]);
    }
    mem_free(p->workers);
    if (p->reader.inputs) {
        chunk_reader_clear(&p->reader);
    }
    codes_clear(&p->store);
    mutex_free(p->lock);
}

w2v_status encode_text(const encode_request *request, w2v_corpus **out, w2v_error *err)
{
    *out = NULL;
    w2v_status status = check_options(request->options, err);
    if (status != W2V_OK) {
        return status;
    }
    vocab_list given = {0};
    pass p = {0};
    w2v_corpus *corpus = mem_calloc(1, sizeof *corpus);
    if (!corpus) {
        return error_memory(err, "reading the text");
    }
    corpus->spill_fd = -1;
    corpus->counted_only = !request->encode;
    if (request->options->read_vocab) {
        status = vocab_list_read(request->options->read_vocab, &given, err);
    }
    if (status == W2V_OK) {
        status = pass_init(&p, request, err);
        if (status == W2V_OK) {
            thread_team(request->options->threads, pass_body, &p);
            status = finish(&p, &given, corpus, err);
        }
        pass_clear(&p);
    }
    vocab_list_clear(&given);
    if (status != W2V_OK) {
        w2v_corpus_free(corpus);
        return status;
    }
    *out = corpus;
    return W2V_OK;
}

static w2v_status encode_default(const encode_request *request, w2v_corpus **out, w2v_error *err)
{
    const w2v_text_options defaults = w2v_text_options_default();
    encode_request r = *request;
    r.options = r.options ? r.options : &defaults;
    r.sizes = ENCODE_SIZES_DEFAULT;
    return encode_text(&r, out, err);
}

w2v_status w2v_corpus_create(const w2v_inputs *inputs, const w2v_text_options *options,
                             w2v_read_progress *progress, void *user, w2v_corpus **out,
                             w2v_error *err)
{
    const encode_request request = {
        .inputs = inputs, .options = options, .encode = true, .progress = progress, .user = user};
    return encode_default(&request, out, err);
}

w2v_status w2v_corpus_count(const w2v_inputs *inputs, const w2v_text_options *options,
                            w2v_read_progress *progress, void *user, w2v_corpus **out,
                            w2v_error *err)
{
    const encode_request request = {
        .inputs = inputs, .options = options, .encode = false, .progress = progress, .user = user};
    return encode_default(&request, out, err);
}
