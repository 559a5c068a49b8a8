#include "cli/eval_run.h"

#include "base/mem.h"
#include "base/num.h"
#include "cli/progress.h"
#include "os/clock.h"

#include <inttypes.h>
#include <string.h>

#define NEIGHBOURS 10 /* that tables are compared by */

/* What a run works with. */
typedef struct eval {
    const eval_args *args;
    talk talk;
    reply reply;
    const char **tables, **files; /* names */
    const char *hint;             /* for an error of the first table */
    size_t table_count, file_count;
    w2v_question_file **questions;
    weat_tests tests;
    w2v_score *scores;                   /* of file f and table t: [f * table_count + t] */
    w2v_weat_result *weats;              /* likewise, tests.count of them */
    w2v_neighbourhoods **neighbourhoods; /* likewise, where they are asked for */
    w2v_score_options options;
} eval;

/* ----------------------------------------------------------- which file is what */

static w2v_status choose_default(eval *e, w2v_error *err)
{
    arguments none = {0};
    vectors_choice choice;
    const w2v_status status = vectors_choose(&e->args->vectors, "eval", 0, &none, &choice, err);
    if (!status) {
        e->tables[e->table_count++] = choice.path;
        e->hint = choice.hint;
    }
    return status;
}

/* Every argument that is a file of vectors is a table, the others are questions. */
static w2v_status sort_arguments(eval *e, const arguments *words, w2v_error *err)
{
    e->tables = mem_calloc(words->count + 1, sizeof *e->tables);
    e->files = mem_calloc(words->count + 1, sizeof *e->files);
    if (!e->tables || !e->files) {
        return error_memory(err, "the names of the files");
    }
    if (e->args->vectors.vectors) {
        e->tables[e->table_count++] = e->args->vectors.vectors;
    }
    for (size_t i = 0; i < words->count; i++) {
        bool is_table;
        const w2v_status looked = w2v_is_vector_file(words->items[i], &is_table, err);
        if (looked) {
            return looked;
        }
        if (is_table) {
            e->tables[e->table_count++] = words->items[i];
        } else {
            e->files[e->file_count++] = words->items[i];
        }
    }
    if (!e->file_count) {
        error_set(err, W2V_ERR_ARGUMENT,
                  "'eval' takes a file of analogy questions, word pairs or word lists");
        error_hint(err, "w2v eval VECTORS FILE…");
        return W2V_ERR_ARGUMENT;
    }
    w2v_status status = e->table_count ? W2V_OK : choose_default(e, err);
    if (!status && e->args->stability && e->table_count < 2) {
        status = error_set(err, W2V_ERR_ARGUMENT,
                           "'--stability' compares several files of vectors, and there is one");
    }
    return status;
}

static void tell_odd_lines(const eval *e, const char *name, const w2v_question_facts *facts)
{
    if (facts->odd_lines) {
        char count[32];
        num_format_grouped(facts->odd_lines, count);
        talk_warning(&e->talk, NULL, "'%s' line %" PRIu64 " is no %s, left out (%s in all)", name,
                     facts->first_odd_line,
                     facts->kind == W2V_ANALOGIES ? "question of four words"
                                                  : "pair of words with a score",
                     count);
    }
}

static bool is_lists(const eval *e, size_t file)
{
    return w2v_question_file_facts(e->questions[file])->kind == W2V_LISTS;
}

static w2v_status read_files(eval *e, w2v_error *err)
{
    w2v_status status = W2V_OK;
    bool lists = false;
    for (size_t i = 0; i < e->file_count && !status; i++) {
        status = w2v_question_file_read(e->files[i], &e->questions[i], err);
        if (!status) {
            tell_odd_lines(e, e->files[i], w2v_question_file_facts(e->questions[i]));
        }
        if (!status && is_lists(e, i)) {
            status = weat_tests_check(&e->tests, e->questions[i], e->files[i], err);
            lists = true;
        }
    }
    if (!status && e->tests.count && !lists) {
        status = error_set(err, W2V_ERR_ARGUMENT,
                           "'--weat' names lists of a JSON file, and none is given");
    }
    return status;
}

/* ------------------------------------------------------------------- the scores */

static void tell_unknown(const eval *e, size_t table, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n && e->args->list_unknown; i++) {
        talk_warning(&e->talk, NULL, "'%s' is not among the words of '%s'", words[i],
                     e->tables[table]);
    }
}

static int on_score(void *user, uint64_t done, uint64_t total)
{
    progress_score(user, clock_wall(), done, total);
    return 0;
}

static w2v_status score_questions(eval *e, size_t file, size_t table, w2v_vectors *vectors,
                                  w2v_error *err)
{
    w2v_score *score = &e->scores[file * e->table_count + table];
    w2v_score_options options = e->options;
    progress shown = progress_begin(&e->talk, clock_wall());
    options.progress = on_score;
    options.progress_user = &shown;
    const w2v_status status = w2v_score_vectors(vectors, e->questions[file], &options, score, err);
    progress_clear(&shown);
    tell_unknown(e, table, score->unknown, score->unknown_count);
    return status;
}

static w2v_status test_lists(eval *e, size_t file, size_t table, w2v_vectors *vectors,
                             w2v_error *err)
{
    const size_t n = e->tests.count;
    w2v_weat_result *results = &e->weats[(file * e->table_count + table) * n];
    const w2v_status status =
        w2v_weat(vectors, e->questions[file], e->tests.items, n, &e->options, results, err);
    for (size_t i = 0; i < n; i++) {
        tell_unknown(e, table, results[i].unknown, results[i].unknown_count);
    }
    return status;
}

/* Scores of fewer rows than were asked for do not compare with others. */
static void tell_few_rows(const eval *e, size_t table, const w2v_vectors *vectors)
{
    const uint64_t limit = e->args->vectors.load.limit, rows = w2v_vectors_size(vectors);
    if (rows < limit) {
        char have[32], asked[32];
        num_format_grouped(rows, have);
        num_format_grouped(limit, asked);
        talk_warning(&e->talk, NULL, "'%s' has %s rows, fewer than the limit of %s",
                     e->tables[table], have, asked);
    }
}

static w2v_status score_table(eval *e, size_t table, w2v_vectors *vectors, w2v_error *err)
{
    w2v_status status = w2v_vectors_load(vectors, err);
    if (!status) {
        tell_few_rows(e, table, vectors);
    }
    for (size_t f = 0; f < e->file_count && !status; f++) {
        const size_t at = f * e->table_count + table;
        status = is_lists(e, f) ? test_lists(e, f, table, vectors, err)
                                : score_questions(e, f, table, vectors, err);
        if (!status && e->args->stability) {
            status = w2v_neighbourhoods_create(vectors, e->questions[f], &e->options, NEIGHBOURS,
                                               &e->neighbourhoods[at], err);
        }
    }
    if (!status) {
        vectors_warnings(&e->talk, e->tables[table], &e->args->vectors,
                         w2v_vectors_report(vectors));
    }
    return status;
}

/* One table after the other, so that no two take memory at once. */
static w2v_status score_tables(eval *e, w2v_error *err)
{
    w2v_status status = W2V_OK;
    for (size_t t = 0; t < e->table_count && !status; t++) {
        w2v_vectors *vectors;
        status = w2v_vectors_open(e->tables[t], &e->args->vectors.load, &vectors, err);
        if (status) {
            if (e->hint) {
                error_hint(err, "%s", e->hint);
            }
            return status;
        }
        status = score_table(e, t, vectors, err);
        w2v_vectors_free(vectors);
    }
    return status;
}

static w2v_status show_stability(eval *e, size_t file, w2v_error *err)
{
    const size_t n = e->table_count;
    size_t pairs;
    eval_overlap *all = mem_multiply(n, n, &pairs) ? mem_calloc(pairs / 2 + 1, sizeof *all) : NULL;
    if (!all) {
        return error_memory(err, "the answers");
    }
    size_t count = 0;
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n; b++) {
            eval_overlap *o = &all[count++];
            *o = (eval_overlap){.file = e->files[file], .a = e->tables[a], .b = e->tables[b]};
            o->overlap = w2v_neighbourhoods_overlap(e->neighbourhoods[file * n + a],
                                                    e->neighbourhoods[file * n + b], &o->words);
        }
    }
    const w2v_status status = eval_show_overlaps(&e->reply, all, count, err);
    mem_free(all);
    return status;
}

static w2v_status show_all(eval *e, w2v_error *err)
{
    w2v_status status = W2V_OK;
    for (size_t f = 0; f < e->file_count && !status; f++) {
        const eval_scores s = {.file = e->files[f],
                               .facts = w2v_question_file_facts(e->questions[f]),
                               .tables = e->tables,
                               .scores = e->scores + f * e->table_count,
                               .tests = &e->tests,
                               .weats = e->weats + f * e->table_count * e->tests.count,
                               .count = e->table_count,
                               .options = &e->options,
                               .limit = e->args->vectors.load.limit};
        status = eval_show(&e->reply, &s, err);
        if (!status && e->args->stability) {
            status = show_stability(e, f, err);
        }
    }
    return status ? status : reply_flush(&e->reply, err);
}

/* ---------------------------------------------------------------------- the run */

static bool any_analogies(const eval *e)
{
    bool any = false;
    for (size_t f = 0; f < e->file_count; f++) {
        any |= w2v_question_file_facts(e->questions[f])->kind == W2V_ANALOGIES;
    }
    return any;
}

static w2v_status evaluate(eval *e, const arguments *words, w2v_error *err)
{
    w2v_status status = reply_open(&e->args->reply, &e->reply, err);
    status = status ? status : weat_tests_parse(&e->args->weat, &e->tests, err);
    status = status ? status : sort_arguments(e, words, err);
    if (status) {
        return status;
    }
    size_t cells, results;
    if (mem_multiply(e->file_count, e->table_count, &cells) &&
        mem_multiply(cells, e->tests.count, &results)) {
        e->questions = mem_calloc(e->file_count, sizeof *e->questions);
        e->scores = mem_calloc(cells, sizeof *e->scores);
        e->weats = mem_calloc(results + 1, sizeof *e->weats);
        e->neighbourhoods = mem_calloc(cells, sizeof *e->neighbourhoods);
    }
    if (!e->questions || !e->scores || !e->weats || !e->neighbourhoods) {
        return error_memory(err, "the scores");
    }
    status = read_files(e, err);
    status = status ? status : score_tables(e, err);
    if (!status && e->reply.form == REPLY_TSV) { /* a table has it as its title, JSON within */
        char mode[EVAL_MODE];
        talk_fact(&e->talk, "scoring", "%s",
                  eval_mode(&e->options, e->args->vectors.load.limit, any_analogies(e), mode));
    }
    return status ? status : show_all(e, err);
}

static void clear(eval *e)
{
    for (size_t f = 0; e->questions && f < e->file_count; f++) {
        w2v_question_file_free(e->questions[f]);
    }
    for (size_t i = 0; i < e->file_count * e->table_count; i++) {
        if (e->scores) {
            w2v_score_clear(&e->scores[i]);
        }
        if (e->neighbourhoods) {
            w2v_neighbourhoods_free(e->neighbourhoods[i]);
        }
        for (size_t k = 0; e->weats && k < e->tests.count; k++) {
            w2v_weat_clear(&e->weats[i * e->tests.count + k]);
        }
    }
    mem_free(e->tables);
    mem_free(e->files);
    mem_free(e->questions);
    mem_free(e->scores);
    mem_free(e->weats);
    weat_tests_clear(&e->tests);
    mem_free(e->neighbourhoods);
    reply_close(&e->reply);
}

w2v_status eval_run(const eval_args *args, const talk *t, const arguments *words, w2v_error *err)
{
    eval e = {.args = args, .talk = *t, .options = args->score};
    e.options.threads = args->vectors.load.threads;
    const w2v_status status = evaluate(&e, words, err);
    clear(&e);
    return status;
}
