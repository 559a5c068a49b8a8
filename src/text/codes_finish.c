#include "base/mem.h"
#include "os/file.h"
#include "os/pages.h"
#include "text/codes.h"

#include <string.h>

/* One of the two passes over all blocks, shared by the threads of a team. */
typedef struct block_pass {
    codes_store *store;
    uint32_t *const *maps;
    codes_result *result; /* NULL in the first pass */
    mutex *lock;
    w2v_status status; /* of the first failure */
    w2v_error *err;
} block_pass;

/*
 * Renumbers a piece where it lies: dropped words go, breaks stay only between
 * two tokens. Never writes ahead of what was read: a break that is written was
 * read before.
 */
static void renumber_piece(codes_piece *p, uint32_t *codes, const uint32_t *map)
{
    uint32_t to = 0;
    uint32_t breaks = 0;
    bool pending = false;
    for (uint32_t i = 0; i < p->length; i++) {
        if (codes[i] == CORPUS_BREAK) {
            pending = true;
            continue;
        }
        const uint32_t id = map[codes[i]];
        if (id == CODES_DROPPED) {
            continue;
        }
        if (pending) {
            pending = false;
            if (to == 0) {
                p->break_before = true;
            } else {
                codes[to++] = CORPUS_BREAK;
                breaks++;
            }
        }
        codes[to++] = id;
    }
    p->length = to;
    p->tokens = to - breaks;
    p->break_after = pending;
}

/* Where a writer's next piece is. */
typedef struct piece_cursor {
    size_t block, piece;
} piece_cursor;

/* The next piece in the order of the text: chunks ascend within each writer. NULL at the end. */
static codes_piece *next_piece(const codes_store *s, piece_cursor *cursors)
{
    codes_piece *next = NULL;
    int writer = 0;
    for (int i = 0; i < s->writer_count; i++) {
        const codes_writer *w = &s->writers[i];
        piece_cursor *c = &cursors[i];
        while (c->block < w->block_count && c->piece == w->blocks[c->block].piece_count) {
            c->block++;
            c->piece = 0;
        }
        if (c->block < w->block_count) {
            codes_piece *p = &w->blocks[c->block].pieces[c->piece];
            if (!next || p->chunk < next->chunk) {
                next = p;
                writer = i;
            }
        }
    }
    if (next) {
        cursors[writer].piece++;
    }
    return next;
}

static w2v_status place_pieces(const codes_store *s, codes_result *out, w2v_error *err)
{
    piece_cursor *cursors = mem_calloc((size_t)s->writer_count, sizeof *cursors);
    if (!cursors) {
        return error_memory(err, "the encoded text");
    }
    bool pending = false; /* a break was met since the last token */
    for (codes_piece *p; (p = next_piece(s, cursors)) != NULL;) {
        pending = pending || p->break_before;
        if (p->length > 0) {
            const uint32_t breaks = p->length - p->tokens;
            const bool first = out->tokens == 0;
            p->break_before = pending && !first;
            p->place = out->length + p->break_before;
            out->length = p->place + p->length;
            out->tokens += p->tokens;
            out->sentences += breaks + (p->break_before || first);
            pending = false;
        }
        pending = pending || p->break_after;
    }
    mem_free(cursors);
    return W2V_OK;
}

static w2v_status io_error(const codes_store *s, const char *what, int sys_errno, w2v_error *err)
{
    return error_sys(err, W2V_ERR_IO, sys_errno, "cannot %s the encoded text in folder '%s'", what,
                     s->tmp_dir);
}

static w2v_status write_piece(const codes_store *s, const codes_piece *p, const uint32_t *codes,
                              const codes_result *out, w2v_error *err)
{
    static const uint32_t mark = CORPUS_BREAK;
    const uint64_t offset = p->place * sizeof(uint32_t);
    int failed = 0;
    if (p->break_before) {
        failed = file_pwrite(out->spill_fd, &mark, sizeof mark, offset - sizeof mark);
    }
    if (!failed) {
        failed = file_pwrite(out->spill_fd, codes, p->length * sizeof(uint32_t), offset);
    }
    return failed ? io_error(s, "write", failed, err) : W2V_OK;
}

static w2v_status move_piece(const codes_store *s, const codes_piece *p, const uint32_t *codes,
                             const codes_result *out, w2v_error *err)
{
    if (p->length == 0) {
        return W2V_OK;
    }
    if (!out->codes) {
        return write_piece(s, p, codes, out, err);
    }
    if (p->break_before) {
        out->codes[p->place - 1] = CORPUS_BREAK;
    }
    memcpy(out->codes + p->place, codes, p->length * sizeof *codes);
    return W2V_OK;
}

/* The pieces of a block whose codes are at hand: renumbered in the first pass, moved in the second.
 */
static w2v_status pass_pieces(const block_pass *pass, codes_block *b, uint32_t *codes,
                              const uint32_t *map, w2v_error *err)
{
    w2v_status status = W2V_OK;
    for (size_t i = 0; i < b->piece_count && status == W2V_OK; i++) {
        codes_piece *p = &b->pieces[i];
        if (pass->result) {
            status = move_piece(pass->store, p, codes + p->start, pass->result, err);
        } else {
            renumber_piece(p, codes + p->start, map);
        }
    }
    return status;
}

static w2v_status pass_spilled(const block_pass *pass, codes_block *b, const uint32_t *map,
                               w2v_error *err)
{
    const codes_store *s = pass->store;
    const size_t bytes = b->used * sizeof(uint32_t);
    uint32_t *codes = mem_alloc(bytes);
    if (!codes) {
        return error_memory(err, "the encoded text");
    }
    size_t got = 0;
    int failed = file_pread(s->spill_fd, codes, bytes, b->file_offset, &got);
    w2v_status status = W2V_OK;
    if (failed) {
        status = io_error(s, "read", failed, err);
    } else if (got < bytes) {
        status =
            error_set(err, W2V_ERR_IO, "the encoded text in folder '%s' was cut short", s->tmp_dir);
    } else {
        status = pass_pieces(pass, b, codes, map, err);
    }
    if (status == W2V_OK && !pass->result) {
        failed = file_pwrite(s->spill_fd, codes, bytes, b->file_offset);
        status = failed ? io_error(s, "write", failed, err) : W2V_OK;
    }
    mem_free(codes);
    return status;
}

/* Next block of the pass, with its writer; NULL after the last and after a failure. */
static uint64_t first_chunk(const codes_block *b)
{
    return b->piece_count > 0 ? b->pieces[0].chunk : 0;
}

/* Begins a pass over all blocks. */
static void rewind_blocks(codes_store *s)
{
    for (int i = 0; i < s->writer_count; i++) {
        s->writers[i].taken = 0;
    }
}

/* The next block in the order of the text, so that the result fills from the front while blocks are
   given back: in another order whole huge pages of it would be taken for a few codes each. */
static codes_block *take_block(block_pass *pass, int *writer)
{
    codes_writer *first = NULL;
    mutex_lock(pass->lock);
    for (int i = 0; pass->status == W2V_OK && i < pass->store->writer_count; i++) {
        codes_writer *w = &pass->store->writers[i];
        if (w->taken < w->block_count &&
            (!first ||
             first_chunk(&w->blocks[w->taken]) < first_chunk(&first->blocks[first->taken]))) {
            first = w;
            *writer = i;
        }
    }
    codes_block *taken = first ? &first->blocks[first->taken++] : NULL;
    mutex_unlock(pass->lock);
    return taken;
}

static void pass_body(void *arg, int thread, int team)
{
    block_pass *pass = arg;
    (void)thread;
    (void)team;
    int writer = 0;
    for (codes_block *b; (b = take_block(pass, &writer)) != NULL;) {
        w2v_error err = {0};
        const uint32_t *map = pass->maps[writer];
        const w2v_status status =
            b->codes ? pass_pieces(pass, b, b->codes, map, &err) : pass_spilled(pass, b, map, &err);
        if (b->codes && pass->result) {
            pages_free(b->codes, b->capacity * sizeof *b->codes);
            b->codes = NULL;
            b->piece_count = 0;
        }
        if (status != W2V_OK) {
            mutex_lock(pass->lock);
            if (pass->status == W2V_OK) {
                pass->status = status;
                (void)error_pass(pass->err, &err);
            }
            mutex_unlock(pass->lock);
        }
    }
}

static w2v_status open_result(const codes_store *s, uint64_t other_memory, codes_result *out,
                              w2v_error *err)
{
    if (out->length == 0) {
        return W2V_OK;
    }
    if (out->length > SIZE_MAX / sizeof(uint32_t)) {
        return error_memory(err, "the encoded text");
    }
    const uint64_t bytes = out->length * sizeof(uint32_t);
    const uint64_t limit = s->max_memory > other_memory ? s->max_memory - other_memory : 0;
    if (s->max_memory && bytes > limit) {
        const int failed = file_create_unlinked(s->tmp_dir, &out->spill_fd);
        if (failed) {
            out->spill_fd = -1;
            return io_error(s, "write", failed, err);
        }
        return W2V_OK;
    }
    out->codes = pages_alloc_in_order((size_t)bytes);
    out->codes_bytes = (size_t)bytes;
    return out->codes ? W2V_OK : error_memory(err, "the encoded text");
}

w2v_status codes_finish(codes_store *s, uint32_t *const *maps, uint64_t other_memory, int threads,
                        codes_result *out, w2v_error *err)
{
    memset(out, 0, sizeof *out);
    out->spill_fd = -1;
    block_pass first = {.store = s, .maps = maps, .lock = s->lock, .err = err};
    rewind_blocks(s);
    thread_team(threads, pass_body, &first);
    w2v_status status = first.status;
    if (status == W2V_OK) {
        status = place_pieces(s, out, err);
    }
    if (status == W2V_OK) {
        status = open_result(s, other_memory, out, err);
    }
    if (status == W2V_OK) {
        block_pass second = first;
        second.result = out;
        rewind_blocks(s);
        thread_team(threads, pass_body, &second);
        status = second.status;
    }
    if (status != W2V_OK) {
        pages_free(out->codes, out->codes_bytes);
        if (out->spill_fd >= 0) {
            file_close(out->spill_fd);
        }
        memset(out, 0, sizeof *out);
        out->spill_fd = -1;
    }
    return status;
}
