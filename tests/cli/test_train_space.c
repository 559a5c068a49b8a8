#include "support.h"

#include "cli/train_run.h"

typedef struct trained {
    char folder[SUPPORT_PATH];
    w2v_inputs *inputs;
    w2v_corpus *corpus;
    w2v_model *model;
} trained;

/* 400 words of 1 to 8 letters, some met more often than others, 50 dimensions. */
static int setup(void **state)
{
    static trained t;
    char path[SUPPORT_PATH];
    support_folder(t.folder);
    FILE *f = fopen(support_path(t.folder, "text", path), "w");
    if (!f) {
        return -1;
    }
    for (int i = 0; i < 20000; i++) {
        const int word = i * 7919 % 400;
        fprintf(f, "%.*s%d%c", word % 6, "abcdef", word, i % 10 == 9 ? '\n' : ' ');
    }
    fclose(f);
    const char *const paths[] = {path};
    w2v_train_options o = w2v_train_options_default();
    o.dim = 50;
    o.epochs = 1;
    o.sample = 0;
    *state = &t;
    return w2v_inputs_create(paths, 1, false, &t.inputs, NULL) ||
           w2v_corpus_create(t.inputs, NULL, NULL, NULL, &t.corpus, NULL) ||
           w2v_train(t.corpus, &o, NULL, NULL, &t.model, NULL);
}

static int teardown(void **state)
{
    trained *t = *state;
    w2v_model_free(t->model);
    w2v_corpus_free(t->corpus);
    w2v_inputs_free(t->inputs);
    support_remove(t->folder);
    return 0;
}

/* Estimated bytes as a part of those written. */
static double vectors_share(trained *t, const char *name, w2v_format format, int precision)
{
    char path[SUPPORT_PATH];
    w2v_save_options o = w2v_save_options_default();
    o.format = format;
    o.precision = precision;
    uint64_t bytes = 0;
    support_path(t->folder, name, path);
    assert_int_equal(w2v_model_save(t->model, w2v_corpus_vocab(t->corpus), path, &o, &bytes, NULL),
                     W2V_OK);
    assert_int_equal(w2v_vocab_size(w2v_corpus_vocab(t->corpus)), 400);
    return (double)space_of_vectors(w2v_corpus_vocab(t->corpus), 50, &o, path) / (double)bytes;
}

static void assert_between(double value, double low, double high)
{
    if (!(value >= low && value <= high)) {
        fail_msg("%g is not in %g..%g", value, low, high);
    }
}

static void test_space_of_vectors_is_what_is_written(void **state)
{
    assert_between(vectors_share(*state, "v.bin", W2V_FORMAT_AUTO, 0), 0.999, 1.0);
    assert_between(vectors_share(*state, "odd.txt", W2V_FORMAT_BINARY, 0), 0.999, 1.0);
    assert_between(vectors_share(*state, "v.npy", W2V_FORMAT_AUTO, 0), 0.9, 1.1);
    assert_between(vectors_share(*state, "v.txt", W2V_FORMAT_AUTO, 0), 0.85, 1.15);
    assert_between(vectors_share(*state, "v", W2V_FORMAT_GLOVE, 0), 0.85, 1.15);
    assert_between(vectors_share(*state, "v.vec", W2V_FORMAT_AUTO, 3), 0.8, 1.2);
    assert_between(vectors_share(*state, "v.txt.gz", W2V_FORMAT_AUTO, 0), 0.3, 1.0);
    assert_between(vectors_share(*state, "v.bin.gz", W2V_FORMAT_AUTO, 0), 0.3, 1.0);
}

static void test_space_of_vocab_is_what_is_written(void **state)
{
    trained *t = *state;
    char path[SUPPORT_PATH];
    size_t n;
    support_path(t->folder, "vocab.txt", path);
    assert_int_equal(w2v_vocab_save(w2v_corpus_vocab(t->corpus), path, NULL), W2V_OK);
    free(support_read(path, &n));
    assert_int_equal(space_of_vocab(w2v_corpus_vocab(t->corpus), path), n);
}

static void test_space_of_checkpoint_is_about_what_is_written(void **state)
{
    trained *t = *state;
    char path[SUPPORT_PATH];
    uint64_t bytes;
    support_path(t->folder, "run.ckpt", path);
    const w2v_text_options text = w2v_text_options_default();
    assert_int_equal(w2v_checkpoint_save(t->model, t->corpus, &text, path, &bytes, NULL), W2V_OK);
    const uint64_t guess = space_of_checkpoint(w2v_corpus_vocab(t->corpus), 50, path);
    assert_in_range(bytes, guess, guess + 2048); /* the header and the losses */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_space_of_vectors_is_what_is_written),
        cmocka_unit_test(test_space_of_vocab_is_what_is_written),
        cmocka_unit_test(test_space_of_checkpoint_is_about_what_is_written),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
