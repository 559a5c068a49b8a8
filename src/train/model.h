/* The two tables being trained, and the record of the run; see w2v.h. */
#ifndef W2V_TRAIN_MODEL_H
#define W2V_TRAIN_MODEL_H

#include "text/vocab.h"

/** How far training has come, between two blocks: with the tables, all there is to go on from. */
typedef struct train_place {
    uint32_t epoch; /* being trained, from 0; == epochs at the end */
    uint64_t block; /* the next of it */
    uint64_t tokens, pairs; /* of all epochs */
    uint64_t epoch_pairs;   /* of this one, */
    double epoch_loss;      /* and the sum of their losses */
} train_place;

struct w2v_model {
    float *word;    /* rows x stride, in pages_alloc() memory; padding is zero */
    float *context; /* the same shape */
    uint32_t rows;
    uint32_t dim;
    size_t stride; /* dim rounded up to KERNEL_LANES */
    size_t table_bytes;
    double *epoch_loss; /* of each epoch that was finished */
    w2v_train_result result;
    w2v_train_options options; /* it is trained with */
    train_place place;         /* when it is at rest */
    uint8_t *frozen;           /* of each row of `word`: not 0 where it stays fixed; NULL for none */
};

/** Bytes of one table; 0 when it does not fit a size_t. */
size_t model_table_bytes(uint32_t rows, uint32_t dim);

/** Both tables, zeroed. Errors: W2V_ERR_MEMORY, with the sizes in the text. */
w2v_status model_create(uint32_t rows, uint32_t dim, uint32_t epochs, w2v_model **out, w2v_error *err);

/**
 * First values of word rows [begin, end): uniform in ±0.5/dim, drawn from
 * (seed, word), so that a word starts alike in every corpus.
 */
void model_start_rows(w2v_model *model, const w2v_vocab *vocab, uint64_t seed, uint32_t begin,
                      uint32_t end);

/** Are all numbers of both tables finite? */
bool model_is_finite(const w2v_model *model);

#endif
