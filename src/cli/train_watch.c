#include "cli/train_watch.h"
#include "cli/json_tree.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/shown.h"
#include "cli/suggest.h"

#include <math.h>
#include <string.h>

/* What one line of talk holds, well below its limit. */
#define LINE 2000

/* ------------------------------------------------------------------- finding words */

/* The next place to cut "A:B" behind `from` that leaves something on both sides, or NULL. */
static const char *next_cut(const char *text, const char *from)
{
    const char *cut = strchr(from, ':');
    if (cut == text) {
        cut = strchr(cut + 1, ':');
    }
    return cut && cut[1] ? cut : NULL;
}

w2v_status watch_check(const option_texts *asked, w2v_error *err)
{
    for (size_t i = 0; i < asked->count; i++) {
        if (!next_cut(asked->items[i], asked->items[i])) {
            error_set(err, W2V_ERR_ARGUMENT, "'--watch %s' is not a pair of words",
                      asked->items[i]);
            error_hint(err, "two words with a colon between: --watch cat:dog");
            return W2V_ERR_ARGUMENT;
        }
    }
    return W2V_OK;
}

static w2v_status unknown(const char *text, const char *word, size_t n, const w2v_corpus *corpus,
                          w2v_error *err)
{
    const w2v_vocab *vocab = w2v_corpus_vocab(corpus);
    const w2v_text_stats *s = w2v_corpus_stats(corpus);
    char shown[SHOWN_WORD], pair[SHOWN_WORD], kept[32], dropped[32];
    num_format_grouped(s->types_kept, kept);
    num_format_grouped(s->types - s->types_kept, dropped);
    error_set(err, W2V_ERR_ARGUMENT, "'--watch %s': '%s' is not among the %s words kept",
              shown_word(text, strlen(text), pair), shown_word(word, n, shown), kept);
    suggestion near = {.typed = word, .length = n};
    for (uint32_t id = 0; id < w2v_vocab_size(vocab); id++) {
        size_t length;
        const char *name = w2v_vocab_word(vocab, id, &length);
        suggest_offer(&near, name, length, name);
    }
    if (near.best) {
        error_hint(err, "did you mean '%s'?", shown_word(near.best, strlen(near.best), shown));
    } else if (s->types > s->types_kept) {
        error_hint(err, "%s words of the text were dropped; a lower --min-count keeps more",
                   dropped);
    }
    return W2V_ERR_ARGUMENT;
}

static w2v_status ambiguous(const char *text, const char *first, const char *second, w2v_error *err)
{
    char a[SHOWN_WORD], b[SHOWN_WORD], c[SHOWN_WORD], d[SHOWN_WORD];
    return error_set(
        err, W2V_ERR_ARGUMENT, "'--watch' can be read in two ways: '%s' and '%s', or '%s' and '%s'",
        shown_word(text, (size_t)(first - text), a), shown_word(first + 1, strlen(first + 1), b),
        shown_word(text, (size_t)(second - text), c),
        shown_word(second + 1, strlen(second + 1), d));
}

static w2v_status find_pair(watched *pair, const char *text, const w2v_corpus *corpus,
                            w2v_error *err)
{
    const w2v_vocab *vocab = w2v_corpus_vocab(corpus);
    const char *found = NULL, *missing = NULL; /* a cut; the unknown word of the best cut */
    size_t missing_length = 0;
    bool half = false; /* that cut has a known word */
    for (const char *cut = next_cut(text, text); cut; cut = next_cut(text, cut + 1)) {
        const size_t a_length = (size_t)(cut - text), b_length = strlen(cut + 1);
        const uint32_t a = w2v_vocab_find(vocab, text, a_length);
        const uint32_t b = w2v_vocab_find(vocab, cut + 1, b_length);
        const bool has_a = a != UINT32_MAX, has_b = b != UINT32_MAX;
        if (has_a && has_b) {
            if (found) {
                return ambiguous(text, found, cut, err);
            }
            found = cut;
            pair->a = a;
            pair->b = b;
        } else if (!missing || (!half && (has_a || has_b))) {
            half = has_a || has_b;
            missing = has_a ? cut + 1 : text;
            missing_length = has_a ? b_length : a_length;
        }
    }
    return found ? W2V_OK : unknown(text, missing, missing_length, corpus, err);
}

w2v_status watch_resolve(watch *w, const option_texts *asked, const w2v_corpus *corpus,
                         uint32_t epochs, w2v_error *err)
{
    w->vocab = w2v_corpus_vocab(corpus);
    w->pairs = mem_calloc(asked->count ? asked->count : 1, sizeof *w->pairs);
    if (!w->pairs) {
        return error_memory(err, "the watched pairs");
    }
    for (w->count = 0; w->count < asked->count; w->count++) {
        watched *pair = &w->pairs[w->count];
        const w2v_status status = find_pair(pair, asked->items[w->count], corpus, err);
        if (status) {
            return status;
        }
        pair->cosines = mem_calloc((size_t)epochs + 1, sizeof *pair->cosines);
        if (!pair->cosines) {
            return error_memory(err, "the watched pairs");
        }
    }
    return W2V_OK;
}

void watch_clear(watch *w)
{
    for (size_t i = 0; i < w->count; i++) {
        mem_free(w->pairs[i].cosines);
    }
    mem_free(w->pairs);
    *w = (watch){.count = 0};
}

/* ------------------------------------------------------------------------ cosines */

static double cosine(const w2v_model *model, uint32_t a, uint32_t b)
{
    const float *x = w2v_model_row(model, false, a), *y = w2v_model_row(model, false, b);
    double xy = 0, xx = 0, yy = 0;
    for (uint32_t c = 0; c < w2v_model_dim(model); c++) {
        xy += (double)x[c] * (double)y[c];
        xx += (double)x[c] * (double)x[c];
        yy += (double)y[c] * (double)y[c];
    }
    return xx > 0 && yy > 0 ? xy / (sqrt(xx) * sqrt(yy)) : (double)NAN;
}

static json_t *word_json(const watch *w, uint32_t id)
{
    size_t n;
    const char *word = w2v_vocab_word(w->vocab, id, &n);
    return talk_json_bytes(word, n);
}

static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static void show_event(const watch *w, const talk *t, uint32_t epoch)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < w->count; i++) {
        const watched *p = &w->pairs[i];
        json_tree_add(&list,
                      json_pack("{s:o, s:o, s:o}", "a", word_json(w, p->a), "b", word_json(w, p->b),
                                "cosine", real_or_null(p->cosines[w->moments - 1])));
    }
    talk_event(t, json_pack("{s:s, s:I, s:o}", "event", "watch", "epoch", (json_int_t)epoch,
                            "pairs", list));
}

/* "cos(cat, dog) +0.123456": the sign keeps the columns of one epoch under those of the last. */
static bool append_pair(const watch *w, const watched *p, buf *line)
{
    char a[SHOWN_WORD], b[SHOWN_WORD];
    size_t a_length, b_length;
    const char *a_word = w2v_vocab_word(w->vocab, p->a, &a_length);
    const char *b_word = w2v_vocab_word(w->vocab, p->b, &b_length);
    const double value = p->cosines[w->moments - 1];
    const bool ok = buf_printf(line, "cos(%s, %s) ", shown_word(a_word, a_length, a),
                               shown_word(b_word, b_length, b));
    return ok && (isfinite(value) ? buf_printf(line, "%+.6f", fabs(value) < 5e-7 ? 0.0 : value)
                                  : buf_printf(line, "n/a"));
}

static void show_line(const watch *w, const talk *t, uint32_t epoch)
{
    buf line = {0};
    const char *label = "watch";
    bool ok =
        epoch ? buf_printf(&line, "epoch %u: ", (unsigned)epoch) : buf_printf(&line, "at start: ");
    for (size_t i = 0; ok && i < w->count; i++) {
        const bool last = i + 1 == w->count;
        ok = append_pair(w, &w->pairs[i], &line) && (last || buf_printf(&line, ", "));
        if (ok && (last || line.size > LINE)) {
            talk_fact(t, label, "%s", line.data);
            buf_clear(&line);
            label = "";
        }
    }
    buf_clear(&line);
}

void watch_show(watch *w, const talk *t, const w2v_train_progress *at)
{
    talk loud = *t; /* it was asked for */
    loud.quiet = false;
    for (size_t i = 0; i < w->count; i++) {
        w->pairs[i].cosines[w->moments] = cosine(at->model, w->pairs[i].a, w->pairs[i].b);
    }
    w->moments++;
    if (loud.progress == TALK_JSON) {
        show_event(w, &loud, at->epoch);
    } else {
        show_line(w, &loud, at->epoch);
    }
}

json_t *watch_record(const watch *w)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < w->count; i++) {
        const watched *p = &w->pairs[i];
        json_t *cosines = json_array();
        for (uint32_t m = 0; cosines && m < w->moments; m++) {
            json_tree_add(&cosines, real_or_null(p->cosines[m]));
        }
        json_tree_add(&list, json_pack("{s:o, s:o, s:o}", "a", word_json(w, p->a), "b",
                                       word_json(w, p->b), "cosines", cosines));
    }
    return list;
}
