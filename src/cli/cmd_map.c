/* w2v map: words drawn in two dimensions. */
#include "base/mem.h"
#include "base/num.h"
#include "cli/commands.h"
#include "cli/map_output.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "io/inputs.h"
#include "os/clock.h"
#include "os/signals.h"
#include "render/text.h"

#include <string.h>

#define DEFAULT_OUTPUT "map.svg"

typedef struct map_args {
    vectors_args vectors;
    talk_args talk;
    w2v_map_options map;
    map_choice choice;
    const char *output;
    map_form form;
} map_args;

#define FIELD(member) offsetof(map_args, member)

static const option_choice methods[] = {{"pca", W2V_PCA}, {"tsne", W2V_TSNE}, {NULL, 0}};
static const option_choice metrics[] = {
    {"cosine", W2V_COSINE}, {"euclidean", W2V_EUCLIDEAN}, {NULL, 0}};
static const option_choice forms[] = {
    {"svg", MAP_SVG}, {"html", MAP_HTML}, {"tsv", MAP_TSV}, {"json", MAP_JSON}, {NULL, 0}};

static const option word_options[] = {
    {.name = "words",
     .type = OPTION_TEXT,
     .offset = FIELD(choice.file),
     .metavar = "FILE",
     .help = "draw the words in this file, one a line; a group may stand after a tab: groups are "
             "coloured and have a legend",
     .default_text = ""},
    {.name = "around",
     .type = OPTION_TEXT,
     .offset = FIELD(choice.around),
     .metavar = "WORD",
     .help = "draw this word and its nearest neighbours by cosine, as many as --neighbours says",
     .default_text = ""},
    {.name = "neighbours",
     .aliases = "neighbors",
     .letter = 'k',
     .type = OPTION_U64,
     .offset = FIELD(choice.k),
     .low = 1,
     .high = UINT32_MAX,
     .metavar = "N",
     .help = "neighbours round the word of --around"},
    {.name = "top",
     .aliases = "topn",
     .type = OPTION_U64,
     .offset = FIELD(choice.top),
     .low = 1,
     .high = UINT32_MAX,
     .metavar = "N",
     .help = "draw the first N words of the file, where the most frequent ones stand",
     .default_text = "300 where no words are named"},
    {.name = NULL},
};

static const option map_options[] = {
    {.name = "output",
     .letter = 'o',
     .type = OPTION_TEXT,
     .offset = FIELD(output),
     .metavar = "FILE",
     .help = "where the map goes; - is standard output"},
    {.name = "format",
     .type = OPTION_CHOICE,
     .offset = FIELD(form),
     .choices = forms,
     .help = "a picture, a page that can be explored, or places as 'word x y group' lines or JSON",
     .default_text = "by the name: .svg .html .tsv .json; .gz after it compresses"},
    {.name = "method",
     .type = OPTION_CHOICE,
     .offset = FIELD(map.method),
     .choices = methods,
     .help = "pca: the plane in which the words spread most; tsne: near words stay near; a page "
             "has both"},
    {.name = "metric",
     .type = OPTION_CHOICE,
     .offset = FIELD(map.metric),
     .choices = metrics,
     .help = "what near means; cosine brings rows to length 1 first"},
    {.name = "perplexity",
     .type = OPTION_DOUBLE,
     .offset = FIELD(map.perplexity),
     .min = 1.0,
     .max = 1e6,
     .metavar = "X",
     .help = "of t-SNE: about how many neighbours of a word count"},
    {.name = "iterations",
     .type = OPTION_U32,
     .offset = FIELD(map.iterations),
     .low = 1,
     .high = 1000000,
     .metavar = "N",
     .help = "of t-SNE"},
    {.name = "seed",
     .type = OPTION_U64,
     .offset = FIELD(map.seed),
     .low = 0,
     .high = UINT64_MAX,
     .metavar = "N",
     .help = "of t-SNE: the same seed gives the same map, for any number of threads"},
    {.name = "counts",
     .type = OPTION_TEXT,
     .offset = FIELD(choice.counts),
     .metavar = "FILE",
     .help = "a vocabulary of 'word count' lines: a page tells how often a word stood in the text",
     .default_text = ""},
    {.name = NULL},
};

static const option_group groups[] = {
    {"words", word_options, 0, false},
    {"map", map_options, 0, false},
    {"vectors", vectors_options, FIELD(vectors), false},
    {"messages", talk_options, FIELD(talk), false},
};

static void set_defaults(void *opaque)
{
    *(map_args *)opaque = (map_args){.vectors = vectors_defaults(),
                                     .map = w2v_map_options_default(),
                                     .choice = {.k = 30},
                                     .output = DEFAULT_OUTPUT};
}

/* What a run works with. */
typedef struct map_run {
    const map_args *args;
    map_form form;
    session session; /* vectors, and what is told of unknown words */
    map_words words;
    w2v_map map, plain;
    progress shown;
} map_run;

/* ------------------------------------------------------------------ before work */

static w2v_status settle_form(map_run *run, w2v_error *err)
{
    const char *path = run->args->output;
    run->form = run->args->form ? run->args->form : map_form_of(path);
    if (!run->form && output_is_stream(path)) {
        run->form = MAP_SVG;
    }
    if (!run->form) {
        error_set(err, W2V_ERR_ARGUMENT, "'%s' does not tell what to write", path);
        error_hint(err, "names end in .svg, .html, .tsv or .json, or --format says it");
        return W2V_ERR_ARGUMENT;
    }
    return W2V_OK;
}

/* The map goes over nothing that is read. */
static w2v_status check_output(const map_run *run, w2v_error *err)
{
    const map_args *a = run->args;
    const output out = {.option = "--output", .path = a->output};
    const struct {
        const char *option, *path;
    } read[] = {{"'map'", run->session.path},
                {"--words", a->choice.file},
                {"--counts", a->choice.counts},
                {"--labels", a->vectors.load.labels}};
    w2v_status status = outputs_check(&out, 1, NULL, err);
    for (size_t i = 0; i < sizeof read / sizeof *read && !status; i++) {
        status = outputs_spare(&out, 1, read[i].option, read[i].path, err);
    }
    return status;
}

static w2v_status check_streams(const char *vectors, const map_choice *choice, w2v_error *err)
{
    const struct {
        const char *what, *path;
    } read[] = {{"vectors", vectors}, {"words", choice->file}, {"counts", choice->counts}};
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        for (size_t j = 0; j < i; j++) {
            if (read[i].path && read[j].path && inputs_same_stream(read[j].path, read[i].path)) {
                return error_set(err, W2V_ERR_ARGUMENT,
                                 "standard input cannot hold both the %s and the %s", read[j].what,
                                 read[i].what);
            }
        }
    }
    return W2V_OK;
}

static w2v_status open_vectors(map_run *run, const char *hint, w2v_error *err)
{
    session *s = &run->session;
    w2v_status status = w2v_vectors_open(s->path, &run->args->vectors.load, &s->vectors, err);
    if (status && hint) {
        error_hint(err, "%s", hint);
    }
    return status ? status : w2v_vectors_load(s->vectors, err);
}

/* ------------------------------------------------------------------------ work */

static int on_progress(void *user, const w2v_map_progress *at)
{
    progress_map(user, clock_wall(), at);
    return signals_pending();
}

static float *copy_rows(const map_run *run)
{
    const uint32_t dim = w2v_vectors_dim(run->session.vectors);
    size_t n;
    float *rows = mem_multiply(run->words.count, dim, &n) ? mem_calloc(n, sizeof *rows) : NULL;
    for (size_t i = 0; rows && i < run->words.count; i++) {
        memcpy(rows + i * dim, w2v_vectors_row(run->session.vectors, run->words.ids[i]),
               dim * sizeof *rows);
    }
    return rows;
}

/* What the picture cannot say of itself. */
static void tell_map(const map_run *run)
{
    const talk *t = &run->session.talk;
    const w2v_map *m = &run->map;
    char first[RENDER_DURATION], second[RENDER_DURATION];
    if (run->form != MAP_HTML && run->args->map.method == W2V_PCA) {
        talk_fact(t, "axes", "%s and %s of the variance", render_share(m->share[0], first),
                  render_share(m->share[1], second));
    } else if (m->method == W2V_PCA) {
        talk_warning(t, NULL, "t-SNE needs 5 words at least, and there %s %zu: %s",
                     m->count == 1 ? "is" : "are", m->count,
                     run->form == MAP_HTML ? "the page has PCA only" : "this map is by PCA");
    } else if (m->perplexity < run->args->map.perplexity) {
        talk_warning(t, NULL,
                     "perplexity %g is too much for %zu words, lowered to %.1f (below a third of "
                     "the others)",
                     run->args->map.perplexity, m->count, m->perplexity);
    }
}

static w2v_status place(map_run *run, w2v_error *err)
{
    w2v_map_options o = run->args->map;
    const uint32_t dim = w2v_vectors_dim(run->session.vectors);
    float *rows = copy_rows(run);
    if (!rows) {
        return error_memory(err, "the rows of the map");
    }
    o.threads = run->args->vectors.load.threads;
    w2v_status status = W2V_OK;
    if (run->form == MAP_HTML) {
        o.method = W2V_PCA;
        status = w2v_map_rows(rows, run->words.count, dim, &o, NULL, NULL, &run->plain, err);
        o.method = W2V_TSNE;
    }
    run->shown = progress_begin(&run->session.talk, clock_wall());
    status = status ? status
                    : w2v_map_rows(rows, run->words.count, dim, &o, on_progress, &run->shown,
                                   &run->map, err);
    progress_clear(&run->shown);
    mem_free(rows);
    return status;
}

static w2v_status draw(map_run *run, w2v_error *err)
{
    const map_args *a = run->args;
    const double start = clock_wall();
    signals_catch(); /* a half-written temporary is not left behind by the first signal */
    w2v_status status = place(run, err);
    if (status) {
        return status;
    }
    tell_map(run);
    const map_sheet sheet = {.vectors = run->session.vectors,
                             .path = run->session.path,
                             .words = &run->words,
                             .map = &run->map,
                             .plain = &run->plain,
                             .options = &a->map,
                             .threads = a->vectors.load.threads};
    uint64_t bytes = 0;
    status = map_write(&sheet, run->form, a->output, &bytes, err);
    if (!status) {
        char size[32], time[RENDER_DURATION], count[32];
        num_format_bytes(bytes, size);
        num_format_grouped(run->words.count, count);
        talk_fact(&run->session.talk, "saved", "%s: %s word%s, %s, in %s", a->output, count,
                  run->words.count == 1 ? "" : "s", size,
                  render_duration(clock_wall() - start, time));
    }
    return status;
}

static w2v_status map(map_run *run, const arguments *all, w2v_error *err)
{
    arguments named = *all;
    vectors_choice choice;
    w2v_status status = settle_form(run, err);
    status = status ? status : vectors_choose(&run->args->vectors, "map", 0, &named, &choice, err);
    if (status) {
        return status;
    }
    run->session.path = choice.path;
    map_choice asked = run->args->choice;
    asked.threads = run->args->vectors.load.threads;
    status = check_streams(choice.path, &asked, err);
    status = status ? status : check_output(run, err);
    status = status ? status : open_vectors(run, choice.hint, err);
    if (status) {
        return status;
    }
    vectors_warnings(&run->session.talk, choice.path, &run->args->vectors,
                     w2v_vectors_report(run->session.vectors));
    status = map_words_choose(&run->words, &asked, &named, &run->session, err);
    session_unknown_rest(&run->session);
    if (!status && !run->words.count && !run->session.unknown) {
        status = error_set(err, W2V_ERR_INPUT, "'%s' names no words", run->args->choice.file);
    }
    if (!status && !run->words.count) {
        talk_warning(&run->session.talk, NULL, "none of the words is there: no map is written");
    }
    return status || !run->words.count ? status : draw(run, err);
}

static int run_map(void *opaque, const arguments *named)
{
    const map_args *args = opaque;
    map_run run = {.args = args, .session = {.talk = talk_open(&args->talk)}};
    w2v_error err = {0};
    const w2v_status status = map(&run, named, &err);
    const uint64_t unknown = run.session.unknown;
    w2v_map_clear(&run.map);
    w2v_map_clear(&run.plain);
    map_words_clear(&run.words);
    w2v_vectors_free(run.session.vectors);
    if (status && output_pipe_closed(args->output, &err)) {
        clearerr(stdout); /* who reads has read enough */
        return 0;
    }
    if (status == W2V_ERR_INTERRUPTED && signals_pending()) {
        talk_error(&run.session.talk, &err);
        return talk_exit_status(status, signals_pending());
    }
    if (status) {
        return talk_fail(&run.session.talk, &err);
    }
    return unknown ? 4 : 0;
}

const command command_map = {
    .name = "map",
    .usage = "[VECTORS] [WORD…] [OPTION…]",
    .summary = "draws words in two dimensions",
    .about =
        "Places words in the plane and writes a picture (.svg), one page that can be explored "
        "without a network (.html), or the places ('word<TAB>x<TAB>y<TAB>group' lines, .tsv; "
        ".json). Words come from the arguments, from --words, --around and --top together, each "
        "once, and with the group it had first.\n\n"
        "A map is a squashed picture of many dimensions: the neighbours that 'w2v neighbours' "
        "lists are the measure. Axes of PCA say how much of the variance they show; those of "
        "t-SNE, and how far apart its groups lie, mean nothing.",
    .examples = "  w2v map vectors.bin --top 300 -o map.html\n"
                "  w2v map vectors.bin --words groups.txt -o groups.svg\n"
                "  w2v map --around paris -k 50 --method pca -o paris.svg\n",
    .groups = groups,
    .group_count = sizeof groups / sizeof *groups,
    .args_size = sizeof(map_args),
    .defaults = set_defaults,
    .run = run_map,
};
