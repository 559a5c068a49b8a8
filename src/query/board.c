#include "query/board.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

w2v_status board_init(board *b, const questions *q, const w2v_ask_options *options, w2v_error *err)
{
    *b = (board){.questions = q, .options = options, .team = vec_scan_threads(options->threads)};
    size_t entries;
    if (mem_multiply((size_t)b->team, q->count, &entries)) {
        b->rankings = mem_calloc(entries ? entries : 1, sizeof *b->rankings);
        b->leaders = mem_calloc(entries ? entries : 1, sizeof *b->leaders);
    }
    if (!b->rankings || !b->leaders) {
        board_clear(b);
        return error_memory(err, "the answers");
    }
    return W2V_OK;
}

void board_clear(board *b)
{
    const size_t entries = b->questions ? (size_t)b->team * b->questions->count : 0;
    for (size_t i = 0; i < entries; i++) {
        if (b->rankings) {
            ranking_clear(&b->rankings[i]);
        }
        if (b->leaders) {
            mem_free(b->leaders[i].row);
        }
    }
    mem_free(b->rankings);
    mem_free(b->leaders);
    *b = (board){0};
}

/* Only sums of several words are compared with what was there before. */
static bool wants_leader(const board *b, const question *item)
{
    return b->options->ranks && item->count > 1;
}

static bool lead(const board *b, leader *best, double nearness, uint32_t id, const vec_row *row)
{
    const size_t bytes = b->questions->dim * sizeof *best->row;
    if (best->row && !ranking_before(nearness, id, best->nearness, best->id)) {
        return true;
    }
    if (!best->row) {
        best->row = mem_alloc(bytes);
    }
    if (best->row) {
        memcpy(best->row, row->values, bytes);
        best->nearness = nearness;
        best->id = id;
    }
    return best->row != NULL;
}

bool board_offer(board *b, int thread, size_t number, double nearness, uint32_t id,
                 const vec_row *row)
{
    ranking *r = board_ranking(b, thread, number);
    if (!isfinite(nearness) || !ranking_admits(r, b->options->k, nearness, id)) {
        return true;
    }
    const question *item = &b->questions->items[number];
    const bool input = (b->options->exclude_inputs || wants_leader(b, item)) &&
                       questions_is_input(b->questions, item, row->word, row->length);
    if (input && b->options->exclude_inputs) {
        return true;
    }
    if (!input && wants_leader(b, item)) {
        leader *best = &b->leaders[r - b->rankings];
        if (!lead(b, best, nearness, id, row)) {
            return false;
        }
    }
    return ranking_add(r, b->options->k, nearness, id, row->word, row->length);
}

bool board_finish(board *b, size_t number, ranking *out)
{
    *out = (ranking){0};
    for (int t = 0; t < b->team; t++) {
        if (!ranking_gather(out, board_ranking(b, t, number))) {
            ranking_clear(out);
            return false;
        }
    }
    ranking_finish(out, b->options->k);
    return true;
}

const float *board_leader(const board *b, size_t number, uint32_t id)
{
    for (int t = 0; t < b->team; t++) {
        const leader *best = &b->leaders[(size_t)t * b->questions->count + number];
        if (best->row && best->id == id) {
            return best->row;
        }
    }
    return NULL;
}
