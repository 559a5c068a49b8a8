/* w2v eval: which of its arguments is what, the scores, and their showing. */
#ifndef W2V_CLI_EVAL_RUN_H
#define W2V_CLI_EVAL_RUN_H

#include "cli/eval_weat.h"
#include "cli/vectors_file.h"

typedef struct eval_args {
    vectors_args vectors;
    reply_args reply;
    talk_args talk;
    w2v_score_options score;
    option_texts weat;
    bool stability, list_unknown;
} eval_args;

/** Scores the tables among `words` with the files among them and shows it all on standard output.
    Errors: W2V_ERR_ARGUMENT, W2V_ERR_INPUT, W2V_ERR_IO, W2V_ERR_MEMORY, W2V_ERR_UNSUPPORTED. */
w2v_status eval_run(const eval_args *args, const talk *t, const arguments *words, w2v_error *err);

#endif
