/* 3CosMul against a brute force. */
#include "query/tables.h"

#define QUERIES 20

static ask_query random_query(const table *t, rng *r)
{
    ask_query q = {.count = 1 + rng_below(r, QUERY_TERMS)};
    for (size_t i = 0; i < q.count; i++) {
        const char *word = t->word[rng_below(r, (uint32_t)t->rows)];
        q.terms[i] = term_of(word, i % 2 ? -1.0 : rng_below(r, 4) ? 1.0 : 1.5);
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
    w2v_ask_options options = w2v_ask_options_default();
    options.method = W2V_MUL;
    options.exclude_inputs = seed % 2 == 0;
    options.k = 1 + rng_below(&r, (uint32_t)rows);
    w2v_answers batch[QUERIES], other[QUERIES];
    ask_all(streamed, queries, QUERIES, &options, batch);
    options.threads = 3;
    ask_all(loaded, queries, QUERIES, &options, other);
    for (size_t i = 0; i < QUERIES; i++) {
        assert_same_answers(&batch[i], &other[i], queries[i].count);
        w2v_answers single;
        ask_all(streamed, &queries[i], 1, &options, &single);
        assert_same_answers(&batch[i], &single, queries[i].count);
        bool direction = true;
        for (size_t j = 0; j < queries[i].count; j++) {
            const float *row = table_row(&t, first_row(&t, queries[i].terms[j].word));
            direction &= length_of(row, dim) > 0.0;
        }
        assert_int_equal(batch[i].no_direction, !direction);
        if (direction) {
            assert_oracle(&t, &queries[i], &options, &batch[i], near);
        } else {
            assert_int_equal(batch[i].count, 0);
        }
        w2v_answers_clear(&batch[i]);
        w2v_answers_clear(&other[i]);
        w2v_answers_clear(&single);
    }
    free(near);
    w2v_vectors_free(streamed);
    w2v_vectors_free(loaded);
    table_free(&t);
}

static void test_ask_products_random_tables(void **state)
{
    static const size_t dims[] = {1, 2, 9, 16, 33, 130};
    uint64_t seed = 1000;
    for (int k = 0; k < KINDS; k++) {
        for (size_t d = 0; d < SUPPORT_COUNT(dims); d++) {
            print_message("kind %d, dim %zu, seed %u\n", k, dims[d], (unsigned)seed);
            check_table(*state, (kind)k, 20 + (seed * 37) % 70, dims[d], seed);
            seed++;
        }
    }
}

/* Rows (1,0), (0,1) and (-1,0): cosines with w0 are 1, 0, -1, shifted 1, 1/2, 0. */
static void test_ask_products_by_hand(void **state)
{
    table t = table_make(*state, 3, 2);
    table_row(&t, 0)[0] = 1.0f;
    table_row(&t, 1)[1] = 2.0f;
    table_row(&t, 2)[0] = -3.0f;
    table_write(&t);
    const ask_query q = query_of("w1 - w0");
    w2v_ask_options options = w2v_ask_options_default();
    options.method = W2V_MUL;
    w2v_vectors *v = open_file(t.path, true, 1);
    w2v_answers a;
    ask_all(v, &q, 1, &options, &a);
    assert_int_equal(a.count, 3);
    assert_int_equal(a.items[0].id, 2); /* (1/2) / (0 + 1e-6) */
    assert_true(fabs(a.items[0].score - 500000.0) < 1e-3);
    assert_int_equal(a.items[1].id, 1); /* 1 / (1/2 + 1e-6) */
    assert_true(fabs(a.items[1].score - 1.999996) < 1e-9);
    assert_int_equal(a.items[2].id, 0); /* (1/2) / (1 + 1e-6) */
    assert_true(fabs(a.items[2].score - 0.4999995) < 1e-9);
    assert_true(a.items[1].input && a.items[2].input && !a.items[0].input);
    w2v_answers_clear(&a);
    w2v_vectors_free(v);
    table_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ask_products_random_tables, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_ask_products_by_hand, support_setup, support_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
