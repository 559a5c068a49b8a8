/*
 * The encoded text while it is made. Each worker writes codes of its own
 * numbering into blocks; a piece is what one chunk left in one block. At the
 * end all pieces are renumbered where they lie and moved, in the order of the
 * text, into one array or file. A block is given back as soon as it was moved,
 * so the whole never takes much more than four bytes a code.
 *
 * Blocks beyond the memory limit are written to an unlinked file.
 */
#ifndef W2V_TEXT_CODES_H
#define W2V_TEXT_CODES_H

#include "os/thread.h"
#include "text/corpus.h"

#define CODES_DROPPED (UINT32_MAX - 1) /* in a map of ids: the word is not in the vocabulary */
#define CODES_BLOCK_MIN 256
#define CODES_ROOM 64 /* codes of one call of codes_room() at most; == TOKEN_BATCH */

typedef struct codes_piece {
    uint64_t chunk;    /* number of the chunk */
    uint64_t place;    /* in the final text; set by codes_finish() */
    uint32_t start;    /* first code in the block */
    uint32_t length;   /* codes */
    uint32_t tokens;   /* of these, no breaks; set by renumbering, as the rest */
    bool break_before; /* a break stands before the first token of the piece … */
    bool break_after;  /* … behind the last one, or anywhere when there is no token */
} codes_piece;

typedef struct codes_block {
    uint32_t *codes; /* capacity of them, or NULL when on disk */
    uint64_t file_offset;
    size_t capacity, used;
    codes_piece *pieces; /* in the order of the text */
    size_t piece_count, piece_capacity;
} codes_block;

/** A worker's blocks, in the order of the text. */
typedef struct codes_writer {
    codes_block *blocks;
    size_t block_count, block_capacity;
    size_t taken; /* blocks handed out in a pass of codes_finish() */
    uint64_t chunk;        /* being written */
    bool fresh;            /* the next code begins a piece */
    uint64_t other_memory; /* what its owner holds besides, as it last said */
} codes_writer;

typedef struct codes_store {
    mutex *lock;
    size_t block_codes;  /* capacity of a block in the long run */
    uint64_t max_memory; /* 0 = none */
    const char *tmp_dir;
    uint64_t memory; /* blocks in memory and what the writers hold besides */
    int spill_fd;    /* -1 while nothing is spilled */
    uint64_t spill_size;
    codes_writer *writers;
    int writer_count;
} codes_store;

w2v_status codes_init(codes_store *s, int writers, size_t block_codes, uint64_t max_memory,
                      const char *tmp_dir, w2v_error *err);
void codes_clear(codes_store *s);

/** From now on writer w's codes belong to chunk `number`. */
void codes_begin_chunk(codes_writer *w, uint64_t number);
/**
 * Room for CODES_ROOM codes at the end of writer w, whose owner holds
 * `other_memory` bytes besides (that counts for the limit); NULL with *err
 * filled.
 */
uint32_t *codes_room(codes_store *s, codes_writer *w, uint64_t other_memory, w2v_error *err);
/** Keeps the first n of them. */
static inline void codes_advance(codes_writer *w, size_t n)
{
    codes_block *b = &w->blocks[w->block_count - 1];
    b->used += n;
    b->pieces[b->piece_count - 1].length += (uint32_t)n;
}

/** Where the finished text goes. */
typedef struct codes_result {
    uint32_t *codes; /* pages of codes_bytes, or NULL when in spill_fd or empty */
    size_t codes_bytes;
    int spill_fd;
    uint64_t length;    /* codes */
    uint64_t tokens;    /* of these, no breaks */
    uint64_t sentences; /* runs of tokens */
} codes_result;

/**
 * Gives each code of writer w the id maps[w][code] (CODES_DROPPED: none), joins
 * all, and keeps one break between runs of tokens, none at either end. The
 * result goes to a file when it would take more than max_memory less
 * `other_memory` (and there is a limit). The store is emptied.
 */
w2v_status codes_finish(codes_store *s, uint32_t *const *maps, uint64_t other_memory, int threads,
                        codes_result *out, w2v_error *err);

#endif
