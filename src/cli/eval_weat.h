/* --weat: which lists are compared, and what came of it. */
#ifndef W2V_CLI_EVAL_WEAT_H
#define W2V_CLI_EVAL_WEAT_H

#include "cli/eval_show.h"

/** The tests that were asked for. Zero-initialise. */
typedef struct weat_tests {
    w2v_weat_test *items;
    size_t count;
    char *names;
} weat_tests;

/** From values "X,Y,A,B", where "\," is a comma in a name and "\\" a backslash.
    Errors: W2V_ERR_ARGUMENT, W2V_ERR_MEMORY. */
w2v_status weat_tests_parse(const option_texts *texts, weat_tests *out, w2v_error *err);
void weat_tests_clear(weat_tests *t);

/** Are there tests, and does the file `path` have their lists? Errors: W2V_ERR_ARGUMENT,
    W2V_ERR_MEMORY. */
w2v_status weat_tests_check(const weat_tests *t, const w2v_question_file *file, const char *path,
                            w2v_error *err);

/** A row for each test and table. */
w2v_status eval_weat_rows(reply *r, const eval_scores *s, w2v_error *err);
/** One object a line. */
w2v_status eval_weat_json(reply *r, const eval_scores *s, w2v_error *err);

#endif
