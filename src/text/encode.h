/* The one parallel pass that counts and encodes, with the sizes that tests make small. */
#ifndef W2V_TEXT_ENCODE_H
#define W2V_TEXT_ENCODE_H

#include "io/inputs.h"
#include "text/corpus.h"

typedef struct encode_sizes {
    size_t chunk;       /* bytes of text a worker takes at a time, >= CHUNK_SIZE_MIN */
    size_t block_codes; /* codes of a block in memory, >= CODES_BLOCK_MIN, <= 2^31 */
} encode_sizes;

/*
 * A chunk stays in the second-level cache between reading and cutting, and is
 * long enough that the lock does not matter; a block is worth two huge pages.
 */
#define ENCODE_SIZES_DEFAULT ((encode_sizes){(size_t)1 << 18, (size_t)1 << 20})

/** One reading of the inputs, for w2v_corpus_create() and, with !encode, w2v_corpus_count(). */
typedef struct encode_request {
    const w2v_inputs *inputs;
    const w2v_text_options *options;
    encode_sizes sizes;
    bool encode;
    w2v_read_progress *progress;
    void *user;
} encode_request;

w2v_status encode_text(const encode_request *request, w2v_corpus **out, w2v_error *err);

#endif
