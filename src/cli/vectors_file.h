/* Which file of vectors is asked, how it is read, and what is said of it. */
#ifndef W2V_CLI_VECTORS_FILE_H
#define W2V_CLI_VECTORS_FILE_H

#include "cli/talk.h"

typedef struct vectors_args {
    const char *vectors; /* --vectors, or NULL */
    w2v_load_options load;
} vectors_args;

/** Rows over a vectors_args; --vectors comes first, so that commands with a file of their own can
    begin after it. */
extern const option vectors_options[];
/** Formats that can be written, for --format. */
extern const option_choice vectors_formats[];
/** "word2vec binary" */
const char *vectors_format_name(w2v_format format);

/** The library's defaults, and as many threads as there are CPUs. */
vectors_args vectors_defaults(void);

/** A file of vectors that was chosen. */
typedef struct vectors_choice {
    const char *path; /* borrowed from the arguments or the environment */
    const char *hint; /* what to add to an error of opening it, or NULL */
} vectors_choice;

/**
 * Chooses the file: --vectors; else the first argument, when it names a file
 * (or is "-") and enough arguments are left for the command `who`, which is then taken
 * out of `words`; else W2V_VECTORS; else vectors.bin. `each`: how many words
 * make one question when their number is fixed, 0 when it is not; no word at
 * all is always enough. A first argument that can only be a file name and is
 * none is an error. Errors: W2V_ERR_INPUT, W2V_ERR_ARGUMENT.
 */
w2v_status vectors_choose(const vectors_args *args, const char *who, size_t each, arguments *words,
                          vectors_choice *choice, w2v_error *err);

/** Warnings about what was met in the file, as far as it was read, and about options that have no
    use for it. */
void vectors_warnings(const talk *t, const char *path, const vectors_args *args,
                      const w2v_load_report *report);

#endif
