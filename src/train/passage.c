#include "train/passage.h"

#include "base/mem.h"

#include <string.h>

/* Places looked back on for repeats; a multiple of four, which suits vectors. */
static uint32_t repeat_span(uint32_t window)
{
    return (2 * window + 3) / 4 * 4;
}

w2v_status passage_init(passage *p, const passage_rules *rules, w2v_error *err)
{
    const uint64_t n = rules->blocks->max_codes + 1;
    memset(p, 0, sizeof *p);
    if (n > UINT32_MAX) {
        return error_set(err, W2V_ERR_ARGUMENT, "a sentence of more than 4,294,967,294 tokens");
    }
    const uint32_t span = repeat_span(rules->window);
    p->id_memory = mem_calloc(span + n, sizeof *p->id);
    p->twin = mem_calloc(n, sizeof *p->twin);
    p->radius = mem_calloc(n, sizeof *p->radius);
    p->end = mem_calloc(n, sizeof *p->end);
    p->codes = rules->corpus->codes ? NULL : mem_calloc(n, sizeof *p->codes);
    if (!p->id_memory || !p->twin || !p->radius || !p->end ||
        (!rules->corpus->codes && !p->codes)) {
        passage_clear(p);
        return error_memory(err, "a block of text");
    }
    p->id = p->id_memory + span;
    for (uint32_t i = 0; i < span; i++) {
        p->id_memory[i] = UINT32_MAX; /* no word */
    }
    return W2V_OK;
}

void passage_clear(passage *p)
{
    mem_free(p->id_memory);
    mem_free(p->twin);
    mem_free(p->radius);
    mem_free(p->end);
    mem_free(p->codes);
    memset(p, 0, sizeof *p);
}

static void end_piece(passage *p)
{
    const uint32_t begin = p->pieces ? p->end[p->pieces - 1] : 0;
    if (p->size > begin) {
        p->end[p->pieces++] = p->size;
    }
}

static void draw_words(passage *p, const passage_rules *rules, const uint32_t *codes, uint64_t n,
                       rng random)
{
    uint32_t length = 0; /* of the piece, before subsampling */
    p->size = 0;
    p->pieces = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (codes[i] == CORPUS_BREAK || length == rules->max_sentence) {
            end_piece(p);
            length = 0;
        }
        if (codes[i] != CORPUS_BREAK) {
            length++;
            p->id[p->size] = codes[i];
            p->size += subsample_keeps(rules->subsample, codes[i], &random);
        }
    }
    end_piece(p);
}

static void draw_radii(passage *p, const passage_rules *rules, rng random)
{
    for (uint32_t i = 0; i < p->size; i++) {
        p->radius[i] =
            (uint16_t)(rules->fixed_window ? rules->window : 1 + rng_below(&random, rules->window));
    }
}

static void find_twins(passage *p, uint32_t span)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < p->size; i++) {
        const uint32_t *place = p->id + i - span;
        const uint32_t id = p->id[i];
        uint32_t found = 0;
        for (uint32_t k = 0; k < span; k++) {
            found |= place[k] == id;
        }
        if (found) {
            uint32_t twin = i;
            while (p->id[twin - 1] != id) {
                twin--;
            }
            last = twin > last ? twin : last;
        }
        p->twin[i] = last;
    }
}

w2v_status passage_draw(passage *p, const passage_rules *rules, uint32_t epoch, uint64_t block,
                        w2v_error *err)
{
    const uint64_t begin = rules->blocks->begin[block], end = rules->blocks->begin[block + 1];
    const uint32_t *codes = corpus_read(rules->corpus, begin, end, p->codes, err);
    if (!codes) {
        return err ? err->code : W2V_ERR_IO;
    }
    draw_words(p, rules, codes, end - begin, rng_stream(rules->seed, RNG_SAMPLE, epoch, block));
    draw_radii(p, rules, rng_stream(rules->seed, RNG_WINDOW, epoch, block));
    find_twins(p, repeat_span(rules->window));
    return W2V_OK;
}
