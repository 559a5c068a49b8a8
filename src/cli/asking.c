#include "cli/asking.h"

#include "base/mem.h"
#include "base/shown.h"
#include "cli/json_tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Answers that are held at a time, at most, however many each question has. */
#define ANSWERS_HELD ((uint64_t)1 << 21)
#define BATCH_MOST ((uint64_t)16384)

static const option_choice metric_choices[] = {
    {"cosine", W2V_COSINE}, {"euclidean", W2V_EUCLIDEAN}, {"dot", W2V_DOT}, {NULL, 0}};
static const option_choice method_choices[] = {{"add", W2V_ADD}, {"mul", W2V_MUL}, {NULL, 0}};

#define FIELD(member) offsetof(asking_args, member)

const option asking_options[] = {
    {.name = "mean",
     .type = OPTION_FLAG,
     .offset = FIELD(mean),
     .help = "ask once, for the mean of all words (of a line)"},
    {.name = "expr",
     .type = OPTION_TEXT,
     .offset = FIELD(expr),
     .metavar = "FORMULA",
     .help = "ask for a sum, 'paris - france + 0.5*germany'; a word with blanks in double quotes"},
    {.name = "top",
     .letter = 'k',
     .aliases = "topn",
     .type = OPTION_U64,
     .offset = FIELD(ask.k),
     .low = 1,
     .high = UINT64_MAX,
     .metavar = "N",
     .help = "answers to a question"},
    {.name = "metric",
     .type = OPTION_CHOICE,
     .offset = FIELD(ask.metric),
     .choices = metric_choices,
     .help = "what near means"},
    {.name = "method",
     .type = OPTION_CHOICE,
     .offset = FIELD(ask.method),
     .choices = method_choices,
     .help = "how words of a sum are combined: 3CosAdd or 3CosMul"},
    {.name = "raw",
     .type = OPTION_FLAG,
     .offset = FIELD(ask.raw),
     .help = "add rows as they are stored; without it cosine and 3CosMul add rows of length 1"},
    {.name = "exclude-inputs",
     .type = OPTION_FLAG,
     .offset = FIELD(ask.exclude_inputs),
     .help = "leave the words of the question out of the answers of a sum, where they are else "
             "marked 'input'"},
    {.name = "candidates",
     .type = OPTION_TEXT,
     .offset = FIELD(ask.candidates),
     .metavar = "FILE",
     .help = "rank only the words in this file, one a line"},
    {.name = NULL},
};

void asking_defaults(void *opaque)
{
    asking_args *args = opaque;
    args->session = session_defaults();
    args->ask = w2v_ask_options_default();
}

/* What a score is, for a heading. */
static const char *score_name(const w2v_ask_options *ask)
{
    return ask->method == W2V_MUL      ? "3CosMul"
           : ask->metric == W2V_COSINE ? "cosine"
           : ask->metric == W2V_DOT    ? "dot product"
                                       : "distance";
}

static const char *choice_name(const option_choice *choices, int value)
{
    while (choices->name && choices->value != value) {
        choices++;
    }
    return choices->name;
}

/* ------------------------------------------------- before any arithmetic */

/* The best answer that is no input: what the ranks before the arithmetic are about. */
static const w2v_answer *first_new(const w2v_answers *a)
{
    for (size_t i = 0; i < a->count; i++) {
        if (!a->items[i].input) {
            return &a->items[i];
        }
    }
    return NULL;
}

/* "2nd" */
static bool append_rank(buf *out, uint64_t rank)
{
    static const char *const ends[] = {"th", "st", "nd", "rd"};
    const uint64_t last = rank % 10;
    const bool teen = rank % 100 >= 11 && rank % 100 <= 13;
    return buf_printf(out, "%" PRIu64 "%s", rank, ends[last <= 3 && !teen ? last : 0]);
}

/* "queen was already the 3rd neighbour of king (cosine 0.75) and the 1st neighbour of woman
   (cosine 0.80)"; nothing where it is not known. */
static bool append_before(buf *out, const question *q, const w2v_answers *a)
{
    const w2v_answer *best = first_new(a);
    size_t said = 0;
    bool ok = true;
    for (size_t i = 0; ok && best && a->best_rank && i < q->count; i++) {
        if (a->best_rank[i] == 0) {
            continue;
        }
        ok = (said ? buf_append_string(out, " and the ")
                   : buf_append(out, best->word, best->length) &&
                         buf_append_string(out, " was already the ")) &&
             append_rank(out, a->best_rank[i]) && buf_append_string(out, " neighbour of ") &&
             buf_append(out, q->terms[i].word, q->terms[i].length) &&
             buf_printf(out, " (cosine %.2f)", a->best_cosine[i]);
        said++;
    }
    return ok;
}

/* Above a table, or beside the values of a single question, on standard error. */
static w2v_status say_question(session *s, const question *q, const w2v_answers *a, w2v_error *err)
{
    buf before = {0};
    w2v_status status = W2V_OK;
    if (!append_before(&before, q, a)) {
        status = error_memory(err, "the answers");
    } else if (s->reply.form == REPLY_TABLE) {
        status = reply_title(&s->reply, q->name, q->name_length, err);
        if (!status && before.size) {
            status = reply_title(&s->reply, before.data, before.size, err);
        }
    } else if (!s->reply.batch && q->count > 1) {
        talk_fact(&s->talk, "formula", "%.*s", (int)q->name_length, q->name);
        if (before.size) {
            talk_fact(&s->talk, "before", "%.*s", (int)before.size, before.data);
        }
    }
    buf_clear(&before);
    return status;
}

/* ---------------------------------------------------------------- rows, JSON */

static bool any_unknown(const question *q, const w2v_answers *a)
{
    for (size_t i = 0; i < q->count; i++) {
        if (a->unknown[i]) {
            return true;
        }
    }
    return false;
}

static const char *no_answer(const question *q, const w2v_answers *a)
{
    return any_unknown(q, a) ? "unknown" : a->no_direction ? "no direction" : NULL;
}

static w2v_status tsv_answer(session *s, const question *q, const w2v_answers *a, w2v_error *err)
{
    grid *g = &s->reply.grid;
    const char *none = no_answer(q, a);
    reply_begin(&s->reply, s->reply.batch ? 4 : 3, 0);
    if (none && s->reply.batch) {
        grid_bytes(g, q->name, q->name_length);
        grid_string(g, "");
        grid_string(g, none);
        grid_string(g, "");
    }
    for (size_t i = 0; !none && i < a->count; i++) {
        if (s->reply.batch) {
            grid_bytes(g, q->name, q->name_length);
        }
        grid_bytes(g, a->items[i].word, a->items[i].length);
        grid_score(g, a->items[i].score);
        grid_string(g, a->items[i].input ? "input" : "");
    }
    return reply_end(&s->reply, err);
}

static w2v_status table_answer(session *s, const question *q, const w2v_answers *a, w2v_error *err)
{
    const asking_args *args = s->command_args;
    grid *g = &s->reply.grid;
    const char *none = no_answer(q, a);
    if (none && !s->reply.batch) {
        return W2V_OK;
    }
    reply_begin(&s->reply, 4, 1u << 0 | 1u << 2);
    const w2v_status status = say_question(s, q, a, err);
    if (status) {
        return status;
    }
    grid_string(g, "");
    grid_string(g, none ? none : "word");
    grid_string(g, none ? "" : score_name(&args->ask));
    grid_string(g, "");
    for (size_t i = 0; !none && i < a->count; i++) {
        grid_count(g, i + 1);
        grid_bytes(g, a->items[i].word, a->items[i].length);
        grid_score(g, a->items[i].score);
        grid_string(g, a->items[i].input ? "input" : "");
    }
    return reply_end(&s->reply, err);
}

static json_t *json_terms(const question *q, const w2v_answers *a)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < q->count; i++) {
        json_t *term =
            json_pack("{s:o, s:f}", "word", talk_json_bytes(q->terms[i].word, q->terms[i].length),
                      "weight", q->terms[i].weight);
        if (a->unknown[i]) {
            json_tree_put(&term, "unknown", json_true());
        }
        if (a->best_rank && a->best_rank[i] && first_new(a)) {
            json_tree_put(&term, "rank_before", json_integer((json_int_t)a->best_rank[i]));
            json_tree_put(&term, "cosine_before", reply_score(a->best_cosine[i]));
        }
        json_tree_add(&list, term);
    }
    return list;
}

static json_t *json_items(const w2v_answers *a)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < a->count; i++) {
        const w2v_answer *item = &a->items[i];
        json_t *object =
            json_pack("{s:I, s:o, s:o}", "rank", (json_int_t)i + 1, "word",
                      talk_json_bytes(item->word, item->length), "score", reply_score(item->score));
        if (item->input) {
            json_tree_put(&object, "input", json_true());
        }
        json_tree_add(&list, object);
    }
    return list;
}

static w2v_status json_answer(session *s, const question *q, const w2v_answers *a, w2v_error *err)
{
    const asking_args *args = s->command_args;
    json_t *object =
        json_pack("{s:o, s:s, s:s, s:o}", "query", talk_json_bytes(q->name, q->name_length),
                  "metric", choice_name(metric_choices, (int)args->ask.metric), "method",
                  choice_name(method_choices, (int)args->ask.method), "terms", json_terms(q, a));
    const char *none = no_answer(q, a);
    if (none) {
        json_tree_put(&object, "none", json_string(none));
    }
    json_tree_put(&object, "answers", none ? json_array() : json_items(a));
    return reply_json(&s->reply, object, err);
}

/* ---------------------------------------------------------------- answering */

/* An empty answer says why, for all in a batch that the first stands for. */
static void warn_empty(session *s, const question *q, const char *candidates)
{
    if (s->told_empty && !s->prompting) {
        return;
    }
    s->told_empty = true;
    char name[SHOWN_WORD];
    shown_word(q->name, q->name_length, name);
    if (candidates) {
        talk_warning(&s->talk, "the file needs one word a line, spelt as in the vectors",
                     "no word of '%s' is an answer to '%s'", candidates, name);
    } else {
        talk_warning(&s->talk, NULL, "'%s' has no other word that is an answer to '%s'", s->path,
                     name);
    }
}

static w2v_status one_answer(session *s, const question *q, const w2v_answers *a, w2v_error *err)
{
    const asking_args *args = s->command_args;
    for (size_t i = 0; i < q->count; i++) {
        if (a->unknown[i]) {
            session_unknown(s, q->terms[i].word, q->terms[i].length);
        }
    }
    if (a->no_direction) {
        char shown[SHOWN_WORD];
        talk_warning(&s->talk, NULL, "'%s' has no direction: its vector is zero",
                     shown_word(q->name, q->name_length, shown));
    }
    if (a->count == 0 && !no_answer(q, a)) {
        warn_empty(s, q, args->ask.candidates);
    }
    if (s->reply.form == REPLY_JSON) {
        return json_answer(s, q, a, err);
    }
    if (s->reply.form == REPLY_TABLE) {
        return table_answer(s, q, a, err);
    }
    const w2v_status status = say_question(s, q, a, err);
    return status ? status : tsv_answer(s, q, a, err);
}

w2v_status asking_answer(session *s, const question *questions, size_t n, w2v_error *err)
{
    const asking_args *args = s->command_args;
    w2v_ask_options ask = args->ask;
    ask.threads = args->session.vectors.load.threads;
    /* A word is no neighbour of itself; in sums inputs stay unless they are not wanted. */
    ask.exclude_inputs |= questions[0].count == 1 && !s->formula && !s->one_question;
    w2v_query *queries = mem_calloc(n, sizeof *queries);
    w2v_answers *answers = mem_calloc(n, sizeof *answers);
    w2v_status status = queries && answers ? W2V_OK : error_memory(err, "the answers");
    for (size_t i = 0; !status && i < n; i++) {
        queries[i] = (w2v_query){.terms = questions[i].terms, .term_count = questions[i].count};
    }
    if (!status) {
        status = w2v_ask(s->vectors, queries, n, &ask, answers, err);
    }
    for (size_t i = 0; !status && i < n; i++) {
        status = one_answer(s, &questions[i], &answers[i], err);
    }
    for (size_t i = 0; answers && i < n; i++) {
        w2v_answers_clear(&answers[i]);
    }
    mem_free(queries);
    mem_free(answers);
    return status;
}

size_t asking_batch(uint64_t k)
{
    const uint64_t fit = ANSWERS_HELD / k;
    return (size_t)(fit < 1 ? 1 : fit < BATCH_MOST ? fit : BATCH_MOST);
}

int asking_run(const session_kind *kind, const asking_args *args, const arguments *words)
{
    session s = {.kind = kind,
                 .args = &args->session,
                 .command_args = args,
                 .formula = args->expr,
                 .list = args->ask.candidates,
                 .one_question = args->mean,
                 .batch_size = asking_batch(args->ask.k)};
    return session_run(&s, words);
}
