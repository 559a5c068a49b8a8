/* What survives subsampling, in which pieces, with which windows. */
#include "passage_support.h"

/* Surviving words are those of the block, in order; breaks and cuts end pieces; no piece is empty.
 */
static void assert_passage(const drawing *d, uint64_t block, uint64_t *kept)
{
    const passage *text = &d->passage;
    const w2v_corpus *c = d->corpus;
    uint32_t at = 0, piece = 0, length = 0;
    for (uint64_t i = d->blocks.begin[block]; i < d->blocks.begin[block + 1]; i++) {
        if (c->codes[i] == CORPUS_BREAK || length == d->rules.max_sentence) {
            length = 0;
            if (piece < text->pieces && at == text->end[piece]) {
                piece++;
            }
            assert_true(piece == 0 ? at == 0 : at == text->end[piece - 1]);
        }
        if (c->codes[i] != CORPUS_BREAK) {
            length++;
            at += at < text->size && text->id[at] == c->codes[i];
        }
    }
    assert_int_equal(at, text->size);
    assert_true(text->pieces == 0 ? text->size == 0 : text->end[text->pieces - 1] == text->size);
    for (uint32_t k = 0; k < text->pieces; k++) {
        assert_true(piece_begin(text, k) < text->end[k]);
    }
    *kept += text->size;
}

/* Every token is a word of its own, so that none can be taken for another. */
static w2v_corpus *distinct_text(uint32_t sentences, uint32_t length)
{
    uint32_t *codes = malloc((size_t)sentences * (length + 1) * sizeof *codes);
    assert_non_null(codes);
    uint64_t n = 0;
    for (uint32_t i = 0; i < sentences * length; i++) {
        codes[n++] = i;
        if (i % length == length - 1) {
            codes[n++] = CORPUS_BREAK;
        }
    }
    w2v_corpus *c = text_create(codes, n - 1, sentences * length);
    free(codes);
    return c;
}

static void test_passage_draw_keeps_order_and_breaks(void **state)
{
    (void)state;
    w2v_train_options options = w2v_train_options_default();
    const double samples[] = {0.0, 1e-5, 1e-6};
    w2v_corpus *c = distinct_text(300, 37);
    for (size_t k = 0; k < SUPPORT_COUNT(samples); k++) {
        drawing d;
        uint64_t kept = 0;
        options.sample = samples[k];
        options.max_sentence = 10;
        drawing_init(&d, c, &options);
        for (uint64_t block = 0; block < d.blocks.count; block++) {
            drawing_draw(&d, 1, block);
            assert_passage(&d, block, &kept);
        }
        assert_share(kept, c->stats.tokens_kept, subsample_chance(1, 300 * 37, samples[k]));
        drawing_clear(&d);
    }
    text_free(c);
}

/* Without subsampling a sentence of 37 is four pieces, of 10, 10, 10 and 7. */
static void test_passage_draw_cuts_long_sentences(void **state)
{
    (void)state;
    w2v_train_options options = w2v_train_options_default();
    options.sample = 0.0;
    options.max_sentence = 10;
    w2v_corpus *c = distinct_text(100, 37);
    drawing d;
    drawing_init(&d, c, &options);
    uint32_t piece = 0;
    for (uint64_t block = 0; block < d.blocks.count; block++) {
        drawing_draw(&d, 0, block);
        for (uint32_t k = 0; k < d.passage.pieces; k++, piece++) {
            assert_int_equal(d.passage.end[k] - piece_begin(&d.passage, k),
                             piece % 4 == 3 ? 7 : 10);
        }
    }
    assert_int_equal(piece, 400);
    drawing_clear(&d);
    text_free(c);
}

/* Each word survives as often as its own chance says. */
static void test_passage_draw_subsamples_each_word(void **state)
{
    (void)state;
    enum { TYPES = 20 };
    w2v_train_options options = w2v_train_options_default();
    options.sample = 0.01;
    w2v_corpus *c = text_random((text_recipe){100000, TYPES, 5, 30, true, 8});
    drawing d;
    uint64_t kept[TYPES] = {0};
    drawing_init(&d, c, &options);
    for (uint64_t block = 0; block < d.blocks.count; block++) {
        drawing_draw(&d, 0, block);
        for (uint32_t i = 0; i < d.passage.size; i++) {
            kept[d.passage.id[i]]++;
        }
    }
    for (int id = 0; id < TYPES; id++) {
        assert_share(kept[id], c->vocab->counts[id],
                     subsample_chance(c->vocab->counts[id], c->vocab->total, options.sample));
    }
    drawing_clear(&d);
    text_free(c);
}

static void test_passage_draw_radius_even(void **state)
{
    (void)state;
    const uint32_t windows[] = {1, 2, 5, 10, 1000};
    w2v_train_options options = w2v_train_options_default();
    options.sample = 0.0;
    w2v_corpus *c = text_random((text_recipe){60000, 50, 5, 30, true, 8});
    for (size_t w = 0; w < SUPPORT_COUNT(windows); w++) {
        uint64_t counts[1000] = {0};
        double share[1000];
        drawing d;
        options.window = windows[w];
        drawing_init(&d, c, &options);
        for (uint64_t block = 0; block < d.blocks.count; block++) {
            drawing_draw(&d, 0, block);
            for (uint32_t i = 0; i < d.passage.size; i++) {
                assert_in_range(d.passage.radius[i], 1, windows[w]);
                counts[d.passage.radius[i] - 1]++;
            }
        }
        for (uint32_t r = 0; r < windows[w]; r++) {
            share[r] = 1.0 / windows[w];
        }
        assert_chi_square(counts, share, windows[w], c->stats.tokens_kept, 1);
        drawing_clear(&d);
    }
    text_free(c);
}

static void test_passage_draw_radius_fixed(void **state)
{
    (void)state;
    w2v_train_options options = w2v_train_options_default();
    options.window = 7;
    options.window_mode = W2V_WINDOW_FIXED;
    w2v_corpus *c = text_random((text_recipe){5000, 50, 5, 30, true, 8});
    drawing d;
    drawing_init(&d, c, &options);
    for (uint64_t block = 0; block < d.blocks.count; block++) {
        drawing_draw(&d, 0, block);
        for (uint32_t i = 0; i < d.passage.size; i++) {
            assert_int_equal(d.passage.radius[i], 7);
        }
    }
    drawing_clear(&d);
    text_free(c);
}

/* The same epoch and block give the same passage, whatever was drawn before; others differ. */
static void test_passage_draw_repeats(void **state)
{
    (void)state;
    w2v_train_options options = w2v_train_options_default();
    options.sample = 0.01;
    w2v_corpus *c = text_random((text_recipe){20000, 50, 200, 200, false, 8});
    drawing a, b;
    drawing_init(&a, c, &options);
    drawing_init(&b, c, &options);
    drawing_draw(&a, 3, 2);
    drawing_draw(&b, 0, 0);
    drawing_draw(&b, 1, 2);
    assert_false(
        a.passage.size == b.passage.size &&
        memcmp(a.passage.radius, b.passage.radius, a.passage.size * sizeof *a.passage.radius) == 0);
    drawing_draw(&b, 3, 2);
    assert_int_equal(a.passage.size, b.passage.size);
    assert_int_equal(a.passage.pieces, b.passage.pieces);
    assert_memory_equal(a.passage.id, b.passage.id, a.passage.size * sizeof *a.passage.id);
    assert_memory_equal(a.passage.radius, b.passage.radius,
                        a.passage.size * sizeof *a.passage.radius);
    drawing_clear(&a);
    drawing_clear(&b);
    text_free(c);
}

/* Whether a word stands twice among some places, for all places that planning asks about. */
static void test_passage_repeats(void **state)
{
    (void)state;
    const uint32_t windows[] = {1, 3, 5, 50};
    w2v_train_options options = w2v_train_options_default();
    options.sample = 0.0;
    w2v_corpus *c = text_random((text_recipe){train_small() ? 1000 : 5000, 300, 1, 300, true, 8});
    uint64_t met[2] = {0};
    for (size_t w = 0; w < SUPPORT_COUNT(windows); w++) {
        drawing d;
        options.window = windows[w];
        drawing_init(&d, c, &options);
        for (uint64_t block = 0; block < d.blocks.count; block++) {
            drawing_draw(&d, 0, block);
            for (uint32_t to = 1; to <= d.passage.size; to++) {
                bool twice = false;
                for (uint32_t from = to; from-- > 0 && to - from <= 2 * windows[w] + 1;) {
                    for (uint32_t k = from + 1; k < to; k++) {
                        twice = twice || d.passage.id[k] == d.passage.id[from];
                    }
                    assert_int_equal(passage_repeats(&d.passage, from, to), twice);
                    met[twice]++;
                }
            }
        }
        drawing_clear(&d);
    }
    assert_true(met[0] > 1000 && met[1] > 1000);
    text_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passage_draw_keeps_order_and_breaks),
        cmocka_unit_test(test_passage_draw_cuts_long_sentences),
        cmocka_unit_test(test_passage_draw_subsamples_each_word),
        cmocka_unit_test(test_passage_draw_radius_even),
        cmocka_unit_test(test_passage_draw_radius_fixed),
        cmocka_unit_test(test_passage_draw_repeats),
        cmocka_unit_test(test_passage_repeats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
