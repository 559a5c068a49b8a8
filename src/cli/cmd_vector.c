/* w2v vector: a word's row, and with --trace the way to it: word, id, one-hot position, row. */
#include "base/mem.h"
#include "base/num.h"
#include "cli/commands.h"
#include "cli/counts.h"
#include "cli/json_tree.h"
#include "cli/session.h"
#include "render/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Columns of a row's numbers below its word. */
#define ROW_COLUMNS 80

typedef struct vector_args {
    session_args session;
    bool trace;
    const char *counts;
} vector_args;

#define FIELD(member) offsetof(vector_args, member)

static const option vector_options[] = {
    {.name = "trace",
     .type = OPTION_FLAG,
     .offset = FIELD(trace),
     .help = "follow the word to its row: word, id, one-hot position, row, norm"},
    {.name = "counts",
     .type = OPTION_TEXT,
     .offset = FIELD(counts),
     .metavar = "FILE",
     .help = "a vocabulary of 'word count' lines: --trace also tells how often the word stood in "
             "the text"},
    {.name = NULL},
};

static const option_group groups[] = {
    {"row", vector_options, 0, false},
    SESSION_GROUPS(FIELD(session)),
};

static void set_defaults(void *args)
{
    ((vector_args *)args)->session = session_defaults();
}

static w2v_status build(const session *s, const w2v_term *words, size_t n, question *q,
                        w2v_error *err)
{
    (void)s;
    (void)n; /* 1 */
    return question_add(q, 1, words[0].word, words[0].length) ? W2V_OK
                                                              : error_memory(err, "the questions");
}

/* What was found of one word. */
typedef struct found {
    const w2v_term *word;
    const float *row;
    uint32_t id, dim;
    uint64_t size, count;
    bool known;
} found;

static double norm(const found *f)
{
    double sum = 0;
    for (uint32_t i = 0; i < f->dim; i++) {
        sum += (double)f->row[i] * (double)f->row[i];
    }
    return sqrt(sum);
}

/* Every number of a row, as many digits as keep its bits. */
static bool append_row(buf *out, const found *f, char between)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < f->dim; i++) {
        char text[NUM_FLOAT_TEXT];
        const size_t n = num_format_float(f->row[i], 0, text);
        ok = (i == 0 || buf_append(out, &between, 1)) && buf_append(out, text, n);
    }
    return ok;
}

/* --------------------------------------------------------------------- JSON */

static json_t *json_row(const found *f)
{
    json_t *list = json_array();
    for (uint32_t i = 0; list && i < f->dim; i++) {
        char text[NUM_FLOAT_TEXT];
        double value = 0; /* the shortest decimal of the float, so that JSON shows just that */
        num_parse_double(text, num_format_float(f->row[i], 0, text), &value);
        json_tree_add(&list, json_real(value));
    }
    return list;
}

static json_t *json_found(const found *f, bool trace)
{
    json_t *object = json_pack("{s:o}", "word", talk_json_bytes(f->word->word, f->word->length));
    if (!f->known) {
        json_tree_put(&object, "unknown", json_true());
        return object;
    }
    if (trace) {
        json_tree_put(&object, "id", json_integer(f->id));
        json_tree_put(
            &object, "one_hot",
            json_pack("{s:I, s:I}", "position", (json_int_t)f->id, "length", (json_int_t)f->size));
    }
    json_tree_put(&object, "row", json_row(f));
    if (trace) {
        json_tree_put(&object, "norm", reply_score(norm(f)));
    }
    if (trace && f->count != COUNT_UNKNOWN) {
        json_tree_put(&object, "count", json_tree_whole(f->count));
    }
    return object;
}

/* --------------------------------------------------------------------- text */

/* The row alone: after its word in TSV, below it in a table. */
static w2v_status show_row(session *s, const found *f, w2v_error *err)
{
    reply *r = &s->reply;
    buf row = {0};
    bool ok = true;
    const bool table = r->form == REPLY_TABLE;
    if (f->known) {
        ok = append_row(&row, f, table ? ' ' : '\t');
    } else {
        ok = !r->batch || buf_append_string(&row, "unknown");
    }
    if (ok && row.size && table) {
        reply_begin(r, 1, 0);
        ok = !reply_title(r, f->word->word, f->word->length, NULL) &&
             buf_append_string(&r->out, "  ") && buf_append(&row, "", 1) /* its end */ &&
             render_wrap(&r->out, row.data, 2, 2, ROW_COLUMNS) && buf_append(&r->out, "\n", 1);
    } else if (ok && row.size) {
        reply_begin(r, 1, 0);
        grid_bytes(&r->grid, f->word->word, f->word->length);
        ok = !reply_end(r, NULL);
        if (ok) {
            r->out.data[r->out.size - 1] = '\t'; /* instead of the line's end */
            ok = buf_append(&r->out, row.data, row.size) && buf_append(&r->out, "\n", 1);
        }
    }
    buf_clear(&row);
    return ok ? W2V_OK : error_memory(err, "the answers");
}

/* A line of a trace; `text` is emptied for the next one. */
static void step(session *s, const found *f, const char *label, buf *text)
{
    grid *g = &s->reply.grid;
    if (s->reply.form == REPLY_TSV && s->reply.batch) {
        grid_bytes(g, f->word->word, f->word->length);
    }
    grid_string(g, label);
    grid_bytes(g, text->data ? text->data : "", text->size);
    text->size = 0;
}

/* Id, one-hot position, row, norm, count: a line each. */
static bool trace_known(session *s, const found *f, buf *text)
{
    bool ok = buf_printf(text, "%" PRIu32, f->id);
    step(s, f, "id", text);
    ok = ok && buf_printf(text,
                          s->reply.form == REPLY_TABLE ? "1 at position %" PRIu32 " of %" PRIu64
                                                         ", counted from 0; else 0"
                                                       : "%" PRIu32 " of %" PRIu64,
                          f->id, f->size);
    step(s, f, "one-hot", text);
    ok = ok && append_row(text, f, ' ');
    step(s, f, "row", text);
    ok = ok && buf_printf(text, "%.6f", norm(f));
    step(s, f, "norm", text);
    if (ok && f->count != COUNT_UNKNOWN) {
        ok = buf_printf(text, "%" PRIu64, f->count);
        step(s, f, "count", text);
    }
    return ok;
}

static w2v_status show_trace(session *s, const found *f, w2v_error *err)
{
    if (!f->known && !s->reply.batch) {
        return W2V_OK;
    }
    buf text = {0};
    reply_begin(&s->reply, s->reply.batch && s->reply.form == REPLY_TSV ? 3 : 2, 0);
    bool ok = buf_append(&text, f->word->word, f->word->length);
    step(s, f, "word", &text);
    if (f->known) {
        ok = ok && trace_known(s, f, &text);
    } else {
        ok = ok && buf_append_string(&text, "unknown");
        step(s, f, "id", &text);
    }
    buf_clear(&text);
    return ok ? reply_end(&s->reply, err) : error_memory(err, "the answers");
}

/* ---------------------------------------------------------------- answering */

static w2v_status show(session *s, const found *f, w2v_error *err)
{
    const vector_args *args = s->command_args;
    const bool trace = args->trace || args->counts;
    if (!f->known) {
        session_unknown(s, f->word->word, f->word->length);
    }
    if (s->reply.form == REPLY_JSON) {
        return reply_json(&s->reply, json_found(f, trace), err);
    }
    return trace ? show_trace(s, f, err) : show_row(s, f, err);
}

/* What one batch looks up. */
typedef struct batch_rows {
    w2v_term *words;
    float *rows;
    uint32_t *ids;
    bool *known;
    uint64_t *counts;
    uint32_t dim;
    uint64_t size;
} batch_rows;

static w2v_status look_up(session *s, const question *questions, size_t n, batch_rows *b,
                          w2v_error *err)
{
    const vector_args *args = s->command_args;
    b->words = mem_calloc(n, sizeof *b->words);
    b->ids = mem_calloc(n, sizeof *b->ids);
    b->known = mem_calloc(n, sizeof *b->known);
    b->counts = mem_calloc(n, sizeof *b->counts);
    if (!b->words || !b->ids || !b->known || !b->counts) {
        return error_memory(err, "the answers");
    }
    for (size_t i = 0; i < n; i++) {
        b->words[i] = questions[i].terms[0];
        b->counts[i] = COUNT_UNKNOWN;
    }
    const w2v_status status =
        w2v_lookup(s->vectors, b->words, n, &b->rows, b->ids, b->known, &b->dim, &b->size, err);
    return status || !args->counts ? status
                                   : counts_find(args->counts, b->words, n, b->counts, err);
}

static w2v_status answer(session *s, const question *questions, size_t n, w2v_error *err)
{
    batch_rows b = {0};
    w2v_status status = look_up(s, questions, n, &b, err);
    for (size_t i = 0; !status && i < n; i++) {
        const found f = {.word = &b.words[i],
                         .row = b.rows + i * b.dim,
                         .id = b.ids[i],
                         .dim = b.dim,
                         .size = b.size,
                         .count = b.counts[i],
                         .known = b.known[i]};
        status = show(s, &f, err);
    }
    mem_free(b.words);
    mem_free(b.ids);
    mem_free(b.known);
    mem_free(b.counts);
    w2v_free(b.rows);
    return status;
}

static int run(void *opaque, const arguments *words)
{
    static const session_kind kind = {
        .command = "vector",
        .needs = "words",
        .prompt = "word> ",
        .whole_lines = true,
        .build = build,
        .answer = answer,
    };
    const vector_args *args = opaque;
    session s = {.kind = &kind, .args = &args->session, .command_args = args, .list = args->counts};
    return session_run(&s, words);
}

const command command_vector = {
    .name = "vector",
    .others = "print-word-vectors",
    .usage = "[VECTORS] WORD… [OPTION…]",
    .summary = "a word's row; --trace follows the word to it",
    .about =
        "Shows the row of each WORD. With --trace it follows the word: its id (0 for the first "
        "row of the table), the place of the only 1 in its one-hot vector, the row that this "
        "vector picks from the table, and the row's norm. Without a WORD they are read from "
        "standard input, one a line; on a terminal there is a prompt.\n\n"
        "In a pipe a row is the word and its numbers between tabs, every bit kept.",
    .examples = "  w2v vector vectors.bin cat\n"
                "  w2v vector vectors.bin cat --trace --counts vocab.txt\n",
    .groups = groups,
    .group_count = sizeof groups / sizeof *groups,
    .args_size = sizeof(vector_args),
    .defaults = set_defaults,
    .run = run,
};
