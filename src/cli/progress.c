#include "cli/progress.h"

#include "base/num.h"
#include "render/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Longest line; a terminal's width cuts it further. */
#define LINE 256
/* A remaining time guessed from less than this many seconds is noise. */
#define ETA_AFTER 1.5

/* Seconds between two showings. */
static double interval(const progress *p)
{
    switch (p->talk->progress) {
    case TALK_LINE:
        return 0.1;
    case TALK_JSON:
        return 0.5;
    case TALK_PLAIN:
    case TALK_AUTO:
    case TALK_NONE:
        break;
    }
    return 3;
}

static bool silent(const progress *p)
{
    return p->talk->quiet || p->talk->progress == TALK_NONE;
}

progress progress_begin(const talk *t, double now)
{
    return (progress){.talk = t, .start = now, .shown = now};
}

/* Time for another showing? */
static bool due(progress *p, double now)
{
    if (silent(p) || now - p->shown < interval(p)) {
        return false;
    }
    p->shown = now;
    return true;
}

static void show(progress *p, char *line)
{
    FILE *f = p->talk->stream;
    if (p->talk->progress == TALK_LINE) {
        const size_t room = p->talk->columns > 1 ? (size_t)p->talk->columns - 1 : 1;
        if (strlen(line) > room) {
            line[room] = '\0'; /* a line that wraps could not be rewritten; all of it is ASCII */
        }
        const int width = (int)strlen(line);
        fprintf(f, "\r%s%*s", line, p->width > width ? p->width - width : 0, "");
        p->width = width;
    } else {
        fprintf(f, "%s\n", line);
    }
    fflush(f);
}

void progress_clear(progress *p)
{
    if (p->width > 0) {
        fprintf(p->talk->stream, "\r%*s\r", p->width, "");
        fflush(p->talk->stream);
        p->width = 0;
    }
}

void progress_read(progress *p, double now, uint64_t done, uint64_t total, uint64_t tokens)
{
    if (!due(p, now)) {
        return;
    }
    if (p->talk->progress == TALK_JSON) {
        talk_event(p->talk, json_pack("{s:s, s:I, s:o, s:I, s:f}", "event", "read", "bytes",
                                      (json_int_t)done, "bytes_total",
                                      total ? json_integer((json_int_t)total) : json_null(),
                                      "tokens", (json_int_t)tokens, "seconds", now - p->start));
        return;
    }
    char line[LINE], have[32], all[32], words[32];
    num_format_bytes(done, have);
    num_format_bytes(total, all);
    num_format_grouped(tokens, words);
    snprintf(line, sizeof line, "reading   %s%s%s  %s tokens", have, total ? " of " : "",
             total ? all : "", words);
    show(p, line);
}

static double rate(const progress *p, double now, const w2v_train_progress *at)
{
    const double seconds = now - p->start;
    return seconds > 0 ? (double)(at->tokens - p->before) / seconds : 0;
}

/* Seconds still to come, judged by the wall clock so far; NaN where that is too early. */
static double remaining(const progress *p, double now, uint64_t done, uint64_t total)
{
    const double seconds = now - p->start;
    const uint64_t own = done > p->before ? done - p->before : 0;
    if (seconds < ETA_AFTER || own == 0) {
        return (double)NAN;
    }
    return seconds * ((double)(total > done ? total - done : 0) / (double)own);
}

/* "  ETA 0:12", or nothing where it cannot be known. */
#define ETA (RENDER_DURATION + 8)
static const char *eta(const progress *p, double now, uint64_t done, uint64_t total, char out[ETA])
{
    char time[RENDER_DURATION];
    const double seconds = remaining(p, now, done, total);
    out[0] = '\0';
    if (p->permille < 1000 && isfinite(seconds)) {
        snprintf(out, ETA, "  ETA %s", render_countdown(seconds, time));
    }
    return out;
}

/* The end is told apart: until then a share stays below it, and it never falls. */
static void set_permille(progress *p, uint64_t done, uint64_t total)
{
    const double share = total ? (double)done / (double)total : 0;
    const unsigned permille = (unsigned)(fmin(fmax(share, 0), 0.999) * 1000);
    p->permille = permille > p->permille ? permille : p->permille;
}

static uint32_t epoch_shown(const w2v_train_progress *at)
{
    return at->epoch < at->epochs ? at->epoch + 1 : at->epochs;
}

static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static void train_event(const progress *p, double now, const w2v_train_progress *at)
{
    talk_event(p->talk,
               json_pack("{s:s, s:f, s:I, s:I, s:I, s:I, s:I, s:f, s:o, s:f, s:f, s:o}", "event",
                         "train", "percent", p->permille / 10.0, "epoch",
                         (json_int_t)epoch_shown(at), "epochs", (json_int_t)at->epochs, "tokens",
                         (json_int_t)at->tokens, "tokens_total", (json_int_t)at->tokens_total,
                         "pairs", (json_int_t)at->pairs, "words_per_second", rate(p, now, at),
                         "loss", real_or_null(at->loss), "lr", at->lr, "seconds", now - p->start,
                         "eta_seconds",
                         p->permille == 1000
                             ? json_real(0)
                             : real_or_null(remaining(p, now, at->tokens, at->tokens_total))));
}

static void train_show(progress *p, double now, const w2v_train_progress *at)
{
    if (p->talk->progress == TALK_JSON) {
        train_event(p, now, at);
        return;
    }
    char line[LINE], percent[16], words[32], loss[32] = "-", left[ETA];
    snprintf(percent, sizeof percent, p->permille == 1000 ? "%.0f" : "%.1f", p->permille / 10.0);
    num_format_grouped((uint64_t)rate(p, now, at), words);
    if (isfinite(at->loss)) {
        snprintf(loss, sizeof loss, "%.4f", at->loss);
    }
    /* A terminal has 80 columns; what moves there needs no label. */
    snprintf(line, sizeof line,
             "%s%5s %%  epoch %" PRIu32 "/%" PRIu32 "  %s words/s  loss %s  lr %.3g%s",
             p->talk->progress == TALK_LINE ? "" : "training  ", percent, epoch_shown(at),
             at->epochs, words, loss, at->lr, eta(p, now, at->tokens, at->tokens_total, left));
    show(p, line);
}

void progress_train(progress *p, double now, const w2v_train_progress *at)
{
    if (!due(p, now)) {
        return;
    }
    set_permille(p, at->tokens, at->tokens_total);
    train_show(p, now, at);
}

void progress_train_end(progress *p, double now, const w2v_train_progress *at)
{
    if (silent(p) || p->permille == 1000) {
        return;
    }
    p->permille = 1000;
    train_show(p, now, at);
    if (p->width > 0) {
        fputc('\n', p->talk->stream);
        fflush(p->talk->stream);
        p->width = 0;
    }
}

void progress_score(progress *p, double now, uint64_t done, uint64_t total)
{
    if (!due(p, now)) {
        return;
    }
    set_permille(p, done, total);
    if (p->talk->progress == TALK_JSON) {
        talk_event(p->talk,
                   json_pack("{s:s, s:f, s:I, s:I, s:f, s:o}", "event", "score", "percent",
                             p->permille / 10.0, "questions", (json_int_t)done, "questions_total",
                             (json_int_t)total, "seconds", now - p->start, "eta_seconds",
                             real_or_null(remaining(p, now, done, total))));
        return;
    }
    char line[LINE], have[32], all[32], left[ETA];
    num_format_grouped(done, have);
    num_format_grouped(total, all);
    snprintf(line, sizeof line, "scoring   %4.1f %%  %s of %s questions%s", p->permille / 10.0,
             have, all, eta(p, now, done, total, left));
    show(p, line);
}

void progress_map(progress *p, double now, const w2v_map_progress *at)
{
    if (!due(p, now)) {
        return;
    }
    if (p->talk->progress == TALK_JSON) {
        talk_event(p->talk,
                   json_pack("{s:s, s:I, s:I, s:I, s:I, s:f}", "event", "map", "points",
                             (json_int_t)at->points, "points_total", (json_int_t)at->points_total,
                             "iteration", (json_int_t)at->iteration, "iterations",
                             (json_int_t)at->iterations, "seconds", now - p->start));
        return;
    }
    char line[LINE], have[32], all[32];
    const bool near = at->points < at->points_total;
    num_format_grouped(near ? at->points : at->iteration, have);
    num_format_grouped(near ? at->points_total : at->iterations, all);
    snprintf(line, sizeof line, "map       %s %s of %s", near ? "neighbours of word" : "iteration",
             have, all);
    show(p, line);
}
