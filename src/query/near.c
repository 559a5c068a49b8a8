/* Words of a table that are spelt like one that it does not have. */
#include "base/mem.h"
#include "query/ranking.h"
#include "query/spelling.h"
#include "vec/file.h"

#include <string.h>

/* A word that stands twice would be offered twice: so many more are kept, to leave some out. */
#define SPARE 8

typedef struct search {
    const char *word;
    size_t length;
    const spelling *asked;
    uint64_t kept;
    ranking *best; /* of each thread */
    bool *failed;
} search;

static bool visit(void *user, int thread, const vec_batch *batch)
{
    const search *s = user;
    const size_t most = s->asked->count + 2 < SPELLING_MOST ? s->asked->count + 2 : SPELLING_MOST;
    ranking *best = &s->best[thread];
    for (size_t i = 0; i < batch->rows; i++) {
        const vec_row *row = &batch->row[i];
        const uint32_t id = (uint32_t)(batch->first + i);
        spelling word;
        if (!spelling_fold(row->word, row->length, most, &word)) {
            continue;
        }
        const uint32_t cost = spelling_cost(s->asked, &word);
        if (cost == SPELLING_FAR || !ranking_admits(best, s->kept, -(double)cost, id) ||
            (row->length == s->length && memcmp(row->word, s->word, s->length) == 0)) {
            continue;
        }
        if (!ranking_add(best, s->kept, -(double)cost, id, row->word, row->length)) {
            s->failed[thread] = true;
            return false;
        }
    }
    return true;
}

static bool offered(const ranking *r, size_t i)
{
    for (size_t j = 0; j < i; j++) {
        if (r->items[j].length == r->items[i].length &&
            memcmp(r->items[j].word, r->items[i].word, r->items[i].length) == 0) {
            return true;
        }
    }
    return false;
}

/* The words belong to the table until it is asked again. */
static w2v_status hand_over(w2v_vectors *vectors, const ranking *best, size_t most, w2v_term *out,
                            size_t *count, w2v_error *err)
{
    words_clear(&vectors->offered);
    for (size_t i = 0; i < best->count && vectors->offered.count < most; i++) {
        if (!offered(best, i) &&
            !words_append(&vectors->offered, best->items[i].word, best->items[i].length)) {
            return error_memory(err, "near spellings");
        }
    }
    for (uint32_t i = 0; i < vectors->offered.count; i++) {
        out[i] = (w2v_term){.weight = 1.0};
        out[i].word = words_get(&vectors->offered, i, &out[i].length);
    }
    *count = vectors->offered.count;
    return W2V_OK;
}

static w2v_status look(search *s, w2v_vectors *vectors, int threads, ranking *all, w2v_error *err)
{
    const vec_scan_calls calls = {.visit = visit, .user = s};
    w2v_status status = vec_scan(vectors, threads, &calls, err);
    const int team = vec_scan_threads(threads);
    for (int t = 0; t < team && status == W2V_OK; t++) {
        if (s->failed[t] || !ranking_gather(all, &s->best[t])) {
            status = error_memory(err, "near spellings");
        }
    }
    ranking_finish(all, s->kept);
    return status;
}

w2v_status w2v_near_spellings(w2v_vectors *vectors, const char *word, size_t length, size_t most,
                              w2v_term *out, size_t *count, w2v_error *err)
{
    *count = 0;
    spelling asked;
    if (most == 0 || length == 0 || !spelling_fold(word, length, SPELLING_MOST, &asked)) {
        return W2V_OK;
    }
    const int threads = vectors->file->options.threads;
    const size_t team = (size_t)vec_scan_threads(threads);
    search s = {.word = word,
                .length = length,
                .asked = &asked,
                .kept = most < UINT32_MAX ? (uint64_t)most + SPARE : UINT32_MAX,
                .best = mem_calloc(team, sizeof *s.best),
                .failed = mem_calloc(team, sizeof *s.failed)};
    ranking all = {0};
    w2v_status status = s.best && s.failed ? look(&s, vectors, threads, &all, err)
                                           : error_memory(err, "near spellings");
    if (status == W2V_OK) {
        status = hand_over(vectors, &all, most, out, count, err);
    }
    for (size_t t = 0; s.best && t < team; t++) {
        ranking_clear(&s.best[t]);
    }
    mem_free(s.best);
    mem_free(s.failed);
    ranking_clear(&all);
    return status;
}
