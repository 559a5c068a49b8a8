/*
 * The inputs as a row of chunks, cut at white space and never inside a
 * character, a CRLF or (unless it is too long to be a word) a word. How the
 * text is cut shows nowhere in the result.
 */
#ifndef W2V_TEXT_CHUNK_H
#define W2V_TEXT_CHUNK_H

#include "io/inputs.h"
#include "io/source.h"
#include "text/token.h"

#include <stdbool.h>
#include <stdint.h>

#define CHUNK_SIZE_MIN 16
#define CHUNK_PADDING 128                /* bytes after a chunk that the tokenizer may overwrite */
#define CHUNK_CARRY_MAX (TOKEN_MAX + 32) /* longest rest behind a cut */

/** Bytes of the buffer that chunk_next() wants. */
#define CHUNK_BUFFER(chunk_size) ((chunk_size) + CHUNK_CARRY_MAX + TOKEN_MAX + CHUNK_PADDING)

typedef struct chunk {
    char *data; /* in the caller's buffer, CHUNK_PADDING bytes behind its end are free */
    size_t size;
    uint64_t number;       /* 0, 1, … over all inputs */
    uint64_t text_offset;  /* of data[0] in the joined inputs */
    uint64_t input_offset; /* and in its own, byte order mark counted */
    size_t input;
    bool begins_inside; /* data[0] goes on with a token too long to be a word */
    bool ends_input;    /* nothing of this input follows */
} chunk;

typedef struct chunk_reader {
    const w2v_inputs *inputs;
    size_t chunk_size;
    bool hash;
    source *source;               /* of inputs[input], or NULL before it is opened */
    size_t input;                 /* == inputs->count at the end */
    uint64_t offset, text_offset; /* of carry[0] */
    uint64_t number;
    size_t carry_size;
    bool inside;          /* the last cut was inside a long token */
    bool at_line_end;     /* nothing since the last line end, or no text yet */
    uint64_t open_lines;  /* inputs whose last line has no end */
    uint64_t stored_done; /* bytes of the inputs before this one, as stored */
    size_t gzip_trailing;
    char **hashes; /* one for each input, when asked for */
    char carry[CHUNK_CARRY_MAX];
} chunk_reader;

/** `inputs` is borrowed; chunk_size >= CHUNK_SIZE_MIN. */
w2v_status chunk_reader_init(chunk_reader *r, const w2v_inputs *inputs, size_t chunk_size,
                             bool hash, w2v_error *err);
void chunk_reader_clear(chunk_reader *r);
/** Next chunk into buffer[0..CHUNK_BUFFER-1]. Not to be called at the end. */
w2v_status chunk_next(chunk_reader *r, char *buffer, chunk *out, w2v_error *err);

static inline bool chunk_at_end(const chunk_reader *r)
{
    return r->input == r->inputs->count;
}

/** Bytes of the inputs as stored that were consumed so far. */
uint64_t chunk_stored_done(const chunk_reader *r);

#endif
