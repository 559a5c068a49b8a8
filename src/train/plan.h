/*
 * From a passage to groups for the kernel: which word rows meet which context
 * rows, and with which negatives.
 *
 * With shared negatives a group is one position of a piece with every centre
 * whose window reaches it, and one set of `negative` words serves all of its
 * pairs. The set serves PLAN_USES positions, each 2 * window + 1 groups after
 * the one before: too far for a centre to meet the same set twice, near enough
 * for the set's rows to be still in the core's cache. (Sixteen uses were tried:
 * as good on large texts, 2 points of analogy accuracy lower on small ones. Two
 * neighbouring positions with one set in one step were tried: 1.5 points lower,
 * since their centres are the same.)
 *
 * All of a group's pairs move from the same old values, so a group must not be
 * too large for the learning rate: wider windows and more negatives than
 * PLAN_ROWS and PLAN_OUTS go in several groups, one after the other.
 *
 * Without sharing a group is one pair with negatives of its own; but the pairs
 * of a position still move the true neighbour's row from the same old values,
 * up to PLAN_ROWS of them at a time. (One pair after the other was tried: 0.8
 * points of analogy accuracy lower.) A negative that is the true neighbour does
 * not count.
 */
#ifndef W2V_TRAIN_PLAN_H
#define W2V_TRAIN_PLAN_H

#include "train/alias.h"
#include "train/kernel.h"
#include "train/passage.h"

/** Positions that one set of negatives serves. */
#define PLAN_USES 8

/** Most rows and outputs of one group. */
#define PLAN_ROWS 32
#define PLAN_OUTS 32

/** A group by ids; `group` is complete but for the row pointers. */
typedef struct plan_group {
    kernel_group group;
    uint32_t *row_id;
    const uint32_t *out_id; /* until the next group is planned */
    uint32_t *joined;     /* out_id where words repeat; else it lies in the plan's sets */
    float *count, *times; /* group.count and .times where words repeat, */
    float *ones;          /* group.count where they do not: ones up to a 0 at [reached] */
    uint32_t reached;     /* centres of the group, a word that stands twice counted twice */
    uint32_t pairs;       /* the same, but 0 where an earlier group had these centres */
    uint32_t drawn;       /* outputs, before equal ones were joined and the neighbour's dropped */
    const uint32_t *ahead; /* words whose rows the next groups will want, */
    uint32_t ahead_count;  /* not named by an earlier group */
    bool fresh;            /* its negatives have not been used before */
    bool opens;            /* without sharing: no pair before it shares its neighbour's old row */
} plan_group;

w2v_status plan_group_init(plan_group *g, w2v_error *err);
void plan_group_clear(plan_group *g);

typedef struct plan {
    const alias_table *noise;
    uint32_t window, negative;
    bool share, whole; /* whole: every position is one group */
    float *ones; /* group.times where all outputs differ, which is nearly always */
    /* where the passage has been planned to */
    const passage *passage;
    uint32_t position;
    uint32_t piece, begin, end; /* the piece it lies in */
    uint32_t centre;     /* first candidate of the next group's rows */
    uint32_t out;        /* first output of the next group: 0 is the word, then the negatives */
    uint32_t met;        /* pairs of the position so far, where they come one by one */
    uint32_t *set;       /* room for a word, then the negatives; NULL before they are chosen */
    bool set_differs;    /* the negatives all differ */
    bool set_fresh;      /* and were drawn for this position */
    uint32_t ahead;
    rng random;
    uint64_t *draws; /* random numbers of the next set, their table columns on the way */
    uint32_t *sets;  /* 2 * window + 1 sets, used in turn: room for a word, then `negative` words */
    bool *differ;    /* of each set: its words all differ */
    uint32_t set_count;
    uint32_t turn;   /* the set of the next position */
    uint32_t round;  /* how often the sets have been gone through */
} plan;

w2v_status plan_init(plan *p, const alias_table *noise, uint32_t window, uint32_t negative, bool share,
                     w2v_error *err);
void plan_clear(plan *p);
/** Begins a passage, with the stream its negatives are drawn from. */
void plan_begin(plan *p, const passage *text, rng random);
/** The next group; false after the last. */
bool plan_next(plan *p, plan_group *g);

#endif
