#include "text/encode.h"

#include "base/mem.h"
#include "base/num.h"
#include "os/pages.h"
#include "text/compose.h"
#include "text/encode_pass.h"
#include "text/fold.h"

/* What a run needs in any case is not worth a word. */
#define WORD_LIMIT_MIN UINT64_C(16000000)

void encode_worker_free(encode_worker *w)
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
    encode_worker *w = user;
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

static encode_worker *worker_create(encode_pass *p, int thread, w2v_error *err)
{
    const encode_request *request = p->request;
    encode_worker *w = mem_calloc(1, sizeof *w);
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
        encode_worker_free(w);
        return NULL;
    }
    return w;
}

/* Rare words are never thrown away to make room, as that would make other words' counts wrong. */
static w2v_status check_words(const encode_pass *p, w2v_error *err)
{
    if (p->word_limit == 0 || p->word_memory <= p->word_limit) {
        return W2V_OK;
    }
    const bool asked = p->request->options->max_memory > 0;
    char tokens[32], limit[32];
    num_format_grouped(p->tokens, tokens);
    num_format_bytes(p->word_limit, limit);
    error_set(err, W2V_ERR_MEMORY,
              "the words of the first %s tokens alone need more than the %s %s", tokens, limit,
              asked ? "allowed" : "of free memory");
    error_hint(err, "are there numbers, addresses or binary data among the words? else allow more");
    return W2V_ERR_MEMORY;
}

static w2v_status read_chunk(encode_pass *p, encode_worker *w, chunk *c, w2v_error *err)
{
    const encode_request *request = p->request;
    p->tokens += w->tokens.met.tokens - w->told;
    w->told = w->tokens.met.tokens;
    p->word_memory += w->types.memory - w->told_memory;
    w->told_memory = w->types.memory;
    w2v_status status = check_words(p, err);
    if (status == W2V_OK) {
        status = chunk_next(&p->reader, w->buffer, c, err);
    }
    if (status != W2V_OK || !request->progress) {
        return status;
    }
    const int stop = request->progress(request->user, chunk_stored_done(&p->reader),
                                       inputs_total_size(request->inputs), p->tokens);
    return stop ? error_set(err, W2V_ERR_INTERRUPTED, "reading the text was stopped") : W2V_OK;
}

/* The thread's next chunk, in the order of the text; false when there is no more to do. */
static bool take_chunk(encode_pass *p, int thread, chunk *c)
{
    bool taken = false;
    mutex_lock(p->lock);
    if (!p->stopped && !chunk_at_end(&p->reader)) {
        if (!p->workers[thread]) {
            p->workers[thread] = worker_create(p, thread, &p->error);
        }
        encode_worker *w = p->workers[thread];
        taken = w && read_chunk(p, w, c, &p->error) == W2V_OK;
        p->stopped = !taken;
    }
    mutex_unlock(p->lock);
    return taken;
}

static void stop(encode_pass *p, const w2v_error *err)
{
    mutex_lock(p->lock);
    p->stopped = true;
    (void)error_pass(&p->error, err);
    mutex_unlock(p->lock);
}

static void pass_body(void *arg, int thread, int team)
{
    encode_pass *p = arg;
    const bool strict = p->request->options->invalid_utf8 == W2V_UTF8_FAIL;
    chunk c;
    (void)team;
    while (take_chunk(p, thread, &c)) {
        w2v_error err = {0};
        encode_worker *w = p->workers[thread];
        if (w->writer) {
            codes_begin_chunk(w->writer, c.number);
        }
        tokenizer_run(&w->tokens, &c, &err);
        if (err.code != W2V_OK || (strict && w->tokens.met.invalid > 0)) {
            stop(p, &err);
        }
    }
}

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

static w2v_status pass_init(encode_pass *p, const encode_request *request, w2v_error *err)
{
    const w2v_text_options *o = request->options;
    p->request = request;
    p->store.spill_fd = -1;
    p->word_limit = o->max_memory == 0               ? pages_available()
                    : o->max_memory > WORD_LIMIT_MIN ? o->max_memory
                                                     : WORD_LIMIT_MIN;
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

static void pass_clear(encode_pass *p)
{
    for (int i = 0; p->workers && i < p->request->options->threads; i++) {
        encode_worker_free(p->workers[i]);
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
    encode_pass p = {0};
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
            status = encode_finish(&p, &given, corpus, err);
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
