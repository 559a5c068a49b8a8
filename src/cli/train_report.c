/* What w2v train says on standard error besides its progress. */
#include "base/num.h"
#include "cli/commands.h"
#include "cli/train_run.h"
#include "os/clock.h"
#include "render/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Below this, neighbours are mostly chance; the classic test corpora have millions of words. */
#define FEW_TOKENS 100000
/* Rows for each thread below which threads meet in the same rows again and again. */
#define FEW_WORDS 100

/* Values in force, "dim 100, window 5, …", from the tables of options. */
static void report_options(const train_run *run)
{
    buf text = {0};
    bool ok = true;
    for (size_t g = 0; g < command_train.group_count; g++) {
        const option_group *group = &command_train.groups[g];
        for (const option *o = group->rows; group->in_force && ok && o->name; o++) {
            char value[OPTION_VALUE];
            if (o->hidden || o->type == OPTION_TEXT || strcmp(o->name, "threads") == 0 ||
                !option_format(o, option_field(group, o, run->args), value)) {
                continue;
            }
            ok = buf_printf(&text, "%s%s%s%s", text.size ? ", " : "", o->name,
                            o->type == OPTION_FLAG ? "" : " ", o->type == OPTION_FLAG ? "" : value);
        }
    }
    if (ok && text.size) {
        talk_fact(&run->talk, "options", "%s", text.data);
    }
    buf_clear(&text);
}

static void report_memory(const train_run *run)
{
    const w2v_estimate *e = &run->estimate;
    const uint64_t words = w2v_corpus_stats(run->corpus)->types_kept;
    char count[32], tables[32], all[32], disk[32];
    num_format_grouped(words, count);
    num_format_bytes(words * run->args->train.dim * 2 * sizeof(float), tables);
    num_format_bytes(e->table_bytes + e->corpus_bytes + e->other_bytes, all);
    num_format_bytes(w2v_corpus_stats(run->corpus)->spilled, disk);
    const bool spilled = w2v_corpus_stats(run->corpus)->spilled > 0;
    talk_fact(&run->talk, "memory",
              "%s word%s x %u x 2 tables = %s; %s with %ssampling tables%s%s%s", count,
              render_plural(words), (unsigned)run->args->train.dim, tables, all,
              spilled ? "" : "text and ", spilled ? ", text on disk (" : "", spilled ? disk : "",
              spilled ? ")" : "");
}

/* What there is in the checkpoint that the run goes on from. */
static void report_checkpoint(const train_run *run)
{
    const w2v_checkpoint_info *info = w2v_checkpoint_facts(run->from);
    char old[32], more[32], loss[REPORT_LOSS], share[RENDER_DURATION];
    if (run->args->resume) {
        if (info->complete) {
            talk_fact(&run->talk, "resumed", "%s: all %u epochs are done, nothing is left to train",
                      run->args->resume, (unsigned)info->epochs);
            return;
        }
        talk_fact(&run->talk, "resumed", "%s: %u of %u epochs done, %s of all tokens, loss %s",
                  run->args->resume, (unsigned)info->epochs, (unsigned)info->train.epochs,
                  render_share((double)info->tokens / (double)info->tokens_total, share),
                  report_loss(info->loss, loss));
        return;
    }
    num_format_grouped(info->words, old);
    num_format_grouped(w2v_corpus_stats(run->corpus)->types_kept - info->words, more);
    talk_fact(&run->talk, "updated", "%s: its %s words keep their rows, %s more are new",
              run->args->update, old, more);
}

void report_begin(const train_run *run, uint32_t started)
{
    if (!run->init) {
        return;
    }
    char words[32], all[32];
    num_format_grouped(started, words);
    num_format_grouped(w2v_corpus_stats(run->corpus)->types_kept, all);
    talk_fact(&run->talk, "init", "%s: %s of %s words begin with its vectors%s", run->args->init,
              words, all, run->args->freeze ? " and keep them" : "");
    talk_event(&run->talk, json_pack("{s:s, s:I, s:b}", "event", "init", "words",
                                     (json_int_t)started, "frozen", run->args->freeze));
}

void report_start(const train_run *run)
{
    const int threads = run->estimate.threads;
    const uint64_t about = (uint64_t)fmax(run->estimate.pairs, 0);
    char share[RENDER_DURATION], pairs[32];
    reading_facts(&run->talk, &run->args->reading, run->inputs, run->corpus, run->read_seconds);
    num_format_grouped(about, pairs);
    talk_fact(&run->talk, "sampled", "%s of these tokens stay after subsampling: about %s pair%s",
              render_share(run->estimate.kept_share, share), pairs, render_plural(about));
    report_options(run);
    report_memory(run);
    if (run->from) {
        report_checkpoint(run);
    }
    talk_fact(&run->talk, "running", "%d thread%s, %s kernel", threads, threads == 1 ? "" : "s",
              w2v_kernel_name());
    if (run->talk.verbose) {
        talk_fact(&run->talk, "build", "w2v %s, %s", W2V_VERSION_STRING, w2v_build_info());
    }
}

void report_warnings(const train_run *run)
{
    const w2v_text_stats *s = w2v_corpus_stats(run->corpus);
    const int threads = run->estimate.threads; /* short texts do not occupy all */
    char count[32];
    reading_warnings(&run->talk, &run->args->reading, run->inputs, run->corpus);
    if (s->tokens_kept < FEW_TOKENS) {
        num_format_grouped(s->tokens_kept, count);
        talk_warning(&run->talk, NULL, "%s token%s is too little for useful vectors", count,
                     render_plural(s->tokens_kept));
    }
    if (threads > 1 && s->types_kept < FEW_WORDS * (uint64_t)threads) {
        num_format_grouped(s->types_kept, count);
        talk_warning(&run->talk, NULL,
                     "%s word%s few for %d threads, which get in each other's way; "
                     "--threads 1 may give better vectors",
                     count, s->types_kept == 1 ? " is" : "s are", threads);
    }
}

double report_pace(w2v_share share, const char *kernel)
{
    double pace = 15e6;
    if (strcmp(kernel, "avx2") == 0 || strcmp(kernel, "neon") == 0) {
        pace /= 2;
    } else if (strcmp(kernel, "avx512") != 0) {
        pace /= 8; /* one number at a time */
    }
    return share == W2V_SHARE_NONE ? pace / 4 : pace; /* every pair fetches rows of its own */
}

double report_seconds(const w2v_estimate *estimate, const w2v_train_options *options,
                      const char *kernel)
{
    const double work = estimate->pairs * ((double)options->dim / 100) *
                        ((1 + (double)options->negative) / (1 + 5.0));
    return work / (report_pace(options->share, kernel) * fmax(estimate->threads, 1));
}

void report_dry_run(const train_run *run)
{
    const w2v_train_options *options = &run->args->train;
    const char *kernel = w2v_kernel_name();
    char time[RENDER_DURATION];
    talk_fact(&run->talk, "dry run",
              "training would take about %s (rough: %.2g million pairs a second and thread at dim "
              "100 with 5 negatives); nothing was trained or written",
              render_duration(report_seconds(&run->estimate, options, kernel), time),
              report_pace(options->share, kernel) / 1e6);
}

const char *report_loss(double loss, char out[REPORT_LOSS])
{
    if (!isfinite(loss)) {
        return "n/a";
    }
    snprintf(out, REPORT_LOSS, "%.4f", loss);
    return out;
}

static void report_output(const train_run *run, const output *o)
{
    char size[32];
    if (!o->stored) {
        return;
    }
    num_format_bytes(o->bytes, size);
    const char *path = strcmp(o->stored, "-") == 0 ? "standard output" : o->stored;
    talk_fact(&run->talk, o == run->outputs ? "saved" : "", "%s: %s%s%s", path, o->what,
              o->bytes ? ", " : "", o->bytes ? size : "");
}

void report_end(const train_run *run)
{
    const w2v_train_result *r = w2v_model_result(run->model);
    char tokens[32], pairs[32], speed[32], time[RENDER_DURATION], read[RENDER_DURATION];
    char save[RENDER_DURATION], all[RENDER_DURATION], loss[REPORT_LOSS];
    for (size_t i = 0; i < OUT_COUNT; i++) {
        report_output(run, &run->outputs[i]);
    }
    if (!run->outputs[OUT_CONTEXT].path) {
        talk_fact(&run->talk, "", "(the context table was not kept; --save-context FILE keeps it)");
    }
    const uint64_t visited = r->tokens - train_tokens_before(run);
    num_format_grouped(visited, tokens);
    num_format_grouped(r->pairs, pairs);
    num_format_grouped(
        run->train_seconds > 0 ? (uint64_t)((double)visited / run->train_seconds) : 0, speed);
    talk_fact(&run->talk, run->partial ? "stopped" : "done",
              "%s word%s in %s (%s words/s), %s pair%s, final loss %s", tokens,
              render_plural(visited), render_duration(run->train_seconds, time), speed, pairs,
              render_plural(r->pairs), report_loss(r->loss, loss));
    talk_fact(&run->talk, "", "with reading %s and saving %s: %s in all",
              render_duration(run->read_seconds, read), render_duration(run->save_seconds, save),
              render_duration(clock_wall() - run->start, all));
    if (r->cuts) {
        char cuts[32];
        num_format_grouped(r->cuts, cuts);
        talk_fact(&run->talk, "", "long sentences were cut at %s place%s (--max-sentence %u)", cuts,
                  render_plural(r->cuts), (unsigned)run->args->train.max_sentence);
    }
    if (run->talk.verbose) {
        char peak[32];
        num_format_bytes(clock_peak_memory(), peak);
        talk_fact(&run->talk, "", "at most %s of memory, %d thread%s used", peak, r->threads,
                  r->threads == 1 ? "" : "s");
    }
}
