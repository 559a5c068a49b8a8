/* One block of training moves exactly the rows it should, by what the pairs say. */
#include "passage_support.h"

#include "base/mem.h"
#include "train/worker.h"

enum { TYPES = 60, DIM = 10 };

/* A worker on a text, with both tables full of random numbers and a copy of them from before. */
typedef struct bench {
    drawing drawing;
    alias_table noise;
    worker_rules rules;
    w2v_model *model;
    worker worker;
    float *word, *context; /* as they were */
} bench;

static void bench_init(bench *b, w2v_corpus *c, const w2v_train_options *o)
{
    double weights[TYPES];
    memset(b, 0, sizeof *b);
    drawing_init(&b->drawing, c, o);
    for (int i = 0; i < TYPES; i++) {
        weights[i] = 1.0; /* words that do not occur are negatives, too */
    }
    assert_int_equal(alias_init(&b->noise, weights, TYPES, NULL), W2V_OK);
    assert_int_equal(model_create(TYPES, o->dim, 1, &b->model, NULL), W2V_OK);
    rng random = rng_stream(11, RNG_INIT, 0, 0);
    for (uint32_t id = 0; id < TYPES; id++) {
        for (uint32_t k = 0; k < o->dim; k++) {
            const size_t at = id * b->model->stride + k;
            b->model->word[at] = (float)rng_below(&random, 1000) / 1000.0f - 0.5f;
            b->model->context[at] = (float)rng_below(&random, 1000) / 1000.0f - 0.5f;
        }
    }
    const size_t bytes = TYPES * b->model->stride * sizeof(float);
    b->word = malloc(bytes);
    b->context = malloc(bytes);
    assert_true(b->word && b->context);
    memcpy(b->word, b->model->word, bytes);
    memcpy(b->context, b->model->context, bytes);
    b->rules = (worker_rules){
        .passages = b->drawing.rules,
        .noise = &b->noise,
        .negative = o->negative,
        .share = o->share == W2V_SHARE_WINDOW,
        .kernel = kernel_best(),
        .stride = b->model->stride,
    };
    assert_int_equal(worker_init(&b->worker, &b->rules, b->model, 0, NULL, NULL), W2V_OK);
}

static void bench_clear(bench *b)
{
    worker_clear(&b->worker);
    w2v_model_free(b->model);
    alias_clear(&b->noise);
    drawing_clear(&b->drawing);
    free(b->word);
    free(b->context);
}

static bool moved(const bench *b, bool context, uint32_t id)
{
    const size_t at = id * b->model->stride;
    const float *now = context ? b->model->context : b->model->word;
    const float *then = context ? b->context : b->word;
    return memcmp(now + at, then + at, b->model->stride * sizeof *now) != 0;
}

/*
 * A text of one sentence of two words: two pairs, each with its negatives. The
 * word rows that move are those of the two words; the context rows, those and
 * the negatives', which the plan names; every other byte of both tables stays.
 */
static void test_worker_train_moves_only_its_rows(void **state)
{
    (void)state;
    const uint32_t codes[] = {7, 23};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        w2v_corpus *c = text_create(codes, 2, TYPES);
        w2v_train_options options = w2v_train_options_default();
        options.dim = DIM;
        options.negative = 3;
        options.seed = seed;
        options.sample = 0.0;
        options.share = seed % 2 ? W2V_SHARE_WINDOW : W2V_SHARE_NONE;
        bench b;
        bench_init(&b, c, &options);
        bool expected[TYPES] = {false};
        plan planner;
        plan_group group;
        assert_int_equal(plan_init(&planner, &b.noise, 5, 3, b.rules.share, NULL), W2V_OK);
        assert_int_equal(plan_group_init(&group, NULL), W2V_OK);
        drawing_draw(&b.drawing, 0, 0);
        plan_begin(&planner, &b.drawing.passage, rng_stream(seed, RNG_NEGATIVE, 0, 0));
        while (plan_next(&planner, &group)) {
            for (size_t j = 0; j < group.group.outs; j++) {
                expected[group.out_id[j]] = true;
            }
        }
        worker_sum sum;
        assert_int_equal(worker_train(&b.worker, 0, 0, 0.05f, &sum, NULL), W2V_OK);
        assert_int_equal(sum.pairs, 2);
        assert_true(expected[7] && expected[23]);
        for (uint32_t id = 0; id < TYPES; id++) {
            assert_int_equal(moved(&b, false, id), id == 7 || id == 23);
            assert_int_equal(moved(&b, true, id), expected[id]);
        }
        plan_group_clear(&group);
        plan_clear(&planner);
        bench_clear(&b);
        text_free(c);
    }
}

/* The textbook in double: each group's pairs and negatives from the values before the group. Where
   pairs are groups of their own, `held` is the true neighbour's row before the first of them. */
static double train_in_double(const plan_group *g, double *word, double *context, double *held,
                              double rate)
{
    if (held && g->opens && g->group.positive) {
        memcpy(held, context + g->out_id[0] * DIM, DIM * sizeof *held);
    }
    double word_step[TYPES][DIM] = {{0}}, context_step[TYPES][DIM] = {{0}}, loss = 0.0;
    for (size_t i = 0; i < g->group.rows; i++) {
        const double *w = word + g->row_id[i] * DIM;
        for (size_t j = 0; j < g->group.outs; j++) {
            const double *v =
                held && g->group.positive && j == 0 ? held : context + g->out_id[j] * DIM;
            const double pairs = (double)g->group.count[i];
            double x = 0.0;
            for (int k = 0; k < DIM; k++) {
                x += w[k] * v[k];
            }
            const double label = j == 0 ? 1.0 : 0.0, times = (double)g->group.times[j];
            const double step = rate * pairs * times * (label - 1.0 / (1.0 + exp(-x)));
            loss += pairs * times * log1p(exp(j == 0 ? -x : x));
            for (int k = 0; k < DIM; k++) {
                word_step[g->row_id[i]][k] += step * v[k];
                context_step[g->out_id[j]][k] += step * w[k];
            }
        }
    }
    for (int id = 0; id < TYPES; id++) {
        for (int k = 0; k < DIM; k++) {
            word[id * DIM + k] += word_step[id][k];
            context[id * DIM + k] += context_step[id][k];
        }
    }
    return loss;
}

static void to_double(const bench *b, const float *from, double *to)
{
    for (uint32_t id = 0; id < TYPES; id++) {
        for (uint32_t k = 0; k < DIM; k++) {
            to[id * DIM + k] = (double)from[id * b->model->stride + k];
        }
    }
}

/* Whole blocks, group after group: that rows are looked up ahead of their turn changes nothing. */
static void test_worker_train_follows_the_groups(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){3000, TYPES, 3, 40, true, 4});
    for (int share = 0; share < 2; share++) {
        w2v_train_options options = w2v_train_options_default();
        options.dim = DIM;
        options.share = share ? W2V_SHARE_WINDOW : W2V_SHARE_NONE;
        options.sample = 0.05;
        bench b;
        bench_init(&b, c, &options);
        double word[TYPES * DIM], context[TYPES * DIM], held[DIM];
        to_double(&b, b.word, word);
        to_double(&b, b.context, context);
        plan planner;
        plan_group group;
        assert_int_equal(
            plan_init(&planner, &b.noise, options.window, options.negative, share, NULL), W2V_OK);
        assert_int_equal(plan_group_init(&group, NULL), W2V_OK);
        for (uint64_t block = 0; block < 20; block++) {
            double loss = 0.0;
            uint64_t pairs = 0;
            drawing_draw(&b.drawing, 2, block);
            plan_begin(&planner, &b.drawing.passage, rng_stream(1, RNG_NEGATIVE, 2, block));
            while (plan_next(&planner, &group)) {
                loss += train_in_double(&group, word, context, share ? NULL : held, 0.05);
                pairs += group.pairs;
            }
            worker_sum sum;
            assert_int_equal(worker_train(&b.worker, 2, block, 0.05f, &sum, NULL), W2V_OK);
            assert_int_equal(sum.pairs, pairs);
            assert_true(fabs(sum.loss - loss) <= 1e-4 * loss);
        }
        double now[TYPES * DIM];
        to_double(&b, b.model->word, now);
        for (int i = 0; i < TYPES * DIM; i++) {
            assert_true(fabs(now[i] - word[i]) < 1e-4);
        }
        to_double(&b, b.model->context, now);
        for (int i = 0; i < TYPES * DIM; i++) {
            assert_true(fabs(now[i] - context[i]) < 1e-4);
        }
        plan_group_clear(&group);
        plan_clear(&planner);
        bench_clear(&b);
    }
    text_free(c);
}

/* A thread alone with copies of frequent rows ends where one without them does, but for rounding.
 */
static void test_worker_train_with_copies(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){3000, TYPES, 3, 40, true, 4});
    w2v_train_options options = w2v_train_options_default();
    options.dim = DIM;
    bench plain, copies;
    bench_init(&plain, c, &options);
    bench_init(&copies, c, &options);
    replica_locks *locks = replica_locks_create();
    assert_non_null(locks);
    worker_clear(&copies.worker);
    assert_int_equal(worker_init(&copies.worker, &copies.rules, copies.model, 32, locks, NULL),
                     W2V_OK);
    copies.worker.use_limit = 3;
    replica_take(&copies.worker.word, true);
    replica_take(&copies.worker.context, true);
    worker_sum a, b;
    for (uint64_t block = 0; block < plain.drawing.blocks.count; block++) {
        assert_int_equal(worker_train(&plain.worker, 0, block, 0.05f, &a, NULL), W2V_OK);
        assert_int_equal(worker_train(&copies.worker, 0, block, 0.05f, &b, NULL), W2V_OK);
        assert_int_equal(a.pairs, b.pairs);
    }
    replica_merge_all(&copies.worker.word);
    replica_merge_all(&copies.worker.context);
    for (size_t i = 0; i < TYPES * plain.model->stride; i++) {
        assert_true(fabsf(plain.model->word[i] - copies.model->word[i]) < 1e-4f);
        assert_true(fabsf(plain.model->context[i] - copies.model->context[i]) < 1e-4f);
    }
    bench_clear(&plain);
    bench_clear(&copies);
    replica_locks_free(locks);
    text_free(c);
}

/* Every sentence a block of its own, for turns as short as can be. */
static void cut_at_sentences(blocks *b, const w2v_corpus *c)
{
    blocks_clear(b);
    b->begin = mem_calloc(c->stats.sentences + 1, sizeof *b->begin);
    b->before = mem_calloc(c->stats.sentences + 1, sizeof *b->before);
    assert_true(b->begin && b->before);
    uint64_t tokens = 0;
    for (uint64_t i = 0; i < c->length; i++) {
        tokens += c->codes[i] != CORPUS_BREAK;
        if (c->codes[i] == CORPUS_BREAK || i + 1 == c->length) {
            const uint64_t length = i + 1 - b->begin[b->count++];
            b->max_codes = length > b->max_codes ? length : b->max_codes;
            b->begin[b->count] = i + 1;
            b->before[b->count] = tokens;
        }
    }
    assert_int_equal(b->count, c->stats.sentences);
}

/* Mean loss of each of three epochs when `team` threads take turns, a few sentences at a time. */
static void train_by_turns(w2v_corpus *c, int team, double loss[3])
{
    enum { TEAM_MAX = 64 };
    const uint32_t types = c->vocab->names.count;
    w2v_train_options options = w2v_train_options_default();
    options.dim = 32;
    drawing d;
    drawing_init(&d, c, &options);
    cut_at_sentences(&d.blocks, c);
    double *weights = calloc(types, sizeof *weights);
    assert_non_null(weights);
    noise_weights(c->vocab->counts, types, options.ns_exponent, weights);
    alias_table noise;
    assert_int_equal(alias_init(&noise, weights, types, NULL), W2V_OK);
    free(weights);
    w2v_model *m;
    assert_int_equal(model_create(types, options.dim, 1, &m, NULL), W2V_OK);
    model_start_rows(m, c->vocab, 1, 0, types);
    const worker_rules rules = {d.rules, &noise, options.negative, true, kernel_best(), m->stride, NULL};
    replica_locks *locks = replica_locks_create();
    assert_non_null(locks);
    static worker workers[TEAM_MAX];
    for (int t = 0; t < team; t++) {
        assert_int_equal(
            worker_init(&workers[t], &rules, m, replica_hot_rows(types, m->stride * sizeof(float), team), locks, NULL),
            W2V_OK);
        workers[t].use_limit = replica_use_limit(team, options.lr);
    }
    for (uint32_t epoch = 0; epoch < 3; epoch++) {
        worker_sum all = {0.0, 0};
        for (int t = 0; t < team; t++) {
            replica_take(&workers[t].word, true);
            replica_take(&workers[t].context, true);
        }
        for (uint64_t block = 0; block < d.blocks.count; block++) {
            const double rate = blocks_rate(&d.blocks, options.lr, epoch, 3, block);
            worker_sum sum;
            assert_int_equal(worker_train(&workers[block % (uint64_t)team], epoch, block,
                                          (float)rate, &sum, NULL),
                             W2V_OK);
            all.loss += sum.loss;
            all.pairs += sum.pairs;
        }
        for (int t = 0; t < team; t++) {
            replica_merge_all(&workers[t].word);
            replica_merge_all(&workers[t].context);
        }
        loss[epoch] = all.loss / (double)all.pairs;
    }
    for (int t = 0; t < team; t++) {
        worker_clear(&workers[t]);
    }
    replica_locks_free(locks);
    w2v_model_free(m);
    alias_clear(&noise);
    drawing_clear(&d);
}

/*
 * As many processors as threads, all equally fast, which a machine with few never shows: every
 * thread works on copies that lack what the others have not brought home. Their steps must not
 * overshoot together, however many they are; with copies that stay away too long the loss grows
 * beyond that of guessing, and without end.
 */
static void assert_turns(text_recipe recipe)
{
    const int teams[] = {2, 3, 4, 8, 16, 64};
    const double guessing = 6.0 * log(2.0);
    w2v_corpus *c = text_random(recipe);
    double one[3], many[3];
    train_by_turns(c, 1, one);
    for (size_t k = 0; k < SUPPORT_COUNT(teams); k++) {
        train_by_turns(c, teams[k], many);
        for (int e = 0; e < 3; e++) {
            if (!(many[e] < guessing && fabs(many[e] - one[e]) < (e == 0 ? 0.25 : 0.08) * one[e])) {
                fail_msg("%d threads: a loss of %g in epoch %d, where one thread has %g", teams[k],
                         many[e], e + 1, one[e]);
            }
        }
    }
    text_free(c);
}

static void test_worker_train_by_turns_even_words(void **state)
{
    (void)state;
    assert_turns((text_recipe){train_small() ? 30000 : 100000, 200, 20, 20, false, 7});
}

static void test_worker_train_by_turns_zipf(void **state)
{
    (void)state;
    assert_turns((text_recipe){train_small() ? 30000 : 100000, 1000, 20, 20, true, 7});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worker_train_moves_only_its_rows),
        cmocka_unit_test(test_worker_train_follows_the_groups),
        cmocka_unit_test(test_worker_train_with_copies),
        cmocka_unit_test(test_worker_train_by_turns_even_words),
        cmocka_unit_test(test_worker_train_by_turns_zipf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
