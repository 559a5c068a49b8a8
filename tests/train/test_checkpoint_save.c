/* A run that is saved in a pause and gone on with ends as one that never stopped. */
#include "checkpoint_support.h"

#include "base/mem.h"
#include "train/blocks.h"

#include <zlib.h>

typedef struct scene {
    char text[SUPPORT_PATH], file[SUPPORT_PATH];
    w2v_text_options reading;
    w2v_corpus *corpus;
    w2v_train_options options;
    w2v_model *whole; /* trained in one go */
    uint64_t blocks;  /* of an epoch */
} scene;

static void open_scene(scene *s, void **state, bool share)
{
    support_path(*state, "text.txt", s->text);
    support_path(*state, "run.ckpt", s->file);
    write_text(s->text, train_small() ? 150 : 400, 60, 3);
    s->reading = w2v_text_options_default();
    s->reading.min_count = 2;
    s->corpus = read_corpus(s->text, &s->reading);
    s->options = small_options();
    s->options.epochs = 3;
    s->options.dim = 13; /* rows are padded */
    s->options.share = share ? W2V_SHARE_WINDOW : W2V_SHARE_NONE;
    s->whole = train(s->corpus, &s->options);
    blocks b;
    assert_int_equal(blocks_init(&b, s->corpus, s->options.max_sentence, NULL), W2V_OK);
    s->blocks = b.count;
    assert_true(s->blocks > 90);
    blocks_clear(&b);
}

static void close_scene(scene *s)
{
    w2v_model_free(s->whole);
    w2v_corpus_free(s->corpus);
}

static void stop_after(scene *s, uint64_t at, int threads)
{
    saver save = {
        .corpus = s->corpus, .text = &s->reading, .path = s->file, .at = at, .stop = true};
    w2v_train_options o = s->options;
    w2v_model *m = NULL;
    o.threads = threads;
    assert_int_equal(w2v_train(s->corpus, &o, save_in_pause, &save, &m, NULL), W2V_ERR_INTERRUPTED);
    assert_int_equal(save.saves, 1);
    w2v_model_free(m);
}

/* ------------------------------------------------------------------- pausing */

static void test_train_pause_changes_no_bytes(void **state)
{
    scene s;
    open_scene(&s, state, true);
    const uint64_t at[] = {1, s.blocks / 2, s.blocks, s.blocks + 1, 3 * s.blocks};
    for (size_t i = 0; i < SUPPORT_COUNT(at); i++) {
        saver save = {.corpus = s.corpus, .text = &s.reading, .path = s.file, .at = at[i]};
        w2v_model *m = NULL;
        assert_int_equal(w2v_train(s.corpus, &s.options, save_in_pause, &save, &m, NULL), W2V_OK);
        assert_int_equal(save.pauses, 1);
        assert_int_equal(save.calls, 3 * s.blocks);
        assert_same_model(m, s.whole);
        w2v_model_free(m);
    }
    close_scene(&s);
}

static int always_pause(void *user, const w2v_train_progress *p)
{
    uint64_t *pauses = user;
    *pauses += p->paused;
    assert_int_equal(p->model != NULL, p->start || p->paused || p->epoch_end);
    return W2V_TRAIN_PAUSE; /* in a pause and at an epoch's end it asks for nothing */
}

static void test_train_pause_after_every_block(void **state)
{
    scene s;
    open_scene(&s, state, true);
    for (int threads = 1; threads <= 3; threads++) {
        uint64_t pauses = 0;
        w2v_model *m = NULL;
        w2v_train_options o = s.options;
        o.threads = threads;
        assert_int_equal(w2v_train(s.corpus, &o, always_pause, &pauses, &m, NULL), W2V_OK);
        assert_int_equal(m->result.tokens, s.whole->result.tokens);
        assert_int_equal(m->result.pairs, s.whole->result.pairs);
        if (threads == 1) {
            assert_int_equal(pauses, 3 * s.blocks);
            assert_same_model(m, s.whole);
        }
        w2v_model_free(m);
    }
    close_scene(&s);
}

/* ------------------------------------------------------------------ resuming */

static void test_checkpoint_resumed_run_ends_the_same(void **state)
{
    for (int share = 0; share < 2; share++) {
        scene s;
        open_scene(&s, state, share);
        const uint64_t at[] = {0,
                               1,
                               2,
                               s.blocks / 2,
                               s.blocks - 1,
                               s.blocks,
                               s.blocks + 1,
                               2 * s.blocks + 17,
                               3 * s.blocks - 1,
                               3 * s.blocks};
        for (size_t i = 0; i < SUPPORT_COUNT(at); i++) {
            stop_after(&s, at[i], 1);
            w2v_model *m = resume(s.corpus, s.file, 1);
            assert_same_model(m, s.whole);
            assert_int_equal(m->result.started, s.corpus->vocab->names.count);
            w2v_model_free(m);
        }
        close_scene(&s);
    }
}

/* Stopped and resumed again and again. */
static void test_checkpoint_resumed_many_times(void **state)
{
    scene s;
    open_scene(&s, state, true);
    stop_after(&s, 40, 1);
    for (int times = 0; times < 5; times++) {
        w2v_checkpoint *c = open_checkpoint(s.file);
        const w2v_train_start start = {.resume = c};
        saver save = {
            .corpus = s.corpus, .text = &s.reading, .path = s.file, .at = 37, .stop = true};
        w2v_model *m = NULL;
        assert_int_equal(
            w2v_train_from(s.corpus, &s.options, &start, save_in_pause, &save, &m, NULL),
            W2V_ERR_INTERRUPTED);
        w2v_model_free(m);
        w2v_checkpoint_free(c);
    }
    w2v_model *m = resume(s.corpus, s.file, 1);
    assert_same_model(m, s.whole);
    w2v_model_free(m);
    close_scene(&s);
}

/* With several threads rows may differ, but nothing is visited twice or left out. */
static void test_checkpoint_of_several_threads(void **state)
{
    scene s;
    open_scene(&s, state, true);
    stop_after(&s, s.blocks + 7, 3);
    for (int threads = 1; threads <= 3; threads++) {
        w2v_model *m = resume(s.corpus, s.file, threads);
        assert_int_equal(m->result.tokens, s.whole->result.tokens);
        assert_int_equal(m->result.pairs, s.whole->result.pairs);
        assert_int_equal(m->result.epochs, 3);
        assert_true(is_finite(m));
        w2v_model_free(m);
    }
    close_scene(&s);
}

static void test_checkpoint_of_a_finished_run(void **state)
{
    scene s;
    open_scene(&s, state, true);
    assert_int_equal(w2v_checkpoint_save(s.whole, s.corpus, &s.reading, s.file, NULL, NULL),
                     W2V_OK);
    w2v_checkpoint *c = open_checkpoint(s.file);
    const w2v_checkpoint_info *info = w2v_checkpoint_facts(c);
    assert_true(info->complete);
    assert_int_equal(info->epochs, 3);
    assert_int_equal(info->tokens, info->tokens_total);
    assert_int_equal(info->pairs, s.whole->result.pairs);
    assert_true(info->loss == s.whole->result.loss);
    assert_int_equal(info->words, s.whole->rows);
    assert_int_equal(info->train.dim, 13);
    assert_int_equal(info->text.min_count, 2);
    w2v_checkpoint_free(c);
    w2v_model *m = resume(s.corpus, s.file, 2);
    assert_same_model(m, s.whole);
    w2v_model_free(m);
    close_scene(&s);
}

/* Plain or gzip text, spilled or not, a gzip checkpoint: all the same run. */
static void test_checkpoint_text_in_other_places(void **state)
{
    scene s;
    char packed[SUPPORT_PATH], file[SUPPORT_PATH];
    open_scene(&s, state, true);
    support_path(*state, "text.gz", packed);
    support_path(*state, "run.ckpt.gz", file);
    memcpy(s.file, file, sizeof file);
    size_t n;
    char *bytes = support_read(s.text, &n);
    gzFile f = gzopen(packed, "wb");
    assert_int_equal(gzwrite(f, bytes, (unsigned)n), n);
    assert_int_equal(gzclose(f), Z_OK);
    free(bytes);
    stop_after(&s, 50, 1);
    w2v_text_options spilled = s.reading;
    spilled.max_memory = 1;
    spilled.tmp_dir = *state;
    spilled.fingerprint = true;
    const struct {
        const char *path;
        const w2v_text_options *options;
    } texts[] = {{s.text, &s.reading}, {packed, &s.reading}, {packed, &spilled}};
    for (size_t i = 0; i < SUPPORT_COUNT(texts); i++) {
        w2v_corpus *c = read_corpus(texts[i].path, texts[i].options);
        assert_int_equal(c->stats.spilled > 0, i == 2);
        w2v_model *m = resume(c, s.file, 1);
        assert_same_model(m, s.whole);
        w2v_model_free(m);
        w2v_corpus_free(c);
    }
    close_scene(&s);
}

/* ------------------------------------------------------------------- refusals */

static void test_checkpoint_save_refuses_numbers_that_are_none(void **state)
{
    scene s;
    w2v_error err = {0};
    open_scene(&s, state, true);
    support_write_text(s.file, "the old one");
    s.whole->context[3] = NAN;
    assert_int_equal(w2v_checkpoint_save(s.whole, s.corpus, &s.reading, s.file, NULL, &err),
                     W2V_ERR_DIVERGED);
    assert_non_null(strstr(err.text, "not finite"));
    char *left = support_read(s.file, NULL);
    assert_string_equal(left, "the old one");
    free(left);
    close_scene(&s);
}

static void test_checkpoint_save_where_nothing_can_be_written(void **state)
{
    scene s;
    w2v_error err = {0};
    char path[SUPPORT_PATH];
    open_scene(&s, state, true);
    support_path(*state, "none/run", path);
    assert_int_equal(w2v_checkpoint_save(s.whole, s.corpus, &s.reading, path, NULL, &err),
                     W2V_ERR_IO);
    err = (w2v_error){0};
    assert_int_equal(w2v_checkpoint_save(s.whole, s.corpus, &s.reading, "/dev/full", NULL, &err),
                     W2V_ERR_IO);
    close_scene(&s);
}

/* Saves and goes on; what fails must say so. Jansson's reader has memory of its own here:
   Jansson 2.14 itself crashes where memory ends in the middle of a string. */
static w2v_status save_and_resume(scene *s, w2v_error *err)
{
    *err = (w2v_error){0};
    w2v_checkpoint *c = NULL;
    w2v_model *m = NULL;
    w2v_status status = w2v_checkpoint_save(s->whole, s->corpus, &s->reading, s->file, NULL, err);
    status = status ? status : w2v_checkpoint_open(s->file, &c, err);
    if (status == W2V_OK) {
        const w2v_train_start start = {.resume = c};
        w2v_train_options o = w2v_checkpoint_facts(c)->train;
        status = w2v_train_from(s->corpus, &o, &start, NULL, NULL, &m, err);
    }
    w2v_model_free(m);
    w2v_checkpoint_free(c);
    return status;
}

static void test_checkpoint_every_allocation_fails(void **state)
{
    scene s;
    w2v_error err;
    open_scene(&s, state, true);
    s.reading.read_vocab = "a \"word\\list\"\n\xc3\xa9";
    s.whole->frozen = mem_calloc(s.whole->rows, 1);
    mem_fail_at(0, false);
    assert_int_equal(save_and_resume(&s, &err), W2V_OK);
    w2v_checkpoint *c = open_checkpoint(s.file);
    assert_string_equal(w2v_checkpoint_facts(c)->text.read_vocab, s.reading.read_vocab);
    w2v_checkpoint_free(c);
    mem_fail_at(0, false);
    assert_int_equal(save_and_resume(&s, &err), W2V_OK);
    const uint64_t tries = mem_tries();
    assert_true(tries > 100);
    for (int forever = 0; forever < 2; forever++) {
        for (uint64_t n = 1; n <= tries; n++) {
            mem_fail_at(n, forever);
            const w2v_status status = save_and_resume(&s, &err);
            mem_fail_at(0, false);
            if (status != W2V_ERR_MEMORY || err.code != status) {
                fail_msg("allocation %llu of %llu: status %d, '%s'", (unsigned long long)n,
                         (unsigned long long)tries, (int)status, err.text);
            }
            assert_true(support_count(*state) <= 2); /* the text, and a whole checkpoint or none */
        }
    }
    close_scene(&s);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, support_setup, support_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_train_pause_changes_no_bytes),
        TEST(test_train_pause_after_every_block),
        TEST(test_checkpoint_resumed_run_ends_the_same),
        TEST(test_checkpoint_resumed_many_times),
        TEST(test_checkpoint_of_several_threads),
        TEST(test_checkpoint_of_a_finished_run),
        TEST(test_checkpoint_text_in_other_places),
        TEST(test_checkpoint_save_refuses_numbers_that_are_none),
        TEST(test_checkpoint_save_where_nothing_can_be_written),
        TEST(test_checkpoint_every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
