#include "text/codes.h"

#include "base/mem.h"
#include "os/file.h"
#include "os/pages.h"

#include <string.h>

#define FIRST_BLOCK ((size_t)1 << 16) /* codes; short texts need no more */

w2v_status codes_init(codes_store *s, int writers, size_t block_codes, uint64_t max_memory,
                      const char *tmp_dir, w2v_error *err)
{
    memset(s, 0, sizeof *s);
    s->spill_fd = -1;
    s->block_codes = block_codes;
    s->max_memory = max_memory;
    s->tmp_dir = tmp_dir ? tmp_dir : ".";
    s->lock = mutex_create();
    s->writers = mem_calloc((size_t)writers, sizeof *s->writers);
    s->writer_count = writers;
    if (!s->lock || !s->writers) {
        codes_clear(s);
        return error_memory(err, "the encoded text");
    }
    return W2V_OK;
}

static void free_block(codes_block *b)
{
    pages_free(b->codes, b->capacity * sizeof *b->codes);
    b->codes = NULL;
}

void codes_clear(codes_store *s)
{
    for (int i = 0; s->writers && i < s->writer_count; i++) {
        codes_writer *w = &s->writers[i];
        for (size_t k = 0; k < w->block_count; k++) {
            free_block(&w->blocks[k]);
            mem_free(w->blocks[k].pieces);
        }
        mem_free(w->blocks);
    }
    mem_free(s->writers);
    mutex_free(s->lock);
    if (s->spill_fd >= 0) {
        file_close(s->spill_fd);
    }
    memset(s, 0, sizeof *s);
    s->spill_fd = -1;
}

void codes_begin_chunk(codes_writer *w, uint64_t number)
{
    w->chunk = number;
    w->fresh = true;
}

static w2v_status spill_error(const codes_store *s, int sys_errno, w2v_error *err)
{
    return error_sys(err, W2V_ERR_IO, sys_errno, "cannot write the encoded text in folder '%s'",
                     s->tmp_dir);
}

/* Place of `bytes` in the spill file. Under the lock. */
static w2v_status claim_spill(codes_store *s, uint64_t bytes, uint64_t *offset, w2v_error *err)
{
    if (s->spill_fd < 0) {
        const int failed = file_create_unlinked(s->tmp_dir, &s->spill_fd);
        if (failed) {
            s->spill_fd = -1;
            return spill_error(s, failed, err);
        }
    }
    *offset = s->spill_size;
    s->spill_size += bytes;
    return W2V_OK;
}

/* May a block more be held in memory? Otherwise the full one, if there is any, is written to disk,
   and its memory taken for the next. */
static w2v_status make_room(codes_store *s, codes_writer *w, uint64_t other_memory, size_t capacity,
                            uint32_t **reused, w2v_error *err)
{
    codes_block *full = w->block_count ? &w->blocks[w->block_count - 1] : NULL;
    const uint64_t bytes = capacity * sizeof(uint32_t);
    w2v_status status = W2V_OK;
    mutex_lock(s->lock);
    s->memory += other_memory - w->other_memory;
    w->other_memory = other_memory;
    const bool over = s->max_memory && full && s->memory + bytes > s->max_memory;
    if (over) {
        status = claim_spill(s, full->used * sizeof(uint32_t), &full->file_offset, err);
    } else {
        s->memory += bytes;
    }
    mutex_unlock(s->lock);
    if (!over || status != W2V_OK) {
        return status;
    }
    const int failed =
        file_pwrite(s->spill_fd, full->codes, full->used * sizeof(uint32_t), full->file_offset);
    if (failed) {
        return spill_error(s, failed, err);
    }
    *reused = full->codes;
    full->codes = NULL;
    return W2V_OK;
}

static size_t next_capacity(const codes_store *s, const codes_writer *w)
{
    if (w->block_count == 0) {
        return s->block_codes < FIRST_BLOCK ? s->block_codes : FIRST_BLOCK;
    }
    const size_t doubled = 2 * w->blocks[w->block_count - 1].capacity;
    return doubled < s->block_codes ? doubled : s->block_codes;
}

static w2v_status add_block(codes_store *s, codes_writer *w, uint64_t other_memory, w2v_error *err)
{
    if (w->block_count == w->block_capacity) {
        const size_t capacity = w->block_capacity ? 2 * w->block_capacity : 16;
        codes_block *grown = mem_realloc(w->blocks, capacity, sizeof *w->blocks);
        if (!grown) {
            return error_memory(err, "the encoded text");
        }
        w->blocks = grown;
        w->block_capacity = capacity;
    }
    uint32_t *codes = NULL;
    size_t capacity = next_capacity(s, w);
    const w2v_status status = make_room(s, w, other_memory, capacity, &codes, err);
    if (status != W2V_OK) {
        return status;
    }
    if (codes) {
        capacity = w->blocks[w->block_count - 1].capacity;
    } else {
        codes = pages_alloc_in_order(capacity * sizeof *codes);
    }
    if (!codes) {
        return error_memory(err, "the encoded text");
    }
    codes_block *b = &w->blocks[w->block_count++];
    memset(b, 0, sizeof *b);
    b->codes = codes;
    b->capacity = capacity;
    return W2V_OK;
}

static bool add_piece(codes_block *b, uint64_t chunk)
{
    if (b->piece_count == b->piece_capacity) {
        const size_t capacity = b->piece_capacity ? 2 * b->piece_capacity : 16;
        codes_piece *grown = mem_realloc(b->pieces, capacity, sizeof *b->pieces);
        if (!grown) {
            return false;
        }
        b->pieces = grown;
        b->piece_capacity = capacity;
    }
    codes_piece *p = &b->pieces[b->piece_count++];
    memset(p, 0, sizeof *p);
    p->chunk = chunk;
    p->start = (uint32_t)b->used;
    return true;
}

uint32_t *codes_room(codes_store *s, codes_writer *w, uint64_t other_memory, w2v_error *err)
{
    codes_block *b = w->block_count ? &w->blocks[w->block_count - 1] : NULL;
    if (!b || b->capacity - b->used < CODES_ROOM) {
        if (add_block(s, w, other_memory, err) != W2V_OK) {
            return NULL;
        }
        b = &w->blocks[w->block_count - 1];
        w->fresh = true;
    }
    if (w->fresh) {
        if (!add_piece(b, w->chunk)) {
            error_memory(err, "the encoded text");
            return NULL;
        }
        w->fresh = false;
    }
    return b->codes + b->used;
}
