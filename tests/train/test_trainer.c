/* Whole runs: what is visited, what is counted, and what must not depend on threads. */
#include "train_run.h"

static bool same_bytes(const w2v_model *a, const w2v_model *b)
{
    const size_t bytes = (size_t)a->rows * a->stride * sizeof(float);
    return a->rows == b->rows && a->stride == b->stride && memcmp(a->word, b->word, bytes) == 0 &&
           memcmp(a->context, b->context, bytes) == 0;
}

/* ------------------------------------------------------------------ counts */

/* Every token once an epoch, before subsampling, for any number of threads; and the same pairs,
   since what is drawn does not depend on who draws it. */
static void test_train_same_tokens_and_pairs_for_every_thread_count(void **state)
{
    (void)state;
    const int threads[] = {1, 2, 3, 4, 5, 6, 7, 8, 64};
    w2v_corpus *c = text_random((text_recipe){train_small() ? 8000 : 40000, 300, 1, 30, true, 1});
    w2v_train_options o = small_options();
    uint64_t pairs = 0;
    for (size_t t = 0; t < SUPPORT_COUNT(threads); t++) {
        o.threads = threads[t];
        w2v_model *m = train(c, &o);
        const w2v_train_result *r = w2v_model_result(m);
        assert_int_equal(r->tokens, c->stats.tokens_kept * 2);
        assert_int_equal(r->epochs, 2);
        assert_in_range(r->threads, 1, threads[t]);
        assert_string_equal(r->kernel, w2v_kernel_name());
        assert_true(pairs == 0 || r->pairs == pairs);
        pairs = r->pairs;
        assert_true(is_finite(m));
        w2v_model_free(m);
    }
    text_free(c);
}

/* The pairs trained are those that the public stream shows. */
static void test_train_pairs_are_those_of_the_stream(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){5000, 100, 1, 30, true, 2});
    w2v_train_options o = small_options();
    uint64_t count = 0;
    for (uint32_t epoch = 0; epoch < o.epochs; epoch++) {
        w2v_pairs *pairs;
        w2v_pair pair;
        bool done = false;
        assert_int_equal(w2v_pairs_create(c, &o, epoch, &pairs, NULL), W2V_OK);
        for (assert_int_equal(w2v_pairs_next(pairs, &pair, &done, NULL), W2V_OK); !done;
             assert_int_equal(w2v_pairs_next(pairs, &pair, &done, NULL), W2V_OK)) {
            count++;
        }
        w2v_pairs_free(pairs);
    }
    w2v_model *m = train(c, &o);
    assert_int_equal(w2v_model_result(m)->pairs, count);
    w2v_model_free(m);
    text_free(c);
}

/* 1,001 lines of two words, none anywhere else: each token exactly once (2,002 x epochs). */
static void test_train_slices_neither_overlap_nor_leave_gaps(void **state)
{
    char path[SUPPORT_PATH];
    support_path(*state, "slices.txt", path);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i <= 1000; i++) {
        fprintf(f, "s%d e%d\n", i, i);
    }
    assert_int_equal(fclose(f), 0);
    const char *paths[1] = {path};
    w2v_corpus *c = text_read(paths, 1, true);
    w2v_train_options o = small_options();
    for (int threads = 1; threads <= 64; threads *= 4) {
        o.threads = threads;
        w2v_model *m = train(c, &o);
        assert_int_equal(w2v_model_result(m)->tokens, 2002 * 2);
        assert_int_equal(w2v_model_result(m)->pairs, 2002 * 2);
        w2v_model_free(m);
    }
    w2v_corpus_free(c);
}

/* More threads than lines: the idle ones simply finish. */
static void test_train_more_threads_than_lines(void **state)
{
    (void)state;
    const uint32_t codes[] = {0, 1, 2, CORPUS_BREAK, 0, 1, 2};
    w2v_corpus *c = text_create(codes, SUPPORT_COUNT(codes), 3);
    w2v_train_options o = small_options();
    o.threads = 64;
    w2v_model *m = train(c, &o);
    assert_int_equal(w2v_model_result(m)->tokens, 12);
    w2v_model_free(m);
    text_free(c);
}

/* ------------------------------------------------------------------- bytes */

static void test_train_same_seed_same_bytes(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){10000, 200, 1, 30, true, 3});
    for (int share = 0; share < 2; share++) {
        w2v_train_options o = small_options();
        o.share = share ? W2V_SHARE_WINDOW : W2V_SHARE_NONE;
        w2v_model *a = train(c, &o), *b = train(c, &o);
        o.seed = 2;
        w2v_model *other = train(c, &o);
        assert_true(same_bytes(a, b));
        assert_false(same_bytes(a, other));
        w2v_model_free(a);
        w2v_model_free(b);
        w2v_model_free(other);
    }
    text_free(c);
}

/* Words that take no part keep their first values to the byte, in a whole run as well. */
static void test_train_leaves_other_rows_alone(void **state)
{
    (void)state;
    enum { TYPES = 50 };
    const uint32_t codes[] = {3, 4};
    w2v_corpus *c = text_create(codes, 2, TYPES);
    w2v_train_options o = small_options();
    o.epochs = 5;
    o.sample = 0.0;
    w2v_model *m = train(c, &o), *start;
    assert_int_equal(model_create(TYPES, o.dim, 1, &start, NULL), W2V_OK);
    model_start_rows(start, c->vocab, o.seed, 0, TYPES);
    for (uint32_t id = 0; id < TYPES; id++) {
        /* words that never occur are no negatives either */
        const bool takes_part = id == 3 || id == 4;
        const size_t bytes = m->stride * sizeof(float);
        assert_int_equal(
            memcmp(w2v_model_row(m, false, id), w2v_model_row(start, false, id), bytes) != 0,
            takes_part);
        assert_int_equal(
            memcmp(w2v_model_row(m, true, id), w2v_model_row(start, true, id), bytes) != 0,
            takes_part);
    }
    w2v_model_free(m);
    w2v_model_free(start);
    text_free(c);
}

/* With every set of options each word of a frequent text ends somewhere else than it began. */
static void test_train_moves_every_frequent_word(void **state)
{
    (void)state;
    enum { TYPES = 40 };
    w2v_corpus *c = text_random((text_recipe){8000, TYPES, 4, 20, false, 5});
    for (int set = 0; set < 32; set++) {
        w2v_train_options o = small_options();
        o.share = set & 1 ? W2V_SHARE_NONE : W2V_SHARE_WINDOW;
        o.window_mode = set & 2 ? W2V_WINDOW_FIXED : W2V_WINDOW_SHRINK;
        o.sample = set & 4 ? 0.0 : 1e-3;
        o.dim = set & 8 ? 6 : 33;
        o.negative = set & 16 ? 1 : 12;
        o.window = set & 16 ? 1 : 8;
        o.threads = 1 + set % 3;
        w2v_model *m = train(c, &o), *start;
        assert_int_equal(model_create(TYPES, o.dim, 1, &start, NULL), W2V_OK);
        model_start_rows(start, c->vocab, o.seed, 0, TYPES);
        for (uint32_t id = 0; id < TYPES; id++) {
            double word = 0.0, context = 0.0;
            for (uint32_t k = 0; k < o.dim; k++) {
                word += fabs(
                    (double)(w2v_model_row(m, false, id)[k] - w2v_model_row(start, false, id)[k]));
                context += fabs((double)w2v_model_row(m, true, id)[k]);
            }
            assert_true(word > 1e-5 && context > 1e-4);
        }
        w2v_model_free(m);
        w2v_model_free(start);
    }
    text_free(c);
}

/* Uniform in ±0.5 / dim, and the same for a word whatever else is in the vocabulary. */
static void test_model_start_rows_values(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){5000, 500, 5, 5, false, 5});
    w2v_model *all, *few;
    assert_int_equal(model_create(500, 30, 1, &all, NULL), W2V_OK);
    assert_int_equal(model_create(500, 30, 1, &few, NULL), W2V_OK);
    model_start_rows(all, c->vocab, 9, 0, 500);
    model_start_rows(few, c->vocab, 9, 200, 300);
    double sum = 0.0, squares = 0.0;
    for (uint32_t id = 0; id < 500; id++) {
        for (uint32_t k = 0; k < 30; k++) {
            const double x = (double)w2v_model_row(all, false, id)[k] * 30.0;
            assert_true(x >= -0.5 && x <= 0.5);
            assert_true(w2v_model_row(all, true, id)[k] == 0.0f);
            assert_true(w2v_model_row(few, false, id)[k] ==
                        (id >= 200 && id < 300 ? w2v_model_row(all, false, id)[k] : 0.0f));
            sum += x;
            squares += x * x;
        }
    }
    assert_true(fabs(sum / 15000.0) < 0.01);
    assert_true(fabs(squares / 15000.0 - 1.0 / 12.0) < 0.003);
    w2v_model_free(all);
    w2v_model_free(few);
    text_free(c);
}

/* -------------------------------------------------------------------- loss */

/*
 * At a rate of next to nothing all dots stay 0, and each term costs ln 2: one for
 * the pair and one for each negative that is not its neighbour.
 */
static void test_train_loss_is_per_pair_in_nats(void **state)
{
    (void)state;
    enum { TYPES = 20 };
    w2v_corpus *c = text_random((text_recipe){40000, TYPES, 20, 20, false, 6});
    w2v_train_options o = small_options();
    o.lr = 1e-12;
    o.sample = 0.0;
    for (int share = 0; share < 2; share++) {
        o.share = share ? W2V_SHARE_WINDOW : W2V_SHARE_NONE;
        w2v_model *m = train(c, &o);
        const double right = log(2.0) * (1.0 + o.negative * (1.0 - 1.0 / TYPES));
        assert_true(fabs(w2v_model_result(m)->loss - right) < 0.005 * right);
        assert_true(fabs(w2v_model_epoch_loss(m, 0) - right) < 0.005 * right);
        assert_true(w2v_model_epoch_loss(m, 1) == w2v_model_result(m)->loss);
        w2v_model_free(m);
    }
    text_free(c);
}

/* Reset each epoch, falling while there is something to learn, and much the same for eight threads.
 */
static void test_train_loss_for_many_threads(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){200000, 200, 25, 25, false, 7});
    w2v_train_options o = small_options();
    o.epochs = 3;
    double one[3] = {0};
    for (int threads = 1; threads <= 8; threads += 7) {
        o.threads = threads;
        w2v_model *m = train(c, &o);
        for (uint32_t e = 0; e < 3; e++) {
            const double loss = w2v_model_epoch_loss(m, e);
            one[e] = threads == 1 ? loss : one[e];
            assert_true(loss > 0.5 && loss < 6 * log(2.0));
            assert_true(fabs(loss - one[e]) < 0.05 * one[e]);
        }
        assert_true(w2v_model_epoch_loss(m, 2) < w2v_model_epoch_loss(m, 0));
        w2v_model_free(m);
    }
    text_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_train_same_tokens_and_pairs_for_every_thread_count),
        cmocka_unit_test(test_train_pairs_are_those_of_the_stream),
        cmocka_unit_test_setup_teardown(test_train_slices_neither_overlap_nor_leave_gaps,
                                        support_setup, support_teardown),
        cmocka_unit_test(test_train_more_threads_than_lines),
        cmocka_unit_test(test_train_same_seed_same_bytes),
        cmocka_unit_test(test_train_leaves_other_rows_alone),
        cmocka_unit_test(test_train_moves_every_frequent_word),
        cmocka_unit_test(test_model_start_rows_values),
        cmocka_unit_test(test_train_loss_is_per_pair_in_nats),
        cmocka_unit_test(test_train_loss_for_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
