/* Whole runs of the trainer on texts in memory. */
#ifndef W2V_TESTS_TRAIN_RUN_H
#define W2V_TESTS_TRAIN_RUN_H

#include "train_support.h"

#include "train/model.h"

/* Trains or fails the test. */
static inline w2v_model *train(const w2v_corpus *c, const w2v_train_options *o)
{
    w2v_model *model = NULL;
    w2v_error err = {0};
    if (w2v_train(c, o, NULL, NULL, &model, &err) != W2V_OK) {
        fail_msg("%s", err.text);
    }
    return model;
}

static inline bool is_finite(const w2v_model *m)
{
    for (size_t i = 0; i < (size_t)m->rows * m->stride; i++) {
        if (!isfinite(m->word[i]) || !isfinite(m->context[i])) {
            return false;
        }
    }
    return true;
}

static inline w2v_train_options small_options(void)
{
    w2v_train_options o = w2v_train_options_default();
    o.dim = 16;
    o.epochs = 2;
    return o;
}

#endif
