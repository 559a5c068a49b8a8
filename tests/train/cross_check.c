/*
 * For other processors, without a test library (scripts/test-neon): every kernel
 * of this machine against the reference, then a short training whose tables'
 * fingerprint is printed, to be compared with that of another machine.
 */
#include "kernel_check.h"

#include "text/corpus.h"
#include "train/model.h"

enum { TYPES = 200, TOKENS = 6000, SENTENCE = 17 };

/* Words of low number are frequent, as in a real text. */
static void make_text(w2v_corpus *c, w2v_vocab *v, uint32_t *codes, uint64_t *counts)
{
    rng random = rng_stream(1, RNG_INIT, 0, 0);
    for (uint32_t i = 0; i < TYPES; i++) {
        char name[16];
        const int n = snprintf(name, sizeof name, "w%u", (unsigned)i);
        if (!words_append(&v->names, name, (size_t)n)) {
            abort();
        }
    }
    for (uint32_t i = 0; i < TOKENS; i++) {
        if (i % SENTENCE == 0 && i > 0) {
            codes[c->length++] = CORPUS_BREAK;
        }
        const uint32_t a = rng_below(&random, TYPES), b = rng_below(&random, TYPES);
        const uint32_t id = a * b / TYPES;
        codes[c->length++] = id;
        counts[id]++;
    }
    v->counts = counts;
    v->total = TOKENS;
    c->vocab = v;
    c->codes = codes;
    c->spill_fd = -1;
    c->stats.tokens_kept = TOKENS;
    c->stats.sentences = (TOKENS + SENTENCE - 1) / SENTENCE;
}

static uint64_t fingerprint(uint64_t h, const float *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        h = rng_mix(h ^ bits);
    }
    return h;
}

static bool train_and_print(void)
{
    static uint32_t codes[2 * TOKENS];
    static uint64_t counts[TYPES];
    w2v_corpus c = {0};
    w2v_vocab v = {0};
    make_text(&c, &v, codes, counts);
    for (int share = 0; share < 2; share++) {
        w2v_train_options o = w2v_train_options_default();
        o.dim = 30;
        o.epochs = 2;
        o.sample = 1e-2;
        o.share = share ? W2V_SHARE_WINDOW : W2V_SHARE_NONE;
        w2v_model *m;
        w2v_error err = {0};
        if (w2v_train(&c, &o, NULL, NULL, &m, &err) != W2V_OK) {
            fprintf(stderr, "%s\n", err.text);
            return false;
        }
        const size_t n = (size_t)m->rows * m->stride;
        const uint64_t h = fingerprint(fingerprint(1, m->word, n), m->context, n);
        printf("share %d: %llu pairs, tables %016llx\n", share,
               (unsigned long long)w2v_model_result(m)->pairs, (unsigned long long)h);
        w2v_model_free(m);
    }
    words_clear(&v.names);
    return true;
}

int main(int argc, char **argv)
{
    /* arguments: kernels that must be there */
    const kernel reference = kernel_by_name("reference");
    for (int i = 1; i < argc; i++) {
        const kernel k = kernel_by_name(argv[i]);
        if (!k.gradients) {
            fprintf(stderr, "no kernel '%s' here\n", argv[i]);
            return 1;
        }
        if (!check_dimensions(reference, k, 1, CHECK_DIM_MAX, 1, 2) ||
            !check_shapes(reference, k, 21) || !check_large(reference, k)) {
            return 1;
        }
        fprintf(stderr, "%s: the reference's bits\n", argv[i]);
    }
    return train_and_print() ? 0 : 1;
}
