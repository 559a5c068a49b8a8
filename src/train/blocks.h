/*
 * The encoded text cut into blocks: the unit of work of a thread, of a random
 * stream and of the learning rate. A block is whole pieces; a piece is a
 * sentence, or a part of max_sentence tokens of a longer one.
 */
#ifndef W2V_TRAIN_BLOCKS_H
#define W2V_TRAIN_BLOCKS_H

#include "text/corpus.h"

typedef struct blocks {
    uint64_t *begin;  /* count + 1: codes of the text before each block, and all of them */
    uint64_t *before; /* count + 1: tokens before each block, and all of them */
    uint64_t count;
    uint64_t max_codes; /* of the longest block */
    uint64_t cuts;      /* places where a sentence of more than max_sentence tokens was cut */
} blocks;

/** Errors: W2V_ERR_MEMORY; what corpus_read() returns. */
w2v_status blocks_init(blocks *b, const w2v_corpus *corpus, uint32_t max_sentence, w2v_error *err);
void blocks_clear(blocks *b);

/** Rate of a block: falls linearly over all epochs with the tokens before it, to 1e-4 of `lr`. */
double blocks_rate(const blocks *b, double lr, uint32_t epoch, uint32_t epochs, uint64_t block);

#endif
