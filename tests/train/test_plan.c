/*
 * Groups for the kernel, summed up, are the pairs of the text with the right
 * number of negatives each. What was drawn is read back from the groups: a
 * draw that is missing was the true neighbour.
 */
#include "passage_support.h"

#include "train/plan.h"

typedef struct planning {
    drawing drawing;
    alias_table noise;
    plan plan;
    plan_group group;
    uint32_t types, negative;
    bool share;
    uint64_t *marks, mark; /* of each word: the last list that it was seen in */
    uint64_t *pairs;       /* types x types, of the passages: [centre][neighbour] */
    uint64_t *planned;     /* the same, of the groups */
    uint64_t *drawn;       /* of each word, neighbours that were drawn included */
    uint64_t sets, pair_count;
    uint64_t set_negatives; /* of the groups so far that share the set at hand */
    uint32_t word;          /* true neighbour of these groups */
} planning;

static void planning_init(planning *t, w2v_corpus *c, const w2v_train_options *o)
{
    memset(t, 0, sizeof *t);
    t->types = c->vocab->names.count;
    t->negative = o->negative;
    t->share = o->share == W2V_SHARE_WINDOW;
    drawing_init(&t->drawing, c, o);
    double *weights = calloc(t->types, sizeof *weights);
    t->pairs = calloc((size_t)t->types * t->types, sizeof *t->pairs);
    t->planned = calloc((size_t)t->types * t->types, sizeof *t->planned);
    t->drawn = calloc(t->types, sizeof *t->drawn);
    t->marks = calloc(t->types, sizeof *t->marks);
    assert_true(weights && t->pairs && t->planned && t->drawn && t->marks);
    noise_weights(c->vocab->counts, t->types, o->ns_exponent, weights);
    assert_int_equal(alias_init(&t->noise, weights, t->types, NULL), W2V_OK);
    free(weights);
    assert_int_equal(plan_init(&t->plan, &t->noise, o->window, o->negative, t->share, NULL),
                     W2V_OK);
    assert_int_equal(plan_group_init(&t->group, NULL), W2V_OK);
}

static void planning_clear(planning *t)
{
    plan_group_clear(&t->group);
    plan_clear(&t->plan);
    alias_clear(&t->noise);
    drawing_clear(&t->drawing);
    free(t->pairs);
    free(t->planned);
    free(t->drawn);
    free(t->marks);
}

static void count_passage(planning *t)
{
    const passage *text = &t->drawing.passage;
    const uint32_t window = t->drawing.rules.window;
    for (uint32_t k = 0; k < text->pieces; k++) {
        const uint32_t begin = piece_begin(text, k), end = text->end[k];
        for (uint32_t q = begin; q < end; q++) {
            const uint32_t from = q - begin > window ? q - window : begin;
            for (uint32_t p = from; p < end && p <= q + window; p++) {
                t->pairs[(size_t)text->id[q] * t->types + text->id[p]] += is_pair(text, q, p);
            }
        }
    }
}

static void assert_all_differ(planning *t, const uint32_t *id, size_t n)
{
    t->mark++;
    for (size_t i = 0; i < n; i++) {
        assert_true(id[i] < t->types && t->marks[id[i]] != t->mark);
        t->marks[id[i]] = t->mark;
    }
}

/* What kernel.h asks of a group, and the pairs and draws that it stands for. */
static void count_group(planning *t)
{
    const plan_group *g = &t->group;
    const size_t rows = g->group.rows, outs = g->group.outs;
    assert_in_range(rows, 1, PLAN_ROWS);
    assert_in_range(outs, 1, PLAN_OUTS);
    assert_all_differ(t, g->row_id, rows);
    assert_all_differ(t, g->out_id, outs);
    uint64_t pairs = 0, negatives = 0;
    for (size_t i = 0; i < rows; i++) {
        const uint64_t count = (uint64_t)g->group.count[i];
        assert_true(count >= 1 && (float)count == g->group.count[i]);
        assert_true(g->row_id[i] < t->types);
        if (g->group.positive) {
            t->planned[(size_t)g->row_id[i] * t->types + g->out_id[0]] += count;
        }
        pairs += count;
    }
    assert_true(g->group.count[rows] == 0.0f);
    assert_true(!g->group.positive || g->group.times[0] == 1.0f);
    for (size_t j = g->group.positive; j < outs; j++) {
        const uint64_t times = (uint64_t)g->group.times[j];
        assert_true(times >= 1 && (float)times == g->group.times[j]);
        t->drawn[g->out_id[j]] += times;
        negatives += times;
    }
    for (size_t j = outs; j < kernel_padded_outs(outs); j++) {
        assert_true(g->group.times[j] == 0.0f);
    }
    assert_true(negatives <= t->negative);
    t->set_negatives += negatives;
    if (g->group.positive) {
        t->word = g->out_id[0];
    }
    if (t->plan.out == 0) { /* the last group of a set: what is missing of it was the word itself */
        assert_true(t->set_negatives <= t->negative);
        t->drawn[t->word] += t->negative - t->set_negatives;
        t->set_negatives = 0;
        t->sets++;
    }
    assert_int_equal(g->pairs, g->group.positive ? pairs : 0);
    assert_true(t->share || pairs == 1);
    t->pair_count += g->pairs;
}

static void plan_all(planning *t, uint32_t epoch)
{
    for (uint64_t block = 0; block < t->drawing.blocks.count; block++) {
        drawing_draw(&t->drawing, epoch, block);
        count_passage(t);
        plan_begin(&t->plan, &t->drawing.passage, rng_stream(1, RNG_NEGATIVE, epoch, block));
        while (plan_next(&t->plan, &t->group)) {
            count_group(t);
        }
        assert_false(plan_next(&t->plan, &t->group));
    }
}

static void assert_plan(w2v_corpus *c, const w2v_train_options *o)
{
    planning t;
    planning_init(&t, c, o);
    plan_all(&t, 0);
    plan_all(&t, 1);
    assert_memory_equal(t.pairs, t.planned, (size_t)t.types * t.types * sizeof *t.pairs);
    double *share = calloc(t.types, sizeof *share), sum = 0.0;
    assert_non_null(share);
    for (uint32_t i = 0; i < t.types; i++) {
        share[i] = pow((double)c->vocab->counts[i], o->ns_exponent);
        sum += share[i];
    }
    for (uint32_t i = 0; i < t.types; i++) {
        share[i] /= sum;
    }
    /* a set serves several positions, and each position in several groups where windows are wide */
    const uint32_t groups = (2 * o->window + PLAN_ROWS - 1) / PLAN_ROWS;
    assert_chi_square(t.drawn, share, t.types, t.sets * o->negative,
                      t.share ? PLAN_USES * groups : 1);
    free(share);
    planning_clear(&t);
}

/* Texts with many repeats within a window, and with few; many negatives twice, and few. */
static void test_plan_next_groups_are_the_pairs(void **state)
{
    (void)state;
    const text_recipe recipes[] = {{4000, 12, 1, 14, false, 1},
                                   {4000, 400, 2, 60, true, 2},
                                   {40, 3, 1, 2, false, 3},
                                   {1500, 40, 1500, 1500, true, 4}};
    const uint32_t windows[] = {1, 2, 5, 30}, negatives[] = {1, 5, 20};
    for (size_t r = 0; r < SUPPORT_COUNT(recipes); r++) {
        w2v_corpus *c = text_random(recipes[r]);
        for (size_t w = 0; w < SUPPORT_COUNT(windows); w++) {
            for (size_t n = 0; n < (train_small() ? 2 : SUPPORT_COUNT(negatives)); n++) {
                w2v_train_options options = w2v_train_options_default();
                options.window = windows[w];
                options.negative = negatives[n];
                options.sample = w % 2 ? 0.0 : 0.05;
                options.max_sentence = 500;
                assert_plan(c, &options);
                options.share = W2V_SHARE_NONE;
                options.window_mode = n % 2 ? W2V_WINDOW_FIXED : W2V_WINDOW_SHRINK;
                assert_plan(c, &options);
            }
        }
        text_free(c);
    }
}

static void test_plan_next_exponents(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){5000, 100, 5, 40, true, 5});
    const double exponents[] = {0.0, 0.5, 1.0, -0.5};
    for (size_t e = 0; e < SUPPORT_COUNT(exponents); e++) {
        w2v_train_options options = w2v_train_options_default();
        options.ns_exponent = exponents[e];
        assert_plan(c, &options);
    }
    text_free(c);
}

/* The widest window and the most negatives, on a text longer and on one shorter than that. */
static void test_plan_next_largest_options(void **state)
{
    (void)state;
    const uint64_t tokens[] = {train_small() ? 600 : 1600, 5};
    for (int k = 0; k < 2; k++) {
        w2v_corpus *c = text_random((text_recipe){tokens[k], 300, 10000, 10000, true, 6});
        w2v_train_options options = w2v_train_options_default();
        options.window = 1000;
        options.negative = 1000;
        options.sample = 0.0;
        options.max_sentence = 10000;
        assert_plan(c, &options);
        if (k == 1) {
            options.share = W2V_SHARE_NONE;
            assert_plan(c, &options);
        }
        text_free(c);
    }
}

/* A single word that survives in its sentence has no pairs, and no group. */
static void test_plan_next_lone_words(void **state)
{
    (void)state;
    const uint32_t codes[] = {0, CORPUS_BREAK, 1, CORPUS_BREAK, 2, 0, CORPUS_BREAK, 1};
    w2v_corpus *c = text_create(codes, SUPPORT_COUNT(codes), 3);
    w2v_train_options options = w2v_train_options_default();
    for (int share = 0; share < 2; share++) {
        planning t;
        options.share = share ? W2V_SHARE_WINDOW : W2V_SHARE_NONE;
        options.sample = 0.0;
        planning_init(&t, c, &options);
        plan_all(&t, 0);
        assert_int_equal(t.pair_count, 2);
        assert_int_equal(t.planned[2 * 3 + 0], 1);
        assert_int_equal(t.planned[0 * 3 + 2], 1);
        planning_clear(&t);
    }
    text_free(c);
}

/* The same stream gives the same groups, whatever was planned before; another stream does not. */
static void test_plan_begin_same_stream_same_groups(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){3000, 300, 20, 40, true, 5});
    w2v_train_options options = w2v_train_options_default();
    planning t;
    planning_init(&t, c, &options);
    drawing_draw(&t.drawing, 0, 0);
    uint64_t sums[3] = {0};
    const uint64_t seeds[3] = {4, 5, 4};
    for (int k = 0; k < 3; k++) {
        plan_begin(&t.plan, &t.drawing.passage, rng_stream(seeds[k], RNG_NEGATIVE, 0, 0));
        while (plan_next(&t.plan, &t.group)) {
            for (size_t j = 0; j < t.group.group.outs; j++) {
                sums[k] = rng_mix(sums[k] ^ t.group.out_id[j]);
            }
        }
    }
    assert_true(sums[0] == sums[2]);
    assert_true(sums[0] != sums[1]);
    planning_clear(&t);
    text_free(c);
}

/* How much of the smaller set of negatives is in the other. */
static size_t common(const uint32_t *a, size_t n, const uint32_t *b, size_t m)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < m; j++) {
            count += a[i] == b[j];
        }
    }
    return count;
}

/* No centre meets one set of negatives at two positions, even where sets are used again: among so
   many words, two sets that a centre can meet have hardly a word in common. */
static void test_plan_next_fresh_negatives_within_reach(void **state)
{
    (void)state;
    enum { WINDOW = 4, NEGATIVE = 8, REACH = 2 * WINDOW };
    w2v_corpus *c = text_random((text_recipe){6000, 5000, 2000, 2000, false, 5});
    w2v_train_options options = w2v_train_options_default();
    options.window = WINDOW;
    options.negative = NEGATIVE;
    options.sample = 0.0;
    planning t;
    planning_init(&t, c, &options);
    static uint32_t sets[REACH + 1][NEGATIVE];
    size_t sizes[REACH + 1] = {0}, shared = 0, groups = 0;
    for (uint64_t block = 0; block < t.drawing.blocks.count; block++) {
        drawing_draw(&t.drawing, 0, block);
        plan_begin(&t.plan, &t.drawing.passage, rng_stream(1, RNG_NEGATIVE, 0, block));
        memset(sizes, 0, sizeof sizes);
        const size_t begin = groups;
        for (; plan_next(&t.plan, &t.group); groups++) {
            const size_t at = groups % (REACH + 1), n = t.group.group.outs - 1;
            const size_t use = (groups - begin) / (REACH + 1) % PLAN_USES;
            assert_int_equal(t.group.fresh, use == 0);
            const size_t same = common(sets[at], sizes[at], t.group.out_id + 1, n);
            assert_true(use == 0 ? same <= 3 : same + 2 >= NEGATIVE - 2);
            sizes[at] = n;
            memcpy(sets[at], t.group.out_id + 1, n * sizeof **sets);
            for (size_t k = 0; k <= REACH; k++) {
                const size_t both = k == at ? 0 : common(sets[k], sizes[k], sets[at], n);
                assert_true(both <= 3);
                shared += both;
            }
        }
    }
    assert_true(groups > 5000);
    /* by chance: each of REACH sets before, as often as two draws agree */
    double sum = 0.0, squares = 0.0;
    for (uint32_t id = 0; id < t.types; id++) {
        const double weight = pow((double)c->vocab->counts[id], options.ns_exponent);
        sum += weight;
        squares += weight * weight;
    }
    const double expected = (double)groups * REACH * NEGATIVE * NEGATIVE * squares / (sum * sum);
    assert_true(fabs((double)shared - expected) < 0.2 * expected);
    planning_clear(&t);
    text_free(c);
}

/* Words that are asked of memory early are those of the passage, each once, in order, and before a
   group needs them. */
static void test_plan_next_words_ahead(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){3000, 300, 2, 40, true, 5});
    w2v_train_options options = w2v_train_options_default();
    planning t;
    planning_init(&t, c, &options);
    for (uint64_t block = 0; block < t.drawing.blocks.count; block++) {
        drawing_draw(&t.drawing, 0, block);
        const passage *text = &t.drawing.passage;
        plan_begin(&t.plan, text, rng_stream(1, RNG_NEGATIVE, 0, block));
        uint32_t seen = 0;
        while (plan_next(&t.plan, &t.group)) {
            assert_true(t.group.ahead_count == 0 || t.group.ahead == text->id + seen);
            seen += t.group.ahead_count;
            assert_true(seen <= text->size);
            for (size_t i = 0; i < t.group.group.rows; i++) {
                uint32_t k = 0;
                while (k < seen && text->id[k] != t.group.row_id[i]) {
                    k++;
                }
                assert_true(k < seen);
            }
        }
    }
    planning_clear(&t);
    text_free(c);
}

/* Pairs that come one by one hold their neighbour's row from the first of a position on, and take
   it anew after as many pairs as a group may have. */
static void test_plan_next_pairs_of_a_position(void **state)
{
    (void)state;
    enum { LENGTH = 60, WINDOW = 25 };
    uint32_t codes[LENGTH];
    for (uint32_t i = 0; i < LENGTH; i++) {
        codes[i] = i; /* so that a word is a position */
    }
    w2v_corpus *c = text_create(codes, LENGTH, LENGTH);
    w2v_train_options options = w2v_train_options_default();
    options.window = WINDOW;
    options.window_mode = W2V_WINDOW_FIXED;
    options.share = W2V_SHARE_NONE;
    options.sample = 0.0;
    planning t;
    planning_init(&t, c, &options);
    drawing_draw(&t.drawing, 0, 0);
    plan_begin(&t.plan, &t.drawing.passage, rng_stream(1, RNG_NEGATIVE, 0, 0));
    uint32_t pairs[LENGTH] = {0}, anew = 0;
    while (plan_next(&t.plan, &t.group)) {
        const uint32_t place = t.group.out_id[0];
        assert_true(t.group.opens == (pairs[place] % PLAN_ROWS == 0));
        anew += t.group.opens && pairs[place] > 0;
        pairs[place]++;
    }
    for (uint32_t p = 0; p < LENGTH; p++) {
        const uint32_t before = p < WINDOW ? p : WINDOW;
        const uint32_t after = LENGTH - 1 - p < WINDOW ? LENGTH - 1 - p : WINDOW;
        assert_int_equal(pairs[p], before + after);
    }
    assert_int_equal(anew, LENGTH - 2 * 8); /* all with more than 32 neighbours: from 8 on */
    planning_clear(&t);
    text_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plan_next_groups_are_the_pairs),
        cmocka_unit_test(test_plan_next_exponents),
        cmocka_unit_test(test_plan_next_largest_options),
        cmocka_unit_test(test_plan_next_lone_words),
        cmocka_unit_test(test_plan_begin_same_stream_same_groups),
        cmocka_unit_test(test_plan_next_fresh_negatives_within_reach),
        cmocka_unit_test(test_plan_next_words_ahead),
        cmocka_unit_test(test_plan_next_pairs_of_a_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
