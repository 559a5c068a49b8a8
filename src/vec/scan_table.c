/* vec_scan(): over the file, or over the table when there is one; and loading by a scan. */
#include "base/mem.h"
#include "base/utf8.h"
#include "os/thread.h"
#include "os/turn.h"
#include "vec/file.h"

#include <stdatomic.h>
#include <string.h>

/* ------------------------------------------------------------ over the table */

#define BATCH_BYTES ((size_t)1 << 20)

typedef struct table_scan {
    const w2v_vectors *v;
    const vec_scan_calls *calls;
    size_t batch; /* rows */
    uint64_t batches;
    turn *order;
    atomic_uint_fast64_t next;
    atomic_bool stop, no_memory;
    bool over; /* of the thread whose turn it is */
} table_scan;

static void fill_rows(const w2v_vectors *v, size_t first, size_t n, vec_row *rows)
{
    for (size_t i = 0; i < n; i++) {
        size_t length;
        rows[i].word = words_get(&v->names, (uint32_t)(first + i), &length);
        rows[i].length = (uint32_t)length;
        rows[i].values = v->values + (first + i) * v->stride;
    }
}

/* One batch in its turn. False: nobody gets it. */
static bool in_turn(table_scan *s, uint64_t number, const vec_batch *batch)
{
    turn_wait(s->order, number);
    const bool given = !s->over;
    if (given && s->calls->in_order && !s->calls->in_order(s->calls->user, batch)) {
        s->over = true;
        atomic_store(&s->stop, true);
    }
    turn_pass(s->order);
    return given;
}

static void table_body(void *arg, int thread, int team)
{
    (void)team;
    table_scan *s = arg;
    vec_row *rows = mem_alloc(s->batch * sizeof *rows);
    if (!rows) {
        atomic_store(&s->no_memory, true);
        return;
    }
    while (!atomic_load(&s->stop)) {
        const uint64_t number = atomic_fetch_add(&s->next, 1);
        if (number >= s->batches) {
            break;
        }
        const size_t first = (size_t)number * s->batch;
        const size_t left = s->v->rows - first;
        const vec_batch batch = {.first = first,
                                 .rows = left < s->batch ? left : s->batch,
                                 .dim = s->v->dim,
                                 .row = rows};
        fill_rows(s->v, first, batch.rows, rows);
        if (in_turn(s, number, &batch) && s->calls->visit &&
            !s->calls->visit(s->calls->user, thread, &batch)) {
            atomic_store(&s->stop, true);
        }
    }
    mem_free(rows);
}

static w2v_status scan_table(const w2v_vectors *v, int threads, const vec_scan_calls *calls,
                             w2v_error *err)
{
    table_scan s = {.v = v, .calls = calls, .order = turn_create()};
    if (!s.order) {
        return error_memory(err, "a scan");
    }
    const size_t fit = BATCH_BYTES / (v->stride * sizeof(float));
    s.batch = fit < 1 ? 1 : fit < VEC_BATCH_ROWS ? fit : VEC_BATCH_ROWS;
    s.batches = ((uint64_t)v->rows + s.batch - 1) / s.batch;
    atomic_init(&s.next, 0);
    atomic_init(&s.stop, false);
    atomic_init(&s.no_memory, false);
    thread_team(vec_scan_threads(threads), table_body, &s);
    turn_free(s.order);
    return atomic_load(&s.no_memory) ? error_memory(err, "a scan") : W2V_OK;
}

w2v_status vec_scan(w2v_vectors *vectors, int threads, const vec_scan_calls *calls, w2v_error *err)
{
    if (vec_can_scan(vectors)) {
        return vec_scan_file(vectors, threads, calls, err);
    }
    const w2v_status status = w2v_vectors_load(vectors, err);
    return status == W2V_OK ? scan_table(vectors, threads, calls, err) : status;
}

/* ---------------------------------------------------------- loading by a scan */

typedef struct load {
    w2v_vectors *v;
    bool no_memory; /* written in order */
    atomic_uint_fast64_t zero_rows, invalid_utf8;
} load;

static bool take_words(void *user, const vec_batch *batch)
{
    load *l = user;
    for (size_t i = 0; i < batch->rows; i++) {
        if (!words_append(&l->v->names, batch->row[i].word, batch->row[i].length)) {
            l->no_memory = true;
            return false;
        }
    }
    return true;
}

static bool take_values(void *user, int thread, const vec_batch *batch)
{
    (void)thread;
    load *l = user;
    const w2v_vectors *v = l->v;
    uint64_t zero = 0, invalid = 0;
    for (size_t i = 0; i < batch->rows; i++) {
        const vec_row *row = &batch->row[i];
        memcpy(v->values + (size_t)(batch->first + i) * v->stride, row->values,
               v->dim * sizeof(float));
        zero += number_look(row->values, v->dim) == NUMBERS_ZERO;
        invalid += !utf8_valid(row->word, row->length);
    }
    atomic_fetch_add(&l->zero_rows, zero);
    atomic_fetch_add(&l->invalid_utf8, invalid);
    return true;
}

w2v_status vec_load_scan(w2v_vectors *v, w2v_error *err)
{
    const vec_file *f = v->file;
    /* No more rows than the file has bytes for, whatever the header promises. */
    const uint64_t most = (f->size - f->data_at) / (1 + 4 * (uint64_t)v->dim) + 1;
    const uint64_t wanted = vec_rows_wanted(v);
    w2v_status status = vec_reserve_exactly(v, wanted < most ? wanted : most, err);
    if (status != W2V_OK) {
        return status;
    }
    load l = {.v = v};
    atomic_init(&l.zero_rows, 0);
    atomic_init(&l.invalid_utf8, 0);
    const vec_scan_calls calls = {.in_order = take_words, .visit = take_values, .user = &l};
    status = vec_scan_file(v, f->options.threads, &calls, err);
    if (l.no_memory) {
        status = error_memory(err, "the words");
    }
    v->rows = v->names.count;
    v->report.zero_rows = atomic_load(&l.zero_rows);
    v->report.invalid_utf8 = atomic_load(&l.invalid_utf8);
    return status == W2V_OK ? vec_check_count(v, f->size, err) : status;
}
