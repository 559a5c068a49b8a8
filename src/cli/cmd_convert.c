/* w2v convert: from any format of vectors to any other. */
#include "base/num.h"
#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/vectors_file.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/signals.h"
#include "os/term.h"
#include "render/text.h"

#include <inttypes.h>
#include <string.h>

typedef struct convert_args {
    vectors_args vectors;
    w2v_convert_options convert;
    talk_args talk;
} convert_args;

#define FIELD(member) offsetof(convert_args, member)

static const option output_options[] = {
    {.name = "format",
     .type = OPTION_CHOICE,
     .offset = FIELD(convert.format),
     .choices = vectors_formats,
     .help = "what to write",
     .default_text = "by the name of OUT: .txt .vec text, .glove, .npy, .safetensors, .tsv, else "
                     "binary; .gz after it compresses"},
    {.name = "words",
     .type = OPTION_TEXT,
     .offset = FIELD(convert.words),
     .metavar = "FILE",
     .help = "write only the words in this file, one a line, in the order of the table",
     .default_text = "all"},
    {.name = "precision",
     .type = OPTION_INT,
     .offset = FIELD(convert.precision),
     .low = 1,
     .high = 9,
     .metavar = "N",
     .help = "significant digits in text formats",
     .default_text = "as many as keep every bit"},
    {.name = "normalize",
     .aliases = "normalise",
     .type = OPTION_FLAG,
     .offset = FIELD(convert.normalize),
     .help = "rows of length 1; rows of zeros stay"},
    {.name = NULL},
};

static const option_group groups[] = {
    {"output", output_options, 0, false},
    /* &vectors_options[1]: all but --vectors, since IN is the file */
    {"input", &vectors_options[1], FIELD(vectors), false},
    {"messages", &talk_options[1], FIELD(talk), false},
};

static void set_defaults(void *opaque)
{
    convert_args *args = opaque;
    args->vectors = vectors_defaults();
    args->convert = w2v_convert_options_default();
}

/* Nothing is written over what is read, and no binary bytes to a screen. */
static w2v_status check_output(const convert_args *args, const char *in, const char *out,
                               w2v_error *err)
{
    const char *paths[3] = {in};
    size_t n = 1;
    if (args->vectors.load.labels) {
        paths[n++] = args->vectors.load.labels;
    }
    if (args->convert.words) {
        paths[n++] = args->convert.words;
    }
    w2v_inputs *inputs = NULL;
    w2v_status status = w2v_inputs_create(paths, n, false, &inputs, err);
    if (status == W2V_ERR_INPUT) {
        err->hint[0] = '\0'; /* of a folder: --recursive is no option here */
    }
    if (!status) {
        output files[2] = {{.option = "OUT", .path = out}};
        status = output_beside(&files[0], args->convert.format, &files[1], err);
        status = status ? status : outputs_check(files, 2, inputs, err);
        w2v_free(files[1].stored);
    }
    w2v_inputs_free(inputs);
    const w2v_format format = args->convert.format;
    const bool text = format == W2V_FORMAT_TEXT || format == W2V_FORMAT_GLOVE;
    if (!status && strcmp(out, "-") == 0 && !text && term_is_terminal(FILE_STDOUT)) {
        status = error_set(err, W2V_ERR_ARGUMENT, "binary vectors are not written to a terminal");
        error_hint(err, "--format text shows them");
    }
    return status;
}

static void say_read(const talk *t, const char *path, const w2v_vectors *vectors, double seconds)
{
    const w2v_load_report *r = w2v_vectors_report(vectors);
    char rows[32], time[RENDER_DURATION];
    num_format_grouped(r->rows, rows);
    talk_fact(t, "read", "%s: %s%s, %s row%s of %" PRIu32 " number%s, in %s", path,
              vectors_format_name(r->format), r->gzip ? " (gzip)" : "", rows,
              render_plural(r->rows), w2v_vectors_dim(vectors),
              render_plural(w2v_vectors_dim(vectors)), render_duration(seconds, time));
}

static void warn_duplicates(const talk *t, const char *path, w2v_vectors *vectors)
{
    const uint64_t n = w2v_vectors_duplicates(vectors);
    if (n) {
        char count[32];
        num_format_grouped(n, count);
        talk_warning(t, "every row is written; questions are answered from a word's first",
                     "'%s': %s row%s the word of an earlier row", path, count,
                     n == 1 ? " repeats" : "s repeat");
    }
}

static w2v_status load_and_save(const convert_args *args, const char *in, const char *out,
                                const talk *t, w2v_error *err)
{
    w2v_vectors *vectors = NULL;
    uint64_t bytes = 0;
    const double start = clock_wall();
    w2v_status status = w2v_vectors_open(in, &args->vectors.load, &vectors, err);
    if (!status) {
        status = w2v_vectors_load(vectors, err);
    }
    if (!status) {
        const double loaded = clock_wall();
        say_read(t, in, vectors, loaded - start);
        vectors_warnings(t, in, &args->vectors, w2v_vectors_report(vectors));
        warn_duplicates(t, in, vectors);
        signals_catch(); /* a half-written temporary is not left behind by the first signal */
        status = w2v_vectors_save(vectors, out, &args->convert, &bytes, err);
        if (!status) {
            char size[32], time[RENDER_DURATION];
            num_format_bytes(bytes, size);
            talk_fact(t, "saved", "%s: %s, in %s", out, size,
                      render_duration(clock_wall() - loaded, time));
        }
    }
    w2v_vectors_free(vectors);
    return status;
}

static int run(void *opaque, const arguments *words)
{
    const convert_args *args = opaque;
    const talk t = talk_open(&args->talk);
    w2v_error err = {0};
    w2v_status status;
    if (words->count != 2) {
        status = error_set(&err, W2V_ERR_ARGUMENT, "'convert' takes two names, IN and OUT, not %zu",
                           words->count);
        error_hint(&err, "w2v convert vectors.bin vectors.txt");
    } else {
        status = check_output(args, words->items[0], words->items[1], &err);
    }
    if (!status) {
        status = load_and_save(args, words->items[0], words->items[1], &t, &err);
    }
    if (status && words->count == 2 && output_pipe_closed(words->items[1], &err)) {
        return 0;
    }
    return status ? talk_fail(&t, &err) : 0;
}

const command command_convert = {
    .name = "convert",
    .usage = "IN OUT [OPTION…]",
    .summary = "vectors from any format to any other",
    .about =
        "Reads the vectors in IN, whatever their format, and writes them to OUT. Either may be - "
        "for a pipe. Text keeps every bit unless --precision shortens it, so that binary to text "
        "to binary gives the same file. What could not be read back, such as a word with a blank "
        "in a text format, is refused. OUT is replaced when it is complete, and never IN.\n\n"
        "NumPy arrays, safetensors and projector TSV hold no words: these stand beside them, for "
        "OUT.npy in OUT.npy.labels.txt, where reading finds them again, for OUT.tsv in "
        "OUT.metadata.tsv.",
    .examples =
        "  w2v convert vectors.bin vectors.txt\n"
        "  w2v convert glove.6B.300d.txt.gz glove.bin --limit 100000 --normalize\n"
        "  w2v convert model.safetensors gpt2.vec --tensor wte.weight --labels vocab.json\n",
    .groups = groups,
    .group_count = sizeof groups / sizeof *groups,
    .args_size = sizeof(convert_args),
    .defaults = set_defaults,
    .run = run,
};
