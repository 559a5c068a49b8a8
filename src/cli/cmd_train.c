/* w2v train: from a text to vectors. */
#include "base/mem.h"
#include "cli/commands.h"
#include "cli/train_run.h"
#include "os/clock.h"
#include "os/signals.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------------- training */

static void show_epoch(const talk *t, progress *p, const w2v_train_progress *at)
{
    if (t->progress == TALK_JSON) {
        talk_event(t, json_pack("{s:s, s:I, s:o}", "event", "epoch", "epoch", (json_int_t)at->epoch,
                                "loss", isfinite(at->loss) ? json_real(at->loss) : json_null()));
    } else if (t->verbose) {
        progress_clear(p);
        char loss[REPORT_LOSS];
        talk_fact(t, "epoch", "%u of %u done, loss %s", (unsigned)at->epoch, (unsigned)at->epochs,
                  report_loss(at->loss, loss));
    }
}

static int on_train(void *user, const w2v_train_progress *at)
{
    train_run *run = user;
    run->lr = at->lr;
    if (at->start) {
        report_begin(run, w2v_model_result(at->model)->started);
    }
    if (at->epoch_end) {
        show_epoch(&run->talk, &run->shown, at);
    }
    if (at->model && !at->paused && run->watch.count) {
        progress_clear(&run->shown);
        watch_show(&run->watch, &run->talk, at);
    }
    progress_train(&run->shown, clock_wall(), at);
    return signals_pending() ? signals_pending() : checkpoint_step(run, at);
}

/* Training; at the end the model's facts become the last line of progress. */
static w2v_status train(train_run *run, w2v_error *err)
{
    const double start = clock_wall();
    const w2v_train_start begin = train_start(run);
    run->shown = progress_begin(&run->talk, start);
    run->shown.before = train_tokens_before(run);
    run->checkpoint_time = start;
    const w2v_status status =
        w2v_train_from(run->corpus, &run->args->train, &begin, on_train, run, &run->model, err);
    const double now = clock_wall();
    run->train_seconds = now - start;
    if (!status) {
        const w2v_train_result *r = w2v_model_result(run->model);
        if (r->pairs == 0) {
            progress_clear(&run->shown);
            error_set(err, W2V_ERR_INPUT,
                      "nothing to train: no two words are left in one sentence");
            error_hint(err, "--sample 0 keeps frequent words, a lower --min-count rare ones, "
                            "--sentence none joins lines");
            return W2V_ERR_INPUT;
        }
        const w2v_train_progress end = {.epoch = r->epochs,
                                        .epochs = r->epochs,
                                        .tokens = r->tokens,
                                        .tokens_total = r->tokens,
                                        .pairs = r->pairs,
                                        .loss = r->loss,
                                        .lr = run->lr};
        if (r->tokens > run->shown.before) {
            progress_train_end(&run->shown, now, &end);
        }
    }
    progress_clear(&run->shown);
    return status;
}

/* ------------------------------------------------------------------------ saving */

/* A marked name was never checked: neither it nor the list of words beside it may be anything that
   is read. */
static w2v_status check_marked(const train_run *run, size_t which, w2v_error *err)
{
    const bool table = which == OUT_VECTORS || which == OUT_CONTEXT;
    output files[2] = {{.option = run->outputs[which].option, .path = run->outputs[which].stored}};
    w2v_status status = W2V_OK;
    if (table) {
        status = output_beside(&files[0], run->args->save.format, &files[1], err);
    }
    if (!status) {
        status = outputs_check(files, 2, run->inputs, err);
    }
    if (!status) {
        status = train_spare(run->args, files, 2, err);
    }
    w2v_free(files[1].stored);
    return status;
}

/* Names under which this run is stored: the ones asked for, or marked ones. */
static w2v_status settle_names(train_run *run, w2v_error *err)
{
    w2v_status status = W2V_OK;
    for (size_t i = 0; !status && i < OUT_COUNT; i++) {
        output *o = &run->outputs[i];
        if (!o->path) {
            continue;
        }
        /* The vocabulary is complete even when training is not, and a checkpoint may be taken then.
         */
        const bool marked = run->partial && i != OUT_VOCAB && i != OUT_CHECKPOINT;
        o->stored = marked ? output_partial_name(o->path) : mem_strndup(o->path, strlen(o->path));
        if (!o->stored) {
            status = error_memory(err, "the name of an output");
        } else if (marked) {
            status = check_marked(run, i, err);
        }
    }
    return status;
}

static w2v_status save_table(train_run *run, int which, w2v_error *err)
{
    output *o = &run->outputs[which];
    w2v_save_options options = run->args->save;
    options.context = which == OUT_CONTEXT;
    return w2v_model_save(run->model, w2v_corpus_vocab(run->corpus), o->stored, &options, &o->bytes,
                          err);
}

static w2v_status save(train_run *run, w2v_error *err)
{
    const double start = clock_wall();
    w2v_error failure = {0};
    w2v_status status = settle_names(run, err);
    /* First, since it has everything; the others are written even if it cannot be. */
    const w2v_status kept = status ? W2V_OK : checkpoint_last(run, &failure);
    if (!status) {
        status = save_table(run, OUT_VECTORS, err);
    }
    if (!status && run->outputs[OUT_CONTEXT].path) {
        status = save_table(run, OUT_CONTEXT, err);
    }
    output *vocab = &run->outputs[OUT_VOCAB];
    if (!status && vocab->path) {
        status = w2v_vocab_save(w2v_corpus_vocab(run->corpus), vocab->stored, err);
        vocab->bytes = status ? 0 : output_size(vocab->stored);
    }
    run->save_seconds = clock_wall() - start;
    if (!status && run->outputs[OUT_RECORD].path) {
        status = record_save(run, &command_train, err);
    }
    if (!status && kept) {
        *err = failure;
        return kept;
    }
    return status;
}

/* ---------------------------------------------------------------------- the flow */

/* A dry run fails where the real one would be refused. */
static w2v_status dry_run(const train_run *run, w2v_error *err)
{
    report_dry_run(run);
    const w2v_status status = w2v_train_check(run->corpus, &run->args->train, err);
    return status || !run->args->resume
               ? status
               : w2v_checkpoint_check(run->from, NULL, NULL, run->corpus, err);
}

/* Words that an output's format could not hold are told now and not after hours of training. */
static w2v_status check_words(const train_run *run, w2v_error *err)
{
    const train_args *a = run->args;
    const w2v_vocab *vocab = w2v_corpus_vocab(run->corpus);
    w2v_status status = w2v_save_check(vocab, a->train.dim, a->output, &a->save, err);
    if (!status && a->save_context) {
        status = w2v_save_check(vocab, a->train.dim, a->save_context, &a->save, err);
    }
    return status;
}

static w2v_status read_text(train_run *run, w2v_error *err)
{
    const double start = clock_wall();
    w2v_status status =
        reading_run(&run->args->reading, run->inputs, true, &run->talk, &run->corpus, err);
    run->read_seconds = clock_wall() - start;
    if (!status) {
        w2v_train_estimate(run->corpus, &run->args->train, &run->estimate);
        report_start(run);
        record_start_event(run, &command_train);
        report_warnings(run);
        space_warnings(run);
        status = check_words(run, err);
    }
    if (!status) {
        status = watch_resolve(&run->watch, &run->args->watch, run->corpus, run->args->train.epochs,
                               err);
    }
    return status;
}

static w2v_status train_and_save(train_run *run, w2v_error *err)
{
    w2v_status status = train(run, err);
    const bool stopped = status == W2V_ERR_INTERRUPTED && run->model;
    if (stopped && w2v_model_result(run->model)->tokens > 0) {
        w2v_error failure = {0}; /* *err holds the interruption */
        run->partial = true;
        status = save(run, &failure);
        if (status) {
            *err = failure;
            return status;
        }
        talk_warning(&run->talk,
                     run->args->checkpoint ? "--resume goes on from the checkpoint" : NULL,
                     "interrupted in training; what there is was saved");
        report_end(run);
        record_end_event(run);
        return W2V_ERR_INTERRUPTED;
    }
    if (!status) {
        status = save(run, err);
    }
    if (!status) {
        report_end(run);
        record_end_event(run);
    }
    return status;
}

static void clear(train_run *run)
{
    w2v_model_free(run->model);
    w2v_checkpoint_free(run->from);
    w2v_vectors_free(run->init);
    w2v_corpus_free(run->corpus);
    w2v_inputs_free(run->inputs);
    watch_clear(&run->watch);
    mem_free(run->input_sizes);
    mem_free(run->tmp_dir);
    for (size_t i = 0; i < OUT_COUNT; i++) {
        mem_free(run->outputs[i].stored);
    }
}

static int run_train(void *opaque, const arguments *words)
{
    train_run run = {.args = opaque, .start = clock_wall()};
    w2v_error err = {0};
    run.talk = talk_open(&run.args->talk);
    clock_utc(run.started, sizeof run.started);
    signals_catch();
    w2v_status status = train_prepare(&run, words, &err);
    if (!status) {
        status = read_text(&run, &err);
    }
    if (!status) {
        status = run.args->dry_run ? dry_run(&run, &err) : train_and_save(&run, &err);
    }
    int exit_status = 0;
    if (status == W2V_ERR_INTERRUPTED) {
        if (!run.partial) {
            talk_warning(&run.talk, NULL, "interrupted before training; nothing is saved");
        }
        exit_status = talk_exit_status(status, signals_pending());
    } else if (status && !output_pipe_closed(run.args->output, &err)) {
        exit_status = talk_fail(&run.talk, &err);
    }
    clear(&run);
    return exit_status;
}

const command command_train = {
    .name = "train",
    .others = "skipgram word2vec cbow",
    .usage = "CORPUS… [-o vectors.bin] [OPTION…]",
    .summary = "trains word vectors on a text",
    .about =
        "Counts the words of a text, trains skip-gram vectors with negative sampling and writes "
        "them. CORPUS is a text file, plain or gzip, with words between blanks and a sentence a "
        "line; a folder (with -r), a FIFO, or - for standard input. Several are read in "
        "order.\n\nThe options of the original tool work too: -size 100 -window 5 -iter 5 …",
    .examples = "  w2v train corpus.txt.gz -o vectors.bin\n"
                "  w2v train a.txt b.txt --dim 300 --epochs 10 --save-run run.json\n"
                "  w2v train corpus.txt.gz --checkpoint run.ckpt\n"
                "  w2v train corpus.txt.gz --resume run.ckpt --checkpoint run.ckpt\n",
    .groups = train_groups,
    .group_count = TRAIN_GROUPS,
    .args_size = sizeof(train_args),
    .defaults = train_defaults,
    .run = run_train,
};
