/*
 * What neighbours, analogy, similarity, vector and predict have in common: a file
 * of vectors is chosen, questions come from the arguments, a file, standard input
 * or a prompt, answers go to standard output, unknown words are told.
 */
#ifndef W2V_CLI_SESSION_H
#define W2V_CLI_SESSION_H

#include "cli/lines.h"
#include "cli/question.h"
#include "cli/reply.h"
#include "cli/vectors_file.h"

/** Options that all of them have. */
typedef struct session_args {
    vectors_args vectors;
    reply_args reply;
    talk_args talk;
    const char *queries;
} session_args;

extern const option session_query_options[]; /* over a session_args */
session_args session_defaults(void);

/* clang-format off */
/** Groups of all these options; `base` is where a command's own struct holds its session_args. */
#define SESSION_GROUPS(base) \
    {"questions from a file", session_query_options, (base), false}, \
    {"vectors", vectors_options, (base) + offsetof(session_args, vectors), false}, \
    {"answers", reply_options, (base) + offsetof(session_args, reply), false}, \
    {"messages", &talk_options[1], (base) + offsetof(session_args, talk), false}
/* clang-format on */

typedef struct session session;

/** What one command makes of words, and how it answers. */
typedef struct session_kind {
    const char *command; /* "analogy" */
    const char *needs;   /* "three words", for messages */
    const char *prompt;  /* "A B C> " */
    size_t each;         /* words of a question, 0: one question for each word */
    bool formulas;       /* a line may also hold a formula */
    bool whole_lines;    /* a line is one word, with whatever blanks it has */
    /** Makes a question of n >= 1 words. Errors: W2V_ERR_ARGUMENT, W2V_ERR_MEMORY. */
    w2v_status (*build)(const session *s, const w2v_term *words, size_t n, question *q,
                        w2v_error *err);
    /** Answers n >= 1 questions, in their order. */
    w2v_status (*answer)(session *s, const question *questions, size_t n, w2v_error *err);
} session_kind;

struct session {
    const session_kind *kind;
    const session_args *args;
    const void *command_args; /* of the command itself */
    talk talk;
    reply reply;
    w2v_vectors *vectors;
    const char *path;
    bool one_question; /* all words make one */
    bool prompting;
    size_t batch_size;      /* questions answered together at most; 0: a usual number */
    const char *formula;    /* --expr: the only question, or NULL */
    const char *list;       /* a file that the command itself reads (candidates, counts), or NULL */
    uint64_t unknown, told; /* words that are not there; of these, told one by one */
    bool told_empty;        /* that an answer is empty */
};

/** The whole run; returns the exit status. `s` holds kind, args, command_args, and perhaps formula,
   list and one_question. */
int session_run(session *s, const arguments *words);

/** Tells that a word is unknown, with near spellings, and counts it. */
void session_unknown(session *s, const char *word, size_t n);
/** Tells how many more were unknown than were told one by one. */
void session_unknown_rest(const session *s);

#endif
