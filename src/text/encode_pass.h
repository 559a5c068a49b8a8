/* What encode.c has gathered when the last chunk is read, for encode_finish.c to make a corpus of.
 */
#ifndef W2V_TEXT_ENCODE_PASS_H
#define W2V_TEXT_ENCODE_PASS_H

#include "os/thread.h"
#include "text/chunk.h"
#include "text/codes.h"
#include "text/encode.h"
#include "text/tokenizer.h"
#include "text/type_table.h"

/** What a thread works with; made when it gets its first chunk. */
typedef struct encode_worker {
    char *buffer;
    size_t buffer_size;
    type_table types;
    uint32_t type_count; /* of them, once they were merged */
    tokenizer tokens;
    codes_store *store; /* NULL: count only */
    codes_writer *writer;
    uint64_t told;        /* tokens that the pass knows of */
    uint64_t told_memory; /* and bytes of `types` */
} encode_worker;

/** Shared by the threads; all below `lock` only with it held. */
typedef struct encode_pass {
    const encode_request *request;
    codes_store store;
    encode_worker **workers; /* options->threads, NULL where a thread had nothing to do */
    mutex *lock;
    chunk_reader reader;
    uint64_t tokens;
    uint64_t word_memory, word_limit; /* bytes of all `types`, and how many may be */
    bool stopped;
    w2v_error error; /* the first */
} encode_pass;

void encode_worker_free(encode_worker *w);

/** The corpus of what was read. Workers and `given` are freed on the way; after an error some
    may be left. */
w2v_status encode_finish(encode_pass *p, vocab_list *given, w2v_corpus *corpus, w2v_error *err);

#endif
