#include "cli/session.h"

#include "base/mem.h"
#include "base/num.h"
#include "base/shown.h"
#include "cli/outputs.h"
#include "io/inputs.h"
#include "os/file.h"
#include "os/term.h"
#include "render/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * Questions of a batch are answered together, in one pass over the table; this
 * many at most, so that a stream without end is answered too. The pass itself
 * is then a small part of the work.
 */
#define BATCH ((size_t)16384)
/* Unknown words that are told one by one in a batch, and near spellings offered for each. */
#define UNKNOWN_TOLD 10
#define SPELLINGS ((size_t)3)

const option session_query_options[] = {
    {.name = "queries",
     .type = OPTION_TEXT,
     .offset = offsetof(session_args, queries),
     .metavar = "FILE",
     .help = "read the questions from a file, one a line, and answer them in one pass; - is "
             "standard input",
     .default_text = "standard input where no word is given"},
    {.name = NULL},
};

session_args session_defaults(void)
{
    return (session_args){.vectors = vectors_defaults()};
}

/* A batch that grows to BATCH questions. */
typedef struct batch {
    question *items;
    size_t count, capacity;
} batch;

/* Keeps the first `count` questions. */
static void batch_cut(batch *b, size_t count)
{
    while (b->count > count) {
        question_clear(&b->items[--b->count]);
    }
}

/* An empty question at its end, or NULL without memory. */
static question *batch_next(batch *b)
{
    if (b->count == b->capacity) {
        const size_t capacity = b->capacity ? b->capacity * 2 : 16;
        question *items = mem_realloc(b->items, capacity, sizeof *items);
        if (!items) {
            return NULL;
        }
        b->items = items;
        b->capacity = capacity;
    }
    b->items[b->count] = (question){0};
    return &b->items[b->count++];
}

static w2v_status add_question(session *s, batch *b, const w2v_term *words, size_t n,
                               w2v_error *err)
{
    question *q = batch_next(b);
    return q ? s->kind->build(s, words, n, q, err) : error_memory(err, "the questions");
}

static w2v_status answer_batch(session *s, batch *b, w2v_error *err)
{
    w2v_status status = W2V_OK;
    if (b->count) {
        status = s->kind->answer(s, b->items, b->count, err);
    }
    batch_cut(b, 0);
    return status ? status : reply_flush(&s->reply, err);
}

/* -------------------------------------------------------- from the arguments */

static w2v_status ask_words(session *s, const arguments *words, batch *b, w2v_error *err)
{
    w2v_term *terms = mem_calloc(words->count + 1, sizeof *terms);
    if (!terms) {
        return error_memory(err, "the questions");
    }
    for (size_t i = 0; i < words->count; i++) {
        terms[i] = (w2v_term){.word = words->items[i], .length = strlen(words->items[i])};
    }
    const bool single = s->one_question || s->kind->each;
    const size_t step = single ? words->count : 1;
    w2v_status status = W2V_OK;
    for (size_t i = 0; !status && i < words->count; i += step) {
        status = add_question(s, b, terms + i, step, err);
    }
    mem_free(terms);
    s->reply.batch = b->count > 1;
    return status ? status : answer_batch(s, b, err);
}

static w2v_status ask_formula(session *s, batch *b, w2v_error *err)
{
    question *q = batch_next(b);
    if (!q) {
        return error_memory(err, "the questions");
    }
    w2v_status status = question_parse(q, s->formula, strlen(s->formula), err);
    if (!status && !question_call_formula(q)) {
        status = error_memory(err, "the questions");
    }
    return status ? status : answer_batch(s, b, err);
}

/* --------------------------------------------------------------- from lines */

/* The words of a line: between tabs where it has any, else between blanks. Their number, at most
   `most`; more are counted. */
static size_t split_line(const char *line, size_t n, w2v_term *out, size_t most)
{
    const bool tabs = memchr(line, '\t', n) != NULL;
    size_t count = 0;
    for (size_t i = 0; i < n;) {
        size_t end = i;
        while (end < n && line[end] != '\t' && (tabs || line[end] != ' ')) {
            end++;
        }
        size_t from = i, to = end;
        while (from < to && line[from] == ' ') {
            from++;
        }
        while (to > from && line[to - 1] == ' ') {
            to--;
        }
        if (to > from) {
            if (count < most) {
                out[count] = (w2v_term){.word = line + from, .length = to - from};
            }
            count++;
        }
        i = end + 1;
    }
    return count;
}

/* Does a sign stand among the words, as in "king - man"? */
static bool has_sign(const w2v_term *words, size_t n)
{
    static const char *const signs[] = {"+", "-", "\xe2\x88\x92"};
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
            if (words[i].length == strlen(signs[k]) &&
                memcmp(words[i].word, signs[k], words[i].length) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* The formula of a line, of two terms at least. */
static w2v_status add_formula(batch *b, const char *line, size_t n, w2v_error *err)
{
    question *q = batch_next(b);
    if (!q) {
        return error_memory(err, "the questions");
    }
    w2v_status status = question_parse(q, line, n, err);
    if (!status && q->count < 2) {
        status = error_set(err, W2V_ERR_ARGUMENT, "one word makes no formula");
    }
    if (!status && !question_call_formula(q)) {
        status = error_memory(err, "the questions");
    }
    return status;
}

static w2v_status add_line(session *s, batch *b, const char *line, size_t n, w2v_error *err)
{
    const w2v_term whole = {.word = line, .length = n};
    if (s->kind->whole_lines && !s->one_question) {
        return add_question(s, b, &whole, 1, err);
    }
    const size_t count = split_line(line, n, NULL, 0);
    w2v_term *words = mem_calloc(count + 1, sizeof *words);
    if (!words) {
        return error_memory(err, "the questions");
    }
    split_line(line, n, words, count);
    w2v_status status;
    if (s->kind->formulas && (count != s->kind->each || has_sign(words, count))) {
        status = add_formula(b, line, n, NULL);
    } else if (s->kind->each && count != s->kind->each) {
        status = W2V_ERR_ARGUMENT;
    } else {
        status = add_question(s, b, words, count, err);
    }
    if (status == W2V_ERR_ARGUMENT) {
        char shown[SHOWN_WORD];
        error_set(err, status, "'%s' takes %s%s, not '%s'", s->kind->command, s->kind->needs,
                  s->kind->formulas ? " or a formula" : "", shown_word(line, n, shown));
    } else if (status == W2V_ERR_MEMORY) {
        error_memory(err, "the questions");
    }
    mem_free(words);
    return status;
}

/* A line that is no question, or none that can be read: at a prompt the first is told; else it is
   the end, after the answers to the lines before it. */
static w2v_status bad_line(session *s, const lines *from, batch *b, const w2v_error *fault,
                           w2v_error *err)
{
    if (fault->code == W2V_ERR_ARGUMENT && s->prompting) {
        talk_error(&s->talk, fault);
        return W2V_OK;
    }
    const w2v_status status = answer_batch(s, b, err);
    if (status) {
        return status;
    }
    if (fault->code == W2V_ERR_ARGUMENT) {
        return error_set(err, W2V_ERR_INPUT, "'%s' line %" PRIu64 ": %s", lines_name(from),
                         lines_number(from), fault->text);
    }
    *err = *fault;
    return fault->code;
}

static w2v_status ask_lines(session *s, lines *from, batch *b, w2v_error *err)
{
    const size_t most = s->prompting ? 1 : s->batch_size ? s->batch_size : BATCH;
    s->reply.batch = !s->prompting;
    for (;;) {
        const char *line;
        size_t n;
        bool end = false;
        w2v_error fault = {0};
        const size_t before = b->count;
        w2v_status status = lines_next(from, &line, &n, &end, &fault);
        if (!status && end) {
            return answer_batch(s, b, err);
        }
        status = status ? status : add_line(s, b, line, n, &fault);
        if (status) {
            batch_cut(b, before);
            status = bad_line(s, from, b, &fault, err);
        } else if (b->count >= most) {
            status = answer_batch(s, b, err);
        }
        if (status) {
            return status;
        }
    }
}

/* ------------------------------------------------------------------ the run */

void session_unknown(session *s, const char *word, size_t n)
{
    w2v_term near[SPELLINGS];
    size_t count = 0;
    s->unknown++;
    if (s->told == UNKNOWN_TOLD && !s->prompting) {
        return;
    }
    s->told++;
    w2v_error err = {0};
    char shown[SHOWN_WORD];
    error_set(&err, W2V_ERR_INPUT, "'%s' is not among the words of '%s'",
              shown_word(word, n, shown), s->path);
    if (w2v_near_spellings(s->vectors, word, n, SPELLINGS, near, &count, NULL)) {
        count = 0; /* no suggestion then; the answer stands without it */
    }
    char hint[sizeof err.hint] = "";
    for (size_t i = 0; i < count; i++) {
        const size_t used = strlen(hint);
        snprintf(hint + used, sizeof hint - used, "%s'%s'",
                 i == 0           ? ""
                 : i + 1 == count ? " or "
                                  : ", ",
                 shown_word(near[i].word, near[i].length, shown));
    }
    if (count) {
        error_hint(&err, "did you mean %s?", hint);
    } else if (s->formula && (memchr(word, '+', n) || memchr(word, '-', n))) {
        error_hint(&err, "in a formula blanks stand round the signs: 'king - man'");
    }
    talk_error(&s->talk, &err);
}

void session_unknown_rest(const session *s)
{
    if (s->unknown > s->told) {
        char count[32];
        num_format_grouped(s->unknown - s->told, count);
        talk_warning(&s->talk, NULL, "%s more unknown word%s", count,
                     render_plural(s->unknown - s->told));
    }
}

/* A pipe has one reader: for a second one it would be empty. */
static w2v_status check_streams(const session *s, const char *vectors, const char *questions,
                                w2v_error *err)
{
    const struct {
        const char *path, *what;
    } read[] = {{vectors, "the vectors"},
                {questions, "the questions"},
                {s->args->vectors.load.labels, "the words of the rows"},
                {s->list, "a list of words"}};
    for (size_t i = 1; i < sizeof read / sizeof *read; i++) {
        for (size_t k = 0; k < i; k++) {
            if (!read[i].path || !read[k].path || !inputs_same_stream(read[i].path, read[k].path)) {
                continue;
            }
            const bool standard = strcmp(read[k].path, "-") == 0;
            error_set(err, W2V_ERR_ARGUMENT, "%s%s%s cannot hold both %s and %s",
                      standard ? "" : "'", standard ? "standard input" : read[k].path,
                      standard ? "" : "'", read[k].what, read[i].what);
            error_hint(err, i == 1 ? "give the words as arguments, or in a file with --queries"
                                   : "one of them has to be a file");
            return W2V_ERR_ARGUMENT;
        }
    }
    return W2V_OK;
}

/* No two readers of standard input, and no words beside other questions. */
static w2v_status check_questions(const session *s, const arguments *words, const char *file,
                                  w2v_error *err)
{
    const char *queries = s->args->queries;
    const char *other = s->formula ? "--expr" : queries ? "--queries" : NULL;
    if (s->formula && queries) {
        return error_set(err, W2V_ERR_ARGUMENT, "'--expr' and '--queries' exclude each other");
    }
    if (other && words->count) {
        error_set(err, W2V_ERR_ARGUMENT, "'%s' stands beside '%s', which brings its own words",
                  words->items[0], other);
        error_hint(err, "the one argument there may be is the file of vectors");
        return W2V_ERR_ARGUMENT;
    }
    if (words->count && s->kind->each && words->count != s->kind->each) {
        return error_set(err, W2V_ERR_ARGUMENT, "'%s' takes %s, not %zu", s->kind->command,
                         s->kind->needs, words->count);
    }
    const bool asked = words->count || s->formula;
    return check_streams(s, file, asked ? NULL : queries ? queries : "-", err);
}

static w2v_status ask(session *s, const arguments *words, w2v_error *err)
{
    const char *queries = s->args->queries;
    batch b = {0};
    lines *from = NULL;
    w2v_status status;
    if (s->formula) {
        status = ask_formula(s, &b, err);
    } else if (words->count) {
        status = ask_words(s, words, &b, err);
    } else {
        s->prompting = !queries && term_is_terminal(FILE_STDIN) && term_is_terminal(FILE_STDOUT);
        if (s->prompting) {
            talk_fact(&s->talk, "prompt", "%s, a question a line; Ctrl-D ends", s->kind->needs);
        }
        status = s->prompting ? lines_open_prompt(s->kind->prompt, &from, err)
                              : lines_open(queries ? queries : "-", &from, err);
        if (!status) {
            status = ask_lines(s, from, &b, err);
        }
        lines_close(from);
    }
    batch_cut(&b, 0);
    mem_free(b.items);
    return status;
}

/* Behind the hint there is. */
static void add_hint(w2v_error *err, const char *more)
{
    const size_t used = strlen(err->hint);
    snprintf(err->hint + used, sizeof err->hint - used, "%s%s", used ? "; " : "", more);
}

static w2v_status open_and_ask(session *s, const arguments *all, w2v_error *err)
{
    arguments words = *all;
    vectors_choice choice;
    w2v_status status = reply_open(&s->args->reply, &s->reply, err);
    if (!status) {
        status = vectors_choose(&s->args->vectors, s->kind->command, s->kind->each, &words, &choice,
                                err);
    }
    if (!status) {
        status = check_questions(s, &words, choice.path, err);
    }
    if (!status) {
        s->path = choice.path;
        status = w2v_vectors_open(choice.path, &s->args->vectors.load, &s->vectors, err);
        if (status && choice.hint) {
            add_hint(err, choice.hint);
        }
    }
    if (!status && s->talk.verbose) {
        const w2v_load_report *r = w2v_vectors_report(s->vectors);
        talk_fact(&s->talk, "vectors", "%s: %s%s", s->path, vectors_format_name(r->format),
                  r->gzip ? " (gzip)" : "");
    }
    return status ? status : ask(s, &words, err);
}

int session_run(session *s, const arguments *words)
{
    w2v_error err = {0};
    s->talk = talk_open(&s->args->talk);
    const w2v_status status = open_and_ask(s, words, &err);
    if (!status) {
        vectors_warnings(&s->talk, s->path, &s->args->vectors, w2v_vectors_report(s->vectors));
    }
    session_unknown_rest(s);
    w2v_vectors_free(s->vectors);
    reply_close(&s->reply);
    if (status && output_pipe_closed("-", &err)) {
        clearerr(stdout); /* who reads has read enough */
        return 0;
    }
    if (status) {
        return talk_fail(&s->talk, &err);
    }
    return s->unknown ? 4 : 0;
}
