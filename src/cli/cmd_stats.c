/* w2v stats: what a table looks like as geometry. */
#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/stats_show.h"
#include "cli/vectors_file.h"

#include <string.h>

typedef struct stats_args {
    vectors_args vectors;
    reply_args reply;
    talk_args talk;
    w2v_stats_options stats;
} stats_args;

#define FIELD(member) offsetof(stats_args, member)

static const option stats_options[] = {
    {.name = "pairs",
     .type = OPTION_U64,
     .offset = FIELD(stats.pairs),
     .low = 1,
     .high = 10000000,
     .metavar = "N",
     .help = "random pairs of rows whose cosines are taken; all there are where they are no more"},
    {.name = "sample",
     .type = OPTION_U64,
     .offset = FIELD(stats.sample),
     .low = 1,
     .high = UINT32_MAX,
     .metavar = "N",
     .help = "random words that are asked for their 10 nearest, to find hubs; all there are where "
             "they are no more"},
    {.name = "top",
     .letter = 'k',
     .aliases = "topn hubs",
     .type = OPTION_U64,
     .offset = FIELD(stats.hubs),
     .low = 1,
     .high = 1000,
     .metavar = "N",
     .help = "hubs that are listed"},
    {.name = "seed",
     .type = OPTION_U64,
     .offset = FIELD(stats.seed),
     .low = 0,
     .high = UINT64_MAX,
     .metavar = "N",
     .help = "of what is drawn: another one gives other pairs and another sample"},
    {.name = NULL},
};

static const option_group groups[] = {
    {"samples", stats_options, 0, false},
    {"vectors", vectors_options, FIELD(vectors), false},
    {"answers", reply_options, FIELD(reply), false},
    {"messages", &talk_options[1], FIELD(talk), false},
};

static void set_defaults(void *args)
{
    *(stats_args *)args =
        (stats_args){.vectors = vectors_defaults(), .stats = w2v_stats_options_default()};
}

/* The one argument is the file: there are no words that it could be taken for. */
static w2v_status choose(const stats_args *args, const arguments *words, vectors_choice *choice,
                         w2v_error *err)
{
    if (words->count > (args->vectors.vectors ? 0 : 1)) {
        return error_set(err, W2V_ERR_ARGUMENT, "'stats' takes one file of vectors, and '%s' is %s",
                         words->items[words->count - 1],
                         args->vectors.vectors ? "not --vectors" : "one more");
    }
    if (words->count == 1) {
        *choice = (vectors_choice){.path = words->items[0]};
        return W2V_OK;
    }
    arguments none = {0};
    return vectors_choose(&args->vectors, "stats", 0, &none, choice, err);
}

static w2v_status describe(const stats_args *args, const arguments *words, const talk *t, reply *r,
                           w2v_error *err)
{
    vectors_choice choice;
    w2v_vectors *vectors = NULL;
    w2v_status status = reply_open(&args->reply, r, err);
    status = status ? status : choose(args, words, &choice, err);
    if (status) {
        return status;
    }
    status = w2v_vectors_open(choice.path, &args->vectors.load, &vectors, err);
    if (status && choice.hint) {
        error_hint(err, "%s", choice.hint);
    }
    w2v_stats_options options = args->stats;
    options.threads = args->vectors.load.threads;
    w2v_stats stats = {0};
    status = status ? status : w2v_stats_of(vectors, &options, &stats, err);
    if (!status) {
        vectors_warnings(t, choice.path, &args->vectors, w2v_vectors_report(vectors));
        status = stats_show(r, t, choice.path, vectors, &stats, err);
    }
    status = status ? status : reply_flush(r, err);
    w2v_stats_clear(&stats);
    w2v_vectors_free(vectors);
    return status;
}

static int run(void *opaque, const arguments *words)
{
    const stats_args *args = opaque;
    const talk t = talk_open(&args->talk);
    reply r = {0};
    w2v_error err = {0};
    const w2v_status status = describe(args, words, &t, &r, &err);
    reply_close(&r);
    if (status && output_pipe_closed("-", &err)) {
        clearerr(stdout); /* who reads has read enough */
        return 0;
    }
    return status ? talk_fail(&t, &err) : 0;
}

const command command_stats = {
    .name = "stats",
    .usage = "[VECTORS] [OPTION…]",
    .summary = "what a table looks like as geometry",
    .about =
        "Describes a table: its size, rows of zeros, rows and words that stand twice; norms, and "
        "how they go with the rank of a word (the number of its row: files of word2vec and its "
        "like begin with the most frequent word); cosines of random pairs, which say from where "
        "on a cosine is high in this table; the covariance of the rows as stored: the share of "
        "variance in the first directions, and the effective dimension (the square of the sum of "
        "the "
        "variances over the sum of their squares: the participation ratio); hubs, words that are "
        "among the 10 nearest of very many others, counted over a sample, and the skewness of "
        "these counts. Rows of zeros have no direction and no part in cosines and hubs. 'n/a' is "
        "what has no value. The same seed gives the same numbers, for any number of threads.\n\n"
        "In a pipe: 'name<TAB>value' lines; 'norm_band', first rank, last rank, mean norm; 'hub', "
        "word, times met. What it means is then said on standard error.",
    .examples = "  w2v stats vectors.bin\n"
                "  w2v stats vectors.bin --limit 30000 --sample 10000 --json\n",
    .groups = groups,
    .group_count = sizeof groups / sizeof *groups,
    .args_size = sizeof(stats_args),
    .defaults = set_defaults,
    .run = run,
};
