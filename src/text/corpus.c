#include "text/corpus.h"

#include "base/mem.h"
#include "os/file.h"
#include "os/pages.h"

#include <inttypes.h>

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
