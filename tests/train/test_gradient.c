/*
 * The reference step is a step down the gradient of the loss: held against
 * finite differences, in double, of a loss that is written here from the pairs
 * themselves and knows nothing of groups.
 */
#include "train_support.h"

#include "kernel_check.h"

enum { DIM = 7, WORDS = 12, CENTRES_MAX = 32, DRAWS_MAX = 8 };

/** Pairs of several centres with one neighbour, which share their negatives, over two tables. */
typedef struct problem {
    int neighbour;
    int centre_count, centres[CENTRES_MAX];
    int draw_count, draws[DRAWS_MAX];
    double word[WORDS][DIM], context[WORDS][DIM];
} problem;

static double dot(const double *x, const double *y)
{
    double sum = 0.0;
    for (int c = 0; c < DIM; c++) {
        sum += x[c] * y[c];
    }
    return sum;
}

/* -log of the chance that the model gives to `label` */
static double pair_loss(double x, bool label)
{
    return log1p(exp(label ? -x : x));
}

/* Mikolov et al. 2013, equation 4, summed over the pairs; a negative that is the pair's own
   neighbour is none. */
static double total_loss(const problem *p)
{
    double loss = 0.0;
    for (int i = 0; i < p->centre_count; i++) {
        const double *centre = p->word[p->centres[i]];
        loss += pair_loss(dot(centre, p->context[p->neighbour]), true);
        for (int k = 0; k < p->draw_count; k++) {
            if (p->draws[k] != p->neighbour) {
                loss += pair_loss(dot(centre, p->context[p->draws[k]]), false);
            }
        }
    }
    return loss;
}

static double slope(problem *p, double *value)
{
    const double step = 1e-5, kept = *value;
    *value = kept + step;
    const double above = total_loss(p);
    *value = kept - step;
    const double below = total_loss(p);
    *value = kept;
    return (above - below) / (2.0 * step);
}

/* The problem as a group. */
typedef struct grouped {
    _Alignas(64) float word[WORDS][KERNEL_LANES];
    _Alignas(64) float context[WORDS][KERNEL_LANES];
    float *row[WORDS + 1], *out[WORDS];
    float count[WORDS + 1], times[16];
    kernel_group group;
    double loss;
} grouped;

/* Adds 1 to the weight of a row, which joins the group when it is not there. */
static void add(float *row, float **rows, size_t *n, float *weights)
{
    size_t i = 0;
    while (i < *n && rows[i] != row) {
        i++;
    }
    rows[i] = row;
    weights[i] += 1.0f;
    *n += i == *n;
}

static void step(grouped *g, const problem *p, float rate)
{
    memset(g, 0, sizeof *g);
    for (int w = 0; w < WORDS; w++) {
        for (int c = 0; c < DIM; c++) {
            g->word[w][c] = (float)p->word[w][c];
            g->context[w][c] = (float)p->context[w][c];
        }
    }
    for (int i = 0; i < p->centre_count; i++) {
        add(g->word[p->centres[i]], g->row, &g->group.rows, g->count);
    }
    g->row[g->group.rows] = g->row[g->group.rows - 1];
    add(g->context[p->neighbour], g->out, &g->group.outs, g->times);
    for (int k = 0; k < p->draw_count; k++) {
        if (p->draws[k] != p->neighbour) {
            add(g->context[p->draws[k]], g->out, &g->group.outs, g->times);
        }
    }
    g->group.row = g->row;
    g->group.out = g->out;
    g->group.count = g->count;
    g->group.times = g->times;
    g->group.positive = true;
    double lanes[KERNEL_LANES] = {0};
    float *scratch = check_floats(kernel_scratch_size(WORDS, WORDS));
    const kernel reference = kernel_by_name("reference");
    kernel_step(&reference, &g->group, KERNEL_LANES, rate, scratch, lanes);
    free(scratch);
    for (int l = 0; l < KERNEL_LANES; l++) {
        g->loss += lanes[l];
    }
}

static void assert_slope(double expected, double moved, double largest, const char *table, int word,
                         int column)
{
    if (fabs(moved - expected) > 1e-3 * fmax(fabs(expected), 0.1 * largest)) {
        fail_msg("%s row %d column %d moves by %.7f where the gradient is %.7f", table, word,
                 column, moved, expected);
    }
}

/* Fills the tables, makes a small step, and compares each number's move with the slope. */
static void assert_gradient(problem *p, uint64_t seed)
{
    static grouped g;
    const float rate = 0.0078125f; /* a power of two, so that nothing is lost in dividing by it */
    rng random = rng_stream(seed, RNG_INIT, 3, 4);
    for (int w = 0; w < WORDS; w++) {
        for (int c = 0; c < DIM; c++) {
            p->word[w][c] = (double)check_uniform(&random, 0.9f);
            p->context[w][c] = (double)check_uniform(&random, 0.9f);
        }
    }
    step(&g, p, rate);
    assert_true(fabs(g.loss - total_loss(p)) < 1e-5 * total_loss(p));
    double largest = 0.0;
    for (int w = 0; w < WORDS; w++) {
        for (int c = 0; c < DIM; c++) {
            largest = fmax(largest, fabs(slope(p, &p->word[w][c])));
        }
    }
    assert_true(largest > 0.1);
    for (int w = 0; w < WORDS; w++) {
        for (int c = 0; c < DIM; c++) {
            const double word_moved =
                ((double)g.word[w][c] - (double)(float)p->word[w][c]) / (double)rate;
            const double context_moved =
                ((double)g.context[w][c] - (double)(float)p->context[w][c]) / (double)rate;
            assert_slope(-slope(p, &p->word[w][c]), word_moved, largest, "word", w, c);
            assert_slope(-slope(p, &p->context[w][c]), context_moved, largest, "context", w, c);
        }
    }
}

static void test_gradient_one_pair(void **state)
{
    (void)state;
    assert_gradient(&(problem){1, 1, {0}, 2, {2, 3}, {{0}}, {{0}}}, 1);
}

static void test_gradient_word_twice_in_a_window(void **state)
{
    (void)state;
    assert_gradient(&(problem){1, 4, {0, 4, 0, 0}, 3, {2, 3, 5}, {{0}}, {{0}}}, 2);
}

static void test_gradient_negative_twice(void **state)
{
    (void)state;
    assert_gradient(&(problem){1, 2, {0, 4}, 4, {2, 3, 2, 2}, {{0}}, {{0}}}, 3);
}

static void test_gradient_negative_is_the_neighbour(void **state)
{
    (void)state;
    assert_gradient(&(problem){1, 2, {0, 4}, 4, {2, 1, 5, 1}, {{0}}, {{0}}}, 4);
}

static void test_gradient_only_the_neighbour_drawn(void **state)
{
    (void)state;
    assert_gradient(&(problem){1, 2, {0, 4}, 2, {1, 1}, {{0}}, {{0}}}, 5);
}

/* Words that are centre, neighbour and negative at once: their rows lie in different tables. */
static void test_gradient_word_on_both_sides(void **state)
{
    (void)state;
    assert_gradient(&(problem){1, 3, {1, 2, 1}, 3, {2, 3, 2}, {{0}}, {{0}}}, 6);
}

static void test_gradient_random_groups(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        rng random = rng_stream(seed, RNG_INIT, 5, 6);
        problem p = {.neighbour = (int)rng_below(&random, WORDS)};
        p.centre_count = 1 + (int)rng_below(&random, CENTRES_MAX);
        for (int i = 0; i < p.centre_count; i++) {
            p.centres[i] = (int)rng_below(&random, WORDS);
        }
        p.draw_count = 1 + (int)rng_below(&random, DRAWS_MAX);
        for (int k = 0; k < p.draw_count; k++) {
            p.draws[k] = (int)rng_below(&random, WORDS);
        }
        assert_gradient(&p, seed);
    }
}

/*
 * By hand: dots of 0.0572 (the neighbour), 0.0336 and 0.0276 (negatives) give
 * sigma - label of -0.4857, 0.5084 and 0.5069; each row moves by rate times
 * (label - sigma) times the other's old row.
 */
static void test_gradient_by_hand(void **state)
{
    (void)state;
    _Alignas(64) float word[KERNEL_LANES] = {1.0f, 1.0f, 1.0f};
    _Alignas(64) float context[3][KERNEL_LANES] = {
        {0.0572f}, {0.0f, 0.0336f}, {0.0f, 0.0f, 0.0276f}};
    const float old[3] = {0.0572f, 0.0336f, 0.0276f};
    const double error[3] = {-0.4857, 0.5084, 0.5069};
    const float count[2] = {1.0f, 0.0f}, times[KERNEL_OUTS] = {1.0f, 1.0f, 1.0f}, rate = 0.025f;
    float *row[2] = {word, word}, *out[3] = {context[0], context[1], context[2]};
    const kernel_group group = {1, 3, row, out, count, times, true, NULL, 0};
    float *scratch = check_floats(kernel_scratch_size(1, 3));
    double lanes[KERNEL_LANES] = {0};
    const kernel reference = kernel_by_name("reference");
    kernel_step(&reference, &group, KERNEL_LANES, rate, scratch, lanes);
    free(scratch);
    for (int j = 0; j < 3; j++) {
        for (int c = 0; c < 3; c++) {
            const double moved = (double)context[j][c] - (c == j ? (double)old[j] : 0.0);
            assert_true(fabs(moved / (double)rate + error[j]) < 0.00006);
        }
        const double moved = ((double)word[j] - 1.0) / (double)rate;
        assert_true(fabs(moved + error[j] * (double)old[j]) < 0.00001);
    }
    const double loss = log1p(exp(-0.0572)) + log1p(exp(0.0336)) + log1p(exp(0.0276));
    double sum = 0.0;
    for (int l = 0; l < KERNEL_LANES; l++) {
        sum += lanes[l];
    }
    assert_true(fabs(sum - loss) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradient_one_pair),
        cmocka_unit_test(test_gradient_word_twice_in_a_window),
        cmocka_unit_test(test_gradient_negative_twice),
        cmocka_unit_test(test_gradient_negative_is_the_neighbour),
        cmocka_unit_test(test_gradient_only_the_neighbour_drawn),
        cmocka_unit_test(test_gradient_word_on_both_sides),
        cmocka_unit_test(test_gradient_random_groups),
        cmocka_unit_test(test_gradient_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
