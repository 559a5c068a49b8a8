/*
 * The corpus with planted relations, with the library's own defaults: at least
 * four of five analogies are answered, whatever the seed. A trainer that runs
 * but learns the wrong thing (window, noise, subsampling, rate) fails here.
 */
#include "train_support.h"

#include "train/model.h"

#ifndef TRAIN_TEST_SOURCE
#error "TRAIN_TEST_SOURCE is the folder of the sources; see train.cmake"
#endif

#define QUESTIONS_MAX 4000

typedef struct questions {
    uint32_t word[QUESTIONS_MAX][4];
    size_t count;
} questions;

static void read_questions(const w2v_vocab *v, questions *q)
{
    FILE *f = fopen(TRAIN_TEST_SOURCE "/data/small-questions.txt", "r");
    assert_non_null(f);
    char line[512];
    q->count = 0;
    while (fgets(line, sizeof line, f)) {
        if (line[0] == ':') {
            continue;
        }
        assert_true(q->count < QUESTIONS_MAX);
        char *place = NULL;
        for (int i = 0; i < 4; i++) {
            const char *word = strtok_r(i ? NULL : line, " \n", &place);
            assert_non_null(word);
            q->word[q->count][i] = w2v_vocab_find(v, word, strlen(word));
            assert_true(q->word[q->count][i] != UINT32_MAX);
        }
        q->count++;
    }
    fclose(f);
    assert_true(q->count >= 1000);
}

/* All rows at unit length, in double, one behind the other. */
static double *unit_rows(const w2v_model *m, uint32_t rows)
{
    const uint32_t dim = w2v_model_dim(m);
    double *unit = malloc((size_t)rows * dim * sizeof *unit);
    assert_non_null(unit);
    for (uint32_t id = 0; id < rows; id++) {
        const float *row = w2v_model_row(m, false, id);
        double squares = 0.0;
        for (uint32_t k = 0; k < dim; k++) {
            squares += (double)row[k] * (double)row[k];
        }
        for (uint32_t k = 0; k < dim; k++) {
            unit[(size_t)id * dim + k] = (double)row[k] / sqrt(squares);
        }
    }
    return unit;
}

/* a is to b as c is to what? The row nearest to b - a + c that is none of them (3CosAdd). */
static uint32_t answer(const double *unit, uint32_t rows, uint32_t dim, const uint32_t word[4])
{
    double target[1024], best = -10.0;
    const double *a = unit + (size_t)word[0] * dim, *b = unit + (size_t)word[1] * dim;
    const double *c = unit + (size_t)word[2] * dim;
    uint32_t found = 0;
    assert_true(dim <= 1024);
    for (uint32_t k = 0; k < dim; k++) {
        target[k] = b[k] - a[k] + c[k];
    }
    for (uint32_t id = 0; id < rows; id++) {
        const double *row = unit + (size_t)id * dim;
        double dot = 0.0;
        for (uint32_t k = 0; k < dim; k++) {
            dot += row[k] * target[k];
        }
        if (dot > best && id != word[0] && id != word[1] && id != word[2]) {
            best = dot;
            found = id;
        }
    }
    return found;
}

static double share_right(const w2v_model *m, const questions *q, uint32_t rows)
{
    double *unit = unit_rows(m, rows);
    const size_t step = train_small() ? 10 : 1;
    size_t right = 0, asked = 0;
    for (size_t i = 0; i < q->count; i += step, asked++) {
        right += answer(unit, rows, w2v_model_dim(m), q->word[i]) == q->word[i][3];
    }
    free(unit);
    return (double)right / (double)asked;
}

static w2v_corpus *read_small(void)
{
    const char *paths[1] = {TRAIN_TEST_SOURCE "/data/small.txt.gz"};
    w2v_error err = {0};
    w2v_inputs *inputs = NULL;
    w2v_corpus *c = NULL;
    if (w2v_inputs_create(paths, 1, false, &inputs, &err) != W2V_OK ||
        w2v_corpus_create(inputs, NULL, NULL, NULL, &c, &err) != W2V_OK) {
        fail_msg("%s", err.text);
    }
    w2v_inputs_free(inputs);
    return c;
}

static void assert_analogies(const w2v_train_options *base, uint64_t seeds)
{
    static questions q;
    w2v_corpus *c = read_small();
    const w2v_vocab *v = w2v_corpus_vocab(c);
    read_questions(v, &q);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        w2v_train_options o = *base;
        w2v_model *m = NULL;
        w2v_error err = {0};
        o.seed = seed;
        if (w2v_train(c, &o, NULL, NULL, &m, &err) != W2V_OK) {
            fail_msg("%s", err.text);
        }
        const double right = share_right(m, &q, w2v_vocab_size(v));
        print_message("seed %d, %d threads: %.1f %% right, loss %.4f\n", (int)seed, o.threads,
                      100 * right, w2v_model_result(m)->loss);
        assert_true(right >= 0.8);
        w2v_model_free(m);
    }
    w2v_corpus_free(c);
}

static void test_planted_defaults(void **state)
{
    (void)state;
    w2v_train_options o = w2v_train_options_default();
    o.threads = 2;
    assert_analogies(&o, train_small() ? 1 : 3);
}

static void test_planted_share_none(void **state)
{
    (void)state;
    w2v_train_options o = w2v_train_options_default();
    o.threads = 2;
    o.share = W2V_SHARE_NONE;
    if (!train_small()) {
        assert_analogies(&o, 1);
    }
}

/* Far more threads than processors learn as well. */
static void test_planted_many_threads(void **state)
{
    (void)state;
    w2v_train_options o = w2v_train_options_default();
    o.threads = 64;
    if (!train_small()) {
        assert_analogies(&o, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planted_defaults),
        cmocka_unit_test(test_planted_share_none),
        cmocka_unit_test(test_planted_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
