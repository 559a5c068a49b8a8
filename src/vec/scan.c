/*
 * Rows without a table. A plain word2vec binary is read in pieces, each into
 * its thread's own buffer. Where a row begins is known only from the row
 * before, so pieces are walked in turn: a walk hops from word to word and is
 * over in no time, while reading and what is done with the rows go on in
 * parallel around it.
 */
#include "base/mem.h"
#include "os/file.h"
#include "os/thread.h"
#include "os/turn.h"
#include "vec/binary_row.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#define PIECE ((size_t)1 << 20) /* larger ones are not faster, and fall out of the cache */
#define SLACK ((size_t)4096)    /* for the word of a row that reaches into the next piece */

typedef struct scan {
    w2v_vectors *v;
    vec_scan_calls calls;
    int fd;
    size_t values; /* bytes of a row's floats */
    size_t piece;  /* bytes of a piece */
    uint64_t pieces;
    uint64_t wanted; /* rows */
    turn *walk;
    mutex *lock; /* of `fault` */

    atomic_uint_fast64_t next; /* piece to be begun */
    atomic_bool stop;          /* begin no further piece */

    /* Of the thread whose turn it is. */
    uint64_t at, row; /* where the next row begins, and its number */
    binary_dialect dialect;
    bool over; /* no later row is given to anyone */

    /* The fault in the earliest row decides, whichever thread finds it first. */
    uint64_t fault_row;
    w2v_error fault;
} scan;

typedef struct piece {
    scan *s;
    uint64_t begin, end; /* rows that begin in between belong to it */
    char *bytes;         /* from `begin` on */
    size_t size, capacity;
    vec_row *rows;
    size_t count, rows_capacity;
    uint64_t first; /* number of rows[0] */
} piece;

int vec_scan_threads(int threads)
{
    return threads < 1 ? 1 : threads;
}

static void set_fault(scan *s, uint64_t row, const w2v_error *fault)
{
    mutex_lock(s->lock);
    if (s->fault.code == W2V_OK || row < s->fault_row) {
        s->fault = *fault;
        s->fault_row = row;
    }
    mutex_unlock(s->lock);
    atomic_store(&s->stop, true);
}

/* ----------------------------------------------------------------- reading */

static w2v_status changed(const scan *s, w2v_error *err)
{
    return error_set(err, W2V_ERR_INPUT, "'%s' changed while it was read", vec_name(s->v));
}

/* A larger buffer; rows that were found already point into it. */
static bool move_bytes(piece *p, size_t capacity)
{
    char *bytes = mem_alloc(capacity);
    if (!bytes) {
        return false;
    }
    if (p->size > 0) {
        memcpy(bytes, p->bytes, p->size);
    }
    for (size_t i = 0; i < p->count; i++) {
        vec_row *row = &p->rows[i];
        row->word = bytes + (row->word - p->bytes);
        row->values = row->word + row->length + 1;
    }
    mem_free(p->bytes);
    p->bytes = bytes;
    p->capacity = capacity;
    return true;
}

/* Makes the buffer hold the file from p->begin to byte `end`, or to the end of the file. */
static w2v_status read_to(piece *p, uint64_t end, w2v_error *err)
{
    scan *s = p->s;
    const uint64_t size = s->v->file->size;
    const size_t need = (size_t)((end < size ? end : size) - p->begin);
    if (need <= p->size) {
        return W2V_OK;
    }
    if (need > p->capacity && !move_bytes(p, need)) {
        return error_memory(err, "a piece of the file");
    }
    size_t got;
    const int e = file_pread(s->fd, p->bytes + p->size, need - p->size, p->begin + p->size, &got);
    if (e) {
        return error_sys(err, W2V_ERR_IO, e, "cannot read '%s'", vec_name(s->v));
    }
    p->size += got;
    return p->size < need ? changed(s, err) : W2V_OK;
}

/* ----------------------------------------------------------------- walking */

static w2v_status add_row(piece *p, const vec_row *row, w2v_error *err)
{
    if (p->count == p->rows_capacity) {
        const size_t capacity = p->rows_capacity ? 2 * p->rows_capacity : 1024;
        vec_row *rows = mem_realloc(p->rows, capacity, sizeof *rows);
        if (!rows) {
            return error_memory(err, "a piece of the file");
        }
        p->rows = rows;
        p->rows_capacity = capacity;
    }
    p->rows[p->count++] = *row;
    return W2V_OK;
}

/* Looks at the row at s->at, reading on where it leaves the buffer. At a clean end of the file
   row->end is 0. */
static w2v_status look(piece *p, binary_row *row, w2v_error *err)
{
    scan *s = p->s;
    size_t more = SLACK;
    for (;;) {
        const size_t offset = (size_t)(s->at - p->begin);
        const size_t left = p->size > offset ? p->size - offset : 0;
        const binary_fault fault = binary_row_look(left ? p->bytes + offset : "", left, s->values,
                                                   s->dialect, s->row > 0, row);
        if (fault == BINARY_FINE) {
            row->word += offset;
            row->end += offset;
            return W2V_OK;
        }
        const uint64_t end = p->begin + p->size;
        if (fault == BINARY_SHORT && row->left == 0 && end >= s->v->file->size) {
            row->end = 0;
            return W2V_OK;
        }
        if (fault != BINARY_SHORT || end >= s->v->file->size) {
            return binary_row_error(s->v, fault, s->row, s->at, end, err);
        }
        const w2v_status status = read_to(p, s->at + s->values + more, err);
        if (status != W2V_OK) {
            return status;
        }
        more *= 2;
    }
}

/* The first row's end tells the dialect of all. */
static w2v_status learn_dialect(piece *p, w2v_error *err)
{
    scan *s = p->s;
    const w2v_status status = read_to(p, s->at + 1, err);
    const size_t offset = (size_t)(s->at - p->begin);
    s->dialect = offset < p->size && p->bytes[offset] == '\n' ? BINARY_NEWLINE : BINARY_BARE;
    return status;
}

static w2v_status walk_rows(piece *p, w2v_error *err)
{
    scan *s = p->s;
    w2v_status status = W2V_OK;
    while (s->at < p->end && s->row < s->wanted && status == W2V_OK) {
        binary_row row = {0};
        status = look(p, &row, err);
        if (status != W2V_OK || row.end == 0) {
            break;
        }
        const char *word = p->bytes + row.word;
        const vec_row kept = {
            .word = word, .values = word + row.length + 1, .length = (uint32_t)row.length};
        status = add_row(p, &kept, err);
        s->at = p->begin + row.end;
        s->row++;
        if (s->row == 1 && status == W2V_OK) {
            status = learn_dialect(p, err);
        }
    }
    return status;
}

static vec_batch batch_of(const piece *p, size_t i)
{
    const size_t left = p->count - i;
    return (vec_batch){.first = p->first + i,
                       .rows = left < VEC_BATCH_ROWS ? left : VEC_BATCH_ROWS,
                       .dim = p->s->v->dim,
                       .row = p->rows + i};
}

/* In turn: finds the rows of this piece and hands the next piece its start. */
static void walk(piece *p)
{
    scan *s = p->s;
    p->first = s->row;
    if (s->over) {
        return;
    }
    w2v_error fault = {0};
    const w2v_status status = walk_rows(p, &fault);
    if (status != W2V_OK) {
        set_fault(s, s->row, &fault);
        s->over = true;
    }
    for (size_t i = 0; s->calls.in_order && i < p->count; i += VEC_BATCH_ROWS) {
        const vec_batch batch = batch_of(p, i);
        if (!s->calls.in_order(s->calls.user, &batch)) {
            p->count = i + batch.rows;
            s->over = true;
        }
    }
    s->over = s->over || s->row >= s->wanted;
    if (s->over) {
        atomic_store(&s->stop, true);
    }
}

/* ---------------------------------------------------------------- the team */

w2v_status vec_check_row(const w2v_vectors *vectors, uint64_t number, const vec_row *row,
                         w2v_error *err)
{
    return number_all_finite(row->values, vectors->dim)
               ? W2V_OK
               : binary_nonfinite_error(vectors, number, row->word, row->length, err);
}

static void check_and_visit(piece *p, int thread)
{
    scan *s = p->s;
    if (!s->calls.visit) {
        return; /* nobody has a use for all the numbers */
    }
    for (size_t i = 0; i < p->count; i++) {
        w2v_error fault = {0};
        if (vec_check_row(s->v, p->first + i, &p->rows[i], &fault) != W2V_OK) {
            set_fault(s, p->first + i, &fault);
            return;
        }
    }
    for (size_t i = 0; i < p->count; i += VEC_BATCH_ROWS) {
        const vec_batch batch = batch_of(p, i);
        if (!s->calls.visit(s->calls.user, thread, &batch)) {
            atomic_store(&s->stop, true);
            return;
        }
    }
}

static void scan_body(void *arg, int thread, int team)
{
    (void)team;
    scan *s = arg;
    piece p = {.s = s};
    while (!atomic_load(&s->stop)) {
        const uint64_t number = atomic_fetch_add(&s->next, 1);
        if (number >= s->pieces) {
            break;
        }
        p.begin = s->v->file->data_at + number * s->piece;
        p.end = p.begin + s->piece;
        p.size = 0;
        p.count = 0;
        w2v_error fault = {0};
        const w2v_status status = read_to(&p, p.end + s->values + SLACK, &fault);
        turn_wait(s->walk, number);
        if (status == W2V_OK) {
            walk(&p);
        } else if (!s->over) {
            s->over = true;
            set_fault(s, s->row, &fault);
        }
        turn_pass(s->walk);
        check_and_visit(&p, thread);
    }
    mem_free(p.bytes);
    mem_free(p.rows);
}

static w2v_status check_end(scan *s, w2v_error *err)
{
    w2v_vectors *v = s->v;
    if (s->fault.code != W2V_OK) {
        return error_pass(err, &s->fault);
    }
    file_facts now;
    const int e = file_fstat(s->fd, &now);
    if (e) {
        return error_sys(err, W2V_ERR_IO, e, "cannot read '%s'", vec_name(v));
    }
    if (now.size != v->file->size || now.mtime_ns != v->file->modified) {
        return changed(s, err);
    }
    if (s->row < s->wanted && !atomic_load(&s->stop)) {
        vec_error_at(err, 0, s->at,
                     "'%s' promises %" PRIu64 " rows and ends after %" PRIu64 ", at byte %" PRIu64,
                     vec_name(v), v->file->rows, s->row, v->file->size);
        error_hint(err, "--lenient takes the rows there are");
        return W2V_ERR_INPUT;
    }
    const uint64_t rest = v->file->size - s->at;
    if (s->row == v->file->rows && rest > 1) { /* one byte is the newline after the last row */
        v->report.extra_rows = rest / (s->values + 2);
        vec_note(v, "the header promises %" PRIu64 " rows; %" PRIu64 " bytes more are left out",
                 v->file->rows, rest);
    }
    return W2V_OK;
}

static w2v_status run(scan *s, int threads, w2v_error *err)
{
    const vec_file *f = s->v->file;
    s->values = 4 * (size_t)s->v->dim;
    const size_t most = VEC_BATCH_ROWS * (s->values + 1); /* then rows fill few batches */
    s->piece = most < PIECE ? most : PIECE;
    s->pieces = (f->size - f->data_at + s->piece - 1) / s->piece;
    s->wanted = vec_rows_wanted(s->v);
    s->at = f->data_at;
    s->walk = turn_create();
    s->lock = mutex_create();
    if (!s->walk || !s->lock) {
        return error_memory(err, "reading a file");
    }
    const int e = file_open_read(f->path, &s->fd);
    if (e) {
        return error_sys(err, W2V_ERR_INPUT, e, "cannot read '%s'", vec_name(s->v));
    }
    thread_team(vec_scan_threads(threads), scan_body, s);
    const w2v_status status = check_end(s, err);
    (void)file_close(s->fd);
    return status;
}

w2v_status vec_scan_file(w2v_vectors *v, int threads, const vec_scan_calls *calls, w2v_error *err)
{
    scan s = {.v = v, .calls = *calls, .fd = -1};
    atomic_init(&s.next, 0);
    atomic_init(&s.stop, false);
    const w2v_status status = run(&s, threads, err);
    turn_free(s.walk);
    mutex_free(s.lock);
    return status;
}
