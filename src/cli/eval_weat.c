#include "cli/eval_weat.h"

#include "base/mem.h"
#include "base/num.h"
#include "base/shown.h"
#include "cli/suggest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LISTS 4
static const char *const letters[LISTS] = {"X", "Y", "A", "B"};

/* -------------------------------------------------------------------- the tests */

void weat_tests_clear(weat_tests *t)
{
    mem_free(t->items);
    mem_free(t->names);
    *t = (weat_tests){0};
}

/* Splits a value at its commas into `*to`, which moves on. False: not into four names. */
static bool split(const char *text, char **to, w2v_weat_test *test)
{
    size_t count = 0;
    for (bool more = true; more; text++) {
        if (count == LISTS) {
            return false;
        }
        test->list[count++] = *to;
        for (; *text && *text != ','; text++) {
            text += text[0] == '\\' && (text[1] == ',' || text[1] == '\\');
            *(*to)++ = *text;
        }
        *(*to)++ = '\0';
        more = *text == ',';
    }
    return count == LISTS;
}

w2v_status weat_tests_parse(const option_texts *texts, weat_tests *out, w2v_error *err)
{
    *out = (weat_tests){.count = texts->count};
    size_t bytes = 1;
    for (size_t i = 0; i < texts->count; i++) {
        bytes += strlen(texts->items[i]) + 1;
    }
    out->items = mem_calloc(texts->count + 1, sizeof *out->items);
    out->names = mem_alloc(bytes);
    if (!out->items || !out->names) {
        return error_memory(err, "the names of the lists");
    }
    char *to = out->names;
    for (size_t i = 0; i < texts->count; i++) {
        if (!split(texts->items[i], &to, &out->items[i])) {
            error_set(err, W2V_ERR_ARGUMENT, "'--weat %s' does not name four lists",
                      texts->items[i]);
            error_hint(err, "--weat X,Y,A,B: two lists of targets, two of attributes; '\\,' is a "
                            "comma in a name");
            return W2V_ERR_ARGUMENT;
        }
    }
    return W2V_OK;
}

/* The names of the file's lists, as many as a message has room for. */
#define NAMES 160
static void list_names(const w2v_question_file *file, char out[NAMES])
{
    const size_t lists = (size_t)w2v_question_file_facts(file)->questions;
    size_t used = 0;
    for (size_t i = 0; i < lists; i++) {
        char shown[SHOWN_WORD];
        const char *name = w2v_question_file_list(file, i);
        shown_word(name, strlen(name), shown);
        const size_t n = strlen(shown);
        if (used + n + sizeof ", …" >= NAMES) {
            snprintf(out + used, NAMES - used, "%s", used ? ", …" : "…");
            return;
        }
        used += (size_t)snprintf(out + used, NAMES - used, "%s%s", used ? ", " : "", shown);
    }
}

static const char *nearest_name(const w2v_question_file *file, const char *name)
{
    suggestion near = {.typed = name, .length = strlen(name)};
    for (size_t i = 0; i < (size_t)w2v_question_file_facts(file)->questions; i++) {
        const char *other = w2v_question_file_list(file, i);
        suggest_offer(&near, other, strlen(other), other);
    }
    return near.best;
}

static bool has_list(const w2v_question_file *file, const char *name)
{
    const w2v_weat_test test = {.list = {name, name, name, name}};
    return w2v_weat_check(file, &test, 1, NULL) == W2V_OK;
}

w2v_status weat_tests_check(const weat_tests *t, const w2v_question_file *file, const char *path,
                            w2v_error *err)
{
    char names[NAMES];
    list_names(file, names);
    if (t->count == 0) {
        error_set(err, W2V_ERR_ARGUMENT, "'%s' holds lists of words, and no test of four is named",
                  path);
        error_hint(err, "--weat X,Y,A,B with two lists of targets, two of attributes; it has %s",
                   names);
        return W2V_ERR_ARGUMENT;
    }
    for (size_t i = 0; i < t->count * LISTS; i++) {
        const char *name = t->items[i / LISTS].list[i % LISTS];
        if (!has_list(file, name)) {
            const char *near = nearest_name(file, name);
            error_set(err, W2V_ERR_ARGUMENT, "'%s' has no list '%s'", path, name);
            error_hint(err, "%s%s%sit has %s", near ? "did you mean '" : "", near ? near : "",
                       near ? "'? " : "", names);
            return W2V_ERR_ARGUMENT;
        }
    }
    return W2V_OK;
}

/* ------------------------------------------------------------------ the results */

static const w2v_weat_result *result_of(const eval_scores *s, size_t test, size_t table)
{
    return &s->weats[table * s->tests->count + test];
}

/* "12,870" for all partitions, "100,000 drawn". */
static void partitions(grid *g, const w2v_weat_result *w)
{
    char text[48] = "n/a";
    if (w->partitions) {
        num_format_grouped(w->partitions, text);
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s", w->exact ? "" : " drawn");
    }
    grid_string(g, text);
}

/* "24 of 25" */
static void used_of(grid *g, const w2v_weat_result *w, size_t list)
{
    char text[72], used[32], all[32];
    num_format_grouped(w->used[list], used);
    num_format_grouped(w->used[list] + w->missing[list], all);
    snprintf(text, sizeof text, "%s of %s", used, all);
    grid_string(g, text);
}

static void two_names(grid *g, const w2v_weat_test *t, size_t first)
{
    buf text = {0};
    if (buf_printf(&text, "%s, %s", t->list[first], t->list[first + 1])) {
        grid_bytes(g, text.data, text.size);
    } else {
        g->failed = true;
    }
    buf_clear(&text);
}

static w2v_status table_rows(reply *r, const eval_scores *s, w2v_error *err)
{
    static const char *const heads[] = {
        "targets X, Y", "attributes A, B", "vectors", "effect size", "p",
        "partitions",   "X used",          "Y used",  "A used",      "B used"};
    reply_begin(r, 10, 0x3f8);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        grid_string(&r->grid, heads[i]);
    }
    for (size_t i = 0; i < s->tests->count; i++) {
        for (size_t k = 0; k < s->count; k++) {
            const w2v_weat_result *w = result_of(s, i, k);
            two_names(&r->grid, &s->tests->items[i], 0);
            two_names(&r->grid, &s->tests->items[i], 2);
            grid_string(&r->grid, s->tables[k]);
            grid_score(&r->grid, w->effect);
            grid_score(&r->grid, w->p);
            partitions(&r->grid, w);
            for (size_t list = 0; list < LISTS; list++) {
                used_of(&r->grid, w, list);
            }
        }
    }
    return reply_end(r, err);
}

w2v_status eval_weat_rows(reply *r, const eval_scores *s, w2v_error *err)
{
    if (r->form == REPLY_TABLE) {
        return table_rows(r, s, err);
    }
    reply_begin(r, 19, 0);
    for (size_t i = 0; i < s->tests->count; i++) {
        for (size_t k = 0; k < s->count; k++) {
            const w2v_weat_result *w = result_of(s, i, k);
            grid_string(&r->grid, "weat");
            grid_string(&r->grid, s->file);
            grid_string(&r->grid, s->tables[k]);
            for (size_t list = 0; list < LISTS; list++) {
                grid_string(&r->grid, s->tests->items[i].list[list]);
            }
            grid_score(&r->grid, w->effect);
            grid_score(&r->grid, w->p);
            grid_string(&r->grid, !w->partitions ? "n/a" : w->exact ? "all" : "drawn");
            grid_count(&r->grid, w->partitions);
            for (size_t list = 0; list < LISTS; list++) {
                grid_count(&r->grid, w->used[list]);
                grid_count(&r->grid, w->missing[list]);
            }
        }
    }
    return reply_end(r, err);
}

/* The four lists; NULL without memory. */
static json_t *json_lists(const w2v_weat_test *t, const w2v_weat_result *w)
{
    json_t *lists = json_object();
    int failed = lists ? 0 : 1;
    for (size_t i = 0; i < LISTS && !failed; i++) {
        json_t *list = json_pack("{s:o, s:I, s:I, s:I}", "list",
                                 talk_json_bytes(t->list[i], strlen(t->list[i])), "used",
                                 (json_int_t)w->used[i], "missing", (json_int_t)w->missing[i],
                                 "repeated", (json_int_t)w->repeated[i]);
        failed = json_object_set_new(lists, letters[i], list);
    }
    if (failed) {
        json_decref(lists);
        return NULL;
    }
    return lists;
}

static json_t *json_of(const eval_scores *s, size_t test, size_t table)
{
    const w2v_weat_result *w = result_of(s, test, table);
    const bool drawn = w->partitions && !w->exact;
    return json_pack("{s:s, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:b, s:I, s:o, s:I}", "kind", "weat",
                     "file", talk_json_bytes(s->file, strlen(s->file)), "vectors",
                     talk_json_bytes(s->tables[table], strlen(s->tables[table])), "ignore_case",
                     (int)s->options->ignore_case, "limit",
                     s->limit ? json_integer((json_int_t)s->limit) : json_null(), "lists",
                     json_lists(&s->tests->items[test], w), "effect_size", reply_score(w->effect),
                     "p", reply_score(w->p), "exact", (int)w->exact, "partitions",
                     (json_int_t)w->partitions, "seed",
                     drawn ? json_integer((json_int_t)s->options->seed) : json_null(),
                     "unknown_words", (json_int_t)w->unknown_count);
}

w2v_status eval_weat_json(reply *r, const eval_scores *s, w2v_error *err)
{
    w2v_status status = W2V_OK;
    for (size_t i = 0; i < s->tests->count; i++) {
        for (size_t k = 0; k < s->count && !status; k++) {
            status = reply_json(r, json_of(s, i, k), err);
        }
    }
    return status;
}
