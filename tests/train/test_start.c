/* Runs that begin with rows of others: vectors, frozen or not, and an older run with new words. */
#include "checkpoint_support.h"

#include "vec/vectors.h"

typedef struct scene {
    char text[SUPPORT_PATH], file[SUPPORT_PATH];
    w2v_text_options reading;
    w2v_corpus *corpus;
    w2v_train_options options;
} scene;

static void open_scene(scene *s, void **state)
{
    support_path(*state, "text.txt", s->text);
    support_path(*state, "from", s->file);
    write_text(s->text, train_small() ? 100 : 300, 40, 9);
    s->reading = w2v_text_options_default();
    s->reading.min_count = 1;
    s->corpus = read_corpus(s->text, &s->reading);
    s->options = small_options();
    s->options.dim = 19;
}

static w2v_status begin(const w2v_corpus *corpus, const w2v_train_options *o,
                        const w2v_train_start *start, w2v_model **m, w2v_error *err)
{
    *err = (w2v_error){0};
    return w2v_train_from(corpus, o, start, NULL, NULL, m, err);
}

/* ------------------------------------------------------------------------ init */

/* A file of vectors for every third word of the text, and one for a word that is not there; a zero
   of each sign in every row, and one word twice. */
static w2v_vectors *open_vectors(const scene *s, uint32_t dim)
{
    FILE *f = fopen(s->file, "w");
    assert_non_null(f);
    const uint32_t all = w2v_vocab_size(s->corpus->vocab);
    fprintf(f, "%u %u\n", (unsigned)((all + 2) / 3 + 2), (unsigned)dim);
    for (uint32_t id = 0; id < all; id += 3) {
        fprintf(f, "%s -0 0", w2v_vocab_word(s->corpus->vocab, id, NULL));
        for (uint32_t c = 2; c < dim; c++) {
            fprintf(f, " %.9g", 0.01 * (double)(id + 1) / (double)(c + 1));
        }
        fputc('\n', f);
    }
    for (int k = 0; k < 2; k++) {
        fprintf(f, "%s", k ? w2v_vocab_word(s->corpus->vocab, 0, NULL) : "stranger");
        for (uint32_t c = 0; c < dim; c++) {
            fprintf(f, " 7");
        }
        fputc('\n', f);
    }
    assert_int_equal(fclose(f), 0);
    w2v_vectors *v;
    assert_int_equal(w2v_vectors_open(s->file, NULL, &v, NULL), W2V_OK);
    return v;
}

static int look_at_the_start(void *user, const w2v_train_progress *p)
{
    *(uint32_t *)user = w2v_model_result(p->model)->started;
    return 1;
}

/* Bytes of a row that was given. */
static bool is_given(const w2v_model *m, uint32_t id)
{
    const float *row = w2v_model_row(m, false, id);
    float expected[19] = {-0.0F, 0.0F};
    for (uint32_t c = 2; c < 19; c++) {
        char text[32];
        snprintf(text, sizeof text, "%.9g", 0.01 * (double)(id + 1) / (double)(c + 1));
        expected[c] = strtof(text, NULL);
    }
    return memcmp(row, expected, sizeof expected) == 0;
}

static void test_train_init_words_are_matched(void **state)
{
    scene s;
    open_scene(&s, state);
    w2v_model *fresh, *m;
    w2v_error err;
    /* one epoch at a rate of nothing: rows stay what they began as */
    s.options.lr = 1e-30;
    fresh = train(s.corpus, &s.options);
    w2v_vectors *v = open_vectors(&s, 19);
    const w2v_train_start start = {.init = v};
    assert_int_equal(begin(s.corpus, &s.options, &start, &m, &err), W2V_OK);
    assert_int_equal(w2v_model_result(m)->started, (m->rows + 2) / 3);
    for (uint32_t id = 0; id < m->rows; id++) {
        const bool as_fresh = memcmp(w2v_model_row(m, false, id), w2v_model_row(fresh, false, id),
                                     19 * sizeof(float)) == 0;
        assert_int_equal(as_fresh, id % 3 != 0);
    }
    w2v_model_free(m);
    uint32_t started = 0;
    assert_int_equal(
        w2v_train_from(s.corpus, &s.options, &start, look_at_the_start, &started, &m, NULL),
        W2V_ERR_INTERRUPTED);
    assert_int_equal(started, (m->rows + 2) / 3);
    w2v_model_free(m);
    w2v_model_free(fresh);
    w2v_vectors_free(v);
    w2v_corpus_free(s.corpus);
}

static void test_train_init_freeze_keeps_bits(void **state)
{
    scene s;
    open_scene(&s, state);
    w2v_vectors *v = open_vectors(&s, 19);
    const w2v_train_start start = {.init = v, .freeze = true};
    s.options.lr = 0.5; /* what moves moves far */
    for (int share = 0; share < 2; share++) {
        for (int threads = 1; threads <= 4; threads++) {
            w2v_model *m;
            w2v_error err;
            s.options.threads = threads;
            s.options.share = share ? W2V_SHARE_WINDOW : W2V_SHARE_NONE;
            assert_int_equal(begin(s.corpus, &s.options, &start, &m, &err), W2V_OK);
            for (uint32_t id = 0; id < m->rows; id++) {
                if (is_given(m, id) != (id % 3 == 0)) {
                    fail_msg("row %u, %d threads", (unsigned)id, threads);
                }
                const float zero[19] = {0};
                assert_true(memcmp(w2v_model_row(m, true, id), zero, sizeof zero) != 0);
            }
            w2v_model_free(m);
        }
    }
    w2v_vectors_free(v);
    w2v_corpus_free(s.corpus);
}

/* A frozen run is gone on with as such, and ends the same. */
static void test_train_init_freeze_resumed(void **state)
{
    scene s;
    char file[SUPPORT_PATH];
    open_scene(&s, state);
    support_path(*state, "run.ckpt", file);
    w2v_vectors *v = open_vectors(&s, 19);
    const w2v_train_start start = {.init = v, .freeze = true};
    w2v_model *whole, *part;
    w2v_error err;
    assert_int_equal(begin(s.corpus, &s.options, &start, &whole, &err), W2V_OK);
    saver save = {.corpus = s.corpus, .text = &s.reading, .path = file, .at = 30, .stop = true};
    assert_int_equal(
        w2v_train_from(s.corpus, &s.options, &start, save_in_pause, &save, &part, &err),
        W2V_ERR_INTERRUPTED);
    w2v_checkpoint *c = open_checkpoint(file);
    assert_int_equal(w2v_checkpoint_facts(c)->frozen, (whole->rows + 2) / 3);
    w2v_checkpoint_free(c);
    w2v_model *m = resume(s.corpus, file, 1);
    assert_same_model(m, whole);
    assert_true(is_given(m, 0));
    w2v_model_free(m);
    w2v_model_free(part);
    w2v_model_free(whole);
    w2v_vectors_free(v);
    w2v_corpus_free(s.corpus);
}

static void test_train_start_refusals(void **state)
{
    scene s;
    w2v_error err;
    w2v_model *m;
    open_scene(&s, state);
    w2v_vectors *v = open_vectors(&s, 18);
    w2v_train_start start = {.init = v};
    assert_int_equal(begin(s.corpus, &s.options, &start, &m, &err), W2V_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "has vectors of 18 numbers, not 19"));
    assert_null(m);
    start = (w2v_train_start){.freeze = true};
    assert_int_equal(begin(s.corpus, &s.options, &start, &m, &err), W2V_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "frozen"));
    w2v_model *done = train(s.corpus, &s.options);
    char file[SUPPORT_PATH];
    support_path(*state, "run.ckpt", file);
    assert_int_equal(w2v_checkpoint_save(done, s.corpus, &s.reading, file, NULL, NULL), W2V_OK);
    w2v_checkpoint *c = open_checkpoint(file);
    start = (w2v_train_start){.resume = c, .init = v};
    assert_int_equal(begin(s.corpus, &s.options, &start, &m, &err), W2V_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "two things at once"));
    /* an update of a text that knows nothing of the older words */
    start = (w2v_train_start){.update = c};
    assert_int_equal(begin(s.corpus, &s.options, &start, &m, &err), W2V_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "was not read with the checkpoint's words"));
    /* tables are read once */
    start = (w2v_train_start){.resume = c};
    assert_int_equal(begin(s.corpus, &s.options, &start, &m, &err), W2V_OK);
    w2v_model_free(m);
    assert_int_equal(begin(s.corpus, &s.options, &start, &m, &err), W2V_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "for one training only"));
    w2v_checkpoint_free(c);
    w2v_vectors_free(v);
    /* no word in common; a number that is none */
    s.options.dim = 2;
    static const char *const files[] = {"1 2\nstranger 1 2\n", "1 2\nw0 1 nan\n"};
    static const char *const said[] = {"has none of the words", "not a finite number"};
    for (size_t i = 0; i < SUPPORT_COUNT(files); i++) {
        support_write_text(s.file, files[i]);
        assert_int_equal(w2v_vectors_open(s.file, NULL, &v, NULL), W2V_OK);
        start = (w2v_train_start){.init = v};
        assert_int_equal(begin(s.corpus, &s.options, &start, &m, &err), W2V_ERR_INPUT);
        assert_non_null(strstr(err.text, said[i]));
        w2v_vectors_free(v);
    }
    w2v_model_free(done);
    w2v_corpus_free(s.corpus);
}

/* ---------------------------------------------------------------------- update */

static void append(const char *path, const char *text)
{
    FILE *f = fopen(path, "a");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void test_train_update(void **state)
{
    scene s;
    char old_file[SUPPORT_PATH], new_file[SUPPORT_PATH];
    w2v_error err;
    open_scene(&s, state);
    support_path(*state, "old.ckpt", old_file);
    support_path(*state, "new.ckpt", new_file);
    w2v_model *old = train(s.corpus, &s.options);
    assert_int_equal(w2v_checkpoint_save(old, s.corpus, &s.reading, old_file, NULL, NULL), W2V_OK);
    w2v_checkpoint *c = open_checkpoint(old_file);

    /* a text with two new words of different counts, and without most of the old ones */
    support_write_text(s.text, "w0 new w1 new\nnewer new w0 w1\nw0 newer new w1\nonce\n");
    s.reading.base = w2v_checkpoint_vocab(c);
    s.reading.min_count = 2;
    w2v_corpus *corpus = read_corpus(s.text, &s.reading);
    const w2v_vocab *v = corpus->vocab;
    assert_int_equal(w2v_vocab_size(v), old->rows + 2);
    assert_string_equal(w2v_vocab_word(v, old->rows, NULL), "new");
    assert_string_equal(w2v_vocab_word(v, old->rows + 1, NULL), "newer");
    assert_int_equal(w2v_vocab_count(v, old->rows), 4);

    s.options.lr = 1e-30; /* rows stay what they began as */
    w2v_train_start start = {.update = c};
    w2v_model *m;
    assert_int_equal(begin(corpus, &s.options, &start, &m, &err), W2V_OK);
    assert_int_equal(w2v_model_result(m)->started, old->rows);
    for (uint32_t id = 0; id < old->rows; id++) {
        assert_memory_equal(w2v_model_row(m, false, id), w2v_model_row(old, false, id),
                            19 * sizeof(float));
        assert_memory_equal(w2v_model_row(m, true, id), w2v_model_row(old, true, id),
                            19 * sizeof(float));
    }
    w2v_model_free(m);
    w2v_checkpoint_free(c);

    /* and such a run is resumed, without the older checkpoint */
    s.options.lr = 0.1;
    s.options.sample = 0;
    c = open_checkpoint(old_file);
    s.reading.base = w2v_checkpoint_vocab(c);
    start.update = c;
    saver save = {.corpus = corpus, .text = &s.reading, .path = new_file, .at = 3, .stop = true};
    assert_int_equal(w2v_train_from(corpus, &s.options, &start, save_in_pause, &save, &m, &err),
                     W2V_ERR_INTERRUPTED);
    w2v_model_free(m);
    w2v_checkpoint_free(c);
    c = open_checkpoint(old_file);
    start.update = c;
    w2v_model *whole;
    assert_int_equal(begin(corpus, &s.options, &start, &whole, &err), W2V_OK);
    w2v_checkpoint_free(c);
    w2v_corpus_free(corpus);
    assert_int_equal(remove(old_file), 0);
    c = open_checkpoint(new_file);
    assert_int_equal(w2v_vocab_size(w2v_checkpoint_facts(c)->text.base), old->rows);
    corpus = read_corpus(s.text, &w2v_checkpoint_facts(c)->text);
    start = (w2v_train_start){.resume = c};
    assert_int_equal(begin(corpus, &s.options, &start, &m, &err), W2V_OK);
    assert_memory_equal(m->word, whole->word, m->table_bytes);
    assert_memory_equal(m->context, whole->context, m->table_bytes);
    w2v_checkpoint_free(c);
    w2v_model_free(m);
    w2v_model_free(whole);
    w2v_model_free(old);
    w2v_corpus_free(corpus);
    w2v_corpus_free(s.corpus);
}

/* Without new words it is a run like any other; with another text its old rows move on. */
static void test_train_update_without_new_words(void **state)
{
    scene s;
    char file[SUPPORT_PATH];
    w2v_error err;
    open_scene(&s, state);
    support_path(*state, "old.ckpt", file);
    w2v_model *old = train(s.corpus, &s.options), *m;
    assert_int_equal(w2v_checkpoint_save(old, s.corpus, &s.reading, file, NULL, NULL), W2V_OK);
    w2v_checkpoint *c = open_checkpoint(file);
    append(s.text, "w0 w1 w2\n");
    s.reading.base = w2v_checkpoint_vocab(c);
    w2v_corpus *corpus = read_corpus(s.text, &s.reading);
    const w2v_train_start start = {.update = c};
    assert_int_equal(w2v_vocab_size(corpus->vocab), old->rows);
    assert_int_equal(begin(corpus, &s.options, &start, &m, &err), W2V_OK);
    assert_int_equal(m->result.tokens, 2 * corpus->stats.tokens_kept);
    assert_true(m->result.loss < old->result.loss);
    w2v_checkpoint_free(c);
    w2v_model_free(m);
    w2v_model_free(old);
    w2v_corpus_free(corpus);
    w2v_corpus_free(s.corpus);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, support_setup, support_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_train_init_words_are_matched),
        TEST(test_train_init_freeze_keeps_bits),
        TEST(test_train_init_freeze_resumed),
        TEST(test_train_start_refusals),
        TEST(test_train_update),
        TEST(test_train_update_without_new_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
