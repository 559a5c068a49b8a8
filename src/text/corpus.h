/*
 * A text as ids. The encoded text is a sequence of uint32_t: the id of a kept
 * token, or CORPUS_BREAK where a window must not cross (line end, file end).
 * Breaks stand only between two tokens: never two in a row, none at the start
 * or the end. It lies in memory, or in an unlinked file once it exceeds the
 * memory limit; readers go through corpus_read().
 */
#ifndef W2V_TEXT_CORPUS_H
#define W2V_TEXT_CORPUS_H

#include "text/vocab.h"

#define CORPUS_BREAK UINT32_MAX

struct w2v_corpus {
    w2v_vocab *vocab;
    w2v_text_stats stats;
    uint32_t *codes; /* `length` codes on pages of their own, or NULL when spilled or only counted */
    uint64_t length;     /* codes, breaks included */
    size_t codes_bytes;  /* what pages_free() wants */
    int spill_fd;        /* -1 when in memory */
    char **input_hashes; /* one for each input, or NULL */
    size_t inputs;
    bool counted_only;
    uint64_t *base_counts; /* of the first base_words words: what w2v_text_options.base had */
    uint32_t base_words;
    bool fingerprinted;
    uint64_t fingerprint; /* once it is */
};

/**
 * Codes [begin, end) of the text. Returns a pointer into memory, or reads them
 * into `buffer` (room for end - begin codes) when they are spilled; NULL with
 * *err filled when that fails. Safe from many threads.
 */
const uint32_t *corpus_read(const w2v_corpus *corpus, uint64_t begin, uint64_t end,
                            uint32_t *buffer, w2v_error *err);

/** A hash of all codes: what was remembered, or computed now. Errors: what corpus_read() returns.
 */
w2v_status corpus_fingerprint(const w2v_corpus *corpus, uint64_t *out, w2v_error *err);

#endif
