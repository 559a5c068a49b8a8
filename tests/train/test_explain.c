/* The updates that are shown are those that are made. */
#include "train_run.h"

#include "base/mem.h"
#include "train/explain.h"

/* ------------------------------------------------------- an update against its formula */

/* Of floats of about 1 that are added up a few times. */
#define ROUNDING 1e-6

static double formula_dot(const float *x, const float *y, uint32_t dim)
{
    double sum = 0.0;
    for (uint32_t c = 0; c < dim; c++) {
        sum += (double)x[c] * (double)y[c];
    }
    return sum;
}

static void assert_close(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) {
        fail_msg("%.9g is not %.9g", a, b);
    }
}

static void assert_dots(const w2v_update *u)
{
    for (size_t i = 0; i < u->centre_count; i++) {
        for (size_t j = 0; j < u->output_count; j++) {
            const w2v_update_dot *d = &u->dots[i * u->output_count + j];
            const double x = formula_dot(u->centres[i].met, u->outputs[j].met, u->dim);
            const double label = u->with_neighbour && j == 0 ? 1.0 : 0.0;
            assert_close((double)d->dot, x, ROUNDING * (1.0 + fabs(x)));
            assert_close((double)d->sigma, 1.0 / (1.0 + exp(-x)), ROUNDING);
            assert_close((double)d->error, 1.0 / (1.0 + exp(-x)) - label, ROUNDING);
        }
    }
}

/* after - before = -rate x the sum of times x (sigma - label) x the other's old row */
static void assert_moves(const w2v_update *u)
{
    for (uint32_t c = 0; c < u->dim; c++) {
        for (size_t i = 0; i < u->centre_count; i++) {
            const w2v_update_row *row = &u->centres[i];
            double sum = 0.0, size = 1.0 + fabs((double)row->before[c]);
            for (size_t j = 0; j < u->output_count; j++) {
                const double term = (double)row->times * u->outputs[j].times *
                                    (double)u->dots[i * u->output_count + j].error *
                                    (double)u->outputs[j].met[c];
                sum += term;
                size += fabs(term);
            }
            assert_close((double)row->after[c] - (double)row->before[c], -(double)u->rate * sum,
                         ROUNDING * size);
        }
        for (size_t j = 0; j < u->output_count; j++) {
            const w2v_update_row *row = &u->outputs[j];
            double sum = 0.0, size = 1.0 + fabs((double)row->before[c]);
            for (size_t i = 0; i < u->centre_count; i++) {
                const double term = (double)row->times * u->centres[i].times *
                                    (double)u->dots[i * u->output_count + j].error *
                                    (double)u->centres[i].met[c];
                sum += term;
                size += fabs(term);
            }
            assert_close((double)row->after[c] - (double)row->before[c], -(double)u->rate * sum,
                         ROUNDING * size);
        }
    }
}

/* ---------------------------------------------------------------- one pair by hand */

static void expect_by_hand(void *user, const w2v_update *u)
{
    (*(int *)user)++;
    assert_int_equal(u->number, 1);
    assert_int_equal(u->first_pair, 1);
    assert_int_equal(u->pairs, 1);
    assert_int_equal(u->dim, 2);
    assert_true(u->with_neighbour && u->neighbour == 3 && u->left_out == 0);
    assert_true(u->centre_count == 1 && u->centres[0].id == 2 && u->centres[0].times == 1);
    assert_int_equal(u->output_count, 3);
    const uint32_t ids[] = {3, 0, 2};
    const double dots[] = {0.0572, 0.0336, 0.0276}, errors[] = {-0.4857, 0.5084, 0.5069};
    for (size_t j = 0; j < 3; j++) {
        assert_int_equal(u->outputs[j].id, ids[j]);
        assert_int_equal(u->outputs[j].times, 1);
        assert_close((double)u->dots[j].dot, dots[j], 1e-7);
        assert_close((double)u->dots[j].error, errors[j], 5e-5);
        assert_close((double)u->dots[j].sigma, errors[j] + (j == 0), 5e-5);
    }
    /* -0.5 x (-0.4857 x (0.1, 0.372) + 0.5084 x (0.3, -0.264) + 0.5069 x (-0.1, 0.476)) */
    assert_close((double)(u->centres[0].after[0] - u->centres[0].before[0]), -0.02663, 5e-5);
    assert_close((double)(u->centres[0].after[1] - u->centres[0].before[1]), 0.03681, 5e-5);
    /* +0.5 x 0.4857 x (0.2, 0.1) */
    assert_close((double)(u->outputs[0].after[0] - u->outputs[0].before[0]), 0.04857, 5e-5);
    assert_close((double)(u->outputs[0].after[1] - u->outputs[0].before[1]), 0.024285, 5e-5);
    assert_close((double)(u->outputs[1].after[0] - u->outputs[1].before[0]), -0.05084, 5e-5);
    assert_close((double)(u->outputs[2].after[0] - u->outputs[2].before[0]), -0.05069, 5e-5);
    assert_moves(u);
}

/* The dots are 0.0572, 0.0336 and 0.0276: 0.2 x 0.1 + 0.1 x 0.372, and so on. */
static void test_explain_step_by_hand(void **state)
{
    (void)state;
    const float centre[2] = {0.2f, 0.1f};
    const float outputs[3][2] = {{0.1f, 0.372f}, {0.3f, -0.264f}, {-0.1f, 0.476f}};
    const uint32_t ids[3] = {3, 0, 2};
    int calls = 0;
    w2v_train_options o = w2v_train_options_default();
    o.explain = 1;
    o.on_update = expect_by_hand;
    o.update_user = &calls;
    w2v_model *m;
    plan_group g;
    explain e;
    assert_int_equal(model_create(4, 2, 1, &m, NULL), W2V_OK);
    assert_int_equal(plan_group_init(&g, NULL), W2V_OK);
    assert_int_equal(explain_init(&e, &o, m, NULL), W2V_OK);
    memcpy(m->word + 2 * m->stride, centre, sizeof centre);
    for (size_t j = 0; j < 3; j++) {
        g.group.out[j] = m->context + ids[j] * m->stride;
        memcpy(g.group.out[j], outputs[j], sizeof outputs[j]);
        g.times[j] = 1.0f;
    }
    g.row_id[0] = 2;
    g.group.row[0] = g.group.row[1] = m->word + 2 * m->stride;
    g.ones[1] = 0.0f;
    g.group.rows = g.pairs = 1;
    g.group.outs = g.drawn = 3;
    g.group.times = g.times;
    g.group.positive = true;
    float *scratch =
        mem_alloc_aligned(kernel_scratch_size(PLAN_ROWS + 1, PLAN_OUTS) * sizeof *scratch);
    const kernel k = kernel_best();
    double loss[KERNEL_LANES] = {0};
    explain_begin(&e, &g, NULL, 0.5f);
    kernel_step(&k, &g.group, m->stride, 0.5f, scratch, loss);
    explain_end(&e, &g, NULL);
    assert_int_equal(calls, 1);
    assert_int_equal(e.left, 0);
    explain_begin(&e, &g, NULL, 0.5f); /* not shown */
    explain_end(&e, &g, NULL);
    assert_int_equal(calls, 1);
    mem_free(scratch);
    explain_clear(&e);
    plan_group_clear(&g);
    w2v_model_free(m);
}

/* ---------------------------------------------------------------------- whole runs */

/* Follows the tables through the updates alone. */
typedef struct replay {
    const w2v_corpus *corpus;
    const w2v_train_options *options;
    w2v_model *tables;
    w2v_pairs *stream;
    uint32_t epoch;
    uint64_t updates, pairs, left_out, repeated, parts;
} replay;

static void follow_rows(replay *r, bool context, const w2v_update_row *rows, size_t n)
{
    float *table = context ? r->tables->context : r->tables->word;
    const size_t bytes = r->tables->dim * sizeof *table;
    for (size_t i = 0; i < n; i++) {
        float *row = table + rows[i].id * r->tables->stride;
        assert_memory_equal(row, rows[i].before, bytes);
        memcpy(row, rows[i].after, bytes);
        r->repeated += rows[i].times > 1;
        for (size_t k = 0; k < i; k++) {
            assert_int_not_equal(rows[i].id, rows[k].id);
        }
    }
}

/* The centres are those that the public stream of pairs has next. */
static void follow_pairs(replay *r, const w2v_update *u)
{
    uint32_t met[256] = {0};
    for (uint64_t p = 0; p < u->pairs; p++) {
        w2v_pair pair;
        bool done = false;
        if (r->stream && u->epoch != r->epoch) {
            w2v_pairs_free(r->stream);
            r->stream = NULL;
        }
        if (!r->stream) {
            r->epoch = u->epoch;
            assert_int_equal(w2v_pairs_create(r->corpus, r->options, r->epoch, &r->stream, NULL),
                             W2V_OK);
        }
        assert_int_equal(w2v_pairs_next(r->stream, &pair, &done, NULL), W2V_OK);
        assert_false(done);
        assert_int_equal(pair.neighbour, u->neighbour);
        met[pair.centre]++;
    }
    for (size_t i = 0; u->pairs > 0 && i < u->centre_count; i++) {
        assert_int_equal(u->centres[i].times, met[u->centres[i].id]);
    }
}

static void follow(void *user, const w2v_update *u)
{
    replay *r = user;
    assert_int_equal(u->number, ++r->updates);
    if (u->pairs > 0) {
        assert_int_equal(u->first_pair, r->pairs + 1);
        assert_true(u->with_neighbour);
    } else {
        assert_false(u->with_neighbour);
        r->parts++;
    }
    r->pairs += u->pairs;
    r->left_out += u->left_out;
    assert_true(!u->with_neighbour || u->outputs[0].id == u->neighbour);
    for (size_t j = u->with_neighbour; j < u->output_count; j++) {
        assert_int_not_equal(u->outputs[j].id, u->neighbour);
    }
    assert_dots(u);
    assert_moves(u);
    follow_pairs(r, u);
    follow_rows(r, false, u->centres, u->centre_count);
    follow_rows(r, true, u->outputs, u->output_count);
}

static w2v_train_options options_of_test(w2v_share share)
{
    w2v_train_options o = w2v_train_options_default();
    o.dim = 5;
    o.epochs = 2;
    o.lr = 0.1;
    o.share = share;
    return o;
}

/* Trains with all updates shown; the tables that they lead to are the model's. */
static replay assert_replayed(const w2v_corpus *c, const w2v_train_options *options)
{
    replay r = {.corpus = c, .options = options};
    w2v_train_options shown = *options;
    shown.explain = UINT64_MAX;
    shown.on_update = follow;
    shown.update_user = &r;
    const uint32_t types = w2v_vocab_size(c->vocab);
    assert_int_equal(model_create(types, options->dim, 1, &r.tables, NULL), W2V_OK);
    model_start_rows(r.tables, c->vocab, options->seed, 0, types);
    w2v_train_options alone = *options;
    alone.threads = 1;
    w2v_model *with = train(c, &shown), *without = train(c, &alone);
    assert_int_equal(r.pairs, w2v_model_result(with)->pairs);
    assert_memory_equal(r.tables->word, with->word, with->table_bytes);
    assert_memory_equal(r.tables->context, with->context, with->table_bytes);
    assert_memory_equal(without->word, with->word, with->table_bytes);
    assert_memory_equal(without->context, with->context, with->table_bytes);
    w2v_pairs_free(r.stream);
    w2v_model_free(with);
    w2v_model_free(without);
    w2v_model_free(r.tables);
    return r;
}

/* 20 words: they repeat in windows and among negatives, and negatives are neighbours. With all
   updates shown one thread makes them, whatever was asked for. */
static void test_explain_replays_training(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){2000, 20, 1, 30, true, 1});
    for (int share = 0; share < 2; share++) {
        w2v_train_options o = options_of_test(share ? W2V_SHARE_WINDOW : W2V_SHARE_NONE);
        o.sample = 0.0;
        for (o.threads = 1; o.threads <= 4; o.threads += 3) {
            const replay r = assert_replayed(c, &o);
            assert_true(r.updates > 1000 && r.left_out > 100 && r.repeated > 100);
            assert_int_equal(r.parts, 0);
        }
    }
    text_free(c);
}

/* More negatives and wider windows than one step takes. */
static void test_explain_replays_training_in_parts(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){300, 200, 50, 100, false, 2});
    for (int share = 0; share < 2; share++) {
        w2v_train_options o = options_of_test(share ? W2V_SHARE_WINDOW : W2V_SHARE_NONE);
        o.negative = 70;
        o.window = 20;
        o.sample = 0.0;
        const replay r = assert_replayed(c, &o);
        assert_int_equal(r.updates, 3 * (r.updates - r.parts)); /* 71 outputs: 32, 32 and 7 */
    }
    text_free(c);
}

/* ------------------------------------------------------------------- how many */

typedef struct tally {
    uint64_t updates, pairs, last; /* pairs before the last update with some */
    double sum;
} tally;

static void count(void *user, const w2v_update *u)
{
    tally *t = user;
    t->last = u->pairs ? t->pairs : t->last;
    t->updates++;
    t->pairs += u->pairs;
    for (uint32_t c = 0; c < u->dim; c++) {
        t->sum += (double)u->centres[0].after[c] * (double)t->updates;
    }
}

/* N pairs, and of shared negatives the whole position: the same for any number of threads. */
static void test_explain_shows_as_many_as_asked(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){4000, 300, 1, 30, true, 3});
    for (int share = 0; share < 2; share++) {
        for (uint64_t n = 1; n <= 1000; n *= 10) {
            double sum = 0.0;
            for (int threads = 1; threads <= 8; threads += 7) {
                w2v_train_options o = options_of_test(share ? W2V_SHARE_WINDOW : W2V_SHARE_NONE);
                tally t = {0};
                o.threads = threads;
                o.explain = n;
                o.on_update = count;
                o.update_user = &t;
                w2v_model *m = train(c, &o);
                assert_true(t.last < n && t.pairs >= n);
                assert_true(share || (t.pairs == n && t.updates == n));
                assert_int_equal(w2v_model_result(m)->tokens, 2 * c->stats.tokens_kept);
                assert_true(threads == 1 || t.sum == sum);
                sum = t.sum;
                w2v_model_free(m);
            }
        }
    }
    text_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_explain_step_by_hand),
        cmocka_unit_test(test_explain_replays_training),
        cmocka_unit_test(test_explain_replays_training_in_parts),
        cmocka_unit_test(test_explain_shows_as_many_as_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
