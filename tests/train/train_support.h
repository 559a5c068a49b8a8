/* What the tests of this room share: texts in memory, chi-square, and how long a test may take. */
#ifndef W2V_TESTS_TRAIN_SUPPORT_H
#define W2V_TESTS_TRAIN_SUPPORT_H

#include "support.h"

#include "base/rng.h"
#include "text/corpus.h"

#include <math.h>

/** True under sanitizers and valgrind (scripts/test-sanitizers): the same tests on less data. */
static inline bool train_small(void)
{
    const char *value = getenv("W2V_TEST_SMALL");
    return value && *value;
}

/* ------------------------------------------------------------------- texts */

/** A text of `length` codes over `types` words w0, w1, …, whose counts are those of the codes. */
static inline w2v_corpus *text_create(const uint32_t *codes, uint64_t length, uint32_t types)
{
    w2v_corpus *c = calloc(1, sizeof *c);
    w2v_vocab *v = calloc(1, sizeof *v);
    assert_non_null(c);
    assert_non_null(v);
    v->counts = calloc(types, sizeof *v->counts);
    c->codes = malloc(length * sizeof *c->codes);
    assert_non_null(v->counts);
    assert_non_null(c->codes);
    memcpy(c->codes, codes, length * sizeof *codes);
    for (uint32_t i = 0; i < types; i++) {
        char name[16];
        const int n = snprintf(name, sizeof name, "w%u", (unsigned)i);
        assert_true(words_append(&v->names, name, (size_t)n));
    }
    bool fresh = true;
    for (uint64_t i = 0; i < length; i++) {
        if (codes[i] == CORPUS_BREAK) {
            fresh = true;
        } else {
            assert_true(codes[i] < types);
            v->counts[codes[i]]++;
            v->total++;
            c->stats.sentences += fresh;
            fresh = false;
        }
    }
    c->vocab = v;
    c->length = length;
    c->spill_fd = -1;
    c->stats.tokens = c->stats.tokens_kept = v->total;
    c->stats.types = c->stats.types_kept = types;
    return c;
}

static inline void text_free(w2v_corpus *c)
{
    if (c->spill_fd >= 0) {
        close(c->spill_fd);
    }
    free(c->vocab->counts);
    words_clear(&c->vocab->names);
    free(c->vocab);
    free(c->codes);
    free(c);
}

/** What a random text is made of: zipf 0 draws all words alike, 1 gives word i a share of 1 / (i +
 * 1). */
typedef struct text_recipe {
    uint64_t tokens;
    uint32_t types;
    uint32_t min_sentence, max_sentence; /* lengths, drawn evenly */
    bool zipf;
    uint64_t seed;
} text_recipe;

static inline w2v_corpus *text_random(text_recipe recipe)
{
    uint32_t *codes = malloc(2 * recipe.tokens * sizeof *codes);
    double *upto = malloc(recipe.types * sizeof *upto);
    assert_non_null(codes);
    assert_non_null(upto);
    double sum = 0.0;
    for (uint32_t i = 0; i < recipe.types; i++) {
        upto[i] = sum += recipe.zipf ? 1.0 / (i + 1) : 1.0;
    }
    rng random = rng_stream(recipe.seed, RNG_INIT, 77, 0);
    uint64_t length = 0;
    uint32_t left = 0;
    for (uint64_t i = 0; i < recipe.tokens; i++) {
        if (left == 0) {
            left = recipe.min_sentence +
                   rng_below(&random, recipe.max_sentence - recipe.min_sentence + 1);
            if (i > 0) {
                codes[length++] = CORPUS_BREAK;
            }
        }
        left--;
        const double at = (double)(rng_next(&random) >> 11) * 0x1p-53 * sum;
        uint32_t low = 0, high = recipe.types - 1;
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if (upto[middle] > at) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        codes[length++] = low;
    }
    w2v_corpus *c = text_create(codes, length, recipe.types);
    free(codes);
    free(upto);
    return c;
}

/** The same text in an unlinked file instead of memory. */
static inline void text_spill(w2v_corpus *c)
{
    FILE *f = tmpfile();
    assert_non_null(f);
    assert_int_equal(fwrite(c->codes, sizeof *c->codes, c->length, f), c->length);
    assert_int_equal(fflush(f), 0);
    c->spill_fd = dup(fileno(f));
    assert_true(c->spill_fd >= 0);
    fclose(f);
    free(c->codes);
    c->codes = NULL;
}

/** A text read from files, with min_count 1. */
static inline w2v_corpus *text_read(const char *const *paths, size_t n, bool lines_are_sentences)
{
    w2v_error err = {0};
    w2v_inputs *inputs = NULL;
    w2v_corpus *corpus = NULL;
    w2v_text_options options = w2v_text_options_default();
    options.min_count = 1;
    options.lines_are_sentences = lines_are_sentences;
    if (w2v_inputs_create(paths, n, false, &inputs, &err) != W2V_OK ||
        w2v_corpus_create(inputs, &options, NULL, NULL, &corpus, &err) != W2V_OK) {
        fail_msg("cannot read the text: %s", err.text);
    }
    w2v_inputs_free(inputs);
    return corpus;
}

/* -------------------------------------------------------------- statistics */

/** The value that chi-square with k degrees of freedom exceeds once in ten thousand times
    (Wilson and Hilferty's approximation). */
static inline double chi_square_critical(double k)
{
    const double z = 3.719, t = 1.0 - 2.0 / (9.0 * k) + z * sqrt(2.0 / (9.0 * k));
    return k * t * t * t;
}

/**
 * Fails unless counts of `draws` draws fit the probabilities, where each draw was counted `times`
 * times (which makes chi-square as many times larger). Cells below 5 expected are joined.
 */
static inline void assert_chi_square(const uint64_t *counts, const double *probability, size_t n,
                                     uint64_t draws, uint32_t times)
{
    double sum = 0.0, expected = 0.0, met = 0.0, cells = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (probability[i] == 0.0) {
            assert_int_equal(counts[i], 0);
        }
        expected += probability[i] * (double)draws;
        met += (double)counts[i];
        if (expected >= 5.0) {
            sum += (met - expected) * (met - expected) / expected;
            expected = met = 0.0;
            cells += 1.0;
        }
    }
    if (expected > 0.0) { /* what is left over weighs too little for a cell of its own */
        assert_true(met < 40.0 * times);
    }
    sum /= times;
    if (cells > 1.0 && !(sum < chi_square_critical(cells - 1.0))) {
        fail_msg("chi-square of %.1f over %.0f cells, at most %.1f expected", sum, cells,
                 chi_square_critical(cells - 1.0));
    }
}

/** Fails unless `hits` of `draws` is within four standard deviations of `probability`. */
static inline void assert_share(uint64_t hits, uint64_t draws, double probability)
{
    const double n = (double)draws, deviation = sqrt(n * probability * (1.0 - probability));
    if (fabs((double)hits - n * probability) > 4.0 * deviation + 1e-9) {
        fail_msg("a share of %.6f where %.6f was expected, of %.0f", (double)hits / n, probability,
                 n);
    }
}

#endif
