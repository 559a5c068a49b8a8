/* Ranked answers: what neighbours and analogy share. */
#ifndef W2V_CLI_ASKING_H
#define W2V_CLI_ASKING_H

#include "cli/session.h"

typedef struct asking_args {
    session_args session;
    w2v_ask_options ask;
    const char *expr;
    bool mean;
} asking_args;

/** Rows over an asking_args; --mean comes first, so that analogy can begin after it. */
extern const option asking_options[];

/** For command.defaults: of an asking_args. */
void asking_defaults(void *args);

/** Questions to be answered together, where each has up to k >= 1 answers. */
size_t asking_batch(uint64_t k);

/** The run of a command with these arguments. */
int asking_run(const session_kind *kind, const asking_args *args, const arguments *words);

/** Answers of a session_kind whose command_args are asking_args. */
w2v_status asking_answer(session *s, const question *questions, size_t n, w2v_error *err);

#endif
