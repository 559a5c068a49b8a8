/*
 * How far a job has come, shown on standard error: one rewritten line on a
 * terminal, plain lines elsewhere, JSON lines on request. Time is an argument.
 */
#ifndef W2V_CLI_PROGRESS_H
#define W2V_CLI_PROGRESS_H

#include "cli/talk.h"

typedef struct progress {
    const talk *talk;
    double start;      /* of this phase, seconds */
    double shown;      /* when something was shown last */
    uint64_t before;   /* tokens of an earlier run that this one goes on with */
    unsigned permille; /* shown last; never falls, 1000 exactly once, at the end */
    int width;         /* of the line that stands on the terminal, 0 = none */
} progress;

progress progress_begin(const talk *t, double now);

/** Reading: no percentage, since a pipe has none and since one that begins twice would fall. */
void progress_read(progress *p, double now, uint64_t done, uint64_t total, uint64_t tokens);

/** Scoring: questions of a file that are done. */
void progress_score(progress *p, double now, uint64_t done, uint64_t total);

void progress_train(progress *p, double now, const w2v_train_progress *at);
/** The last word of a run that came to its end: 100 %. */
void progress_train_end(progress *p, double now, const w2v_train_progress *at);

/** The neighbours, then the iterations of a map. */
void progress_map(progress *p, double now, const w2v_map_progress *at);

/** Removes the rewritten line, if one stands there. */
void progress_clear(progress *p);

#endif
