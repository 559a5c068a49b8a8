#include "base/mem.h"
#include "query/board.h"
#include "query/standing.h"

#include <string.h>

w2v_ask_options w2v_ask_options_default(void)
{
    return (w2v_ask_options){
        .metric = W2V_COSINE, .method = W2V_ADD, .k = 10, .ranks = true, .threads = 1};
}

void w2v_answers_clear(w2v_answers *answers)
{
    if (answers) {
        mem_free(answers->items);
        mem_free(answers->unknown);
        mem_free(answers->best_rank);
        mem_free(answers->best_cosine);
        *answers = (w2v_answers){0};
    }
}

static w2v_status check(const w2v_ask_options *options, w2v_error *err)
{
    if (options->k == 0) {
        return error_set(err, W2V_ERR_ARGUMENT, "0 answers were asked for; at least 1 is needed");
    }
    if (options->threads < 1) {
        return error_set(err, W2V_ERR_ARGUMENT, "%d threads are too few; at least 1 is needed",
                         options->threads);
    }
    if (options->method == W2V_MUL && options->metric != W2V_COSINE) {
        return error_set(err, W2V_ERR_ARGUMENT,
                         "3CosMul multiplies cosines; it has no other metric");
    }
    return W2V_OK;
}

/* Words of the candidates' file; one that the table does not have does no harm. */
static w2v_status read_candidates(const char *path, word_set *set, w2v_error *err)
{
    words list = {0};
    w2v_status status = vec_read_list(path, &list, err);
    for (uint32_t i = 0; status == W2V_OK && i < list.count; i++) {
        size_t length;
        const char *word = words_get(&list, i, &length);
        if (length > 0 && word_set_add(set, word, length) == WORD_SET_NONE) {
            status = error_memory(err, "the candidates");
        }
    }
    words_clear(&list);
    return status;
}

/* A question's items in one piece of memory, the words behind them. */
static bool copy_items(const ranking *best, const questions *q, const question *item,
                       w2v_metric metric, w2v_answers *to)
{
    size_t bytes = best->count * sizeof *to->items;
    for (size_t i = 0; i < best->count; i++) {
        bytes += (size_t)best->items[i].length + 1;
    }
    to->items = mem_alloc(bytes);
    if (!to->items) {
        return false;
    }
    char *word = (char *)(to->items + best->count);
    for (size_t i = 0; i < best->count; i++) {
        const ranked *from = &best->items[i];
        memcpy(word, from->word, from->length);
        word[from->length] = '\0';
        to->items[i] = (w2v_answer){
            .id = from->id,
            .word = word,
            .length = from->length,
            .score = metric == W2V_EUCLIDEAN ? -from->nearness : from->nearness,
            .input = questions_is_input(q, item, word, from->length),
        };
        word += (size_t)from->length + 1;
    }
    to->count = best->count;
    return true;
}

static bool fill(board *b, size_t number, w2v_answers *to)
{
    const questions *q = b->questions;
    const question *item = &q->items[number];
    to->no_direction = item->no_direction;
    to->unknown = mem_calloc(item->count, sizeof *to->unknown);
    to->best_rank = mem_calloc(item->count, sizeof *to->best_rank);
    to->best_cosine = mem_calloc(item->count, sizeof *to->best_cosine);
    if (!to->unknown || !to->best_rank || !to->best_cosine) {
        return false;
    }
    for (size_t t = 0; t < item->count; t++) {
        const uint32_t word = item->parts[t].word;
        to->unknown[t] = word == WORD_SET_NONE || q->found.id[word] == FIND_NONE;
    }
    ranking best;
    if (!board_finish(b, number, &best)) {
        return false;
    }
    const bool ok = copy_items(&best, q, item, b->options->metric, to);
    ranking_clear(&best);
    return ok;
}

static w2v_status rank(board *b, questions *q, const word_set *candidates, w2v_vectors *vectors,
                       w2v_error *err)
{
    lanes l = {0};
    w2v_status status;
    if (b->options->method == W2V_ADD) {
        status = questions_sums(q, b->options, &l, err);
        status = status ? status : rank_sums(b, &l, candidates, vectors, err);
    } else {
        const size_t count = q->words.list.count;
        size_t *lane_of = mem_calloc(count ? count : 1, sizeof *lane_of);
        status =
            lane_of ? questions_units(q, &l, lane_of, err) : error_memory(err, "the questions");
        status = status ? status : rank_products(b, &l, lane_of, candidates, vectors, err);
        mem_free(lane_of);
    }
    lanes_clear(&l);
    return status;
}

static w2v_status answer(questions *q, const w2v_ask_options *options, const word_set *candidates,
                         w2v_vectors *vectors, w2v_answers *answers, w2v_error *err)
{
    board b = {0};
    w2v_status status = board_init(&b, q, options, err);
    status = status ? status : rank(&b, q, candidates, vectors, err);
    for (size_t i = 0; status == W2V_OK && i < q->count; i++) {
        status = fill(&b, i, &answers[i]) ? W2V_OK : error_memory(err, "the answers");
    }
    if (status == W2V_OK && options->ranks) {
        status = standing_count(&b, candidates, vectors, answers, err);
    }
    board_clear(&b);
    return status;
}

w2v_status w2v_ask(w2v_vectors *vectors, const w2v_query *queries, size_t n,
                   const w2v_ask_options *options, w2v_answers *answers, w2v_error *err)
{
    const w2v_ask_options chosen = options ? *options : w2v_ask_options_default();
    for (size_t i = 0; i < n; i++) {
        answers[i] = (w2v_answers){0};
    }
    word_set *candidates = chosen.candidates ? mem_calloc(1, sizeof *candidates) : NULL;
    questions *q = mem_calloc(1, sizeof *q); /* the bitmap of words is large for a stack */
    w2v_status status = check(&chosen, err);
    if (status == W2V_OK && (!q || (chosen.candidates && !candidates))) {
        status = error_memory(err, "the questions");
    }
    if (status == W2V_OK && candidates) {
        status = read_candidates(chosen.candidates, candidates, err);
    }
    if (status == W2V_OK) {
        status = questions_prepare(q, vectors, queries, n, chosen.threads, err);
    }
    if (status == W2V_OK) {
        status = answer(q, &chosen, candidates, vectors, answers, err);
        questions_clear(q);
    }
    if (candidates) {
        word_set_clear(candidates);
    }
    mem_free(candidates);
    mem_free(q);
    for (size_t i = 0; status != W2V_OK && i < n; i++) {
        w2v_answers_clear(&answers[i]);
    }
    return status;
}
