#include "cli/map_output.h"

#include "base/mem.h"
#include "cli/json_tree.h"
#include "cli/map_page.h"
#include "cli/outputs.h"
#include "io/sink.h"
#include "os/file.h"
#include "os/term.h"
#include "render/markup.h"

#include <string.h>

/* Digits of a number in JSON: those that a float has. */
#define DIGITS 9

map_form map_form_of(const char *path)
{
    static const struct {
        const char *end;
        map_form form;
    } forms[] = {{".svg", MAP_SVG},
                 {".html", MAP_HTML},
                 {".htm", MAP_HTML},
                 {".tsv", MAP_TSV},
                 {".json", MAP_JSON}};
    size_t n = strlen(path);
    n -= sink_name_is_gzip(path) ? strlen(".gz") : 0;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const size_t m = strlen(forms[i].end);
        if (n > m && memcmp(path + n - m, forms[i].end, m) == 0) {
            return forms[i].form;
        }
    }
    return MAP_BY_NAME;
}

static const char *word_of(const map_sheet *s, size_t i, size_t *n)
{
    return w2v_vectors_word(s->vectors, s->words->ids[i], n);
}

static const char *group_of(const map_sheet *s, size_t i, size_t *n)
{
    *n = 0;
    const size_t group = s->words->groups[i];
    return group == PICTURE_NO_GROUP ? "" : words_get(&s->words->names, (uint32_t)group, n);
}

static w2v_status svg(const map_sheet *s, buf *out, w2v_error *err)
{
    const size_t n = s->words->count, groups = s->words->names.count;
    picture_word *all = mem_calloc(n, sizeof *all);
    picture_group *names = mem_calloc(groups + 1, sizeof *names);
    const picture p = {.words = all,
                       .count = n,
                       .groups = names,
                       .group_count = groups,
                       .axes = s->map->method == W2V_PCA,
                       .share = {s->map->share[0], s->map->share[1]}};
    bool ok = all && names;
    for (size_t i = 0; ok && i < n; i++) {
        all[i].word = word_of(s, i, &all[i].length);
        all[i].group = s->words->groups[i];
        all[i].x = s->map->places[2 * i];
        all[i].y = s->map->places[2 * i + 1];
    }
    for (size_t g = 0; ok && g < groups; g++) {
        names[g].name = words_get(&s->words->names, (uint32_t)g, &names[g].length);
    }
    ok = ok && picture_svg(&p, out);
    mem_free(all);
    mem_free(names);
    return ok ? W2V_OK : error_memory(err, "the map");
}

static bool cell_number(grid *g, buf *text, double value)
{
    text->size = 0;
    const bool ok = markup_number(text, value);
    if (ok) {
        grid_bytes(g, text->data, text->size);
    }
    return ok;
}

static w2v_status tsv(const map_sheet *s, grid_style style, buf *out, w2v_error *err)
{
    grid g = {0};
    buf number = {0};
    bool ok = true;
    grid_begin(&g, style, 4, 0);
    g.whole = true;
    for (size_t i = 0; ok && i < s->words->count; i++) {
        size_t n;
        const char *word = word_of(s, i, &n);
        grid_bytes(&g, word, n);
        ok = cell_number(&g, &number, s->map->places[2 * i]) &&
             cell_number(&g, &number, s->map->places[2 * i + 1]);
        word = group_of(s, i, &n);
        grid_bytes(&g, word, n);
    }
    ok = ok && grid_append(&g, out);
    grid_clear(&g);
    buf_clear(&number);
    return ok ? W2V_OK : error_memory(err, "the map");
}

static json_t *json_word(const map_sheet *s, size_t i)
{
    size_t n, m;
    const char *word = word_of(s, i, &n), *group = group_of(s, i, &m);
    json_t *item = json_object();
    json_tree_put(&item, "word", talk_json_bytes(word, n));
    json_tree_put(&item, "id", json_tree_whole(s->words->ids[i]));
    json_tree_put(&item, "x", json_real(s->map->places[2 * i]));
    json_tree_put(&item, "y", json_real(s->map->places[2 * i + 1]));
    json_tree_put(&item, "group", m ? talk_json_bytes(group, m) : json_null());
    return item;
}

static json_t *json_facts(const map_sheet *s)
{
    const w2v_map *m = s->map;
    json_t *facts = json_object();
    if (m->method == W2V_PCA) {
        json_tree_put(&facts, "variance", json_pack("[f, f]", m->variance[0], m->variance[1]));
        json_tree_put(&facts, "share", json_pack("[f, f]", m->share[0], m->share[1]));
    } else {
        json_tree_put(&facts, "perplexity", json_real(m->perplexity));
        json_tree_put(&facts, "seed", json_tree_whole(s->options->seed));
        json_tree_put(&facts, "divergence", json_real(m->divergence));
    }
    return facts;
}

static w2v_status json(const map_sheet *s, buf *out, w2v_error *err)
{
    json_t *all = json_object(), *list = json_array();
    for (size_t i = 0; i < s->words->count; i++) {
        json_tree_add(&list, json_word(s, i));
    }
    json_tree_put(&all, "method", json_string(s->map->method == W2V_PCA ? "pca" : "tsne"));
    json_tree_put(&all, "metric",
                  json_string(s->options->metric == W2V_COSINE ? "cosine" : "euclidean"));
    json_tree_put(&all, "facts", json_facts(s));
    json_tree_put(&all, "words", list);
    const bool ok = all && talk_json_line(out, all, DIGITS);
    json_decref(all);
    return ok ? W2V_OK : error_memory(err, "the map");
}

w2v_status map_write(const map_sheet *sheet, map_form form, const char *path, uint64_t *bytes,
                     w2v_error *err)
{
    buf text = {0};
    const bool screen = output_is_stream(path) && term_is_terminal(FILE_STDOUT);
    const grid_style style = screen ? GRID_SAFE_TSV : GRID_TSV;
    w2v_status status = form == MAP_TSV    ? tsv(sheet, style, &text, err)
                        : form == MAP_JSON ? json(sheet, &text, err)
                        : form == MAP_HTML ? map_page(sheet, &text, err)
                                           : svg(sheet, &text, err);
    sink *out = NULL;
    status = status ? status : sink_open(path, sink_name_is_gzip(path), &out, err);
    status = status ? status : sink_write(out, text.data, text.size, err);
    if (status) {
        sink_abort(out);
    } else {
        status = sink_commit(out, bytes, err);
    }
    buf_clear(&text);
    return status;
}
