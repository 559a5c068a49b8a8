/* The ends of what can be asked for: divergence, too few words, extreme values, too little memory.
 */
#include "train_run.h"

#include "base/mem.h"

/* -------------------------------------------------------------- divergence */

static void test_train_many_threads_many_epochs_stay_finite(void **state)
{
    (void)state;
    uint32_t codes[800 * 6];
    for (uint32_t i = 0; i < 800 * 6; i++) {
        codes[i] = i % 6 == 5 ? CORPUS_BREAK : i % 6;
    }
    w2v_corpus *c = text_create(codes, 800 * 6 - 1, 5);
    w2v_train_options o = w2v_train_options_default();
    o.dim = 50;
    o.threads = 64;
    o.epochs = train_small() ? 3 : 50;
    w2v_model *m = train(c, &o);
    assert_true(is_finite(m));
    assert_true(w2v_model_result(m)->loss < 6 * log(2.0));
    assert_int_equal(w2v_model_result(m)->tokens, 4000 * (uint64_t)o.epochs);
    w2v_model_free(m);
    text_free(c);
}

static void test_train_diverges_with_reason(void **state)
{
    (void)state;
    uint32_t codes[1000 * 5];
    for (uint32_t i = 0; i < 1000 * 5; i++) {
        codes[i] = i % 5 == 4 ? CORPUS_BREAK : i % 5;
    }
    w2v_corpus *c = text_create(codes, 1000 * 5 - 1, 4);
    const double rates[] = {1000.0, 1e30, 1e300};
    for (size_t k = 0; k < SUPPORT_COUNT(rates); k++) {
        for (int threads = 1; threads <= 4; threads += 3) {
            w2v_train_options o = w2v_train_options_default();
            w2v_model *m = (w2v_model *)&o;
            w2v_error err = {0};
            o.lr = rates[k];
            o.threads = threads;
            assert_int_equal(w2v_train(c, &o, NULL, NULL, &m, &err), W2V_ERR_DIVERGED);
            assert_null(m);
            assert_int_equal(err.code, W2V_ERR_DIVERGED);
            assert_non_null(strstr(err.text, "diverged in epoch 1"));
            assert_non_null(strstr(err.text, "learning rate "));
            assert_non_null(strstr(err.hint, "lower learning rate"));
            assert_int_equal(w2v_train(c, &o, NULL, NULL, &m, NULL), W2V_ERR_DIVERGED);
        }
    }
    text_free(c);
}

/* ------------------------------------------------------------------- types */

static void test_train_two_types(void **state)
{
    (void)state;
    const uint32_t codes[] = {0, 1, 0, 1, 1, CORPUS_BREAK, 0};
    w2v_corpus *c = text_create(codes, SUPPORT_COUNT(codes), 2);
    w2v_train_options o = small_options();
    w2v_model *m = train(c, &o);
    assert_int_equal(w2v_model_result(m)->tokens, 12);
    assert_true(is_finite(m));
    w2v_model_free(m);
    text_free(c);
}

static void test_train_one_type_is_refused(void **state)
{
    (void)state;
    const uint32_t codes[] = {0, 0, 0, 0};
    for (uint32_t types = 1; types <= 2; types++) { /* a second word that never occurs is none */
        w2v_corpus *c = text_create(codes, SUPPORT_COUNT(codes), types);
        w2v_train_options o = small_options();
        w2v_model *m = NULL;
        w2v_error err = {0};
        assert_int_equal(w2v_train(c, &o, NULL, NULL, &m, &err), W2V_ERR_INPUT);
        assert_non_null(strstr(err.text, "'w0'"));
        assert_null(m);
        text_free(c);
    }
}

/* Sentences of one word only: no pair, no loss, but no harm. */
static void test_train_without_pairs(void **state)
{
    (void)state;
    const uint32_t codes[] = {0, CORPUS_BREAK, 1, CORPUS_BREAK, 2};
    w2v_corpus *c = text_create(codes, SUPPORT_COUNT(codes), 3);
    w2v_train_options o = small_options();
    w2v_model *m = train(c, &o);
    assert_int_equal(w2v_model_result(m)->pairs, 0);
    assert_int_equal(w2v_model_result(m)->tokens, 6);
    assert_true(isnan(w2v_model_result(m)->loss));
    w2v_model_free(m);
    text_free(c);
}

/* ----------------------------------------------------------------- options */

static void refuse(const w2v_corpus *c, w2v_train_options o, const char *name)
{
    w2v_model *m = (w2v_model *)&o;
    w2v_error err = {0};
    assert_int_equal(w2v_train(c, &o, NULL, NULL, &m, &err), W2V_ERR_ARGUMENT);
    assert_null(m);
    if (!strstr(err.text, name)) {
        fail_msg("'%s' does not name '%s'", err.text, name);
    }
}

static void test_train_refuses_values_out_of_range(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){100, 5, 5, 5, false, 1});
    const w2v_train_options good = w2v_train_options_default();
    w2v_train_options o;
#define REFUSE(FIELD, VALUE, NAME)                                                                 \
    do {                                                                                           \
        o = good;                                                                                  \
        o.FIELD = VALUE;                                                                           \
        refuse(c, o, NAME);                                                                        \
    } while (0)
    REFUSE(dim, 0, "dim");
    REFUSE(dim, 65537, "dim");
    REFUSE(window, 0, "window");
    REFUSE(window, 1001, "window");
    REFUSE(negative, 0, "negative");
    REFUSE(negative, 1001, "negative");
    REFUSE(epochs, 0, "epochs");
    REFUSE(threads, 0, "threads");
    REFUSE(threads, -1, "threads");
    REFUSE(max_sentence, 1, "max-sentence");
    REFUSE(sample, -0.1, "sample");
    REFUSE(sample, 1.5, "sample");
    REFUSE(sample, (double)NAN, "sample");
    REFUSE(ns_exponent, 11.0, "ns-exponent");
    REFUSE(lr, 0.0, "learning rate");
    REFUSE(lr, (double)INFINITY, "learning rate");
    REFUSE(lr, (double)NAN, "learning rate");
#undef REFUSE
    text_free(c);
}

/* The largest window, dim and number of negatives work, on a text shorter than any of them. */
static void test_train_largest_values(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){60, 10, 30, 30, false, 1});
    for (int share = 0; share < 2; share++) {
        w2v_train_options o = w2v_train_options_default();
        o.dim = train_small() ? 3000 : 65536;
        o.window = 1000;
        o.negative = 1000;
        o.ns_exponent = share ? 10.0 : -10.0;
        o.max_sentence = 1000000;
        o.epochs = 1;
        o.sample = 0.0;
        o.lr = 1e-6;
        o.share = share ? W2V_SHARE_WINDOW : W2V_SHARE_NONE;
        w2v_model *m = train(c, &o);
        assert_int_equal(w2v_model_dim(m), o.dim);
        assert_true(w2v_model_result(m)->pairs > 100);
        w2v_model_free(m);
    }
    text_free(c);
}

/* Any window and any number of negatives may be asked for at the usual rate: that many pairs are
   trained together must not make their steps overshoot. */
static void test_train_wide_windows_and_many_negatives_stay_finite(void **state)
{
    (void)state;
    const uint32_t values[][2] = {{100, 5}, {1000, 5}, {5, 1000}, {5, 100}};
    w2v_corpus *c =
        text_random((text_recipe){train_small() ? 3000 : 20000, 500, 20000, 20000, true, 2});
    for (size_t k = 0; k < SUPPORT_COUNT(values); k++) {
        w2v_train_options o = small_options();
        o.window = values[k][0];
        o.negative = values[k][1];
        w2v_model *m = train(c, &o);
        assert_true(w2v_model_result(m)->loss <= 1.05 * (1.0 + o.negative) * log(2.0));
        w2v_model_free(m);
    }
    text_free(c);
}

static void test_train_memory_limit(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){5000, 1000, 5, 5, false, 1});
    w2v_train_options o = small_options();
    o.dim = 1000;
    o.max_memory = 4u << 20;
    w2v_model *m = NULL;
    w2v_error err = {0};
    assert_int_equal(w2v_train(c, &o, NULL, NULL, &m, &err), W2V_ERR_MEMORY);
    assert_non_null(strstr(err.text, "allowed"));
    assert_null(m);
    text_free(c);
}

static void look_away(void *user, const w2v_update *update)
{
    (void)user;
    (void)update;
}

/* Each allocation of a run made to fail in its turn: an error, no model, nothing left behind. */
static void test_train_without_memory(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){500, 20, 5, 5, false, 1});
    w2v_train_options o = small_options();
    o.threads = 2;
    o.explain = 10;
    o.on_update = look_away;
    bool trained = false;
    for (uint64_t n = 1; !trained; n++) {
        w2v_model *m = NULL;
        w2v_error err = {0};
        mem_fail_at(n, false);
        const w2v_status status = w2v_train(c, &o, NULL, NULL, &m, &err);
        mem_fail_at(0, false);
        trained = status == W2V_OK;
        if (!trained) {
            assert_int_equal(status, W2V_ERR_MEMORY);
            assert_int_equal(err.code, W2V_ERR_MEMORY);
            assert_null(m);
        }
        assert_true(n < 1000);
        w2v_model_free(m);
    }
    text_free(c);
}

/* The spilled text shrinks under the run: an error from whichever thread meets it, and no hang. */
static void test_train_spilled_text_vanishes(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 8; threads += 7) {
        w2v_corpus *c = text_random((text_recipe){20000, 100, 5, 20, true, 1});
        text_spill(c);
        w2v_train_options o = small_options();
        o.threads = threads;
        w2v_model *m = train(c, &o);
        w2v_model_free(m);
        /* what is in file is half of what was counted */
        assert_int_equal(ftruncate(c->spill_fd, (off_t)(c->length * sizeof(uint32_t) / 2)), 0);
        w2v_error err = {0};
        assert_int_equal(w2v_train(c, &o, NULL, NULL, &m, &err), W2V_ERR_IO);
        assert_null(m);
        assert_true(err.text[0] != '\0');
        text_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_train_many_threads_many_epochs_stay_finite),
        cmocka_unit_test(test_train_diverges_with_reason),
        cmocka_unit_test(test_train_two_types),
        cmocka_unit_test(test_train_one_type_is_refused),
        cmocka_unit_test(test_train_without_pairs),
        cmocka_unit_test(test_train_refuses_values_out_of_range),
        cmocka_unit_test(test_train_largest_values),
        cmocka_unit_test(test_train_wide_windows_and_many_negatives_stay_finite),
        cmocka_unit_test(test_train_memory_limit),
        cmocka_unit_test(test_train_without_memory),
        cmocka_unit_test(test_train_spilled_text_vanishes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
