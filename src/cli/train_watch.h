/* --watch A:B: how alike two words are, before training and after each epoch. */
#ifndef W2V_CLI_TRAIN_WATCH_H
#define W2V_CLI_TRAIN_WATCH_H

#include "cli/talk.h"

typedef struct watched {
    uint32_t a, b;   /* ids */
    double *cosines; /* before training, then after each epoch; NaN: a row is zero */
} watched;

/** Zero-initialise. */
typedef struct watch {
    const w2v_vocab *vocab;
    watched *pairs;
    size_t count;
    uint32_t moments; /* cosines that each pair has by now */
} watch;

/** Refuses what can be no pair, before anything is read. Errors: W2V_ERR_ARGUMENT. */
w2v_status watch_check(const option_texts *asked, w2v_error *err);

/**
 * Finds the words. Words may hold ':' themselves: of all places to cut "a:b:c"
 * exactly one must leave two known words.
 * Errors: W2V_ERR_ARGUMENT (a word is not kept; cut in two ways), W2V_ERR_MEMORY.
 */
w2v_status watch_resolve(watch *w, const option_texts *asked, const w2v_corpus *corpus,
                         uint32_t epochs, w2v_error *err);
void watch_clear(watch *w);

/** Takes the cosines of this moment and says them, even when quiet. */
void watch_show(watch *w, const talk *t, const w2v_train_progress *at);

/** [{"a": word, "b": word, "cosines": [before training, after each epoch …]}, …] */
json_t *watch_record(const watch *w);

#endif
