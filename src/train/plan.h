/*
 * From a passage to groups for the kernel: which word rows meet which context
 * rows, how often, and with which negatives.
 *
 * With shared negatives a group is PLAN_SHARE neighbouring positions of a piece
 * and every centre whose window reaches one of them; one set of `negative`
 * words serves all of the group's pairs. Without sharing a group is one pair
 * with negatives of its own. A negative that is the true neighbour of a pair
 * does not count for that pair.
 */
#ifndef W2V_TRAIN_PLAN_H
#define W2V_TRAIN_PLAN_H

#include "train/alias.h"
#include "train/kernel.h"
#include "train/passage.h"

/* Two positions: measured a third faster than one, at the same accuracy; more cost accuracy. */
#define PLAN_SHARE PASSAGE_SHARE

/** A group by ids; `group` is complete but for the row pointers. */
typedef struct plan_group {
    kernel_group group;
    uint32_t *row_id, *out_id;
    uint32_t *column; /* of each output, while equal ones are joined */
    float *count, *positive, *total; /* this group's own; group.positive and .total may be a plan's */
    uint64_t pairs;
    const uint32_t *ahead; /* words whose rows the next groups will want, */
    uint32_t ahead_count;  /* not named by an earlier group */
} plan_group;

/** Room for rows, outs and weights of the largest group under `window` and `negative`. */
w2v_status plan_group_init(plan_group *g, uint32_t window, uint32_t negative, w2v_error *err);
void plan_group_clear(plan_group *g);
size_t plan_max_rows(uint32_t window);
size_t plan_max_outs(uint32_t negative);

/** The outputs' weights where all outputs differ, which is nearly always. */
typedef struct plan_usual {
    float *positive, *total;
} plan_usual;

typedef struct plan {
    const alias_table *noise;
    uint32_t window, negative;
    bool share;
    plan_usual usual[PLAN_SHARE]; /* for groups of 1, 2, … positions */
    /* where the passage has been planned to */
    const passage *passage;
    uint32_t piece, position, centre, ahead;
    rng random;
    uint64_t *draws; /* random numbers of the next group's negatives, their table columns on the way */
} plan;

w2v_status plan_init(plan *p, const alias_table *noise, uint32_t window, uint32_t negative, bool share,
                     w2v_error *err);
void plan_clear(plan *p);
/** Begins a passage, with the stream its negatives are drawn from. */
void plan_begin(plan *p, const passage *text, rng random);
/** The next group; false after the last. */
bool plan_next(plan *p, plan_group *g);

#endif
