/* A text with all that drawing passages from it needs. */
#ifndef W2V_TESTS_PASSAGE_SUPPORT_H
#define W2V_TESTS_PASSAGE_SUPPORT_H

#include "train_support.h"

#include "train/passage.h"

typedef struct drawing {
    w2v_corpus *corpus;
    blocks blocks;
    subsample subsample;
    passage_rules rules;
    passage passage;
} drawing;

/** The same rules as a run with these options has. */
static inline void drawing_init(drawing *d, w2v_corpus *corpus, const w2v_train_options *options)
{
    const w2v_vocab *vocab = corpus->vocab;
    d->corpus = corpus;
    assert_int_equal(blocks_init(&d->blocks, corpus, options->max_sentence, NULL), W2V_OK);
    assert_int_equal(subsample_init(&d->subsample, vocab->counts, vocab->names.count, vocab->total,
                                    options->sample, NULL),
                     W2V_OK);
    d->rules = (passage_rules){
        .corpus = corpus,
        .blocks = &d->blocks,
        .subsample = &d->subsample,
        .window = options->window,
        .max_sentence = options->max_sentence,
        .fixed_window = options->window_mode == W2V_WINDOW_FIXED,
        .seed = options->seed,
    };
    assert_int_equal(passage_init(&d->passage, &d->rules, NULL), W2V_OK);
}

static inline void drawing_clear(drawing *d)
{
    passage_clear(&d->passage);
    subsample_clear(&d->subsample);
    blocks_clear(&d->blocks);
}

static inline void drawing_draw(drawing *d, uint32_t epoch, uint64_t block)
{
    assert_int_equal(passage_draw(&d->passage, &d->rules, epoch, block, NULL), W2V_OK);
}

/** Where piece k of the passage begins. */
static inline uint32_t piece_begin(const passage *p, uint32_t k)
{
    return k ? p->end[k - 1] : 0;
}

/** From the definition: does the window of the word at q hold the one at p, in the same piece? */
static inline bool is_pair(const passage *text, uint32_t q, uint32_t p)
{
    const uint32_t distance = q > p ? q - p : p - q;
    return distance > 0 && distance <= text->radius[q];
}

#endif
