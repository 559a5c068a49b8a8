/*
 * What options.explain asks for: the first steps of the kernel in numbers, with
 * the rows before and after. The steps are made as ever; only copies are taken.
 */
#ifndef W2V_TRAIN_EXPLAIN_H
#define W2V_TRAIN_EXPLAIN_H

#include "train/model.h"
#include "train/plan.h"

typedef struct explain {
    w2v_update_callback *callback;
    const w2v_model *model;
    void *user;
    uint64_t left;  /* pairs still to be shown; 0 for good where nothing was asked */
    uint64_t pairs; /* shown */
    uint32_t epoch; /* being trained */
    bool open;      /* the pairs at hand are shown: so are the steps with more of their negatives */
    w2v_update update; /* the last one shown */
    w2v_update_row *centres, *outputs;
    w2v_update_dot *dots;
    float *rows; /* of one group: each as it was, then as it became */
} explain;

/** Takes no memory where nothing is to be shown. Errors: W2V_ERR_MEMORY. */
w2v_status explain_init(explain *e, const w2v_train_options *options, const w2v_model *model,
                        w2v_error *err);
void explain_clear(explain *e);

/**
 * Before and after the step of a group: shows it when it is due. The rows lie in the model's
 * tables, save frozen ones, and the first output where `target` is not NULL: that is then the row it
 * stands for.
 */
void explain_begin(explain *e, const plan_group *g, const float *target, float rate);
void explain_end(explain *e, const plan_group *g, const float *target);

#endif
