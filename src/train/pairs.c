/* The stream of pairs behind w2v_pairs; see w2v.h. */
#include "base/mem.h"
#include "train/options.h"
#include "train/passage.h"

struct w2v_pairs {
    blocks blocks;
    subsample subsample;
    passage_rules rules;
    passage passage;
    uint32_t epoch;
    uint64_t block;     /* of the next passage */
    uint32_t piece;     /* where the next pair is looked for */
    uint32_t position;
    uint32_t centre;
    uint64_t sentence;  /* pieces of earlier passages */
};

w2v_status w2v_pairs_create(const w2v_corpus *corpus, const w2v_train_options *options,
                            uint32_t epoch, w2v_pairs **out, w2v_error *err)
{
    const w2v_train_options chosen = options ? *options : w2v_train_options_default();
    *out = NULL;
    w2v_status status = train_options_check(&chosen, corpus, err);
    if (status != W2V_OK) {
        return status;
    }
    w2v_pairs *pairs = mem_calloc(1, sizeof *pairs);
    if (!pairs) {
        return error_memory(err, "the stream of pairs");
    }
    const w2v_vocab *vocab = corpus->vocab;
    status = blocks_init(&pairs->blocks, corpus, chosen.max_sentence, err);
    if (status == W2V_OK) {
        status = subsample_init(&pairs->subsample, vocab->counts, vocab->names.count, vocab->total,
                                chosen.sample, err);
    }
    pairs->rules = (passage_rules){
        .corpus = corpus,
        .blocks = &pairs->blocks,
        .subsample = &pairs->subsample,
        .window = chosen.window,
        .max_sentence = chosen.max_sentence,
        .fixed_window = chosen.window_mode == W2V_WINDOW_FIXED,
        .seed = chosen.seed,
    };
    if (status == W2V_OK) {
        status = passage_init(&pairs->passage, &pairs->rules, err);
    }
    if (status != W2V_OK) {
        w2v_pairs_free(pairs);
        return status;
    }
    pairs->epoch = epoch;
    *out = pairs;
    return W2V_OK;
}

void w2v_pairs_free(w2v_pairs *pairs)
{
    if (pairs) {
        passage_clear(&pairs->passage);
        subsample_clear(&pairs->subsample);
        blocks_clear(&pairs->blocks);
        mem_free(pairs);
    }
}

/* The next pair of the passage at hand, if there is one. */
static bool next_in_passage(w2v_pairs *s, w2v_pair *pair)
{
    const passage *text = &s->passage;
    for (; s->piece < text->pieces; s->piece++) {
        const uint32_t end = text->end[s->piece];
        for (; s->position < end; s->position++, s->centre = 0) {
            const uint32_t begin = s->piece ? text->end[s->piece - 1] : 0;
            const uint32_t p = s->position, window = s->rules.window;
            const uint32_t from = p - begin > window ? p - window : begin;
            const uint32_t to = end - p > window ? p + window + 1 : end;
            for (uint32_t q = s->centre > from ? s->centre : from; q < to; q++) {
                if (passage_reaches(text, q, p)) {
                    *pair = (w2v_pair){text->id[q], text->id[p], (int32_t)q - (int32_t)p,
                                       s->sentence + s->piece};
                    s->centre = q + 1;
                    return true;
                }
            }
        }
    }
    return false;
}

w2v_status w2v_pairs_next(w2v_pairs *pairs, w2v_pair *pair, bool *done, w2v_error *err)
{
    *done = false;
    while (!next_in_passage(pairs, pair)) {
        if (pairs->block == pairs->blocks.count) {
            *done = true;
            return W2V_OK;
        }
        pairs->sentence += pairs->passage.pieces;
        const w2v_status status =
            passage_draw(&pairs->passage, &pairs->rules, pairs->epoch, pairs->block, err);
        if (status != W2V_OK) {
            pairs->passage.size = pairs->passage.pieces = 0;
            return status;
        }
        pairs->block++;
        pairs->piece = pairs->position = pairs->centre = 0;
    }
    return W2V_OK;
}
