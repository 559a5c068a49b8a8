/* What a callback is told while training, and stopping from it. */
#include "train_support.h"

#include "train/model.h"

typedef struct log {
    w2v_train_progress last;
    uint64_t starts; /* and then: */
    uint64_t calls, epoch_ends;
    uint64_t stop_after; /* calls; 0: never */
    bool stop_at_start;
    bool stop_at_epoch_end;
    double epoch_loss[8];
} log_book;

static int note(void *user, const w2v_train_progress *p)
{
    log_book *l = user;
    /* forwards, and within bounds */
    assert_true(p->tokens >= l->last.tokens && p->tokens <= p->tokens_total);
    assert_true(p->pairs >= l->last.pairs);
    assert_true(p->epoch >= l->last.epoch && p->epoch <= p->epochs);
    assert_true(p->lr > 0.0 && p->lr <= 0.025);
    assert_true(isnan(p->loss) || (p->loss > 0.0 && p->loss < 10.0));
    assert_true((p->model != NULL) == (p->start || p->epoch_end));
    if (p->start) {
        assert_int_equal(l->calls + l->starts + p->tokens + p->pairs + p->epoch, 0);
        assert_true(isnan(p->loss) && !p->epoch_end && p->lr == 0.025);
        l->starts++;
        return l->stop_at_start;
    }
    assert_int_equal(l->starts, 1);
    l->calls++;
    if (p->epoch_end) {
        assert_int_equal(p->epoch, l->epoch_ends + 1);
        assert_int_equal(p->tokens, p->tokens_total / p->epochs * p->epoch);
        l->epoch_loss[l->epoch_ends++] = p->loss;
    } else {
        assert_int_equal(p->epoch, l->epoch_ends);
    }
    l->last = *p;
    return (l->stop_after && l->calls >= l->stop_after) || (p->epoch_end && l->stop_at_epoch_end);
}

static w2v_train_options options_of_test(int threads)
{
    w2v_train_options o = w2v_train_options_default();
    o.dim = 16;
    o.epochs = 3;
    o.threads = threads;
    return o;
}

static void test_callback_sees_every_epoch(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){20000, 100, 5, 20, true, 1});
    for (int threads = 1; threads <= 8; threads += 7) {
        const w2v_train_options o = options_of_test(threads);
        log_book log = {0};
        w2v_model *m = NULL;
        assert_int_equal(w2v_train(c, &o, note, &log, &m, NULL), W2V_OK);
        assert_int_equal(log.epoch_ends, 3);
        assert_true(log.calls >= 3 * 100);
        assert_true(log.last.epoch_end);
        assert_int_equal(log.last.epoch, 3);
        assert_int_equal(log.last.tokens, 60000);
        assert_int_equal(log.last.tokens_total, 60000);
        assert_int_equal(log.last.pairs, w2v_model_result(m)->pairs);
        for (uint32_t e = 0; e < 3; e++) {
            assert_true(log.epoch_loss[e] == w2v_model_epoch_loss(m, e));
        }
        assert_true(w2v_model_epoch_loss(m, 2) == w2v_model_result(m)->loss);
        w2v_model_free(m);
    }
    text_free(c);
}

/* A callback changes nothing of what is trained. */
static void test_callback_changes_no_bytes(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){5000, 100, 5, 20, true, 1});
    const w2v_train_options o = options_of_test(1);
    log_book log = {0};
    w2v_model *with = NULL, *without = NULL;
    assert_int_equal(w2v_train(c, &o, note, &log, &with, NULL), W2V_OK);
    assert_int_equal(w2v_train(c, &o, NULL, NULL, &without, NULL), W2V_OK);
    assert_memory_equal(with->word, without->word, with->table_bytes);
    assert_memory_equal(with->context, without->context, with->table_bytes);
    w2v_model_free(with);
    w2v_model_free(without);
    text_free(c);
}

static void test_callback_stops_after_a_block(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){20000, 100, 5, 20, true, 1});
    const uint64_t stops[] = {1, 5, 250};
    for (size_t k = 0; k < SUPPORT_COUNT(stops); k++) {
        for (int threads = 1; threads <= 4; threads += 3) {
            const w2v_train_options o = options_of_test(threads);
            log_book log = {.stop_after = stops[k]};
            w2v_model *m = NULL;
            w2v_error err = {0};
            assert_int_equal(w2v_train(c, &o, note, &log, &m, &err), W2V_ERR_INTERRUPTED);
            assert_int_equal(err.code, W2V_ERR_INTERRUPTED);
            assert_non_null(m);
            assert_int_equal(log.calls, stops[k]); /* and is left in peace from then on */
            const w2v_train_result *r = w2v_model_result(m);
            assert_true(r->tokens >= log.last.tokens && r->tokens < 60000);
            assert_true(r->pairs >= log.last.pairs);
            assert_int_equal(r->epochs, stops[k] > 200 ? 1 : 0);
            assert_true(r->loss > 0.0 && r->loss < 10.0);
            for (size_t i = 0; i < m->rows * m->stride; i++) {
                assert_true(isfinite(m->word[i]) && isfinite(m->context[i]));
            }
            w2v_model_free(m);
        }
    }
    text_free(c);
}

/* Nothing is trained: the model is the start of one. */
static void test_callback_stops_at_the_start(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){5000, 100, 5, 20, true, 1});
    const w2v_train_options o = options_of_test(2);
    log_book log = {.stop_at_start = true};
    w2v_model *m = NULL, *start = NULL;
    assert_int_equal(w2v_train(c, &o, note, &log, &m, NULL), W2V_ERR_INTERRUPTED);
    assert_int_equal(log.starts, 1);
    assert_int_equal(log.calls, 0);
    assert_int_equal(w2v_model_result(m)->tokens, 0);
    assert_true(isnan(w2v_model_result(m)->loss));
    assert_int_equal(model_create(m->rows, o.dim, 1, &start, NULL), W2V_OK);
    model_start_rows(start, c->vocab, o.seed, 0, m->rows);
    assert_memory_equal(m->word, start->word, m->table_bytes);
    assert_memory_equal(m->context, start->context, m->table_bytes);
    w2v_model_free(m);
    w2v_model_free(start);
    text_free(c);
}

/* What a callback sees of the tables at the start and at each epoch's end. */
typedef struct snapshots {
    float *word, *context; /* the newest */
    size_t bytes;
    uint32_t taken;
} snapshots;

static int take_snapshot(void *user, const w2v_train_progress *p)
{
    snapshots *s = user;
    if (p->model) {
        memcpy(s->word, w2v_model_row(p->model, false, 0), s->bytes);
        memcpy(s->context, w2v_model_row(p->model, true, 0), s->bytes);
        s->taken++;
    }
    return 0;
}

/* The tables at the last epoch's end are those that training returns: all threads' copies of
   frequent rows are home by then. */
static void test_callback_sees_the_merged_tables(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){20000, 100, 5, 20, true, 1});
    for (int threads = 1; threads <= 8; threads += 7) {
        const w2v_train_options o = options_of_test(threads);
        snapshots s = {.bytes = model_table_bytes(100, o.dim)};
        s.word = malloc(s.bytes);
        s.context = malloc(s.bytes);
        assert_true(s.word && s.context);
        w2v_model *m = NULL;
        assert_int_equal(w2v_train(c, &o, take_snapshot, &s, &m, NULL), W2V_OK);
        assert_int_equal(s.taken, 4);
        assert_memory_equal(m->word, s.word, s.bytes);
        assert_memory_equal(m->context, s.context, s.bytes);
        free(s.word);
        free(s.context);
        w2v_model_free(m);
    }
    text_free(c);
}

static void test_callback_stops_at_an_epoch_end(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){5000, 100, 5, 20, true, 1});
    const w2v_train_options o = options_of_test(2);
    log_book log = {.stop_at_epoch_end = true};
    w2v_model *m = NULL;
    assert_int_equal(w2v_train(c, &o, note, &log, &m, NULL), W2V_ERR_INTERRUPTED);
    assert_int_equal(w2v_model_result(m)->epochs, 1);
    assert_int_equal(w2v_model_result(m)->tokens, 5000);
    assert_int_equal(log.epoch_ends, 1);
    w2v_model_free(m);
    text_free(c);
}

/* A model that was stopped is the beginning of the one that was not. */
static void test_callback_stop_is_a_prefix(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){5000, 100, 5, 20, true, 1});
    w2v_train_options o = options_of_test(1);
    log_book log = {.stop_at_epoch_end = true};
    w2v_model *stopped = NULL, *again = NULL;
    assert_int_equal(w2v_train(c, &o, note, &log, &stopped, NULL), W2V_ERR_INTERRUPTED);
    log = (log_book){.stop_after = log.calls};
    assert_int_equal(w2v_train(c, &o, note, &log, &again, NULL), W2V_ERR_INTERRUPTED);
    assert_memory_equal(stopped->word, again->word, stopped->table_bytes);
    assert_memory_equal(stopped->context, again->context, stopped->table_bytes);
    w2v_model_free(stopped);
    w2v_model_free(again);
    text_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_callback_sees_every_epoch),
        cmocka_unit_test(test_callback_changes_no_bytes),
        cmocka_unit_test(test_callback_stops_after_a_block),
        cmocka_unit_test(test_callback_stops_at_the_start),
        cmocka_unit_test(test_callback_sees_the_merged_tables),
        cmocka_unit_test(test_callback_stops_at_an_epoch_end),
        cmocka_unit_test(test_callback_stop_is_a_prefix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
