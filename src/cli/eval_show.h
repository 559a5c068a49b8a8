/* Scores as they are shown: one table alone with all its counts, several beside each other. */
#ifndef W2V_CLI_EVAL_SHOW_H
#define W2V_CLI_EVAL_SHOW_H

#include "cli/reply.h"

/** Scores of one question file: one of each table. */
typedef struct eval_scores {
    const char *file;
    const w2v_question_facts *facts;
    const char *const *tables; /* their names */
    const w2v_score *scores;
    const struct weat_tests *tests; /* of a file of lists, with their results: */
    const w2v_weat_result *weats;   /* of test i and table k: [k * tests->count + i] */
    size_t count;
    const w2v_score_options *options;
    uint64_t limit; /* first rows used; 0: all */
} eval_scores;

/** "3CosAdd, case as written, first 30,000 rows"; without the first words where there are no
    analogies. */
#define EVAL_MODE 160
const char *eval_mode(const w2v_score_options *options, uint64_t limit, bool analogies,
                      char out[EVAL_MODE]);

w2v_status eval_show(reply *r, const eval_scores *s, w2v_error *err);

/** Agreement of tables a and b on neighbours. */
typedef struct eval_overlap {
    const char *file, *a, *b;
    double overlap;
    uint64_t words;
} eval_overlap;

w2v_status eval_show_overlaps(reply *r, const eval_overlap *all, size_t n, w2v_error *err);

#endif
