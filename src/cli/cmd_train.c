/* w2v train: from a text to vectors. */
#include "base/mem.h"
#include "base/num.h"
#include "cli/commands.h"
#include "cli/train_run.h"
#include "cli/vectors_file.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/signals.h"
#include "os/term.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const option_choice binary_choices[] = {
    {"0", W2V_FORMAT_TEXT}, {"1", W2V_FORMAT_BINARY}, {NULL, 0}};
static const option_choice window_choices[] = {
    {"shrink", W2V_WINDOW_SHRINK}, {"fixed", W2V_WINDOW_FIXED}, {NULL, 0}};
static const option_choice share_choices[] = {
    {"window", W2V_SHARE_WINDOW}, {"none", W2V_SHARE_NONE}, {NULL, 0}};
static const option_choice sentence_choices[] = {{"line", true}, {"none", false}, {NULL, 0}};

#define FIELD(member) offsetof(train_args, member)

static const option output_options[] = {
    {.name = "output",
     .letter = 'o',
     .type = OPTION_TEXT,
     .offset = FIELD(output),
     .metavar = "FILE",
     .help = "where the vectors go; a name in .gz compresses"},
    {.name = "format",
     .type = OPTION_CHOICE,
     .offset = FIELD(save.format),
     .choices = vectors_formats,
     .help = "what to write; all but bin, text and glove keep the words in a file beside",
     .default_text = "by the name: .txt .vec text, .glove, .npy, .safetensors, .tsv, else binary"},
    {.name = "binary",
     .type = OPTION_CHOICE,
     .hidden = true,
     .offset = FIELD(save.format),
     .choices = binary_choices,
     .help = "the original's way to say --format bin or text"},
    {.name = "precision",
     .type = OPTION_INT,
     .offset = FIELD(save.precision),
     .low = 1,
     .high = 9,
     .metavar = "N",
     .help = "significant digits in text formats",
     .default_text = "as many as keep every bit"},
    {.name = "save-context",
     .type = OPTION_TEXT,
     .offset = FIELD(save_context),
     .metavar = "FILE",
     .help = "write the second table, the context vectors"},
    {.name = "save-vocab",
     .type = OPTION_TEXT,
     .offset = FIELD(save_vocab),
     .metavar = "FILE",
     .help = "write 'word count' lines"},
    {.name = "save-run",
     .type = OPTION_TEXT,
     .offset = FIELD(save_run),
     .metavar = "FILE",
     .help = "write a JSON record: options, counts, input hashes, times, losses"},
    {.name = NULL},
};

static const option training_options[] = {
    {.name = "dim",
     .letter = 'd',
     .aliases = "size vector-size dims",
     .type = OPTION_U32,
     .offset = FIELD(train.dim),
     .low = 1,
     .high = 65536,
     .metavar = "N",
     .help = "length of a vector"},
    {.name = "window",
     .letter = 'w',
     .aliases = "ws",
     .type = OPTION_U32,
     .offset = FIELD(train.window),
     .low = 1,
     .high = 1000,
     .metavar = "N",
     .help = "neighbours on each side"},
    {.name = "window-mode",
     .type = OPTION_CHOICE,
     .offset = FIELD(train.window_mode),
     .choices = window_choices,
     .help = "shrink: each centre word draws its radius from 1..N"},
    {.name = "negative",
     .letter = 'n',
     .aliases = "neg",
     .type = OPTION_U32,
     .offset = FIELD(train.negative),
     .low = 1,
     .high = 1000,
     .metavar = "N",
     .help = "negative samples",
     .low_hint = "without negative samples there would be nothing to learn from"},
    {.name = "ns-exponent",
     .type = OPTION_DOUBLE,
     .offset = FIELD(train.ns_exponent),
     .min = -10,
     .max = 10,
     .metavar = "X",
     .help = "negatives are drawn in proportion to count^X"},
    {.name = "share-negatives",
     .type = OPTION_CHOICE,
     .offset = FIELD(train.share),
     .choices = share_choices,
     .help = "one set of negatives for a whole window (fast), or fresh ones for each pair (the "
             "textbook's way)"},
    {.name = "sample",
     .letter = 's',
     .type = OPTION_DOUBLE,
     .offset = FIELD(train.sample),
     .min = 0,
     .max = 1,
     .metavar = "T",
     .help = "keep a word of share f with probability min(1, sqrt(T/f) + T/f); 0 keeps all"},
    {.name = "epochs",
     .letter = 'e',
     .aliases = "iter epoch",
     .type = OPTION_U32,
     .offset = FIELD(train.epochs),
     .low = 1,
     .high = 1000000,
     .metavar = "N",
     .help = "passes over the text"},
    {.name = "lr",
     .aliases = "alpha",
     .type = OPTION_DOUBLE,
     .offset = FIELD(train.lr),
     .above_min = true,
     .max = HUGE_VAL,
     .metavar = "X",
     .help = "learning rate at the start; it falls linearly to 1e-4 of itself"},
    {.name = "sentence",
     .type = OPTION_CHOICE_BOOL,
     .offset = FIELD(reading.text.lines_are_sentences),
     .choices = sentence_choices,
     .help = "does a line end a sentence, or may a window cross it? (a file's end always does)"},
    {.name = "max-sentence",
     .type = OPTION_U32,
     .offset = FIELD(train.max_sentence),
     .low = 2,
     .high = 1000000000,
     .metavar = "N",
     .help = "longer sentences are cut into pieces; no word is lost"},
    {.name = "seed",
     .type = OPTION_U64,
     .offset = FIELD(train.seed),
     .high = UINT64_MAX,
     .metavar = "N",
     .help = "with one thread, the same seed gives the same bytes"},
    {.name = "cbow",
     .type = OPTION_ZERO,
     .hidden = true,
     .high = UINT64_MAX,
     .help = "w2v trains skip-gram only"},
    {.name = "hs",
     .type = OPTION_ZERO,
     .hidden = true,
     .high = UINT64_MAX,
     .help = "w2v trains with negative sampling, not with a hierarchical softmax"},
    {.name = NULL},
};

static const option running_options[] = {
    {.name = "max-memory",
     .type = OPTION_SIZE,
     .offset = FIELD(reading.text.max_memory),
     .low = 1,
     .high = UINT64_MAX,
     .metavar = "SIZE",
     .help = "beyond it the encoded text goes to a temporary file; tables that do not fit are "
             "refused (2G, 500M, …)",
     .default_text = "none"},
    {.name = "tmp-dir",
     .type = OPTION_TEXT,
     .offset = FIELD(reading.text.tmp_dir),
     .metavar = "FOLDER",
     .help = "where that file goes",
     .default_text = "the output's folder"},
    {.name = "dry-run",
     .type = OPTION_FLAG,
     .offset = FIELD(dry_run),
     .help = "stop after counting, with an estimate of memory and time"},
    {.name = NULL},
};

static const option_group groups[] = {
    {"output", output_options, 0, false},
    {"training", training_options, 0, true},
    {"text", reading_options, FIELD(reading), true},
    {"running", running_options, 0, false},
    {"messages", talk_options, FIELD(talk), false},
};

static void set_defaults(void *opaque)
{
    train_args *args = opaque;
    args->reading = reading_defaults();
    args->reading.text.tmp_dir = NULL;
    args->train = w2v_train_options_default();
    args->save = w2v_save_options_default();
    args->output = "vectors.bin";
}

/* -------------------------------------------------------------- before the text */

static void name_outputs(train_run *run)
{
    const train_args *a = run->args;
    run->outputs[OUT_VECTORS] =
        (output){.option = "--output", .what = "word vectors", .path = a->output};
    run->outputs[OUT_CONTEXT] =
        (output){.option = "--save-context", .what = "context vectors", .path = a->save_context};
    run->outputs[OUT_VOCAB] = (output){
        .option = "--save-vocab", .what = "words with their counts", .path = a->save_vocab};
    run->outputs[OUT_RECORD] =
        (output){.option = "--save-run", .what = "record of the run", .path = a->save_run};
}

/* Binary bytes on a screen help nobody and upset the terminal. */
static w2v_status refuse_terminal(const train_args *a, w2v_error *err)
{
    const bool is_text = a->save.format == W2V_FORMAT_TEXT || a->save.format == W2V_FORMAT_GLOVE;
    const bool shown =
        strcmp(a->output, "-") == 0 || (a->save_context && strcmp(a->save_context, "-") == 0);
    if (!shown || is_text || !term_is_terminal(FILE_STDOUT)) {
        return W2V_OK;
    }
    error_set(err, W2V_ERR_ARGUMENT, "binary vectors are not written to a terminal");
    error_hint(err, "--format text shows them");
    return W2V_ERR_ARGUMENT;
}

static w2v_status input_sizes(train_run *run, w2v_error *err)
{
    const size_t n = w2v_inputs_count(run->inputs);
    run->input_sizes = mem_calloc(n, sizeof *run->input_sizes);
    if (!run->input_sizes) {
        return error_memory(err, "the list of inputs");
    }
    for (size_t i = 0; i < n; i++) {
        run->input_sizes[i] = output_size(w2v_inputs_path(run->inputs, i));
    }
    return W2V_OK;
}

/* Everything that can be refused before the text is read. */
static w2v_status prepare(train_run *run, const arguments *words, w2v_error *err)
{
    train_args *a = run->args;
    name_outputs(run);
    a->train.threads = a->reading.text.threads;
    a->train.max_memory = a->reading.text.max_memory;
    a->reading.text.memory_per_word = w2v_train_bytes_per_word(&a->train);
    a->reading.text.hash_inputs = a->save_run != NULL;
    w2v_status status = reading_inputs(&a->reading, words, &run->inputs, err);
    if (!status) {
        status = outputs_check(run->outputs, OUT_COUNT, run->inputs, err);
    }
    if (!status) {
        status = refuse_terminal(a, err);
    }
    if (!status) {
        status = input_sizes(run, err);
    }
    if (!status && !a->reading.text.tmp_dir) {
        run->tmp_dir = output_folder(a->output);
        if (!run->tmp_dir) {
            return error_memory(err, "the name of a folder");
        }
        a->reading.text.tmp_dir = run->tmp_dir;
    }
    return status;
}

/* ---------------------------------------------------------------------- training */

typedef struct watcher {
    progress shown;
    double lr; /* newest */
} watcher;

static void show_epoch(const talk *t, progress *p, const w2v_train_progress *at)
{
    if (t->progress == TALK_JSON) {
        talk_event(t, json_pack("{s:s, s:I, s:o}", "event", "epoch", "epoch", (json_int_t)at->epoch,
                                "loss", isfinite(at->loss) ? json_real(at->loss) : json_null()));
    } else if (t->verbose) {
        progress_clear(p);
        talk_fact(t, "epoch", "%u of %u done, loss %.4f", (unsigned)at->epoch, (unsigned)at->epochs,
                  at->loss);
    }
}

static int on_train(void *user, const w2v_train_progress *at)
{
    watcher *w = user;
    w->lr = at->lr;
    if (at->epoch_end) {
        show_epoch(w->shown.talk, &w->shown, at);
    }
    progress_train(&w->shown, clock_wall(), at);
    return signals_pending();
}

/* Training; at the end the model's facts become the last line of progress. */
static w2v_status train(train_run *run, w2v_error *err)
{
    const double start = clock_wall();
    watcher w = {.shown = progress_begin(&run->talk, start), .lr = run->args->train.lr};
    const w2v_status status =
        w2v_train(run->corpus, &run->args->train, on_train, &w, &run->model, err);
    const double now = clock_wall();
    run->train_seconds = now - start;
    if (!status) {
        const w2v_train_result *r = w2v_model_result(run->model);
        if (r->pairs == 0) {
            progress_clear(&w.shown);
            error_set(err, W2V_ERR_INPUT,
                      "nothing to train: no two kept words stand in one sentence");
            error_hint(err, "a lower --min-count keeps more words, --sentence none joins lines");
            return W2V_ERR_INPUT;
        }
        const w2v_train_progress end = {.epoch = r->epochs,
                                        .epochs = r->epochs,
                                        .tokens = r->tokens,
                                        .tokens_total = r->tokens,
                                        .pairs = r->pairs,
                                        .loss = r->loss,
                                        .lr = w.lr};
        progress_train_end(&w.shown, now, &end);
    }
    progress_clear(&w.shown);
    return status;
}

/* ------------------------------------------------------------------------ saving */

/* Names under which this run is stored: the ones asked for, or marked ones. */
static w2v_status settle_names(train_run *run, w2v_error *err)
{
    for (size_t i = 0; i < OUT_COUNT; i++) {
        output *o = &run->outputs[i];
        if (!o->path) {
            continue;
        }
        /* The vocabulary is complete even when training is not. */
        const bool marked = run->partial && i != OUT_VOCAB;
        o->stored = marked ? output_partial_name(o->path) : mem_strndup(o->path, strlen(o->path));
        if (!o->stored) {
            return error_memory(err, "the name of an output");
        }
        if (marked) {
            const w2v_status status = w2v_output_check(o->stored, run->inputs, err);
            if (status) {
                return status;
            }
        }
    }
    return W2V_OK;
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
    w2v_status status = settle_names(run, err);
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
    return status;
}

/* ---------------------------------------------------------------------- the flow */

/* A dry run fails where the real one would be refused. */
static w2v_status dry_run(const train_run *run, w2v_error *err)
{
    report_dry_run(run);
    return w2v_train_check(run->corpus, &run->args->train, err);
}

static w2v_status read_text(train_run *run, w2v_error *err)
{
    const double start = clock_wall();
    const w2v_status status =
        reading_run(&run->args->reading, run->inputs, true, &run->talk, &run->corpus, err);
    run->read_seconds = clock_wall() - start;
    if (!status) {
        w2v_train_estimate(run->corpus, &run->args->train, &run->estimate);
        report_start(run);
        record_start_event(run, &command_train);
        report_warnings(run);
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
        talk_warning(&run->talk, NULL, "interrupted in training; what there is was saved");
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
    w2v_corpus_free(run->corpus);
    w2v_inputs_free(run->inputs);
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
    w2v_status status = prepare(&run, words, &err);
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
        if (status == W2V_ERR_DIVERGED) {
            error_hint(&err, "a smaller --lr keeps training stable");
        }
        exit_status = talk_fail(&run.talk, &err);
    }
    clear(&run);
    return exit_status;
}

const command command_train = {
    .name = "train",
    .usage = "CORPUS… [-o vectors.bin] [OPTION…]",
    .summary = "trains word vectors on a text",
    .about =
        "Counts the words of a text, trains skip-gram vectors with negative sampling and writes "
        "them. CORPUS is a text file, plain or gzip, with words between blanks and a sentence a "
        "line; a folder (with -r), a FIFO, or - for standard input. Several are read in "
        "order.\n\nThe options of the original tool work too: -size 100 -window 5 -iter 5 …",
    .examples = "  w2v train corpus.txt.gz -o vectors.bin\n"
                "  w2v train a.txt b.txt --dim 300 --epochs 10 --save-run run.json\n",
    .groups = groups,
    .group_count = sizeof groups / sizeof *groups,
    .args_size = sizeof(train_args),
    .defaults = set_defaults,
    .run = run_train,
};
