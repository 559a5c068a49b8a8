#include "text/corpus.h"

#include "base/hash.h"
#include "base/mem.h"
#include "os/file.h"
#include "os/pages.h"

#include <inttypes.h>

/* Codes hashed at a time. */
#define SCAN ((uint64_t)1 << 18)

w2v_text_options w2v_text_options_default(void)
{
    return (w2v_text_options){
        .invalid_utf8 = W2V_UTF8_KEEP,
        .lines_are_sentences = true,
        .min_count = 5,
        .threads = 1,
    };
}

void w2v_corpus_free(w2v_corpus *corpus)
{
    if (!corpus) {
        return;
    }
    vocab_free(corpus->vocab);
    pages_free(corpus->codes, corpus->codes_bytes);
    if (corpus->spill_fd >= 0) {
        (void)file_close(corpus->spill_fd); /* unlinked: nothing is kept of it */
    }
    for (size_t i = 0; corpus->input_hashes && i < corpus->inputs; i++) {
        mem_free(corpus->input_hashes[i]);
    }
    mem_free(corpus->input_hashes);
    mem_free(corpus->base_counts);
    mem_free(corpus);
}

const w2v_vocab *w2v_corpus_vocab(const w2v_corpus *corpus)
{
    return corpus->vocab;
}

const w2v_text_stats *w2v_corpus_stats(const w2v_corpus *corpus)
{
    return &corpus->stats;
}

const char *w2v_corpus_input_hash(const w2v_corpus *corpus, size_t i)
{
    return corpus->input_hashes ? corpus->input_hashes[i] : NULL;
}

const uint32_t *corpus_read(const w2v_corpus *corpus, uint64_t begin, uint64_t end,
                            uint32_t *buffer, w2v_error *err)
{
    if (corpus->codes) {
        return corpus->codes + begin;
    }
    const size_t bytes = (size_t)(end - begin) * sizeof *buffer;
    const uint64_t offset = begin * sizeof *buffer;
    size_t got = 0;
    const int failed = file_pread(corpus->spill_fd, buffer, bytes, offset, &got);
    if (failed) {
        error_sys(err, W2V_ERR_IO, failed, "cannot read the encoded text at byte %" PRIu64, offset);
        return NULL;
    }
    if (got < bytes) {
        error_set(err, W2V_ERR_IO, "the encoded text ends early at byte %" PRIu64, offset + got);
        return NULL;
    }
    return buffer;
}

w2v_status corpus_fingerprint(const w2v_corpus *corpus, uint64_t *out, w2v_error *err)
{
    *out = corpus->fingerprint;
    if (corpus->fingerprinted) {
        return W2V_OK;
    }
    uint32_t *buffer = corpus->codes ? NULL : mem_calloc(SCAN, sizeof *buffer);
    if (!corpus->codes && !buffer) {
        return error_memory(err, "the text's fingerprint");
    }
    uint64_t h = HASH_START;
    w2v_status status = W2V_OK;
    for (uint64_t at = 0; status == W2V_OK && at < corpus->length; at += SCAN) {
        const uint64_t n = corpus->length - at < SCAN ? corpus->length - at : SCAN;
        w2v_error own = {0};
        const uint32_t *codes = corpus_read(corpus, at, at + n, buffer, err ? err : &own);
        if (!codes) {
            status = err ? err->code : own.code;
            break;
        }
        uint64_t i = 0;
        for (; i + 2 <= n; i += 2) {
            h = hash_word(h, codes[i] | (uint64_t)codes[i + 1] << 32);
        }
        h = i < n ? hash_word(h, codes[i]) : h;
    }
    mem_free(buffer);
    *out = hash_word(h, corpus->length);
    return status;
}
