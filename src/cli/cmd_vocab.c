/* w2v vocab: counts the words of a text. */
#include "base/num.h"
#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/reading.h"
#include "os/clock.h"
#include "os/signals.h"

#include <string.h>

typedef struct vocab_args {
    reading_args reading;
    talk_args talk;
    const char *output;
} vocab_args;

static const option output_options[] = {
    {.name = "output",
     .letter = 'o',
     .type = OPTION_TEXT,
     .offset = offsetof(vocab_args, output),
     .metavar = "FILE",
     .help = "where the lines go; a name in .gz compresses",
     .default_text = "standard output"},
    {.name = NULL},
};

static const option_group groups[] = {
    {"output", output_options, 0, false},
    {"text", reading_options, offsetof(vocab_args, reading), true},
    {"messages", talk_options, offsetof(vocab_args, talk), false},
};

static void set_defaults(void *opaque)
{
    vocab_args *args = opaque;
    args->reading = reading_defaults();
    args->output = "-";
}

static w2v_status save(const talk *t, const w2v_corpus *corpus, const char *path, w2v_error *err)
{
    const w2v_vocab *vocab = w2v_corpus_vocab(corpus);
    const w2v_status status = w2v_vocab_save(vocab, path, err);
    if (!status && !output_is_stream(path)) {
        char size[32], words[32];
        num_format_bytes(output_size(path), size);
        num_format_grouped(w2v_vocab_size(vocab), words);
        talk_fact(t, "saved", "%s: %s words with their counts, %s", path, words, size);
    }
    return status;
}

static w2v_status count_and_save(const vocab_args *args, const arguments *words, const talk *t,
                                 w2v_error *err)
{
    const output to = {.option = "--output", .what = "vocabulary", .path = args->output};
    w2v_inputs *inputs = NULL;
    w2v_corpus *corpus = NULL;
    w2v_status status = reading_inputs(&args->reading, words, &inputs, err);
    if (!status) {
        status = outputs_check(&to, 1, inputs, err);
    }
    if (!status) {
        status = outputs_spare(&to, 1, "--read-vocab", args->reading.text.read_vocab, err);
    }
    if (!status) {
        const double start = clock_wall();
        status = reading_run(&args->reading, inputs, false, t, &corpus, err);
        /* Lines on standard output speak for themselves. */
        if (!status && (t->verbose || strcmp(args->output, "-") != 0)) {
            reading_facts(t, &args->reading, inputs, corpus, clock_wall() - start);
        }
    }
    if (!status) {
        reading_warnings(t, &args->reading, inputs, corpus);
        status = save(t, corpus, args->output, err);
    }
    w2v_corpus_free(corpus);
    w2v_inputs_free(inputs);
    return status;
}

static int run(void *opaque, const arguments *words)
{
    const vocab_args *args = opaque;
    const talk t = talk_open(&args->talk);
    w2v_error err = {0};
    signals_catch();
    const w2v_status status = count_and_save(args, words, &t, &err);
    if (status == W2V_ERR_INTERRUPTED) {
        talk_warning(&t, NULL, "interrupted while reading, nothing is saved");
        return talk_exit_status(status, signals_pending());
    }
    if (status && output_pipe_closed(args->output, &err)) {
        return 0;
    }
    return status ? talk_fail(&t, &err) : 0;
}

const command command_vocab = {
    .name = "vocab",
    .usage = "CORPUS… [-o vocab.txt] [OPTION…]",
    .summary = "counts the words of a text",
    .about =
        "Counts words and writes 'word count' lines, most frequent first. CORPUS is a text file, "
        "plain or gzip, a folder (with -r), a FIFO, or - for standard input; several are read "
        "in order.",
    .examples = "  w2v vocab corpus.txt.gz -o vocab.txt\n",
    .groups = groups,
    .group_count = sizeof groups / sizeof *groups,
    .args_size = sizeof(vocab_args),
    .defaults = set_defaults,
    .run = run,
};
