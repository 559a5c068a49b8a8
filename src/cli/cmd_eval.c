/* w2v eval: tables scored with analogy questions and word pairs. */
#include "base/mem.h"
#include "base/num.h"
#include "cli/commands.h"
#include "cli/eval_show.h"
#include "cli/outputs.h"
#include "cli/vectors_file.h"

#include <inttypes.h>
#include <string.h>

#define NEIGHBOURS 10 /* that tables are compared by */

typedef struct eval_args {
    vectors_args vectors;
    reply_args reply;
    talk_args talk;
    w2v_score_options score;
    bool stability, list_unknown;
} eval_args;

#define FIELD(member) offsetof(eval_args, member)

static const option_choice methods[] = {{"add", W2V_ADD}, {"mul", W2V_MUL}, {NULL, 0}};

static const option eval_options[] = {
    {.name = "method",
     .type = OPTION_CHOICE,
     .offset = FIELD(score.method),
     .choices = methods,
     .help = "how A, B and C are combined: 3CosAdd or 3CosMul"},
    {.name = "top",
     .letter = 'k',
     .aliases = "topn",
     .type = OPTION_U64,
     .offset = FIELD(score.top),
     .low = 1,
     .high = UINT32_MAX,
     .metavar = "N",
     .help = "an answer among the best N is right"},
    {.name = "ignore-case",
     .type = OPTION_FLAG,
     .offset = FIELD(score.ignore_case),
     .help = "words that differ in case only are one; the first row of such a word is meant"},
    {.name = "stability",
     .type = OPTION_FLAG,
     .offset = FIELD(stability),
     .help = "also how far several tables agree on the 10 nearest neighbours of the words in the "
             "files"},
    {.name = "list-unknown",
     .type = OPTION_FLAG,
     .offset = FIELD(list_unknown),
     .help = "name on standard error the words that a table does not have"},
    {.name = NULL},
};

static const option_group groups[] = {
    {"scoring", eval_options, 0, false},
    {"vectors", vectors_options, offsetof(eval_args, vectors), false},
    {"answers", reply_options, offsetof(eval_args, reply), false},
    {"messages", &talk_options[1], offsetof(eval_args, talk), false},
};

static void set_defaults(void *args)
{
    *(eval_args *)args =
        (eval_args){.vectors = vectors_defaults(), .score = w2v_score_options_default()};
}

/* What a run works with. */
typedef struct eval {
    const eval_args *args;
    talk talk;
    reply reply;
    const char **tables, **files; /* names */
    const char *hint;             /* for an error of the first table */
    size_t table_count, file_count;
    w2v_question_file **questions;
    w2v_score *scores;                   /* of file f and table t: [f * table_count + t] */
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
        if (w2v_is_vector_file(words->items[i])) {
            e->tables[e->table_count++] = words->items[i];
        } else {
            e->files[e->file_count++] = words->items[i];
        }
    }
    if (!e->file_count) {
        error_set(err, W2V_ERR_ARGUMENT, "'eval' takes a file of analogy questions or word pairs");
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

static w2v_status read_files(eval *e, w2v_error *err)
{
    w2v_status status = W2V_OK;
    for (size_t i = 0; i < e->file_count && !status; i++) {
        status = w2v_question_file_read(e->files[i], &e->questions[i], err);
        if (!status) {
            tell_odd_lines(e, e->files[i], w2v_question_file_facts(e->questions[i]));
        }
    }
    return status;
}

/* ------------------------------------------------------------------- the scores */

static void tell_unknown(const eval *e, size_t table, const w2v_score *score)
{
    for (size_t i = 0; i < score->unknown_count; i++) {
        talk_warning(&e->talk, NULL, "'%s' is not among the words of '%s'", score->unknown[i],
                     e->tables[table]);
    }
}

static w2v_status score_table(eval *e, size_t table, w2v_vectors *vectors, w2v_error *err)
{
    w2v_status status = w2v_vectors_load(vectors, err);
    for (size_t f = 0; f < e->file_count && !status; f++) {
        const size_t at = f * e->table_count + table;
        status = w2v_score_vectors(vectors, e->questions[f], &e->options, &e->scores[at], err);
        if (!status && e->args->list_unknown) {
            tell_unknown(e, table, &e->scores[at]);
        }
        if (!status && e->args->stability) {
            status = w2v_neighbourhoods_create(vectors, e->questions[f], &e->options, NEIGHBOURS,
                                               &e->neighbourhoods[at], err);
        }
    }
    if (!status) {
        vectors_warnings(&e->talk, e->tables[table], w2v_vectors_report(vectors));
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

static w2v_status evaluate(eval *e, const arguments *words, w2v_error *err)
{
    w2v_status status = reply_open(&e->args->reply, &e->reply, err);
    status = status ? status : sort_arguments(e, words, err);
    if (status) {
        return status;
    }
    size_t cells;
    if (mem_multiply(e->file_count, e->table_count, &cells)) {
        e->questions = mem_calloc(e->file_count, sizeof *e->questions);
        e->scores = mem_calloc(cells, sizeof *e->scores);
        e->neighbourhoods = mem_calloc(cells, sizeof *e->neighbourhoods);
    }
    if (!e->questions || !e->scores || !e->neighbourhoods) {
        return error_memory(err, "the scores");
    }
    status = read_files(e, err);
    status = status ? status : score_tables(e, err);
    if (!status && e->reply.form == REPLY_TSV) { /* a table has it as its title, JSON within */
        char mode[EVAL_MODE];
        talk_fact(&e->talk, "scoring", "%s",
                  eval_mode(&e->options, e->args->vectors.load.limit, mode));
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
    }
    mem_free(e->tables);
    mem_free(e->files);
    mem_free(e->questions);
    mem_free(e->scores);
    mem_free(e->neighbourhoods);
    reply_close(&e->reply);
}

static int run(void *opaque, const arguments *words)
{
    const eval_args *args = opaque;
    eval e = {.args = args, .talk = talk_open(&args->talk), .options = args->score};
    e.options.threads = args->vectors.load.threads;
    w2v_error err = {0};
    const w2v_status status = evaluate(&e, words, &err);
    clear(&e);
    if (status && output_pipe_closed("-", &err)) {
        clearerr(stdout); /* who reads has read enough */
        return 0;
    }
    return status ? talk_fail(&e.talk, &err) : 0;
}

const command command_eval = {
    .name = "eval",
    .usage = "[VECTORS…] FILE… [OPTION…]",
    .summary = "scores vectors with analogy questions and word pairs",
    .about =
        "Every argument that is a file of vectors is a table; the others hold questions, of a kind "
        "that is told by their lines: analogies (': section' lines and lines of four words, A is "
        "to B as C is to D; 'a/b' names two right answers) or scored pairs (two words and a "
        "number between tabs, commas or blanks). Lines that begin with '#' are comments.\n\n"
        "Of analogies it tells how many were right, asked and skipped (a word is unknown), and as "
        "shares: of those asked; of all, skipped ones counted wrong; right with A, B and C kept in "
        "the ranking, which they often lead; and where the answer was the nearest neighbour of A, "
        "B or C before any arithmetic. Sections named 'gram…' are syntactic. Of pairs it tells the "
        "correlations of cosine and score, Spearman's (ties at their mean rank) and Pearson's, "
        "with 95 % intervals by Fisher's transformation. 'n/a' is what has no value.\n\n"
        "In a pipe: 'section' or 'sum', file, vectors, name, right, asked, skipped and the four "
        "shares; 'pairs', file, vectors, used, missing, then value and interval of both "
        "correlations; 'stability', file, two vectors, words, mean overlap.",
    .examples = "  w2v eval vectors.bin questions-words.txt --limit 30000 --ignore-case\n"
                "  w2v eval seed1.bin seed2.bin questions-words.txt wordsim.tsv --stability\n",
    .groups = groups,
    .group_count = sizeof groups / sizeof *groups,
    .args_size = sizeof(eval_args),
    .defaults = set_defaults,
    .run = run,
};
