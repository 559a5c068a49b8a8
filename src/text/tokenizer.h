/*
 * Bytes of a chunk to words: cut at Unicode white space and NUL, a line ends
 * at LF, CRLF or CR. What was met on the way is counted.
 */
#ifndef W2V_TEXT_TOKENIZER_H
#define W2V_TEXT_TOKENIZER_H

#include "text/chunk.h"
#include "text/fold.h"
#include "text/token.h"

/** What a tokenizer met; totals of several add up with met_add(). */
typedef struct text_met {
    uint64_t tokens;
    uint64_t lines; /* line ends */
    uint64_t nul_bytes;
    uint64_t long_tokens;
    uint64_t invalid;     /* maximal parts that are not UTF-8 */
    uint64_t latin1;      /* those of them that look like a Latin-1 letter inside a word */
    size_t invalid_input; /* of the first */
    uint64_t invalid_offset;
} text_met;

void met_add(text_met *total, const text_met *more);

/** Takes n <= TOKEN_BATCH tokens; their bytes live until it returns. */
typedef w2v_status token_sink(void *user, const token *tokens, size_t n, w2v_error *err);

typedef struct tokenizer {
    bool lines_are_sentences;
    bool lowercase;
    fold *fold; /* NULL: words stay as they are */
    token_sink *sink;
    void *user;
    w2v_error *err;
    text_met met;
    w2v_status status;
    const chunk *chunk;   /* of this run */
    bool after_break;     /* no token since the last TOKEN_BREAK */
    size_t decoded;       /* characters before this byte of the chunk were looked at */
    uint64_t space_carry; /* bytes of the next 64 that end a white space character */
    size_t count;
    char *folded; /* words of the batch that were changed */
    size_t folded_used;
    token tokens[TOKEN_BATCH];
} tokenizer;

/** Sets up *t for `options`; `sink` with `user` takes the tokens. */
w2v_status tokenizer_init(tokenizer *t, const w2v_text_options *options, token_sink *sink,
                          void *user, w2v_error *err);
void tokenizer_clear(tokenizer *t);
/** All tokens of a chunk; a TOKEN_BREAK for each line end (one for a row of them) and input end. */
w2v_status tokenizer_run(tokenizer *t, const chunk *c, w2v_error *err);

#endif
