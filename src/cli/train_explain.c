/* What --explain shows: updates in numbers. */
#include "base/buf.h"
#include "base/shown.h"
#include "cli/json_tree.h"
#include "cli/train_run.h"
#include "render/grid.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Numbers of a row that are shown, unless more are asked for: a line of a terminal. */
#define NUMBERS 5

static const char *word_of(const train_run *run, uint32_t id, size_t *n)
{
    return w2v_vocab_word(w2v_corpus_vocab(run->corpus), id, n);
}

static double label_of(const w2v_update *u, size_t j)
{
    return u->with_neighbour && j == 0 ? 1 : 0;
}

/* ---------------------------------------------------------------------------- JSON */

static json_t *row_json(const float *values, uint32_t dim)
{
    json_t *list = json_array();
    for (uint32_t c = 0; list && c < dim; c++) {
        json_tree_add(&list, isfinite(values[c]) ? json_real((double)values[c]) : json_null());
    }
    return list;
}

/* The rows of one table; with their labels where they are outputs. */
static json_t *rows_json(const train_run *run, const w2v_update *u, const w2v_update_row *rows,
                         size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < n; i++) {
        size_t length;
        const char *word = word_of(run, rows[i].id, &length);
        json_t *object = json_pack("{s:o, s:I}", "word", talk_json_bytes(word, length), "times",
                                   (json_int_t)rows[i].times);
        if (object && rows == u->outputs) {
            json_tree_put(&object, "label", json_integer((json_int_t)label_of(u, i)));
        }
        if (object && rows == u->centres) {
            json_tree_put(&object, "frozen", json_boolean(rows[i].frozen));
        }
        if (object) {
            json_tree_put(&object, "before", row_json(rows[i].before, u->dim));
            json_tree_put(&object, "after", row_json(rows[i].after, u->dim));
            json_tree_put(&object, "met", row_json(rows[i].met, u->dim));
        }
        json_tree_add(&list, object);
    }
    return list;
}

static json_t *real_or_null(float value)
{
    return isfinite(value) ? json_real((double)value) : json_null();
}

static json_t *dots_json(const w2v_update *u)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < u->centre_count; i++) {
        json_t *row = json_array();
        for (size_t j = 0; row && j < u->output_count; j++) {
            const w2v_update_dot *d = &u->dots[i * u->output_count + j];
            json_tree_add(&row, json_pack("{s:o, s:o, s:o}", "dot", real_or_null(d->dot), "sigma",
                                          real_or_null(d->sigma), "sigma_minus_label",
                                          real_or_null(d->error)));
        }
        json_tree_add(&list, row);
    }
    return list;
}

static void show_event(const train_run *run, const talk *t, const w2v_update *u)
{
    size_t length;
    const char *neighbour = word_of(run, u->neighbour, &length);
    talk_event(t, json_pack("{s:s, s:I, s:I, s:I, s:I, s:f, s:o, s:I, s:o, s:o, s:o}", "event",
                            "update", "number", (json_int_t)u->number, "epoch",
                            (json_int_t)u->epoch + 1, "pair", (json_int_t)u->first_pair, "pairs",
                            (json_int_t)u->pairs, "rate", (double)u->rate, "neighbour",
                            talk_json_bytes(neighbour, length), "negatives_left_out",
                            (json_int_t)u->left_out, "centres",
                            rows_json(run, u, u->centres, u->centre_count), "outputs",
                            rows_json(run, u, u->outputs, u->output_count), "dots", dots_json(u)));
}

/* -------------------------------------------------------------------------- tables */

static void word_cell(const train_run *run, grid *g, const w2v_update_row *row)
{
    size_t n;
    const char *word = word_of(run, row->id, &n);
    grid_bytes(g, word, n);
}

/* A line for each centre with each output. */
static void dots_grid(const train_run *run, const w2v_update *u, grid *g)
{
    static const char *const heads[] = {"centre", "with", "which is", "dot", "σ(dot)", "σ − label"};
    grid_begin(g, GRID_TABLE, 7, 0x38);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        grid_string(g, heads[i]);
    }
    grid_string(g, "");
    for (size_t i = 0; i < u->centre_count; i++) {
        for (size_t j = 0; j < u->output_count; j++) {
            const w2v_update_dot *d = &u->dots[i * u->output_count + j];
            const uint64_t times = (uint64_t)u->centres[i].times * u->outputs[j].times;
            char counts[48] = "";
            if (times > 1) {
                snprintf(counts, sizeof counts, "counts %" PRIu64 " times", times);
            }
            word_cell(run, g, &u->centres[i]);
            word_cell(run, g, &u->outputs[j]);
            grid_string(g, label_of(u, j) > 0 ? "true neighbour, label 1" : "noise, label 0");
            grid_score(g, (double)d->dot);
            grid_score(g, (double)d->sigma);
            grid_score(g, (double)d->error);
            grid_string(g, counts);
        }
    }
}

static bool append_number(buf *text, double value)
{
    /* a blank where a minus would stand */
    return buf_printf(text, "%s% .6f", text->size ? "  " : "", fabs(value) < 5e-7 ? 0.0 : value);
}

/* Numbers of a row, or of its move: all that are wanted, and a sign that there are more. */
static void numbers_cell(grid *g, const float *from, const float *to, uint32_t dim, uint32_t most)
{
    buf text = {0};
    bool ok = true;
    for (uint32_t c = 0; ok && c < dim && c < most; c++) {
        ok = append_number(&text, (double)to[c] - (from ? (double)from[c] : 0));
    }
    ok = ok && (dim <= most || buf_append_string(&text, "  …"));
    grid_bytes(g, ok ? text.data : "?", ok ? text.size : 1);
    buf_clear(&text);
}

static double length_of_move(const w2v_update_row *row, uint32_t dim)
{
    double sum = 0;
    for (uint32_t c = 0; c < dim; c++) {
        const double move = (double)row->after[c] - (double)row->before[c];
        sum += move * move;
    }
    return sqrt(sum);
}

/* A line of numbers under the name of a row. */
static void further_line(grid *g, const char *what, const float *from, const float *to,
                         const w2v_update *u, uint32_t most)
{
    grid_string(g, "");
    grid_string(g, "");
    grid_string(g, what);
    numbers_cell(g, from, to, u->dim, most);
}

/* Lines for each row of a table: before, after, and the difference; and what the pair met, where
   that is something else. */
static void rows_grid(const train_run *run, const w2v_update *u, const char *table,
                      const w2v_update_row *rows, size_t n, grid *g)
{
    const uint32_t most = run->talk.verbose ? u->dim : NUMBERS;
    for (size_t i = 0; i < n; i++) {
        char length[64];
        snprintf(length, sizeof length, "length %.6f", length_of_move(&rows[i], u->dim));
        grid_string(g, table);
        word_cell(run, g, &rows[i]);
        grid_string(g, "before");
        numbers_cell(g, NULL, rows[i].before, u->dim, most);
        grid_string(g, rows[i].frozen ? "frozen: it does not move" : "");
        if (rows[i].frozen) {
            continue;
        }
        if (memcmp(rows[i].met, rows[i].before, u->dim * sizeof *rows[i].met) != 0) {
            further_line(g, "met", NULL, rows[i].met, u, most);
            grid_string(g, "as before this position");
        }
        further_line(g, "after", NULL, rows[i].after, u, most);
        grid_string(g, "");
        further_line(g, "moved", rows[i].before, rows[i].after, u, most);
        grid_string(g, length);
    }
}

/* ---------------------------------------------------------------------- an update */

/* "centre 'cat', true neighbour 'milk', 2 negatives" */
static void show_title(const train_run *run, const talk *t, const w2v_update *u)
{
    uint64_t negatives = 0;
    for (size_t j = u->with_neighbour ? 1 : 0; j < u->output_count; j++) {
        negatives += u->outputs[j].times;
    }
    size_t n, centre_length;
    char pairs[96], centres[SHOWN_WORD + 16], shown[2][SHOWN_WORD];
    const char *word = word_of(run, u->neighbour, &n);
    const char *neighbour = shown_word(word, n, shown[0]);
    const char *centre = word_of(run, u->centres[0].id, &centre_length);
    snprintf(pairs, sizeof pairs, u->pairs > 1 ? "pairs %" PRIu64 " to %" PRIu64 : "pair %" PRIu64,
             u->first_pair, u->first_pair + u->pairs - 1);
    if (u->centre_count > 1) {
        snprintf(centres, sizeof centres, "%zu centres", u->centre_count);
    } else {
        snprintf(centres, sizeof centres, "centre '%s'",
                 shown_word(centre, centre_length, shown[1]));
    }
    talk_fact(t, "update",
              "%" PRIu64 ": epoch %u, %s%s, rate %.6g: %s, true neighbour '%s', %s%" PRIu64
              " negative%s%s",
              u->number, (unsigned)u->epoch + 1, pairs, u->pairs ? "" : " goes on", (double)u->rate,
              centres, neighbour, u->with_neighbour ? "" : "further ", negatives,
              negatives == 1 ? "" : "s", u->centre_count > 1 ? " for all of them" : "");
    if (u->left_out > 0) {
        talk_fact(t, "", "(%u more drawn: '%s' itself, which does not count)",
                  (unsigned)u->left_out, neighbour);
    }
}

static void show_tables(const train_run *run, const talk *t, const w2v_update *u)
{
    grid g = {0};
    buf text = {0};
    dots_grid(run, u, &g);
    bool ok = grid_append(&g, &text);
    grid_begin(&g, GRID_TABLE, 5, 0);
    rows_grid(run, u, "word row", u->centres, u->centre_count, &g);
    rows_grid(run, u, "context row", u->outputs, u->output_count, &g);
    ok = ok && grid_append(&g, &text);
    if (ok) {
        fwrite(text.data, 1, text.size, t->stream);
    }
    grid_clear(&g);
    buf_clear(&text);
}

void explain_update(void *opaque, const w2v_update *u)
{
    train_run *run = opaque;
    talk loud = run->talk; /* it was asked for */
    loud.quiet = false;
    progress_clear(&run->shown);
    if (loud.progress == TALK_JSON) {
        show_event(run, &loud, u);
        return;
    }
    if (u->number == 1) {
        talk_fact(&loud, "explain",
                  "A pair is a centre and a word near it, the true neighbour. The centre's row of "
                  "the word table meets the neighbour's row of the context table (label 1) and "
                  "those of some negatives, words drawn as noise (label 0). "
                  "σ(x) = 1 / (1 + exp(−x)). Every row moves by −rate × the sum of "
                  "(σ − label) × the other's row, all from the values before. The context table "
                  "starts at zero, and so do the dots.%s",
                  run->estimate.threads > 1 ? " One thread makes these updates before the others "
                                              "begin."
                                            : "");
    }
    show_title(run, &loud, u);
    show_tables(run, &loud, u);
}
