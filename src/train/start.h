/* What training begins with besides fresh rows: see w2v_train_start in w2v.h. */
#ifndef W2V_TRAIN_START_H
#define W2V_TRAIN_START_H

#include "train/blocks.h"
#include "train/model.h"

/** Refuses a start that does not fit; NULL fits. Errors: see w2v_train_from(). */
w2v_status start_check(const w2v_train_start *start, const w2v_corpus *corpus,
                       const w2v_train_options *options, w2v_error *err);
/** Words, the first of the vocabulary, whose rows start_fill() will fill in any case. */
uint32_t start_rows_known(const w2v_train_start *start);
/** Fills rows, place, losses and frozen rows of a model whose other rows are drawn. Errors:
   W2V_ERR_INPUT, W2V_ERR_IO, W2V_ERR_MEMORY. */
w2v_status start_fill(const w2v_train_start *start, w2v_model *model, const w2v_corpus *corpus,
                      const blocks *cut, w2v_error *err);

#endif
