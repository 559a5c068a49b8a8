/* w2v predict: what the two tables of a model expect near a word. */
#include "base/mem.h"
#include "base/num.h"
#include "cli/asking.h"
#include "cli/commands.h"
#include "cli/counts.h"
#include "cli/json_tree.h"

#include <string.h>

typedef struct predict_args {
    session_args session;
    const char *context, *counts;
    w2v_predict_options predict;
} predict_args;

#define FIELD(member) offsetof(predict_args, member)

static const option predict_options[] = {
    {.name = "context",
     .type = OPTION_TEXT,
     .offset = FIELD(context),
     .metavar = "FILE",
     .help = "the context table, as 'w2v train --save-context FILE' writes it",
     .default_text = "none: it has to be given"},
    {.name = "counts",
     .type = OPTION_TEXT,
     .offset = FIELD(counts),
     .metavar = "FILE",
     .help = "a vocabulary of 'word count' lines, as --save-vocab writes it: also tells which "
             "words are expected near WORD"},
    {.name = "ns-exponent",
     .type = OPTION_DOUBLE,
     .offset = FIELD(predict.ns_exponent),
     .min = -10,
     .max = 10,
     .metavar = "X",
     .help = "the model was trained with negatives in proportion to count^X"},
    {.name = "top",
     .letter = 'k',
     .aliases = "topn",
     .type = OPTION_U64,
     .offset = FIELD(predict.k),
     .low = 1,
     .high = UINT64_MAX,
     .metavar = "N",
     .help = "answers to a question"},
    {.name = NULL},
};

static const option_group groups[] = {
    {"question", predict_options, 0, false},
    {"questions from a file", session_query_options, FIELD(session), false},
    {"vectors (both files are read alike)", vectors_options, FIELD(session.vectors), false},
    {"answers", reply_options, FIELD(session.reply), false},
    {"messages", &talk_options[1], FIELD(session.talk), false},
};

static void set_defaults(void *args)
{
    *(predict_args *)args =
        (predict_args){.session = session_defaults(), .predict = w2v_predict_options_default()};
}

/* A session, with what stays the same from question to question. */
typedef struct prediction {
    session session; /* first: a pointer to it is one to the whole */
    const predict_args *args;
    w2v_vectors *context;
    uint64_t *counts; /* of each row of the context table, or NULL */
    bool explained;   /* what the values are was said */
} prediction;

/* ------------------------------------------------------------------- two tables */

static w2v_status check(const predict_args *args, w2v_error *err)
{
    if (!args->context) {
        error_set(err, W2V_ERR_ARGUMENT, "'predict' needs the context table too: --context FILE");
        error_hint(err, "'w2v train --save-context FILE' writes it");
        return W2V_ERR_ARGUMENT;
    }
    const bool counts = args->counts && strcmp(args->counts, "-") == 0;
    if (counts || strcmp(args->context, "-") == 0) {
        return error_set(err, W2V_ERR_ARGUMENT, "'--%s -': this is read from a file only",
                         counts ? "counts" : "context");
    }
    return W2V_OK;
}

static w2v_status read_counts(prediction *p, w2v_error *err)
{
    const uint32_t rows = w2v_vectors_size(p->context);
    w2v_term *words = mem_calloc(rows, sizeof *words);
    p->counts = mem_calloc(rows, sizeof *p->counts);
    w2v_status status = words && p->counts ? W2V_OK : error_memory(err, "the counts");
    for (uint32_t i = 0; i < rows && !status; i++) {
        words[i].word = w2v_vectors_word(p->context, i, &words[i].length);
    }
    status = status ? status : counts_find(p->args->counts, words, rows, p->counts, err);
    uint64_t without = 0;
    for (uint32_t i = 0; i < rows && !status; i++) {
        if (p->counts[i] == COUNT_UNKNOWN) {
            p->counts[i] = 0;
        }
        without += p->counts[i] == 0;
    }
    if (!status && without == rows) {
        status = error_set(err, W2V_ERR_INPUT, "'%s' has a count for no word of '%s'",
                           p->args->counts, p->args->context);
    } else if (!status && without) {
        char number[32];
        num_format_grouped(without, number);
        talk_warning(&p->session.talk, NULL,
                     "'%s' has no count for %s of the words of '%s': they are not among those "
                     "expected",
                     p->args->counts, number, p->args->context);
    }
    mem_free(words);
    return status;
}

static w2v_status open_context(prediction *p, w2v_error *err)
{
    const char *path = p->args->context;
    w2v_status status = w2v_vectors_open(path, &p->args->session.vectors.load, &p->context, err);
    status = status ? status : w2v_vectors_load(p->context, err);
    if (!status) {
        vectors_warnings(&p->session.talk, path, &p->args->session.vectors,
                         w2v_vectors_report(p->context));
    }
    if (!status && strcmp(path, p->session.path) == 0) {
        talk_warning(&p->session.talk, "'w2v train --save-context FILE' writes the other table",
                     "'%s' is given for both tables of the model", path);
    }
    return status || !p->args->counts ? status : read_counts(p, err);
}

/* --------------------------------------------------------------------- answers */

/* One of the two lists of an answer. */
typedef struct answer_list {
    const char *name;  /* in a pipe */
    const char *value; /* heading */
    const char *asks;
    const w2v_prediction *items;
    size_t count;
    bool expected;
} answer_list;

static size_t lists_of(const prediction *p, const w2v_predictions *a, answer_list out[2])
{
    out[0] = (answer_list){"real",
                           "\xcf\x83(word\xc2\xb7"
                           "context)",
                           "was this pair met in the text, and not as noise?",
                           a->real,
                           a->real_count,
                           false};
    out[1] = (answer_list){"expected",  "softmax",         "which word is expected near this one?",
                           a->expected, a->expected_count, true};
    return p->counts ? 2 : 1;
}

static double value_of(const answer_list *l, size_t i)
{
    return l->expected ? l->items[i].expectation : l->items[i].real;
}

static w2v_status table_answer(prediction *p, const question *q, const w2v_predictions *a,
                               w2v_error *err)
{
    reply *r = &p->session.reply;
    answer_list lists[2];
    const size_t n = lists_of(p, a, lists);
    if (a->unknown && !r->batch) {
        return W2V_OK;
    }
    for (size_t k = 0; k < (a->unknown ? 1 : n); k++) {
        const answer_list *l = &lists[k];
        buf title = {0};
        reply_begin(r, 4, 1u << 0 | 1u << 2 | 1u << 3);
        bool ok = buf_append(&title, q->name, q->name_length) &&
                  (a->unknown || buf_printf(&title, ": %s", l->asks));
        w2v_status status =
            ok ? reply_title(r, title.data, title.size, err) : error_memory(err, "the answers");
        buf_clear(&title);
        if (status) {
            return status;
        }
        grid_string(&r->grid, "");
        grid_string(&r->grid, a->unknown ? "unknown" : "word");
        grid_string(&r->grid, a->unknown ? "" : l->value);
        grid_string(&r->grid, a->unknown ? "" : "dot product");
        for (size_t i = 0; i < l->count; i++) {
            grid_count(&r->grid, i + 1);
            grid_bytes(&r->grid, l->items[i].word, l->items[i].length);
            grid_score(&r->grid, value_of(l, i));
            grid_score(&r->grid, l->items[i].dot);
        }
        status = reply_end(r, err);
        if (status) {
            return status;
        }
    }
    return W2V_OK;
}

/* What two kinds of values in a pipe are: said once, beside them. */
static void explain(prediction *p)
{
    if (!p->explained) {
        p->explained = true;
        talk_fact(&p->session.talk, "real",
                  "\xcf\x83(word row \xc2\xb7 context row): was this pair met in the text, and not "
                  "as noise? This favours rare words.");
        if (p->counts) {
            talk_fact(&p->session.talk, "expected",
                      "softmax of the same product and the logarithm of the noise share: which "
                      "word is expected near this one?");
        }
    }
}

static w2v_status tsv_answer(prediction *p, const question *q, const w2v_predictions *a,
                             w2v_error *err)
{
    reply *r = &p->session.reply;
    grid *g = &r->grid;
    answer_list lists[2];
    const size_t n = lists_of(p, a, lists);
    reply_begin(r, 4u + r->batch, 0);
    explain(p);
    if (a->unknown && r->batch) {
        grid_bytes(g, q->name, q->name_length);
        grid_string(g, "unknown");
        for (int i = 0; i < 3; i++) {
            grid_string(g, "");
        }
    }
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < lists[k].count; i++) {
            if (r->batch) {
                grid_bytes(g, q->name, q->name_length);
            }
            grid_string(g, lists[k].name);
            grid_bytes(g, lists[k].items[i].word, lists[k].items[i].length);
            grid_score(g, value_of(&lists[k], i));
            grid_score(g, lists[k].items[i].dot);
        }
    }
    return reply_end(r, err);
}

static json_t *json_list(const answer_list *l)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < l->count; i++) {
        json_t *item =
            json_pack("{s:I, s:o, s:o, s:o, s:o}", "rank", (json_int_t)i + 1, "word",
                      talk_json_bytes(l->items[i].word, l->items[i].length), "real",
                      reply_score(l->items[i].real), "expected",
                      reply_score(l->items[i].expectation), "dot", reply_score(l->items[i].dot));
        json_tree_add(&list, item);
    }
    return list;
}

static w2v_status json_answer(prediction *p, const question *q, const w2v_predictions *a,
                              w2v_error *err)
{
    answer_list lists[2];
    const size_t n = lists_of(p, a, lists);
    json_t *object = json_pack("{s:o}", "query", talk_json_bytes(q->name, q->name_length));
    if (object && a->unknown) {
        json_tree_put(&object, "none", json_string("unknown"));
    }
    for (size_t k = 0; object && k < n; k++) {
        json_tree_put(&object, lists[k].name, json_list(&lists[k]));
    }
    return reply_json(&p->session.reply, object, err);
}

static w2v_status show(prediction *p, const question *q, const w2v_predictions *a, w2v_error *err)
{
    if (a->unknown) {
        session_unknown(&p->session, q->terms[0].word, q->terms[0].length);
    }
    switch (p->session.reply.form) {
    case REPLY_TABLE:
        return table_answer(p, q, a, err);
    case REPLY_TSV:
        return tsv_answer(p, q, a, err);
    case REPLY_JSON:
        break;
    }
    return json_answer(p, q, a, err);
}

/* ------------------------------------------------------------------- questions */

static w2v_status build(const session *s, const w2v_term *words, size_t n, question *q,
                        w2v_error *err)
{
    (void)s;
    (void)n; /* one word makes a question */
    const bool ok = question_add(q, 1, words[0].word, words[0].length) &&
                    question_call(q, words[0].word, words[0].length);
    return ok ? W2V_OK : error_memory(err, "the questions");
}

static w2v_status answer(session *s, const question *questions, size_t n, w2v_error *err)
{
    prediction *p = (prediction *)s;
    w2v_predict_options options = p->args->predict;
    options.threads = p->args->session.vectors.load.threads;
    w2v_status status = p->context ? W2V_OK : open_context(p, err);
    options.counts = p->counts;
    w2v_term *words = mem_calloc(n, sizeof *words);
    w2v_predictions *out = mem_calloc(n, sizeof *out);
    if (!status && (!words || !out)) {
        status = error_memory(err, "the answers");
    }
    for (size_t i = 0; !status && i < n; i++) {
        words[i] = questions[i].terms[0];
    }
    status = status ? status : w2v_predict(s->vectors, p->context, words, n, &options, out, err);
    for (size_t i = 0; !status && i < n; i++) {
        status = show(p, &questions[i], &out[i], err);
    }
    for (size_t i = 0; out && i < n; i++) {
        w2v_predictions_clear(&out[i]);
    }
    mem_free(words);
    mem_free(out);
    return status;
}

static int run(void *opaque, const arguments *words)
{
    static const session_kind kind = {
        .command = "predict",
        .needs = "words",
        .prompt = "word> ",
        .whole_lines = true,
        .build = build,
        .answer = answer,
    };
    const predict_args *args = opaque;
    prediction p = {.args = args,
                    .session = {.kind = &kind,
                                .args = &args->session,
                                .command_args = args,
                                .batch_size = asking_batch(args->predict.k)}};
    w2v_error err = {0};
    if (check(args, &err)) {
        const talk t = talk_open(&args->session.talk);
        return talk_fail(&t, &err);
    }
    const int status = session_run(&p.session, words);
    w2v_vectors_free(p.context);
    mem_free(p.counts);
    return status;
}

const command command_predict = {
    .name = "predict",
    .usage = "[VECTORS] --context FILE WORD… [OPTION…]",
    .summary = "the words that a model expects near a word",
    .about =
        "Uses both tables of a model: the row of WORD and the rows of all context words, matched "
        "by name. Two questions have two answers.\n\n"
        "'real', \xcf\x83(word row \xc2\xb7 context row): were this pair seen, was it met in the "
        "text, and not drawn as noise? It is what training fits, and as the product approaches "
        "shifted mutual information (PMI \xe2\x88\x92 log of the negatives), it favours rare "
        "words, which are seldom drawn as noise.\n\n"
        "'expected', with --counts: which word is met near WORD? softmax of the product plus the "
        "logarithm of the noise share, which is in proportion to count^0.75 (--ns-exponent), "
        "over all context words that have a count: odds against noise, times how common that "
        "noise is.\n\n"
        "Without a WORD they are read from standard input, one a line; on a terminal there is a "
        "prompt. In a pipe: 'real' or 'expected', word, value, dot product, with the question as "
        "first column where there are several. A word that is not in the table is told with near "
        "spellings, has 'unknown' for its answer, and makes the exit status 4.",
    .examples =
        "  w2v train corpus.txt -o vectors.bin --save-context context.bin --save-vocab vocab.txt\n"
        "  w2v predict vectors.bin --context context.bin --counts vocab.txt cat\n",
    .groups = groups,
    .group_count = sizeof groups / sizeof *groups,
    .args_size = sizeof(predict_args),
    .defaults = set_defaults,
    .run = run,
};
