#include "cli/stats_show.h"
#include "cli/json_tree.h"

#include "render/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Columns of a sentence below a table. */
#define SENTENCE_COLUMNS 80

typedef struct showing {
    reply *r;
    const talk *talk;
    const char *name;
    const w2v_vectors *vectors;
    const w2v_stats *s;
} showing;

/* The directions whose share of the variance is told. */
static const uint32_t firsts[] = {1, 2, 3, 5, 10, 20, 50};
#define FIRSTS (sizeof firsts / sizeof *firsts)

/* Part of the variance that the first n directions hold. */
static double first_share(const w2v_stats *s, uint32_t n)
{
    double sum = 0.0;
    for (uint32_t i = 0; s->variance && i < n; i++) {
        sum += s->variance[i];
    }
    return s->total_variance > 0.0 ? sum / s->total_variance : NAN;
}

/* ---------------------------------------------------------- parts of an answer */

/* A part with two columns, under a title of its own where it is a table. */
static w2v_status begin(const showing *w, const char *title, w2v_error *err)
{
    reply_begin(w->r, 2, 1u << 1);
    return reply_title(w->r, title, strlen(title), err);
}

/* A heading for people, or a name for programs. */
static void name_line(const showing *w, const char *label, const char *key)
{
    grid_string(&w->r->grid, w->r->form == REPLY_TABLE ? label : key);
}

static void count_line(const showing *w, const char *label, const char *key, uint64_t n)
{
    name_line(w, label, key);
    grid_count(&w->r->grid, n);
}

static void score_line(const showing *w, const char *label, const char *key, double value)
{
    name_line(w, label, key);
    grid_score(&w->r->grid, value);
}

/* What a part means: below its table, or on standard error beside the values in a pipe. */
static w2v_status say(const showing *w, const char *label, const buf *text, w2v_error *err)
{
    if (!text->data) {
        return error_memory(err, "the answers");
    }
    if (w->r->form != REPLY_TABLE) {
        talk_fact(w->talk, label, "%s", text->data);
        return W2V_OK;
    }
    buf *out = &w->r->out, safe = {0};
    const bool ok = render_escape(&safe, text->data, text->size) && buf_append_string(out, "  ") &&
                    render_wrap(out, safe.data, 2, 2, SENTENCE_COLUMNS) && buf_append(out, "\n", 1);
    buf_clear(&safe);
    return ok ? W2V_OK : error_memory(err, "the answers");
}

static w2v_status say_text(const showing *w, const char *label, const char *sentence,
                           w2v_error *err)
{
    buf text = {0};
    (void)buf_printf(&text, "%s", sentence); /* without memory it is empty, and say() tells */
    const w2v_status status = say(w, label, &text, err);
    buf_clear(&text);
    return status;
}

/* ------------------------------------------------------------------- the parts */

static w2v_status say_repeated(const showing *w, w2v_error *err)
{
    const uint32_t *id = w->s->duplicate_id;
    size_t length[2];
    const char *word[2];
    buf text = {0};
    for (size_t i = 0; i < 2; i++) {
        word[i] = w2v_vectors_word(w->vectors, id[i], &length[i]);
    }
    (void)buf_printf(&text, "The first equal row is '%.*s', row %" PRIu64, (int)length[0], word[0],
                     (uint64_t)id[0] + 1);
    (void)buf_printf(&text, ": it has the numbers of '%.*s', row %" PRIu64 ".", (int)length[1],
                     word[1], (uint64_t)id[1] + 1);
    const w2v_status status = say(w, "equal", &text, err);
    buf_clear(&text);
    return status;
}

static w2v_status show_table(const showing *w, w2v_error *err)
{
    const w2v_stats *s = w->s;
    w2v_status status = begin(w, w->name, err);
    count_line(w, "rows", "rows", s->rows);
    count_line(w, "columns", "dim", s->dim);
    count_line(w, "rows of zeros", "zero_rows", s->zero_rows);
    count_line(w, "rows equal to an earlier one", "duplicate_rows", s->duplicate_rows);
    count_line(w, "rows whose word stood before", "duplicate_words", s->duplicate_words);
    status = status ? status : reply_end(w->r, err);
    return status || !s->duplicate_rows ? status : say_repeated(w, err);
}

static w2v_status show_bands(const showing *w, w2v_error *err)
{
    const w2v_stats *s = w->s;
    grid *g = &w->r->grid;
    const bool table = w->r->form == REPLY_TABLE;
    reply_begin(w->r, table ? 3 : 4, 7);
    if (table) {
        grid_string(g, "from rank");
        grid_string(g, "to");
        grid_string(g, "mean norm");
    }
    for (size_t i = 0; i < s->band_count; i++) {
        if (!table) {
            grid_string(g, "norm_band");
        }
        grid_count(g, s->bands[i].first);
        grid_count(g, s->bands[i].last);
        grid_score(g, s->bands[i].mean);
    }
    return reply_end(w->r, err);
}

static w2v_status show_norms(const showing *w, w2v_error *err)
{
    const w2v_stats *s = w->s;
    w2v_status status = begin(w, "norms", err);
    score_line(w, "smallest", "norm_min", s->norm_min);
    score_line(w, "median", "norm_median", s->norm_median);
    score_line(w, "largest", "norm_max", s->norm_max);
    score_line(w, "mean", "norm_mean", s->norm_mean);
    score_line(w, "correlation with rank (Spearman)", "norm_rank_spearman", s->norm_rank);
    status = status ? status : reply_end(w->r, err);
    status = status ? status : show_bands(w, err);
    return status ? status
                  : say_text(w, "norms",
                             isnan(s->norm_rank)
                                 ? "All rows are equally long, or nearly so: norms tell nothing "
                                   "of the words."
                                 : "The rank is the number of the row: by frequency in files of "
                                   "word2vec and its like, which put frequent words first. A "
                                   "correlation above 0 says that rarer words have longer rows.",
                             err);
}

static w2v_status say_cosines(const showing *w, w2v_error *err)
{
    const w2v_stats *s = w->s;
    const char *which = s->pairs_all ? "all pairs" : "pairs drawn at random";
    buf text = {0};
    if (s->pairs == 0) {
        (void)buf_printf(&text, "There are no two rows with a direction to be compared.");
    } else if (isnan(s->cosine_99)) {
        (void)buf_printf(&text, "Too few pairs to say from where on a cosine is high here.");
    } else if (isnan(s->cosine_999)) {
        (void)buf_printf(&text,
                         "Of %s 1 in 100 has a cosine above %.2f: a lower one says little in this "
                         "table.",
                         which, s->cosine_99);
    } else {
        (void)buf_printf(&text,
                         "Of %s 1 in 100 has a cosine above %.2f, and 1 in 1,000 above %.2f: from "
                         "there on a cosine is high in this table, and one near %.2f is that of "
                         "any two words.",
                         which, s->cosine_99, s->cosine_999, s->cosine_mean);
    }
    const w2v_status status = say(w, "cosines", &text, err);
    buf_clear(&text);
    return status;
}

static w2v_status show_cosines(const showing *w, w2v_error *err)
{
    const w2v_stats *s = w->s;
    w2v_status status =
        begin(w, s->pairs_all ? "cosines of all pairs" : "cosines of random pairs", err);
    count_line(w, "pairs", "pairs", s->pairs);
    score_line(w, "mean", "cosine_mean", s->cosine_mean);
    score_line(w, "standard deviation", "cosine_sd", s->cosine_sd);
    score_line(w, "median", "cosine_median", s->cosine_median);
    score_line(w, "99 % are not above", "cosine_99", s->cosine_99);
    score_line(w, "99.9 % are not above", "cosine_999", s->cosine_999);
    status = status ? status : reply_end(w->r, err);
    return status ? status : say_cosines(w, err);
}

static w2v_status say_spectrum(const showing *w, w2v_error *err)
{
    const w2v_stats *s = w->s;
    buf text = {0};
    if (!s->variance) {
        (void)buf_printf(&text, "Of more than %d columns no directions are computed.",
                         W2V_SPECTRUM_MOST);
    } else if (isnan(s->effective_dim)) {
        (void)buf_printf(&text, "All rows are equal: they spread in no direction.");
    } else {
        (void)buf_printf(&text,
                         "The rows spread as if alike in %.1f of %" PRIu32
                         " directions (participation ratio of the variances).",
                         s->effective_dim, s->dim);
    }
    const w2v_status status = say(w, "variance", &text, err);
    buf_clear(&text);
    return status;
}

static w2v_status show_spectrum(const showing *w, w2v_error *err)
{
    const w2v_stats *s = w->s;
    w2v_status status = begin(w, "variance", err);
    score_line(w, "in all directions", "variance", s->total_variance);
    score_line(w, "effective dimension", "effective_dim", s->effective_dim);
    for (size_t i = 0; i < FIRSTS && firsts[i] <= s->dim; i++) {
        char label[48], key[32];
        snprintf(label, sizeof label,
                 firsts[i] == 1 ? "share of the first direction"
                                : "share of the first %" PRIu32 " directions",
                 firsts[i]);
        snprintf(key, sizeof key, "variance_first_%" PRIu32, firsts[i]);
        score_line(w, label, key, first_share(s, firsts[i]));
    }
    status = status ? status : reply_end(w->r, err);
    return status ? status : say_spectrum(w, err);
}

static w2v_status list_hubs(const showing *w, w2v_error *err)
{
    const w2v_stats *s = w->s;
    grid *g = &w->r->grid;
    const bool table = w->r->form == REPLY_TABLE;
    reply_begin(w->r, 3, table ? 1u << 0 | 1u << 2 : 0);
    if (table) {
        grid_string(g, "");
        grid_string(g, "word");
        grid_string(g, "times");
    }
    for (size_t i = 0; i < s->hub_count; i++) {
        if (table) {
            grid_count(g, i + 1);
        } else {
            grid_string(g, "hub");
        }
        grid_bytes(g, s->hubs[i].word, s->hubs[i].length);
        grid_count(g, s->hubs[i].times);
    }
    return s->hub_count ? reply_end(w->r, err) : W2V_OK;
}

static w2v_status show_hubs(const showing *w, w2v_error *err)
{
    const w2v_stats *s = w->s;
    w2v_status status = begin(w, "hubs", err);
    count_line(w, "words asked for their 10 nearest", "hub_sample", s->sampled);
    score_line(w, "times a row is met, on average", "hub_mean", s->hub_mean);
    score_line(w, "skewness of these times", "hub_skewness", s->hub_skewness);
    score_line(w, "skewness by chance alone", "hub_skewness_chance", s->hub_chance);
    status = status ? status : reply_end(w->r, err);
    status = status || !s->hub_count ? status : list_hubs(w, err);
    const char *sentence =
        s->sampled == 0 ? "There are no two rows with a direction to be compared."
        : isnan(s->hub_skewness)
            ? "No row is near to more words than any other row is."
            : "A row that is met far more often than the average is near to many words whatever "
              "they mean; a skewness well above that of chance says that there are such rows.";
    return status ? status : say_text(w, "hubs", sentence, err);
}

/* ------------------------------------------------------------------------ JSON */

static json_t *json_bands(const w2v_stats *s)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < s->band_count; i++) {
        json_tree_add(&list, json_pack("{s:I, s:I, s:o}", "first", (json_int_t)s->bands[i].first,
                                       "last", (json_int_t)s->bands[i].last, "mean",
                                       reply_score(s->bands[i].mean)));
    }
    return list;
}

static json_t *json_shares(const w2v_stats *s)
{
    json_t *list = json_array();
    for (uint32_t i = 0; list && s->variance && s->total_variance > 0.0 && i < s->dim; i++) {
        json_tree_add(&list, reply_score(s->variance[i] / s->total_variance));
    }
    return list;
}

static json_t *json_hubs(const w2v_stats *s)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < s->hub_count; i++) {
        const w2v_hub *h = &s->hubs[i];
        json_tree_add(&list, json_pack("{s:o, s:I}", "word", talk_json_bytes(h->word, h->length),
                                       "times", (json_int_t)h->times));
    }
    return list;
}

static json_t *json_of(const showing *w)
{
    const w2v_stats *s = w->s;
    json_t *norms = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "min", reply_score(s->norm_min),
                              "median", reply_score(s->norm_median), "max",
                              reply_score(s->norm_max), "mean", reply_score(s->norm_mean),
                              "rank_spearman", reply_score(s->norm_rank), "bands", json_bands(s));
    json_t *cosines =
        json_pack("{s:I, s:b, s:o, s:o, s:o, s:o, s:o}", "pairs", (json_int_t)s->pairs, "all",
                  (int)s->pairs_all, "mean", reply_score(s->cosine_mean), "sd",
                  reply_score(s->cosine_sd), "median", reply_score(s->cosine_median), "p99",
                  reply_score(s->cosine_99), "p99_9", reply_score(s->cosine_999));
    json_t *variance =
        json_pack("{s:o, s:o, s:o}", "total", reply_score(s->total_variance), "effective_dim",
                  reply_score(s->effective_dim), "shares", json_shares(s));
    json_t *hubs = json_pack("{s:I, s:o, s:o, s:o, s:o}", "sample", (json_int_t)s->sampled, "mean",
                             reply_score(s->hub_mean), "skewness", reply_score(s->hub_skewness),
                             "skewness_chance", reply_score(s->hub_chance), "words", json_hubs(s));
    return json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "vectors",
                     talk_json_bytes(w->name, strlen(w->name)), "rows", (json_int_t)s->rows, "dim",
                     (json_int_t)s->dim, "zero_rows", (json_int_t)s->zero_rows, "duplicate_rows",
                     (json_int_t)s->duplicate_rows, "duplicate_words",
                     (json_int_t)s->duplicate_words, "norms", norms, "cosines", cosines, "variance",
                     variance, "hubs", hubs);
}

/* ------------------------------------------------------------------- the whole */

w2v_status stats_show(reply *r, const talk *t, const char *name, const w2v_vectors *vectors,
                      const w2v_stats *s, w2v_error *err)
{
    const showing w = {.r = r, .talk = t, .name = name, .vectors = vectors, .s = s};
    if (r->form == REPLY_JSON) {
        return reply_json(r, json_of(&w), err);
    }
    w2v_status status = show_table(&w, err);
    status = status ? status : show_norms(&w, err);
    status = status ? status : show_cosines(&w, err);
    status = status ? status : show_spectrum(&w, err);
    return status ? status : show_hubs(&w, err);
}
