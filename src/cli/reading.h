/* How a text is read: the options that every command with a corpus shares, and what is said of it.
 */
#ifndef W2V_CLI_READING_H
#define W2V_CLI_READING_H

#include "cli/progress.h"
#include "cli/talk.h"

typedef struct reading_args {
    w2v_text_options text;
    bool recursive;
} reading_args;

/** Rows over a reading_args. */
extern const option reading_options[];
/** The library's defaults, and as many threads as there are CPUs. */
reading_args reading_defaults(void);

/** Lists the inputs; no word at all is an error of usage. */
w2v_status reading_inputs(const reading_args *args, const arguments *words, w2v_inputs **inputs,
                          w2v_error *err);

/** Reads with progress shown and signals heeded; `encode` false counts only. */
w2v_status reading_run(const reading_args *args, const w2v_inputs *inputs, bool encode,
                       const talk *t, w2v_corpus **corpus, w2v_error *err);

/** Facts of the text: inputs, tokens, types, what was kept. `seconds`: what reading took. */
void reading_facts(const talk *t, const reading_args *args, const w2v_inputs *inputs,
                   const w2v_corpus *corpus, double seconds);
/** Warnings about what was met in it. */
void reading_warnings(const talk *t, const reading_args *args, const w2v_inputs *inputs,
                      const w2v_corpus *corpus);

#endif
