/* What differs between a checkpoint and the run that wants to go on with it, by name. */
#include "checkpoint_support.h"

static const char base_text[] = "b a b c\nb a c\nb a b c c\n";

typedef struct scene {
    char text[SUPPORT_PATH], file[SUPPORT_PATH];
    w2v_text_options reading;
    w2v_train_options options;
    w2v_checkpoint *checkpoint;
} scene;

static void open_scene(scene *s, void **state)
{
    support_path(*state, "text.txt", s->text);
    support_path(*state, "run.ckpt", s->file);
    s->reading = w2v_text_options_default();
    s->reading.min_count = 1;
    s->options = small_options();
    s->options.lr = 0.1 + 0.2; /* needs 17 digits */
    s->options.sample = 0;
    support_write_text(s->text, base_text);
    w2v_corpus *c = read_corpus(s->text, &s->reading);
    w2v_model *m = train(c, &s->options);
    assert_int_equal(w2v_checkpoint_save(m, c, &s->reading, s->file, NULL, NULL), W2V_OK);
    w2v_model_free(m);
    w2v_corpus_free(c);
    s->checkpoint = open_checkpoint(s->file);
}

static void test_checkpoint_options_come_back_exactly(void **state)
{
    scene s;
    open_scene(&s, state);
    const w2v_checkpoint_info *info = w2v_checkpoint_facts(s.checkpoint);
    assert_true(info->train.lr == 0.1 + 0.2);
    assert_int_equal(info->train.epochs, 2);
    assert_int_equal(info->train.dim, 16);
    assert_int_equal(info->train.threads, 1);
    assert_int_equal(info->text.min_count, 1);
    assert_true(info->text.lines_are_sentences);
    assert_null(info->text.read_vocab);
    assert_null(info->text.base);
    assert_int_equal(w2v_checkpoint_check(s.checkpoint, &info->train, &info->text, NULL, NULL),
                     W2V_OK);
    w2v_checkpoint_free(s.checkpoint);
}

/* Every option that decides anything is compared. */
static void test_checkpoint_check_names_the_option(void **state)
{
    scene s;
    open_scene(&s, state);
    const w2v_checkpoint_info *info = w2v_checkpoint_facts(s.checkpoint);
    w2v_train_options t[11];
    for (size_t i = 0; i < SUPPORT_COUNT(t); i++) {
        t[i] = info->train;
    }
    t[0].dim = 17;
    t[1].window = 8;
    t[2].window_mode = W2V_WINDOW_FIXED;
    t[3].negative = 6;
    t[4].ns_exponent = 0.5;
    t[5].share = W2V_SHARE_NONE;
    t[6].sample = 1e-3;
    t[7].epochs = 3;
    t[8].lr = 0.3;
    t[9].max_sentence = 999;
    t[10].seed = UINT64_MAX;
    static const char *const train_said[] = {"--dim 16, not 17",
                                             "--window 5, not 8",
                                             "--window-mode shrink, not fixed",
                                             "--negative 5, not 6",
                                             "--ns-exponent 0.75, not 0.5",
                                             "--share-negatives window, not none",
                                             "--sample 0, not 0.001",
                                             "--epochs 2, not 3",
                                             "--lr 0.30000000000000004, not 0.3",
                                             "--max-sentence 1000, not 999",
                                             "--seed 1, not 18446744073709551615"};
    for (size_t i = 0; i < SUPPORT_COUNT(t); i++) {
        w2v_error err = {0};
        assert_int_equal(w2v_checkpoint_check(s.checkpoint, &t[i], &info->text, NULL, &err),
                         W2V_ERR_ARGUMENT);
        if (!strstr(err.text, train_said[i])) {
            fail_msg("'%s' does not say '%s'", err.text, train_said[i]);
        }
    }
    w2v_text_options r[5];
    for (size_t i = 0; i < SUPPORT_COUNT(r); i++) {
        r[i] = info->text;
    }
    r[0].lowercase = true;
    r[1].invalid_utf8 = W2V_UTF8_DROP;
    r[2].lines_are_sentences = false;
    r[3].min_count = 2;
    r[4].vocab_size = 2;
    static const char *const text_said[] = {
        "made without --lowercase", "--invalid-utf8 keep, not drop", "--sentence line, not none",
        "--min-count 1, not 2", "--vocab-size 0, not 2"};
    for (size_t i = 0; i < SUPPORT_COUNT(r); i++) {
        w2v_error err = {0};
        assert_int_equal(w2v_checkpoint_check(s.checkpoint, NULL, &r[i], NULL, &err),
                         W2V_ERR_ARGUMENT);
        if (!strstr(err.text, text_said[i])) {
            fail_msg("'%s' does not say '%s'", err.text, text_said[i]);
        }
    }
    t[0] = info->train;
    t[0].threads = 7;
    t[0].max_memory = 1;
    r[0] = info->text;
    r[0].threads = 3;
    r[0].tmp_dir = "x";
    assert_int_equal(w2v_checkpoint_check(s.checkpoint, &t[0], &r[0], NULL, NULL), W2V_OK);
    w2v_checkpoint_free(s.checkpoint);
}

static void test_checkpoint_check_names_the_text(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"b a b c\nb a c\nb a b c c b\n", "it has 6 tokens of 'b', the checkpoint 5"},
        {"b a b c\nb a c\nb a b c c d\n", "it has a word 'd' (1 tokens), which the checkpoint has"},
        {"b x b c\nb x c\nb x b c c\n", "it gives no word 'a', which the checkpoint has 3 times"},
        {"b a b c b a c\nb a b c c\n", "it has 2 sentences, the checkpoint 3"},
        {"b a b c\nb a c\nb a c b c\n", "the same, but they stand in another order"},
        {"b a b\nc b a c\nb a b c c\n", "the same, but they stand in another order"},
    };
    scene s;
    open_scene(&s, state);
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        w2v_error err = {0};
        support_write_text(s.text, cases[i].text);
        w2v_corpus *c = read_corpus(s.text, &s.reading);
        assert_int_equal(w2v_checkpoint_check(s.checkpoint, NULL, NULL, c, &err), W2V_ERR_INPUT);
        if (!strstr(err.text, cases[i].message)) {
            fail_msg("'%s' does not say '%s'", err.text, cases[i].message);
        }
        w2v_corpus_free(c);
    }
    /* white space and a missing line end say nothing to training */
    support_write_text(s.text, "b a  b c\n\nb\ta c\nb a b c c");
    w2v_corpus *c = read_corpus(s.text, &s.reading);
    assert_int_equal(w2v_checkpoint_check(s.checkpoint, NULL, NULL, c, NULL), W2V_OK);
    w2v_corpus_free(c);
    w2v_checkpoint_free(s.checkpoint);
}

/* The same words as often, but first seen in another order: they have other ids. */
static void test_checkpoint_check_order_of_words(void **state)
{
    scene s;
    open_scene(&s, state);
    w2v_checkpoint_free(s.checkpoint);
    support_write_text(s.text, "x y\nx y\n");
    w2v_corpus *c = read_corpus(s.text, &s.reading);
    w2v_model *m = train(c, &s.options);
    assert_int_equal(w2v_checkpoint_save(m, c, &s.reading, s.file, NULL, NULL), W2V_OK);
    w2v_corpus_free(c);
    w2v_model_free(m);
    support_write_text(s.text, "y x\nx y\n");
    c = read_corpus(s.text, &s.reading);
    s.checkpoint = open_checkpoint(s.file);
    w2v_error err = {0};
    assert_int_equal(w2v_checkpoint_check(s.checkpoint, NULL, NULL, c, &err), W2V_ERR_INPUT);
    assert_non_null(strstr(err.text, "the same, but not their order"));
    w2v_corpus_free(c);
    w2v_checkpoint_free(s.checkpoint);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, support_setup, support_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_checkpoint_options_come_back_exactly),
        TEST(test_checkpoint_check_names_the_option),
        TEST(test_checkpoint_check_names_the_text),
        TEST(test_checkpoint_check_order_of_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
