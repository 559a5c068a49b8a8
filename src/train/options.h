/* Checking the options of training and what follows from them. */
#ifndef W2V_TRAIN_OPTIONS_H
#define W2V_TRAIN_OPTIONS_H

#include "text/corpus.h"

/** Errors: W2V_ERR_ARGUMENT naming the option, its value and the range; W2V_ERR_INPUT for a corpus
    that cannot be trained on. */
w2v_status train_options_check(const w2v_train_options *options, const w2v_corpus *corpus,
                               w2v_error *err);
/** The values alone, without a corpus. */
w2v_status train_values_check(const w2v_train_options *options, w2v_error *err);
/** Threads that have something to do. */
int train_threads(const w2v_train_options *options, const w2v_corpus *corpus);

#endif
