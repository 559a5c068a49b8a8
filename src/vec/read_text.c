/*
 * Text formats: lines of a word and numbers. One thread at a time reads a
 * piece that ends with a line; the lines are parsed in parallel, and the rows
 * put into the table in turn.
 */
#include "base/mem.h"
#include "os/thread.h"
#include "os/turn.h"
#include "vec/file.h"
#include "vec/text_row.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#define PIECE ((size_t)1 << 20)
#define NUMBER_TEXT_MAX 64 /* bytes of a number and a gap; far longer lines are none */

typedef struct text_reader {
    w2v_vectors *v;
    mutex *reading;
    turn *order;
    atomic_bool stop;

    /* Of the thread that reads. */
    char *carry; /* the begin of a line that the next piece goes on with */
    size_t carried, carry_capacity;
    uint64_t pieces;
    uint64_t offset; /* of the next piece */
    bool ended;
    size_t line_max;

    /* Of the thread whose turn it is. */
    uint64_t lines; /* before the next piece */
    uint64_t rows;  /* met, blank lines not counted */
    bool over;
    w2v_status status;
    w2v_error *err;
} text_reader;

typedef struct parsed_row {
    size_t word, length; /* in the piece's bytes */
    size_t line, offset; /* from the piece's begin */
    size_t number;       /* among those that are fine */
    text_row_fault fault;
} parsed_row;

typedef struct piece {
    text_reader *r;
    uint64_t number, offset;
    char *bytes;
    size_t size, capacity;
    bool last;
    w2v_status status; /* of reading */
    w2v_error fault;
    parsed_row *rows;
    size_t count, rows_capacity;
    float *values; /* dim of each row that is fine */
    size_t fine;
    size_t values_capacity;
    size_t lines;
} piece;

/* ----------------------------------------------------------------- reading */

static bool grow(void **p, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity) {
        return true;
    }
    const size_t next = need > *capacity * 2 ? need : *capacity * 2;
    void *grown = mem_realloc(*p, next, size);
    if (!grown) {
        return false;
    }
    *p = grown;
    *capacity = next;
    return true;
}

static bool grow_bytes(char **p, size_t *capacity, size_t need)
{
    void *bytes = *p;
    const bool grown = grow(&bytes, capacity, need, 1);
    *p = bytes;
    return grown;
}

/* Where the last line of the piece ends, or 0. */
static size_t last_line_end(const char *bytes, size_t from, size_t size)
{
    while (size > from && bytes[size - 1] != '\n') {
        size--;
    }
    return size > from ? size : 0;
}

/* Fills the piece with whole lines; what is left over is carried to the next. */
static w2v_status fill(piece *p)
{
    text_reader *r = p->r;
    p->size = 0;
    size_t want = r->carried + PIECE;
    size_t end = 0;
    if (!grow_bytes(&p->bytes, &p->capacity, want)) {
        return error_memory(&p->fault, "reading a file");
    }
    if (r->carried > 0) {
        memcpy(p->bytes, r->carry, r->carried);
    }
    p->size = r->carried;
    while (end == 0) {
        size_t got;
        const size_t before = p->size;
        const w2v_status status =
            vec_read(r->v, p->bytes + p->size, want - p->size, &got, &p->fault);
        if (status != W2V_OK) {
            return status;
        }
        p->size += got;
        r->ended = p->size < want;
        end = r->ended ? p->size : last_line_end(p->bytes, before, p->size);
        if (r->ended) {
            break;
        }
        if (end == 0 && p->size > r->line_max) {
            return vec_error_at(&p->fault, 0, r->offset,
                                "'%s' at byte %" PRIu64
                                ": a line of over %zu bytes is no row of %" PRIu32 " numbers",
                                vec_name(r->v), r->offset, r->line_max, r->v->dim);
        }
        want = p->size + PIECE;
        if (end == 0 && !grow_bytes(&p->bytes, &p->capacity, want)) {
            return error_memory(&p->fault, "reading a file");
        }
    }
    r->carried = p->size - end;
    if (!grow_bytes(&r->carry, &r->carry_capacity, r->carried)) {
        return error_memory(&p->fault, "reading a file");
    }
    if (r->carried > 0) {
        memcpy(r->carry, p->bytes + end, r->carried);
    }
    p->size = end;
    return W2V_OK;
}

/* The next piece, or false after the last. */
static bool next_piece(piece *p)
{
    text_reader *r = p->r;
    mutex_lock(r->reading);
    const bool more = !r->ended && !atomic_load(&r->stop);
    if (more) {
        p->fault = (w2v_error){0};
        p->number = r->pieces++;
        p->offset = r->offset;
        p->status = fill(p);
        if (p->status != W2V_OK) {
            p->size = 0;
            r->ended = true;
        }
        p->last = r->ended;
        r->offset += p->size;
    }
    mutex_unlock(r->reading);
    return more;
}

/* ----------------------------------------------------------------- parsing */

/* With `numbers`, room for those of a row more, too. */
static bool room_for_row(piece *p, bool numbers)
{
    void *rows = p->rows;
    void *values = p->values;
    const size_t need = (p->fine + numbers) * p->r->v->dim;
    const bool ok = grow(&rows, &p->rows_capacity, p->count + 1, sizeof *p->rows) &&
                    grow(&values, &p->values_capacity, need, sizeof *p->values);
    p->rows = rows;
    p->values = values;
    return ok;
}

/* Lines to rows, up to and with the first fault. Under `lenient` rows at fault are kept as such. */
static void parse(piece *p)
{
    const bool lenient = p->r->v->file->options.lenient;
    const size_t dim = p->r->v->dim;
    size_t at = 0;
    p->count = 0;
    p->fine = 0;
    p->lines = 0;
    while (at < p->size && p->status == W2V_OK) {
        const char *line = p->bytes + at;
        const char *newline = memchr(line, '\n', p->size - at);
        const size_t n = newline ? (size_t)(newline - line) : p->size - at;
        /* A number and its gap are two bytes: what is shorter takes no memory for its numbers. */
        const bool long_enough = n >= 2 * dim;
        if (!room_for_row(p, long_enough)) {
            p->status = error_memory(&p->fault, "a piece of the file");
            return;
        }
        text_row row;
        float *const values = long_enough ? p->values + p->fine * dim : NULL;
        const text_row_fault fault = text_row_parse(line, n, dim, values, &row);
        p->lines++;
        if (fault != TEXT_ROW_BLANK) {
            p->rows[p->count++] = (parsed_row){
                .word = row.word ? (size_t)(row.word - p->bytes) : at,
                .length = row.length,
                .line = p->lines,
                .offset = at,
                .number = p->fine,
                .fault = fault,
            };
            p->fine += fault == TEXT_ROW_FINE;
            if (fault != TEXT_ROW_FINE && !lenient) {
                return;
            }
        }
        at += n + 1;
    }
}

/* ------------------------------------------------------------------ faults */

/* Tells what is wrong with a line, which is parsed once more for it. */
static w2v_status row_error(const piece *p, const parsed_row *at, w2v_error *err)
{
    const text_reader *r = p->r;
    const char *line = p->bytes + at->offset;
    const size_t left = p->size - at->offset;
    const char *newline = memchr(line, '\n', left);
    const size_t n = newline ? (size_t)(newline - line) : left;
    const size_t dim = r->v->dim;
    text_row row;
    text_row_parse(line, n, dim, NULL, &row);
    char word[SHOWN_WORD], field[SHOWN_WORD];
    shown_word(row.word ? row.word : line, row.word ? row.length : 0, word);
    shown_word(row.field ? row.field : line, row.field ? row.field_length : 0, field);
    const uint64_t number = r->lines + at->line;
    const uint64_t byte = p->offset + at->offset;
    const char *name = vec_name(r->v);
    const bool header = r->v->file->format == W2V_FORMAT_TEXT;
    switch (at->fault) {
    case TEXT_ROW_FEW:
        vec_error_at(err, number, byte, "'%s' line %" PRIu64 " ('%s'): %zu numbers instead of %zu",
                     name, number, word, row.numbers, dim);
        break;
    case TEXT_ROW_MANY:
        vec_error_at(err, number, byte, "'%s' line %" PRIu64 " ('%s'): %zu numbers instead of %zu",
                     name, number, word, row.numbers, dim);
        error_hint(err, "a word that ends in a number after a space needs the binary format");
        return W2V_ERR_INPUT;
    case TEXT_ROW_NOT_NUMBER:
        vec_error_at(err, number, byte, "'%s' line %" PRIu64 " ('%s'): '%s' is not a number", name,
                     number, word, field);
        break;
    case TEXT_ROW_NO_WORD:
        vec_error_at(err, number, byte, "'%s' line %" PRIu64 ": numbers without a word", name,
                     number);
        break;
    case TEXT_ROW_NONFINITE:
        vec_error_at(err, number, byte, "'%s' line %" PRIu64 " ('%s'): '%s' is not a finite number",
                     name, number, word, field);
        break;
    case TEXT_ROW_NUL:
        vec_error_at(err, number, byte, "'%s' line %" PRIu64 ": a NUL byte in the word", name,
                     number);
        break;
    case TEXT_ROW_CONFLICT:
        vec_error_at(err, number, byte,
                     "'%s' line %" PRIu64 ": the marker of an unresolved merge conflict", name,
                     number);
        error_hint(err, "take one of the two sides");
        return W2V_ERR_INPUT;
    case TEXT_ROW_FINE:
    case TEXT_ROW_BLANK:
        break;
    }
    if (header && r->rows == 0 && dim > 1 && at->fault == TEXT_ROW_FEW &&
        text_row_numbers(line, n) == 1) {
        error_hint(err, "a GloVe file of one number a row that begins like a header is read with "
                        "--input-format glove");
    } else {
        error_hint(err, "--lenient leaves such rows out");
    }
    return W2V_ERR_INPUT;
}

/* ------------------------------------------------------------ into the table */

static w2v_status leave_out(piece *p, const parsed_row *row)
{
    w2v_vectors *v = p->r->v;
    v->report.nonfinite_rows += row->fault == TEXT_ROW_NONFINITE;
    if (!v->file->options.lenient) {
        return row_error(p, row, p->r->err);
    }
    v->report.rows_left_out++;
    w2v_error fault = {0};
    row_error(p, row, &fault);
    vec_note(v, "%s", fault.text);
    return W2V_OK;
}

/* A row that was cut off in its last number looks whole. The header tells that rows are missing. */
static bool is_cut(const piece *p, size_t i, uint64_t wanted)
{
    const text_reader *r = p->r;
    return p->last && i + 1 == p->count && p->size > 0 && p->bytes[p->size - 1] != '\n' &&
           r->v->file->rows && r->rows + 1 < wanted;
}

/* About as many rows as will come, so that the table is made once. */
static w2v_status reserve_early(const piece *p)
{
    const text_reader *r = p->r;
    const vec_file *f = r->v->file;
    uint64_t rows = p->fine;
    if (f->size > p->size && p->fine > 0) {
        rows = f->size / (p->size / p->fine) + p->fine / 8 + 16;
    }
    /* A row takes at least two bytes for each number. */
    const uint64_t most = f->size ? f->size / (2 * (uint64_t)r->v->dim) + 1 : rows;
    const uint64_t wanted = vec_rows_wanted(r->v);
    if (wanted <= most && f->size && f->rows && wanted <= 2 * rows) {
        rows = wanted;
    }
    rows = rows > wanted ? wanted : rows;
    return vec_reserve_exactly(r->v, rows, r->err);
}

static void put_rows(piece *p)
{
    text_reader *r = p->r;
    w2v_vectors *v = r->v;
    const uint64_t wanted = vec_rows_wanted(v);
    if (p->number == 0 && p->fine > 0) {
        r->status = reserve_early(p);
    }
    for (size_t i = 0; i < p->count && r->status == W2V_OK; i++) {
        const parsed_row *row = &p->rows[i];
        if (r->rows >= wanted) {
            v->report.extra_rows += r->rows == v->file->rows;
            continue;
        }
        if (row->fault != TEXT_ROW_FINE) {
            r->status = leave_out(p, row);
        } else if (v->file->options.lenient && is_cut(p, i, wanted)) {
            v->report.rows_left_out++;
        } else {
            r->status = vec_append(v, p->bytes + row->word, row->length,
                                   p->values + row->number * (size_t)v->dim, r->err);
        }
        r->rows++;
    }
}

static void put(piece *p)
{
    text_reader *r = p->r;
    turn_wait(r->order, p->number);
    if (!r->over) {
        put_rows(p);
        if (r->status == W2V_OK && p->status != W2V_OK) {
            r->status = error_pass(r->err, &p->fault);
        }
        r->lines += p->lines;
        /* Rows beyond the header's are counted; beyond the limit nothing is looked at. */
        const w2v_vectors *v = r->v;
        const bool limited = v->file->options.limit && r->rows >= v->file->options.limit;
        r->over = r->status != W2V_OK || limited;
        if (r->over) {
            atomic_store(&r->stop, true);
        }
    }
    turn_pass(r->order);
}

static void read_body(void *arg, int thread, int team)
{
    (void)thread;
    (void)team;
    piece p = {.r = arg};
    while (next_piece(&p)) {
        parse(&p);
        put(&p);
    }
    mem_free(p.bytes);
    mem_free(p.rows);
    mem_free(p.values);
}

static w2v_status read_all(text_reader *r, w2v_error *err)
{
    w2v_vectors *v = r->v;
    vec_file *f = v->file;
    uint64_t skipped;
    const w2v_status status = input_pass(&f->in, f->data_at, &skipped, err);
    if (status != W2V_OK) {
        return status;
    }
    r->offset = f->data_at;
    r->lines = f->format == W2V_FORMAT_TEXT;
    r->line_max = VEC_WORD_MAX + (size_t)v->dim * NUMBER_TEXT_MAX;
    r->reading = mutex_create();
    r->order = turn_create();
    if (!r->reading || !r->order) {
        return error_memory(err, "reading a file");
    }
    thread_team(f->options.threads, read_body, r);
    if (r->status != W2V_OK) {
        return r->status;
    }
    if (v->report.extra_rows > 0) {
        vec_note(v, "the header promises %" PRIu64 " rows; %" PRIu64 " more are left out", f->rows,
                 v->report.extra_rows);
    }
    return vec_check_count(v, r->offset, err);
}

w2v_status vec_read_text(w2v_vectors *v, w2v_error *err)
{
    text_reader r = {.v = v, .err = err};
    atomic_init(&r.stop, false);
    const w2v_status status = read_all(&r, err);
    mutex_free(r.reading);
    turn_free(r.order);
    mem_free(r.carry);
    return status;
}
