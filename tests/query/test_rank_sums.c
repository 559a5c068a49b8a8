/* 3CosAdd and single words, against a brute force, for any number of threads. */
#include "query/tables.h"

#define QUERIES 20 /* more than are multiplied one by one */

/* A single word, or a sum of up to four. Words of zero rows and repeated words included. */
static ask_query random_query(const table *t, rng *r)
{
    ask_query q = {.count = 1 + rng_below(r, QUERY_TERMS)};
    for (size_t i = 0; i < q.count; i++) {
        const char *word = t->word[rng_below(r, (uint32_t)t->rows)];
        q.terms[i] = term_of(word, i == 0 ? 1.0 : rng_below(r, 2) ? -1.0 : 0.5);
    }
    return q;
}

static void check_table(const char *folder, kind k, size_t rows, size_t dim, uint64_t seed)
{
    table t = table_random(folder, k, rows, dim, seed);
    w2v_vectors *streamed = open_file(t.path, false, 1), *loaded = open_file(t.path, true, 1);
    rng r = rng_stream(seed, RNG_SAMPLE, 0, 0);
    double *near = calloc(rows, sizeof *near);
    assert_non_null(near);
    ask_query queries[QUERIES];
    for (size_t i = 0; i < QUERIES; i++) {
        queries[i] = random_query(&t, &r);
    }
    for (int metric = W2V_COSINE; metric <= W2V_EUCLIDEAN; metric++) {
        w2v_ask_options options = w2v_ask_options_default();
        options.metric = (w2v_metric)metric;
        options.raw = rng_below(&r, 4) == 0;
        options.exclude_inputs = rng_below(&r, 2) == 0;
        options.k = 1 + rng_below(&r, (uint32_t)rows + 2);
        w2v_answers batch[QUERIES], other[QUERIES];
        ask_all(streamed, queries, QUERIES, &options, batch);
        options.threads = 1 + (int)rng_below(&r, 8);
        ask_all(loaded, queries, QUERIES, &options, other);
        for (size_t i = 0; i < QUERIES; i++) {
            assert_same_answers(&batch[i], &other[i], queries[i].count);
            w2v_answers single;
            ask_all(i % 2 ? loaded : streamed, &queries[i], 1, &options, &single);
            assert_same_answers(&batch[i], &single, queries[i].count);
            if (batch[i].no_direction) {
                assert_int_equal(batch[i].count, 0);
            } else {
                assert_oracle(&t, &queries[i], &options, &batch[i], near);
            }
            w2v_answers_clear(&batch[i]);
            w2v_answers_clear(&other[i]);
            w2v_answers_clear(&single);
        }
    }
    free(near);
    w2v_vectors_free(streamed);
    w2v_vectors_free(loaded);
    table_free(&t);
}

static void test_ask_random_tables(void **state)
{
    static const size_t dims[] = {1, 2, 3, 7, 15, 16, 17, 31, 48, 100, 130};
    uint64_t seed = 1;
    for (int k = 0; k < KINDS; k++) {
        for (size_t d = 0; d < SUPPORT_COUNT(dims); d++) {
            const size_t rows = 20 + (seed * 37) % 70;
            print_message("kind %d, %zu x %zu, seed %u\n", k, rows, dims[d], (unsigned)seed);
            check_table(*state, (kind)k, rows, dims[d], seed++);
        }
    }
}

/* Several pieces of a streamed file, so that threads share it. */
static void test_ask_any_threads(void **state)
{
    table t = table_random(*state, KIND_UNIFORM, 20000, 60, 99);
    ask_query queries[QUERIES];
    rng r = rng_stream(5, RNG_SAMPLE, 0, 0);
    for (size_t i = 0; i < QUERIES; i++) {
        queries[i] = random_query(&t, &r);
    }
    w2v_ask_options options = w2v_ask_options_default();
    options.k = 25;
    w2v_vectors *v = open_file(t.path, false, 1);
    w2v_answers first[QUERIES];
    ask_all(v, queries, QUERIES, &options, first);
    for (int threads = 2; threads <= 8; threads++) {
        w2v_answers again[QUERIES];
        options.threads = threads;
        if (threads == 5) {
            w2v_error err = {0};
            assert_int_equal(w2v_vectors_load(v, &err), W2V_OK);
        }
        ask_all(v, queries, QUERIES, &options, again);
        for (size_t i = 0; i < QUERIES; i++) {
            assert_same_answers(&first[i], &again[i], queries[i].count);
            w2v_answers_clear(&again[i]);
        }
    }
    double *near = calloc(t.rows, sizeof *near);
    assert_non_null(near);
    for (size_t i = 0; i < QUERIES; i++) {
        if (!first[i].no_direction) {
            assert_oracle(&t, &queries[i], &options, &first[i], near);
        }
        w2v_answers_clear(&first[i]);
    }
    free(near);
    w2v_vectors_free(v);
    table_free(&t);
}

/* Floats cannot tell these distances and products apart: |a|^2 - 2ab + |b|^2 is 1e8 - 1e8. */
static void test_ask_cancellation(void **state)
{
    table t = table_make(*state, 64, 50);
    for (size_t i = 0; i < t.rows; i++) {
        for (size_t c = 0; c < t.dim; c++) {
            table_row(&t, i)[c] = 1e4f;
        }
        /* row 0 is asked; the higher the row, the nearer it is: 63 differs by one step of a float
         */
        table_row(&t, i)[i % t.dim] += i == 0 ? 0.0f : 0x1p-10f * (float)(t.rows - i);
    }
    table_write(&t);
    const ask_query q = query_of("w0");
    w2v_ask_options options = w2v_ask_options_default();
    options.metric = W2V_EUCLIDEAN;
    options.exclude_inputs = true;
    options.k = 5;
    w2v_vectors *v = open_file(t.path, false, 1);
    w2v_answers a;
    ask_all(v, &q, 1, &options, &a);
    assert_int_equal(a.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(a.items[i].id, 63 - i);
        assert_true(a.items[i].score == 0x1p-10 * (double)(i + 1));
    }
    w2v_answers_clear(&a);
    w2v_vectors_free(v);
    table_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ask_random_tables, support_setup, support_teardown),
        cmocka_unit_test_setup_teardown(test_ask_any_threads, support_setup, support_teardown),
        cmocka_unit_test_setup_teardown(test_ask_cancellation, support_setup, support_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
