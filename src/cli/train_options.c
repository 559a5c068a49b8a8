/* The options of w2v train. */
#include "cli/train_run.h"
#include "cli/vectors_file.h"

#include <math.h>

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
     .help = "window: one set for all pairs of a position, used at four positions a window apart "
             "(fast); none: fresh negatives for each pair (the textbook algorithm)"},
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

static const option watching_options[] = {
    {.name = "watch",
     .type = OPTION_TEXTS,
     .offset = FIELD(watch),
     .metavar = "A:B",
     .help = "show the cosine of the words A and B before training and after each epoch, also with "
             "-q; may be given for several pairs"},
    {.name = "explain",
     .type = OPTION_U64,
     .offset = FIELD(train.explain),
     .low = 1,
     .high = UINT64_MAX,
     .metavar = "N",
     .help = "show the first N pairs in numbers, also with -q: centre, neighbour and negatives, "
             "each dot product, σ, σ − label, and the rows before and after (-v: whole rows)"},
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

const option_group train_groups[TRAIN_GROUPS] = {
    {"output", output_options, 0, false},
    {"training", training_options, 0, true},
    {"text", reading_options, FIELD(reading), true},
    {"watching", watching_options, 0, false},
    {"running", running_options, 0, false},
    {"messages", talk_options, FIELD(talk), false},
};

void train_defaults(void *opaque)
{
    train_args *args = opaque;
    args->reading = reading_defaults();
    args->reading.text.tmp_dir = NULL;
    args->train = w2v_train_options_default();
    args->save = w2v_save_options_default();
    args->output = "vectors.bin";
}
