#include "cli/vectors_file.h"

#include "base/num.h"
#include "os/file.h"
#include "os/term.h"
#include "render/text.h"

#include <errno.h>
#include <string.h>

#define DEFAULT_FILE "vectors.bin"
#define ENVIRONMENT "W2V_VECTORS"

const option_choice vectors_formats[] = {{"bin", W2V_FORMAT_BINARY},
                                         {"text", W2V_FORMAT_TEXT},
                                         {"glove", W2V_FORMAT_GLOVE},
                                         {"npy", W2V_FORMAT_NPY},
                                         {"safetensors", W2V_FORMAT_SAFETENSORS},
                                         {"tsv", W2V_FORMAT_TSV},
                                         {NULL, 0}};
/* TSV is written for a projector and has no words to read. */
static const option_choice read_formats[] = {{"bin", W2V_FORMAT_BINARY},
                                             {"text", W2V_FORMAT_TEXT},
                                             {"glove", W2V_FORMAT_GLOVE},
                                             {"npy", W2V_FORMAT_NPY},
                                             {"safetensors", W2V_FORMAT_SAFETENSORS},
                                             {NULL, 0}};

#define FIELD(member) offsetof(vectors_args, member)

const option vectors_options[] = {
    {.name = "vectors",
     .letter = 'V',
     .type = OPTION_TEXT,
     .offset = FIELD(vectors),
     .metavar = "FILE",
     .help = "the file to ask; every argument is then a word",
     .default_text =
         "the first argument where it is a file, else $" ENVIRONMENT ", else " DEFAULT_FILE},
    {.name = "input-format",
     .type = OPTION_CHOICE,
     .offset = FIELD(load.format),
     .choices = read_formats,
     .help = "read the file as this",
     .default_text = "by its content"},
    {.name = "labels",
     .type = OPTION_TEXT,
     .offset = FIELD(load.labels),
     .metavar = "FILE",
     .help = "words of the rows of .npy and .safetensors files: a list, one a line, or a JSON "
             "object {\"word\": row}"},
    {.name = "tensor",
     .type = OPTION_TEXT,
     .offset = FIELD(load.tensor),
     .metavar = "NAME",
     .help = "which tensor of a .safetensors file",
     .default_text = "the only one with two dimensions"},
    {.name = "limit",
     .type = OPTION_U64,
     .offset = FIELD(load.limit),
     .low = 1,
     .high = UINT64_MAX,
     .metavar = "N",
     .help = "use the first N rows only",
     .default_text = "all"},
    {.name = "lenient",
     .type = OPTION_FLAG,
     .offset = FIELD(load.lenient),
     .help = "load what can be loaded of a damaged file, and say what is left out"},
    {.name = "max-memory",
     .type = OPTION_SIZE,
     .offset = FIELD(load.max_memory),
     .low = 1,
     .high = UINT64_MAX,
     .metavar = "SIZE",
     .help = "refuse a table that takes more memory",
     .default_text = "none"},
    {.name = "threads",
     .letter = 't',
     .aliases = "thread workers",
     .type = OPTION_INT,
     .offset = FIELD(load.threads),
     .low = 1,
     .high = OPTION_THREADS_MAX,
     .metavar = "N",
     .help = "threads at work; answers are the same for any number",
     .default_text = "the CPUs this process may use"},
    {.name = NULL},
};

vectors_args vectors_defaults(void)
{
    vectors_args args = {.load = w2v_load_options_default()};
    args.load.threads = w2v_cpu_count();
    return args;
}

/* Does a name hold a '/' or end as files of vectors do? */
static bool looks_like_file(const char *name)
{
    static const char *const ends[] = {".bin", ".txt", ".vec", ".glove", ".npy", ".safetensors"};
    size_t n = strlen(name);
    if (strchr(name, '/')) {
        return true;
    }
    if (n > 3 && memcmp(name + n - 3, ".gz", 3) == 0) {
        n -= 3;
    }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t m = strlen(ends[i]);
        if (n > m && memcmp(name + n - m, ends[i], m) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_file(const char *name)
{
    file_facts facts;
    return strcmp(name, "-") == 0 ||
           (!file_stat(name, &facts) && (facts.kind == FILE_REGULAR || facts.kind == FILE_OTHER));
}

/* The first argument as a file; *taken tells whether it is. */
static w2v_status first_argument(const char *who, size_t each, const arguments *words, bool *taken,
                                 w2v_error *err)
{
    const char *name = words->count ? words->items[0] : NULL;
    *taken = false;
    if (!name) {
        return W2V_OK;
    }
    const size_t left = words->count - 1;
    const bool enough = each == 0 || left == each || left == 0;
    if (is_file(name)) {
        /* A plain word that is also a file's name stays a word where the words need it. */
        *taken = enough || left > each || looks_like_file(name);
        if (*taken && !enough) {
            error_set(err, W2V_ERR_ARGUMENT, "'%s' is a file, and '%s' takes %zu words, not %zu",
                      name, who, each, left);
            error_hint(err, "with --vectors FILE every argument is a word");
            return W2V_ERR_ARGUMENT;
        }
        return W2V_OK;
    }
    if (looks_like_file(name)) {
        file_facts facts;
        const int e = file_stat(name, &facts);
        if (!e && facts.kind == FILE_FOLDER) {
            error_set(err, W2V_ERR_INPUT, "'%s' is a folder", name);
        } else {
            error_sys(err, W2V_ERR_INPUT, e ? e : ENOENT, "cannot read '%s'", name);
        }
        error_hint(err, "with --vectors FILE every argument is a word, whatever it looks like");
        return W2V_ERR_INPUT;
    }
    return W2V_OK;
}

w2v_status vectors_choose(const vectors_args *args, const char *who, size_t each, arguments *words,
                          vectors_choice *choice, w2v_error *err)
{
    bool first = false;
    *choice = (vectors_choice){.path = args->vectors};
    if (choice->path) {
        return W2V_OK;
    }
    const w2v_status status = first_argument(who, each, words, &first, err);
    if (status) {
        return status;
    }
    if (first) {
        choice->path = words->items[0];
        if (!looks_like_file(choice->path) && strcmp(choice->path, "-") != 0) {
            choice->hint = "with --vectors FILE every argument is a word";
        }
        words->items++;
        words->count--;
        return W2V_OK;
    }
    choice->path = term_env(ENVIRONMENT);
    if (choice->path) {
        choice->hint = "the environment variable " ENVIRONMENT " names this file";
        return W2V_OK;
    }
    if (is_file(DEFAULT_FILE)) {
        choice->path = DEFAULT_FILE;
        return W2V_OK;
    }
    error_set(err, W2V_ERR_INPUT,
              "no vectors: --vectors is not given, the first argument names no file, "
              "%s is not set, and there is no '%s' here",
              ENVIRONMENT, DEFAULT_FILE);
    error_hint(err,
               "w2v %s FILE …, or --vectors FILE, or %s=FILE in the environment; 'w2v train' "
               "makes one",
               who, ENVIRONMENT);
    return W2V_ERR_INPUT;
}

const char *vectors_format_name(w2v_format format)
{
    static const char *const names[] = {
        [W2V_FORMAT_AUTO] = "vectors",       [W2V_FORMAT_BINARY] = "word2vec binary",
        [W2V_FORMAT_TEXT] = "word2vec text", [W2V_FORMAT_GLOVE] = "GloVe text",
        [W2V_FORMAT_NPY] = "NumPy array",    [W2V_FORMAT_SAFETENSORS] = "safetensors",
        [W2V_FORMAT_TSV] = "projector TSV"};
    return names[format];
}

/* An option that is passed over in silence leaves one believing that it was heard. */
static void warn_of_useless(const talk *t, const char *path, const vectors_args *args,
                            w2v_format format)
{
    const bool safetensors = format == W2V_FORMAT_SAFETENSORS;
    if (args->load.tensor && !safetensors) {
        talk_warning(t, NULL, "'%s' is %s: --tensor has no use for it", path,
                     vectors_format_name(format));
    }
    if (args->load.labels && !safetensors && format != W2V_FORMAT_NPY) {
        talk_warning(t, NULL, "'%s' is %s, which has words of its own: --labels is not read", path,
                     vectors_format_name(format));
    }
}

void vectors_warnings(const talk *t, const char *path, const vectors_args *args,
                      const w2v_load_report *r)
{
    char count[32];
    warn_of_useless(t, path, args, r->format);
    if (r->extra_rows) {
        num_format_grouped(r->extra_rows, count);
        talk_warning(t, NULL, "'%s' has %s row%s beyond the number its header gives, left out",
                     path, count, render_plural(r->extra_rows));
    }
    if (r->rows_left_out) {
        num_format_grouped(r->rows_left_out, count);
        talk_warning(t, NULL, "%s row%s of '%s' left out%s%s", count,
                     render_plural(r->rows_left_out), path, r->note[0] ? ": " : "", r->note);
    } else if (r->note[0] && !r->extra_rows) {
        talk_warning(t, NULL, "'%s': %s", path, r->note);
    }
    /* A single row left out has been named already. */
    if (r->nonfinite_rows && !(r->rows_left_out == 1 && r->note[0])) {
        num_format_grouped(r->nonfinite_rows, count);
        talk_warning(t, NULL, "'%s': %s row%s with infinite or undefined numbers", path, count,
                     render_plural(r->nonfinite_rows));
    }
    if (r->zero_rows) {
        num_format_grouped(r->zero_rows, count);
        talk_warning(t, NULL, "'%s': %s row%s of zeros, without direction", path, count,
                     render_plural(r->zero_rows));
    }
    if (r->invalid_utf8) {
        num_format_grouped(r->invalid_utf8, count);
        talk_warning(t, NULL, "'%s': %s word%s not UTF-8, kept as bytes", path, count,
                     r->invalid_utf8 == 1 ? " is" : "s are");
    }
}
