#include "cli/eval_show.h"

#include "base/num.h"
#include "cli/eval_weat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Tables beside each other, as many as columns allow. */
#define BESIDE ((size_t)6)
#define PERCENT 32

const char *eval_mode(const w2v_score_options *options, uint64_t limit, bool analogies,
                      char out[EVAL_MODE])
{
    const char *method = options->method == W2V_MUL ? "3CosMul, " : "3CosAdd, ";
    char rows[48] = "all rows", top[48] = "", count[32];
    if (limit) {
        num_format_grouped(limit, count);
        snprintf(rows, sizeof rows, "first %s rows", count);
    }
    if (analogies && options->top > 1) {
        num_format_grouped(options->top, count);
        snprintf(top, sizeof top, "best %s answers, ", count);
    }
    snprintf(out, EVAL_MODE, "%s%scase %s, %s", analogies ? method : "", top,
             options->ignore_case ? "ignored" : "as written", rows);
    return out;
}

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

static void percent(grid *g, double part)
{
    char text[PERCENT] = "n/a";
    if (!isnan(part)) {
        snprintf(text, sizeof text, "%.2f", 100.0 * part);
    }
    grid_string(g, text);
}

static const char *section_name(const w2v_tally *t)
{
    return t->section[0] ? t->section : "(no section)";
}

/* The tallies of a score in the order in which they are shown: sections, totals. */
static const w2v_tally *tally_at(const w2v_score *s, size_t i)
{
    if (i < s->section_count) {
        return &s->sections[i];
    }
    const w2v_tally *totals[] = {&s->semantic, &s->syntactic, &s->total};
    i -= s->section_count;
    i += s->classic ? 0 : 2;
    return i < 3 ? totals[i] : NULL;
}

/* ----------------------------------------------------------------------- tables */

static w2v_status title(reply *r, const eval_scores *s, w2v_error *err)
{
    static const char *const kinds[] = {
        [W2V_ANALOGIES] = "", [W2V_PAIRS] = "word pairs, ", [W2V_LISTS] = "association tests, "};
    char mode[EVAL_MODE];
    const char *shown = eval_mode(s->options, s->limit, s->facts->kind == W2V_ANALOGIES, mode);
    buf text = {0};
    const bool ok = (!r->started || r->form != REPLY_TABLE || buf_append(&r->out, "\n", 1)) &&
                    buf_printf(&text, "%s: %s%s", s->file, kinds[s->facts->kind], shown);
    const w2v_status status =
        ok ? reply_title(r, text.data, text.size, err) : error_memory(err, "the answers");
    buf_clear(&text);
    r->started = false; /* the grid belongs to its title: no blank line between */
    return status;
}

static w2v_status table_of_one(reply *r, const eval_scores *s, w2v_error *err)
{
    static const char *const heads[] = {"section", "right", "asked",         "skipped",
                                        "%",       "% all", "% inputs kept", "% near before"};
    reply_begin(r, 8, 0xfe);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        grid_string(&r->grid, heads[i]);
    }
    const w2v_tally *t;
    for (size_t i = 0; (t = tally_at(s->scores, i)) != NULL; i++) {
        grid_string(&r->grid, section_name(t));
        grid_count(&r->grid, t->right);
        grid_count(&r->grid, t->asked);
        grid_count(&r->grid, t->skipped);
        percent(&r->grid, share(t->right, t->asked));
        percent(&r->grid, share(t->right, t->asked + t->skipped));
        percent(&r->grid, share(t->right_kept, t->asked));
        percent(&r->grid, share(t->right_near, t->asked));
    }
    return reply_end(r, err);
}

/* Tables first..first + n - 1 side by side. */
static w2v_status table_of_some(reply *r, const eval_scores *s, size_t first, size_t n,
                                w2v_error *err)
{
    static const char *const heads[] = {"right", "asked", "%", "% all", "% kept"};
    const size_t each = sizeof heads / sizeof *heads;
    reply_begin(r, 1 + n * each, ~1u);
    grid_string(&r->grid, "");
    for (size_t k = 0; k < n * each; k++) {
        grid_string(&r->grid, k % each == 0 ? s->tables[first + k / each] : "");
    }
    grid_string(&r->grid, "section");
    for (size_t k = 0; k < n * each; k++) {
        grid_string(&r->grid, heads[k % each]);
    }
    for (size_t i = 0; tally_at(s->scores, i) != NULL; i++) {
        grid_string(&r->grid, section_name(tally_at(s->scores, i)));
        for (size_t k = 0; k < n; k++) {
            const w2v_tally *t = tally_at(&s->scores[first + k], i);
            grid_count(&r->grid, t->right);
            grid_count(&r->grid, t->asked);
            percent(&r->grid, share(t->right, t->asked));
            percent(&r->grid, share(t->right, t->asked + t->skipped));
            percent(&r->grid, share(t->right_kept, t->asked));
        }
    }
    return reply_end(r, err);
}

/* A row for each table; in TSV after the file's name and the kind. */
static w2v_status show_pairs(reply *r, const eval_scores *s, w2v_error *err)
{
    static const char *const heads[] = {"vectors", "used",    "missing",   "spearman", "95 % from",
                                        "to",      "pearson", "95 % from", "to"};
    const bool table = r->form == REPLY_TABLE;
    reply_begin(r, table ? 9 : 11, 0x1fe);
    for (size_t i = 0; table && i < sizeof heads / sizeof *heads; i++) {
        grid_string(&r->grid, heads[i]);
    }
    for (size_t k = 0; k < s->count; k++) {
        const w2v_score *score = &s->scores[k];
        if (!table) {
            grid_string(&r->grid, "pairs");
            grid_string(&r->grid, s->file);
        }
        grid_string(&r->grid, s->tables[k]);
        grid_count(&r->grid, score->used);
        grid_count(&r->grid, score->missing);
        const w2v_correlation *both[] = {&score->spearman, &score->pearson};
        for (size_t i = 0; i < 2; i++) {
            grid_score(&r->grid, both[i]->value);
            grid_score(&r->grid, both[i]->low);
            grid_score(&r->grid, both[i]->high);
        }
    }
    return reply_end(r, err);
}

/* ------------------------------------------------------------------------- TSV */

static w2v_status tsv_analogies(reply *r, const eval_scores *s, w2v_error *err)
{
    reply_begin(r, 11, 0);
    for (size_t k = 0; k < s->count; k++) {
        const w2v_tally *t;
        for (size_t i = 0; (t = tally_at(&s->scores[k], i)) != NULL; i++) {
            grid_string(&r->grid, i < s->scores[k].section_count ? "section" : "sum");
            grid_string(&r->grid, s->file);
            grid_string(&r->grid, s->tables[k]);
            grid_string(&r->grid, section_name(t));
            grid_count(&r->grid, t->right);
            grid_count(&r->grid, t->asked);
            grid_count(&r->grid, t->skipped);
            grid_score(&r->grid, share(t->right, t->asked));
            grid_score(&r->grid, share(t->right, t->asked + t->skipped));
            grid_score(&r->grid, share(t->right_kept, t->asked));
            grid_score(&r->grid, share(t->right_near, t->asked));
        }
    }
    return reply_end(r, err);
}

/* ------------------------------------------------------------------------ JSON */

static json_t *json_tally(const w2v_tally *t, bool named)
{
    json_t *o = named
                    ? json_pack("{s:o}", "section", talk_json_bytes(t->section, strlen(t->section)))
                    : json_object();
    json_t *counts =
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "right", (json_int_t)t->right,
                  "asked", (json_int_t)t->asked, "skipped", (json_int_t)t->skipped,
                  "right_inputs_kept", (json_int_t)t->right_kept, "right_near_before",
                  (json_int_t)t->right_near, "accuracy", reply_score(share(t->right, t->asked)),
                  "accuracy_of_all", reply_score(share(t->right, t->asked + t->skipped)),
                  "accuracy_inputs_kept", reply_score(share(t->right_kept, t->asked)),
                  "share_near_before", reply_score(share(t->right_near, t->asked)));
    if (!o || !counts || json_object_update(o, counts) != 0) {
        json_decref(o);
        o = NULL;
    }
    json_decref(counts);
    return o;
}

static json_t *json_correlation(const w2v_correlation *c)
{
    return json_pack("{s:o, s:o, s:o}", "value", reply_score(c->value), "low", reply_score(c->low),
                     "high", reply_score(c->high));
}

/* Each returns 0, or another number without memory. */

static int add_analogies(json_t *o, const eval_scores *s, const w2v_score *score)
{
    int failed = 0;
    json_t *sections = json_array();
    for (size_t i = 0; i < score->section_count; i++) {
        failed |= json_array_append_new(sections, json_tally(&score->sections[i], true));
    }
    const char *method = s->options->method == W2V_MUL ? "mul" : "add";
    failed |= json_object_set_new(o, "method", json_string(method));
    failed |= json_object_set_new(o, "top", json_integer((json_int_t)s->options->top));
    failed |= json_object_set_new(o, "sections", sections);
    if (score->classic) {
        failed |= json_object_set_new(o, "semantic", json_tally(&score->semantic, false));
        failed |= json_object_set_new(o, "syntactic", json_tally(&score->syntactic, false));
    }
    return failed | json_object_set_new(o, "total", json_tally(&score->total, false));
}

static int add_pairs(json_t *o, const w2v_score *score)
{
    int failed = json_object_set_new(o, "used", json_integer((json_int_t)score->used));
    failed |= json_object_set_new(o, "missing", json_integer((json_int_t)score->missing));
    failed |= json_object_set_new(o, "spearman", json_correlation(&score->spearman));
    return failed | json_object_set_new(o, "pearson", json_correlation(&score->pearson));
}

/* NULL without memory. */
static json_t *json_of(const eval_scores *s, size_t k)
{
    const w2v_score *score = &s->scores[k];
    const bool analogies = s->facts->kind == W2V_ANALOGIES;
    json_t *o = json_pack("{s:s, s:o, s:o, s:b, s:o}", "kind", analogies ? "analogies" : "pairs",
                          "file", talk_json_bytes(s->file, strlen(s->file)), "vectors",
                          talk_json_bytes(s->tables[k], strlen(s->tables[k])), "ignore_case",
                          (int)s->options->ignore_case, "limit",
                          s->limit ? json_integer((json_int_t)s->limit) : json_null());
    if (!o) {
        return NULL;
    }
    int failed = analogies ? add_analogies(o, s, score) : add_pairs(o, score);
    failed |=
        json_object_set_new(o, "unknown_words", json_integer((json_int_t)score->unknown_count));
    failed |= json_object_set_new(o, "odd_lines", json_integer((json_int_t)s->facts->odd_lines));
    if (failed) {
        json_decref(o);
        return NULL;
    }
    return o;
}

/* ------------------------------------------------------------------- the whole */

w2v_status eval_show(reply *r, const eval_scores *s, w2v_error *err)
{
    w2v_status status = W2V_OK;
    if (r->form == REPLY_JSON && s->facts->kind == W2V_LISTS) {
        return eval_weat_json(r, s, err);
    }
    if (r->form == REPLY_JSON) {
        for (size_t k = 0; k < s->count && !status; k++) {
            status = reply_json(r, json_of(s, k), err);
        }
        return status;
    }
    if (r->form == REPLY_TABLE) {
        status = title(r, s, err);
    }
    if (status || s->facts->kind == W2V_PAIRS) {
        return status ? status : show_pairs(r, s, err);
    }
    if (s->facts->kind == W2V_LISTS) {
        return eval_weat_rows(r, s, err);
    }
    if (r->form == REPLY_TSV) {
        return tsv_analogies(r, s, err);
    }
    if (s->count == 1) {
        return table_of_one(r, s, err);
    }
    for (size_t k = 0; k < s->count && !status; k += BESIDE) {
        status = table_of_some(r, s, k, s->count - k < BESIDE ? s->count - k : BESIDE, err);
    }
    return status;
}

w2v_status eval_show_overlaps(reply *r, const eval_overlap *all, size_t n, w2v_error *err)
{
    static const char *const heads[] = {"neighbours agree", "vectors", "and", "words", "overlap"};
    w2v_status status = W2V_OK;
    for (size_t i = 0; i < n && r->form == REPLY_JSON && !status; i++) {
        status =
            reply_json(r,
                       json_pack("{s:s, s:o, s:[o, o], s:I, s:o}", "kind", "stability", "file",
                                 talk_json_bytes(all[i].file, strlen(all[i].file)), "vectors",
                                 talk_json_bytes(all[i].a, strlen(all[i].a)),
                                 talk_json_bytes(all[i].b, strlen(all[i].b)), "words",
                                 (json_int_t)all[i].words, "overlap", reply_score(all[i].overlap)),
                       err);
    }
    if (r->form == REPLY_JSON) {
        return status;
    }
    const bool table = r->form == REPLY_TABLE;
    reply_begin(r, table ? 5 : 6, table ? 0x18 : 0);
    for (size_t i = 0; table && i < sizeof heads / sizeof *heads; i++) {
        grid_string(&r->grid, heads[i]);
    }
    for (size_t i = 0; i < n; i++) {
        if (!table) {
            grid_string(&r->grid, "stability");
        }
        grid_string(&r->grid, all[i].file);
        grid_string(&r->grid, all[i].a);
        grid_string(&r->grid, all[i].b);
        grid_count(&r->grid, all[i].words);
        grid_score(&r->grid, all[i].overlap);
    }
    return reply_end(r, err);
}
