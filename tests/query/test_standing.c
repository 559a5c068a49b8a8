/* How an answer stood before the arithmetic. */
#include "query/tables.h"

/* Rank of row `answer` among the neighbours of `word`: it lies between the rows that are certainly
   nearer and those that may be. */
static void assert_rank(const table *t, const char *word, uint32_t answer, uint64_t rank,
                        double cosine)
{
    const float *row = table_row(t, first_row(t, word));
    const double own = cosine_of(row, table_row(t, answer), t->dim);
    uint64_t least = 1, most = 0;
    for (size_t i = 0; i < t->rows; i++) {
        const double other = cosine_of(row, table_row(t, i), t->dim);
        if (strcmp(t->word[i], word) != 0 && !isnan(other)) {
            least += other > own + 1e-12;
            most += other > own - 1e-12;
        }
    }
    assert_true(fabs(cosine - own) < 1e-12);
    assert_in_range(rank, least, most);
}

static void check_table(const char *folder, kind k, size_t dim, uint64_t seed)
{
    table t = table_random(folder, k, 60, dim, seed);
    w2v_vectors *v = open_file(t.path, false, 1);
    rng r = rng_stream(seed, RNG_SAMPLE, 0, 0);
    w2v_ask_options options = w2v_ask_options_default();
    for (int n = 0; n < 20; n++) {
        ask_query q = {.count = 3};
        for (size_t i = 0; i < 3; i++) {
            q.terms[i] = term_of(t.word[rng_below(&r, 60)], i == 1 ? -1.0 : 1.0);
        }
        options.exclude_inputs = n % 2;
        options.metric = (w2v_metric)(n % 3);
        w2v_answers a;
        ask_all(v, &q, 1, &options, &a);
        size_t best = 0;
        while (best < a.count && a.items[best].input) {
            best++;
        }
        assert_int_equal(a.best_rank[1], 0);
        for (size_t i = 0; i < 3; i += 2) {
            if (a.best_rank[i] > 0) {
                assert_rank(&t, q.terms[i].word, a.items[best].id, a.best_rank[i],
                            a.best_cosine[i]);
            } else { /* only where there is no cosine */
                const float *row = table_row(&t, first_row(&t, q.terms[i].word));
                assert_true(best == a.count || length_of(row, dim) == 0.0 ||
                            length_of(table_row(&t, a.items[best].id), dim) == 0.0);
            }
        }
        w2v_answers_clear(&a);
    }
    w2v_vectors_free(v);
    table_free(&t);
}

static void test_ranks_random_tables(void **state)
{
    uint64_t seed = 500;
    for (int k = 0; k < KINDS; k++) {
        for (size_t dim = 1; dim <= 81; dim += 20) {
            check_table(*state, (kind)k, dim, seed++);
        }
    }
}

static const char plane[] = "5 2\nking 1 1\nman 1 0\nwoman 1 0.01\nqueen 1 1.1\nprince 1 0.5\n";

static w2v_answers ask_plane(const char *folder, const w2v_ask_options *options)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(folder, "table.txt", path), plane);
    w2v_vectors *v = open_file(path, false, 1);
    const ask_query q = query_of("king - man + woman");
    w2v_answers a;
    ask_all(v, &q, 1, options, &a);
    w2v_vectors_free(v);
    return a;
}

/* Queen is king's nearest neighbour to begin with; woman's are man, prince, king, queen. */
static void test_ranks_by_hand(void **state)
{
    w2v_ask_options options = w2v_ask_options_default();
    w2v_answers a = ask_plane(*state, &options);
    assert_string_equal(a.items[1].word, "queen");
    assert_int_equal(a.best_rank[0], 1);
    assert_int_equal(a.best_rank[1], 0);
    assert_int_equal(a.best_rank[2], 4);
    assert_true(fabs(a.best_cosine[0] - 2.1 / sqrt(2.0 * 2.21)) < 1e-7);
    assert_true(a.best_cosine[1] == 0.0);
    w2v_answers_clear(&a);
}

static void test_ranks_among_candidates(void **state)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(*state, "only.txt", path), "queen\nprince\nwoman\n");
    w2v_ask_options options = w2v_ask_options_default();
    options.candidates = path;
    w2v_answers a = ask_plane(*state, &options);
    assert_string_equal(a.items[0].word, "queen");
    assert_int_equal(a.best_rank[0], 1);
    assert_int_equal(a.best_rank[2], 2);
    w2v_answers_clear(&a);
}

static void test_ranks_not_wanted(void **state)
{
    w2v_ask_options options = w2v_ask_options_default();
    options.ranks = false;
    w2v_answers a = ask_plane(*state, &options);
    assert_int_equal(a.best_rank[0], 0);
    assert_int_equal(a.best_rank[2], 0);
    w2v_answers_clear(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ranks_random_tables, support_setup, support_teardown),
        cmocka_unit_test_setup_teardown(test_ranks_by_hand, support_setup, support_teardown),
        cmocka_unit_test_setup_teardown(test_ranks_among_candidates, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_ranks_not_wanted, support_setup, support_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
