/* The public stream of pairs: windows, sentence ends and subsampling as training sees them. */
#include "passage_support.h"

#include "base/mem.h"

static w2v_pairs *pairs_of(const w2v_corpus *c, const w2v_train_options *options, uint32_t epoch)
{
    w2v_pairs *pairs = NULL;
    w2v_error err = {0};
    if (w2v_pairs_create(c, options, epoch, &pairs, &err) != W2V_OK) {
        fail_msg("%s", err.text);
    }
    return pairs;
}

static bool next(w2v_pairs *pairs, w2v_pair *pair)
{
    bool done = true;
    assert_int_equal(w2v_pairs_next(pairs, pair, &done, NULL), W2V_OK);
    return !done;
}

/* One long sentence without subsampling: pairs at distance d on each side are n - d for a fixed
   window. */
static void test_pairs_next_fixed_window_is_flat(void **state)
{
    (void)state;
    enum { WINDOW = 6, LENGTH = 5000 };
    w2v_train_options options = w2v_train_options_default();
    options.sample = 0.0;
    options.window = WINDOW;
    options.window_mode = W2V_WINDOW_FIXED;
    options.max_sentence = LENGTH;
    w2v_corpus *c = text_random((text_recipe){LENGTH, 20, LENGTH, LENGTH, true, 1});
    w2v_pairs *pairs = pairs_of(c, &options, 0);
    uint64_t before[WINDOW + 1] = {0}, after[WINDOW + 1] = {0};
    w2v_pair pair;
    while (next(pairs, &pair)) {
        assert_true(pair.distance != 0 && abs(pair.distance) <= WINDOW);
        (pair.distance < 0 ? before : after)[abs(pair.distance)]++;
    }
    for (int d = 1; d <= WINDOW; d++) {
        assert_int_equal(before[d], LENGTH - d);
        assert_int_equal(after[d], LENGTH - d);
    }
    w2v_pairs_free(pairs);
    text_free(c);
}

/*
 * For a shrinking window a pair at distance d has a chance of (window - d + 1) /
 * window: a linear fall. Whether the centre's radius is d exactly is read from
 * the farthest pair of each centre, and these radii are even by chi-square.
 */
static void test_pairs_next_shrinking_window_falls_linearly(void **state)
{
    (void)state;
    enum { WINDOW = 8 };
    const uint32_t length = train_small() ? 20000 : 200000;
    w2v_train_options options = w2v_train_options_default();
    options.sample = 0.0;
    options.window = WINDOW;
    options.max_sentence = length;
    w2v_corpus *c = text_random((text_recipe){length, 20, length, length, true, 1});
    w2v_pairs *pairs = pairs_of(c, &options, 0);
    uint64_t before[WINDOW + 2] = {0}, after[WINDOW + 2] = {0};
    w2v_pair pair;
    while (next(pairs, &pair)) {
        assert_true(pair.distance != 0 && abs(pair.distance) <= WINDOW);
        (pair.distance < 0 ? before : after)[abs(pair.distance)]++;
    }
    uint64_t radius[WINDOW];
    double share[WINDOW];
    for (uint32_t d = 1; d <= WINDOW; d++) {
        assert_share(before[d], length - d, (WINDOW - d + 1.0) / WINDOW);
        assert_share(after[d], length - d, (WINDOW - d + 1.0) / WINDOW);
        /* but for the ends of the sentence, both sides have the same windows */
        assert_true(llabs((long long)before[d] - (long long)after[d]) <= 2 * WINDOW);
        radius[d - 1] = after[d] - after[d + 1];
        share[d - 1] = 1.0 / WINDOW;
    }
    assert_chi_square(radius, share, WINDOW, after[1], 1);
    w2v_pairs_free(pairs);
    text_free(c);
}

/* Sentence s holds the words 3s, 3s + 1, 3s + 2 only: no pair crosses a break. */
static void test_pairs_next_never_cross_breaks(void **state)
{
    (void)state;
    enum { SENTENCES = 1000 };
    uint32_t codes[4 * SENTENCES];
    for (uint32_t i = 0; i < 4 * SENTENCES; i++) {
        codes[i] = i % 4 == 3 ? CORPUS_BREAK : i / 4 * 3 + i % 4;
    }
    w2v_corpus *c = text_create(codes, 4 * SENTENCES - 1, 3 * SENTENCES);
    w2v_train_options options = w2v_train_options_default();
    options.window_mode = W2V_WINDOW_FIXED;
    w2v_pairs *pairs = pairs_of(c, &options, 0);
    w2v_pair pair;
    uint64_t count = 0;
    while (next(pairs, &pair)) {
        assert_int_equal(pair.centre / 3, pair.neighbour / 3);
        assert_int_equal(pair.sentence, pair.centre / 3);
        assert_int_equal(pair.distance, (int32_t)pair.centre - (int32_t)pair.neighbour);
        count++;
    }
    assert_int_equal(count, 6 * SENTENCES);
    w2v_pairs_free(pairs);
    text_free(c);
}

/* Against the passages themselves: the same pairs in the same order, over several epochs. */
static void assert_pairs(w2v_corpus *c, const w2v_train_options *options)
{
    drawing d;
    drawing_init(&d, c, options);
    for (uint32_t epoch = 0; epoch < 3; epoch++) {
        w2v_pairs *pairs = pairs_of(c, options, epoch);
        uint64_t sentence = 0;
        w2v_pair pair;
        for (uint64_t block = 0; block < d.blocks.count; block++) {
            drawing_draw(&d, epoch, block);
            const passage *text = &d.passage;
            for (uint32_t k = 0; k < text->pieces; k++, sentence++) {
                for (uint32_t p = piece_begin(text, k); p < text->end[k]; p++) {
                    for (uint32_t q = piece_begin(text, k); q < text->end[k]; q++) {
                        if (is_pair(text, q, p)) {
                            assert_true(next(pairs, &pair));
                            assert_int_equal(pair.centre, text->id[q]);
                            assert_int_equal(pair.neighbour, text->id[p]);
                            assert_int_equal(pair.distance, (int32_t)q - (int32_t)p);
                            assert_int_equal(pair.sentence, sentence);
                        }
                    }
                }
            }
        }
        assert_false(next(pairs, &pair));
        assert_false(next(pairs, &pair)); /* and stays at the end */
        w2v_pairs_free(pairs);
    }
    drawing_clear(&d);
}

static void test_pairs_next_every_pair_of_the_passages(void **state)
{
    (void)state;
    const text_recipe recipes[] = {{3000, 30, 1, 12, true, 1},
                                   {3000, 500, 1, 90, true, 2},
                                   {50, 4, 1, 3, false, 3},
                                   {700, 9, 700, 700, false, 4}};
    const uint32_t windows[] = {1, 2, 5, 40};
    for (size_t r = 0; r < SUPPORT_COUNT(recipes); r++) {
        w2v_corpus *c = text_random(recipes[r]);
        for (size_t w = 0; w < SUPPORT_COUNT(windows); w++) {
            w2v_train_options options = w2v_train_options_default();
            options.window = windows[w];
            options.max_sentence = 60;
            options.sample = r % 2 ? 0.0 : 0.02;
            assert_pairs(c, &options);
            options.window_mode = W2V_WINDOW_FIXED;
            assert_pairs(c, &options);
        }
        text_free(c);
    }
}

/* A text on disk gives the pairs of the same text in memory. */
static void test_pairs_next_spilled(void **state)
{
    (void)state;
    w2v_train_options options = w2v_train_options_default();
    const text_recipe recipe = {5000, 100, 1, 50, true, 6};
    w2v_corpus *memory = text_random(recipe), *disk = text_random(recipe);
    text_spill(disk);
    w2v_pairs *a = pairs_of(memory, &options, 0), *b = pairs_of(disk, &options, 0);
    w2v_pair x = {0}, y = {0};
    bool more = true;
    uint64_t count = 0;
    while (more) {
        more = next(a, &x);
        assert_int_equal(next(b, &y), more);
        assert_int_equal(x.centre, y.centre);
        assert_int_equal(x.neighbour, y.neighbour);
        assert_int_equal(x.distance, y.distance);
        count += more;
    }
    assert_true(count > 1000);
    w2v_pairs_free(a);
    w2v_pairs_free(b);
    text_free(memory);
    text_free(disk);
}

/* "left right" a line: never together over a line end, unless line ends are to be ignored. */
static void test_pairs_next_lines_are_sentences(void **state)
{
    char path[SUPPORT_PATH];
    support_path(*state, "lines.txt", path);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < 300; i++) {
        fprintf(f, "left1 left2\nright1 right2\n");
    }
    assert_int_equal(fclose(f), 0);
    const char *paths[1] = {path};
    w2v_train_options options = w2v_train_options_default();
    options.sample = 0.0;
    for (int sentences = 0; sentences < 2; sentences++) {
        w2v_corpus *c = text_read(paths, 1, sentences);
        w2v_pairs *pairs = pairs_of(c, &options, 0);
        w2v_pair pair;
        uint64_t crossing = 0, within = 0;
        while (next(pairs, &pair)) {
            const char *centre = w2v_vocab_word(w2v_corpus_vocab(c), pair.centre, NULL);
            const char *neighbour = w2v_vocab_word(w2v_corpus_vocab(c), pair.neighbour, NULL);
            within += centre[0] == neighbour[0];
            crossing += centre[0] != neighbour[0];
        }
        assert_true(within >= 1200);
        assert_true(sentences ? crossing == 0 : crossing > 1000);
        w2v_pairs_free(pairs);
        w2v_corpus_free(c);
    }
}

static void test_pairs_create_refuses_bad_options(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){100, 5, 5, 5, false, 1});
    w2v_train_options options = w2v_train_options_default();
    w2v_pairs *pairs = (w2v_pairs *)&options;
    w2v_error err = {0};
    options.window = 0;
    assert_int_equal(w2v_pairs_create(c, &options, 0, &pairs, &err), W2V_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "window"));
    assert_null(pairs);
    text_free(c);
}

/* Whichever allocation fails, on the way to the last pair: that error, and nothing is kept. */
static void test_pairs_without_memory(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){400, 5, 5, 5, false, 1});
    uint64_t usual = 0;
    for (uint64_t n = 0;; n++) {
        w2v_pairs *pairs = NULL;
        w2v_pair pair;
        w2v_error err = {0};
        uint64_t count = 0;
        mem_fail_at(n, false); /* 0: none */
        w2v_status status = w2v_pairs_create(c, NULL, 0, &pairs, &err);
        for (bool done = false; status == W2V_OK && !done; count += !done) {
            status = w2v_pairs_next(pairs, &pair, &done, &err);
            done |= status != W2V_OK;
        }
        const bool failed = n > 0 && mem_tries() >= n;
        mem_fail_at(0, false);
        w2v_pairs_free(pairs);
        assert_int_equal(status, failed ? W2V_ERR_MEMORY : W2V_OK);
        assert_int_equal(err.code, status);
        usual = n == 0 ? count : usual;
        if (n > 0 && !failed) {
            assert_true(n > 5);
            assert_int_equal(count, usual);
            break;
        }
    }
    assert_true(usual > 0);
    text_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs_next_fixed_window_is_flat),
        cmocka_unit_test(test_pairs_next_shrinking_window_falls_linearly),
        cmocka_unit_test(test_pairs_next_never_cross_breaks),
        cmocka_unit_test(test_pairs_next_every_pair_of_the_passages),
        cmocka_unit_test(test_pairs_next_spilled),
        cmocka_unit_test_setup_teardown(test_pairs_next_lines_are_sentences, support_setup,
                                        support_teardown),
        cmocka_unit_test(test_pairs_create_refuses_bad_options),
        cmocka_unit_test(test_pairs_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
