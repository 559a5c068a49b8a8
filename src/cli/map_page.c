#include "cli/map_page.h"

#include "base/mem.h"
#include "cli/counts.h"
#include "os/signals.h"
#include "render/markup.h"
#include "render/page.h"
#include "render/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define NEIGHBOURS 10
/* Words whose neighbours are asked for in one pass; a signal is heard between two. */
#define TOGETHER ((size_t)1024)
/* Colours of groups, before they begin again. */
#define COLOURS 7
#define NOT_HERE UINT32_MAX

/* The page's data as it grows. */
typedef struct page {
    const map_sheet *sheet;
    buf *out;
    w2v_term *terms;
    uint32_t *here; /* of each row of the table: its number on the map, or NOT_HERE */
    bool ok;
} page;

static void say(page *p, const char *text)
{
    p->ok = p->ok && buf_append_string(p->out, text);
}

static void say_string(page *p, const char *bytes, size_t n)
{
    p->ok = p->ok && markup_json(p->out, bytes, n);
}

static void say_number(page *p, double value)
{
    p->ok = p->ok && markup_number(p->out, value);
}

static void say_count(page *p, uint64_t value)
{
    p->ok = p->ok && buf_printf(p->out, "%" PRIu64, value);
}

static void head(page *p)
{
    const map_sheet *s = p->sheet;
    const char *slash = strrchr(s->path, '/');
    const char *name = slash ? slash + 1 : s->path;
    say(p, "{\"name\":");
    say_string(p, name, strlen(name));
    say(p, ",\"rows\":");
    say_count(p, w2v_vectors_size(s->vectors));
    say(p, ",\"dim\":");
    say_count(p, w2v_vectors_dim(s->vectors));
    say(p, s->options->method == W2V_PCA ? ",\"method\":\"pca\"" : ",\"method\":\"tsne\"");
    say(p, ",\"colours\":[");
    for (size_t c = 0; c < COLOURS; c++) {
        say(p, c ? "," : "");
        say_string(p, picture_colour(c), strlen(picture_colour(c)));
    }
    say(p, "]");
}

static void word_lists(page *p)
{
    const map_words *w = p->sheet->words;
    say(p, ",\n\"words\":[");
    for (size_t i = 0; i < w->count; i++) {
        say(p, i ? "," : "");
        say_string(p, p->terms[i].word, p->terms[i].length);
    }
    say(p, "],\n\"id\":[");
    for (size_t i = 0; i < w->count; i++) {
        say(p, i ? "," : "");
        say_count(p, w->ids[i]);
    }
    say(p, "],\n\"groups\":[");
    for (uint32_t g = 0; g < w->names.count; g++) {
        size_t n;
        const char *name = words_get(&w->names, g, &n);
        say(p, g ? "," : "");
        say_string(p, name, n);
    }
    say(p, "],\n\"group\":[");
    for (size_t i = 0; i < w->count; i++) {
        say(p, i ? "," : "");
        if (w->groups[i] == PICTURE_NO_GROUP) {
            say(p, "-1");
        } else {
            say_count(p, w->groups[i]);
        }
    }
    say(p, "]");
}

/* Scaled to a picture of size 1, since a float of the page need not hold a double's range. */
static void places(page *p, const w2v_map *m)
{
    double most = 0.0;
    for (size_t i = 0; i < 2 * m->count; i++) {
        most = fmax(most, fabs(m->places[i]));
    }
    for (size_t i = 0; i < 2 * m->count; i++) {
        say(p, i ? "," : "\"at\":[");
        say_number(p, most > 0.0 ? m->places[i] / most : 0.0);
    }
    say(p, "]");
}

static void both_maps(page *p)
{
    const w2v_map *plain = p->sheet->plain, *map = p->sheet->map;
    say(p, ",\n\"pca\":{\"share\":[");
    say_number(p, plain->share[0]);
    say(p, ",");
    say_number(p, plain->share[1]);
    say(p, "],");
    places(p, plain);
    say(p, "},\n\"tsne\":");
    if (map->method == W2V_TSNE) {
        say(p, "{\"perplexity\":");
        say_number(p, map->perplexity);
        say(p, ",");
        places(p, map);
        say(p, "}");
    } else {
        say(p, "null");
    }
}

/* Rows as they are, in little-endian floats whatever the machine. */
static void vectors(page *p)
{
    const map_sheet *s = p->sheet;
    const size_t dim = w2v_vectors_dim(s->vectors);
    unsigned char *bytes = mem_calloc(s->words->count, 4 * dim);
    p->ok = p->ok && bytes;
    for (size_t i = 0; p->ok && i < s->words->count; i++) {
        const float *row = w2v_vectors_row(s->vectors, s->words->ids[i]);
        for (size_t c = 0; c < dim; c++) {
            uint32_t bits;
            memcpy(&bits, &row[c], sizeof bits);
            for (unsigned b = 0; b < 4; b++) {
                bytes[4 * (i * dim + c) + b] = (unsigned char)(bits >> (8 * b));
            }
        }
    }
    say(p, ",\n\"vectors\":\"");
    p->ok = p->ok && markup_base64(p->out, bytes, 4 * dim * s->words->count);
    say(p, "\"");
    mem_free(bytes);
}

static void counts(page *p)
{
    const map_words *w = p->sheet->words;
    if (!w->counts) {
        say(p, ",\n\"count\":null");
        return;
    }
    say(p, ",\n\"count\":[");
    for (size_t i = 0; i < w->count; i++) {
        say(p, i ? "," : "");
        if (w->counts[i] == COUNT_UNKNOWN) {
            say(p, "-1");
        } else {
            say_count(p, w->counts[i]);
        }
    }
    say(p, "]");
}

/* A neighbour on the map is its number there, another one its word. */
static void neighbours_of(page *p, const w2v_answers *a)
{
    say(p, "[");
    for (size_t i = 0; i < a->count; i++) {
        const w2v_answer *item = &a->items[i];
        say(p, i ? ",[" : "[");
        if (p->here[item->id] != NOT_HERE) {
            say_count(p, p->here[item->id]);
        } else {
            say_string(p, item->word, item->length);
        }
        say(p, ",");
        say_number(p, item->score);
        say(p, "]");
    }
    say(p, "]");
}

static w2v_status some_neighbours(page *p, size_t first, size_t n, w2v_error *err)
{
    w2v_ask_options options = w2v_ask_options_default();
    options.exclude_inputs = true;
    options.ranks = false;
    options.k = NEIGHBOURS;
    options.threads = p->sheet->threads;
    w2v_query *queries = mem_calloc(n, sizeof *queries);
    w2v_answers *answers = mem_calloc(n, sizeof *answers);
    w2v_status status = queries && answers ? W2V_OK : error_memory(err, "the neighbours");
    for (size_t i = 0; !status && i < n; i++) {
        queries[i] = (w2v_query){.terms = &p->terms[first + i], .term_count = 1};
    }
    status = status ? status : w2v_ask(p->sheet->vectors, queries, n, &options, answers, err);
    for (size_t i = 0; !status && i < n; i++) {
        say(p, first + i ? ",\n" : "");
        neighbours_of(p, &answers[i]);
        w2v_answers_clear(&answers[i]);
    }
    mem_free(queries);
    mem_free(answers);
    return status;
}

static w2v_status neighbours(page *p, w2v_error *err)
{
    const size_t n = p->sheet->words->count;
    w2v_status status = W2V_OK;
    say(p, ",\n\"near\":[");
    for (size_t first = 0; first < n && !status; first += TOGETHER) {
        status = signals_pending()
                     ? error_set(err, W2V_ERR_INTERRUPTED, "the map was stopped")
                     : some_neighbours(p, first, n - first < TOGETHER ? n - first : TOGETHER, err);
    }
    say(p, "]}");
    return status;
}

static bool prepare(page *p)
{
    const map_sheet *s = p->sheet;
    const size_t size = w2v_vectors_size(s->vectors);
    p->terms = mem_calloc(s->words->count, sizeof *p->terms);
    p->here = mem_calloc(size, sizeof *p->here);
    if (!p->terms || !p->here) {
        return false;
    }
    memset(p->here, 0xff, size * sizeof *p->here);
    for (size_t i = 0; i < s->words->count; i++) {
        p->here[s->words->ids[i]] = (uint32_t)i;
        p->terms[i].word = w2v_vectors_word(s->vectors, s->words->ids[i], &p->terms[i].length);
        p->terms[i].weight = 1.0;
    }
    return true;
}

w2v_status map_page(const map_sheet *sheet, buf *out, w2v_error *err)
{
    buf data = {0};
    page p = {.sheet = sheet, .out = &data};
    p.ok = prepare(&p);
    w2v_status status = W2V_OK;
    if (p.ok) {
        head(&p);
        word_lists(&p);
        both_maps(&p);
        vectors(&p);
        counts(&p);
        status = neighbours(&p, err);
    }
    if (!status && !(p.ok && page_write(data.data, data.size, out))) {
        status = error_memory(err, "the page");
    }
    mem_free(p.terms);
    mem_free(p.here);
    buf_clear(&data);
    return status;
}
