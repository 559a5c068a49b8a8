/* Questions with answers that can be checked by hand, and the edges of what may be asked. */
#include "query/tables.h"

#include "base/mem.h"

static const char royal[] = "6 2\nking 3 1\nqueen 3 -1\nman 1 1\nwoman 1 -1\nprince 2 1.5\n"
                            "princess 2 -1.5\n";
static const char messy[] = "6 2\nking 3 1\nqueen 2.6 -0.4\nman 1 1\nwoman 1 -1\nprince 2 1.5\n"
                            "princess 2 -1.5\n";
static const char plane[] = "5 2\nking 1 1\nman 1 0\nwoman 1 0.01\nqueen 1 1.1\nprince 1 0.5\n";
static const char ties[] = "5 2\nq 1 0\nt3 0 1\nt1 0 1\nt2 0 1\nu 0 -1\n";
static const char zeros[] = "4 2\na 1 0\nzero 0 0\nb 0.9 0.1\nc -1 0\n";
static const char twice[] = "5 2\na 1 0\nb 0.9 0.2\na 0 1\nc 0.1 0.9\nb 0 -1\n";

static w2v_vectors *open_text(const char *folder, const char *text)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(folder, "table.txt", path), text);
    return open_file(path, false, 1);
}

static w2v_answers ask_one(const char *folder, const char *text, const char *query,
                           const w2v_ask_options *options)
{
    w2v_vectors *v = open_text(folder, text);
    const ask_query q = query_of(query);
    w2v_answers a;
    ask_all(v, &q, 1, options, &a);
    w2v_vectors_free(v);
    return a;
}

/* "word score" of each answer, three decimals, `*` after inputs. */
static void assert_answers(const w2v_answers *a, const char *expected)
{
    char text[512] = "";
    for (size_t i = 0; i < a->count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s %.3f%s", i ? ", " : "", a->items[i].word,
                 a->items[i].score, a->items[i].input ? "*" : "");
    }
    assert_string_equal(text, expected);
}

static void check(const char *folder, const char *text, const char *query, w2v_ask_options options,
                  const char *expected)
{
    w2v_answers a = ask_one(folder, text, query, &options);
    assert_answers(&a, expected);
    w2v_answers_clear(&a);
}

static void test_ask_royal_distance(void **state)
{
    w2v_ask_options options = w2v_ask_options_default();
    options.metric = W2V_EUCLIDEAN;
    check(*state, royal, "king - man + woman", options,
          "queen 0.000, princess 1.118, king 2.000*, woman 2.000*, prince 2.693, man 2.828*");
    check(*state, messy, "king - man + woman", options,
          "queen 0.721, princess 1.118, king 2.000*, woman 2.000*, prince 2.693, man 2.828*");
}

/* By cosine rows of length 1 are added, so even the tidy table does not answer queen. */
static void test_ask_royal_cosine(void **state)
{
    w2v_ask_options options = w2v_ask_options_default();
    options.k = 2;
    check(*state, royal, "king - man + woman", options, "woman 0.997*, princess 0.977");
    options.exclude_inputs = true;
    check(*state, royal, "king - man + woman", options, "princess 0.977, queen 0.860");
    options.raw = true;
    check(*state, royal, "king - man + woman", options, "queen 1.000, princess 0.949");
}

static void test_ask_dot(void **state)
{
    w2v_ask_options options = w2v_ask_options_default();
    options.metric = W2V_DOT;
    options.k = 3;
    check(*state, royal, "king - man + woman", options,
          "queen 10.000, king 8.000*, princess 7.500");
}

static void test_ask_inputs_left_out(void **state)
{
    w2v_ask_options options = w2v_ask_options_default();
    options.k = 1;
    check(*state, plane, "king - man + woman", options, "king 1.000*");
    options.exclude_inputs = true;
    check(*state, plane, "king - man + woman", options, "queen 0.999");
    options.k = 10; /* all that is left */
    check(*state, plane, "king - man + woman", options, "queen 0.999, prince 0.946");
}

static void test_ask_repeated_input(void **state)
{
    w2v_ask_options options = w2v_ask_options_default();
    options.exclude_inputs = true;
    options.k = 2;
    check(*state, plane, "king - king + king", options, "queen 0.999, prince 0.949");
    check(*state, plane, "king king king", options, "queen 0.999, prince 0.949");
}

static void test_ask_ties_by_row(void **state)
{
    w2v_ask_options options = w2v_ask_options_default();
    options.exclude_inputs = true;
    check(*state, ties, "q", options, "t3 0.000, t1 0.000, t2 0.000, u 0.000");
    options.k = 2;
    options.threads = 4;
    check(*state, ties, "q", options, "t3 0.000, t1 0.000");
    options.metric = W2V_EUCLIDEAN;
    options.k = 3;
    check(*state, ties, "t2", options, "t3 0.000, t1 0.000, q 1.414");
}

static void test_ask_zero_rows(void **state)
{
    w2v_ask_options options = w2v_ask_options_default();
    check(*state, zeros, "a", options, "a 1.000*, b 0.994, c -1.000");
    check(*state, zeros, "zero + a", options, "a 1.000*, b 0.994, c -1.000");
    options.metric = W2V_DOT;
    check(*state, zeros, "a", options, "a 1.000*, b 0.900, zero 0.000, c -1.000");
    options.metric = W2V_EUCLIDEAN;
    check(*state, zeros, "zero", options, "zero 0.000*, b 0.906, a 1.000, c 1.000");
}

static void test_ask_no_direction(void **state)
{
    static const char *const queries[] = {"zero", "a - a", "a + c", "a - b + b - a"};
    const w2v_ask_options options = w2v_ask_options_default();
    for (size_t i = 0; i < SUPPORT_COUNT(queries); i++) {
        w2v_answers a = ask_one(*state, zeros, queries[i], &options);
        assert_true(a.no_direction);
        assert_int_equal(a.count, 0);
        assert_false(a.unknown[0]);
        w2v_answers_clear(&a);
    }
}

/* The first row is meant; later rows with the word are inputs like it. */
static void test_ask_words_that_stand_twice(void **state)
{
    w2v_ask_options options = w2v_ask_options_default();
    check(*state, twice, "a", options, "a 1.000*, b 0.976, c 0.110, a 0.000*, b 0.000");
    options.exclude_inputs = true;
    check(*state, twice, "a", options, "b 0.976, c 0.110, b 0.000");
}

static void test_ask_unknown_words(void **state)
{
    w2v_vectors *v = open_text(*state, royal);
    const ask_query queries[] = {query_of("king - nobody + woman"),
                                 query_of("king"),
                                 query_of("King"),
                                 {.terms = {term_of("", 1.0)}, .count = 1}};
    w2v_ask_options options = w2v_ask_options_default();
    options.exclude_inputs = true;
    options.k = 1;
    w2v_answers a[4];
    ask_all(v, queries, 4, &options, a);
    assert_int_equal(a[0].count, 0);
    assert_false(a[0].unknown[0]);
    assert_true(a[0].unknown[1]);
    assert_false(a[0].unknown[2]);
    assert_answers(&a[1], "prince 0.949"); /* 7.5 / (sqrt(10) 2.5) */
    assert_true(a[2].unknown[0]);
    assert_true(a[3].unknown[0]);
    for (size_t i = 0; i < 4; i++) {
        w2v_answers_clear(&a[i]);
    }
    w2v_vectors_free(v);
}

static void test_ask_candidates(void **state)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(*state, "only.txt", path), "princess\nnobody\nprince\nking\n");
    w2v_ask_options options = w2v_ask_options_default();
    options.candidates = path;
    check(*state, royal, "king - man + woman", options,
          "princess 0.977, king 0.381*, prince 0.069");
    options.exclude_inputs = true;
    check(*state, royal, "king - man + woman", options, "princess 0.977, prince 0.069");
    support_write_text(path, "nobody\n");
    check(*state, royal, "king", options, "");
}

static void test_ask_candidates_missing_file(void **state)
{
    w2v_vectors *v = open_text(*state, royal);
    const ask_query q = query_of("king");
    const w2v_query query = {.terms = q.terms, .term_count = 1};
    w2v_ask_options options = w2v_ask_options_default();
    options.candidates = "/nowhere/words.txt";
    w2v_answers a;
    w2v_error err = {0};
    assert_int_equal(w2v_ask(v, &query, 1, &options, &a, &err), W2V_ERR_INPUT);
    assert_non_null(strstr(err.text, "'/nowhere/words.txt'"));
    assert_null(a.items);
    w2v_vectors_free(v);
}

static w2v_status try_options(w2v_vectors *v, const ask_query *q, const w2v_ask_options *options)
{
    const w2v_query query = {.terms = q->terms, .term_count = q->count};
    w2v_answers a;
    w2v_error err = {0};
    const w2v_status status = w2v_ask(v, &query, 1, options, &a, &err);
    assert_int_equal(status, err.code);
    w2v_answers_clear(&a);
    return status;
}

static void test_ask_refused(void **state)
{
    w2v_vectors *v = open_text(*state, royal);
    ask_query q = query_of("king");
    w2v_ask_options options = w2v_ask_options_default();
    assert_int_equal(try_options(v, &q, &options), W2V_OK);
    options.k = 0;
    assert_int_equal(try_options(v, &q, &options), W2V_ERR_ARGUMENT);
    options = w2v_ask_options_default();
    options.threads = 0;
    assert_int_equal(try_options(v, &q, &options), W2V_ERR_ARGUMENT);
    options = w2v_ask_options_default();
    options.method = W2V_MUL;
    options.metric = W2V_DOT;
    assert_int_equal(try_options(v, &q, &options), W2V_ERR_ARGUMENT);
    options = w2v_ask_options_default();
    static const double refused[] = {NAN, INFINITY, 1.001e30, -1e31, 0.999e-30, 1e-320};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        q.terms[0].weight = refused[i];
        assert_int_equal(try_options(v, &q, &options), W2V_ERR_ARGUMENT);
    }
    static const double taken[] = {0, W2V_WEIGHT_MAX, -1 / W2V_WEIGHT_MAX};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        q.terms[0].weight = taken[i];
        assert_int_equal(try_options(v, &q, &options), W2V_OK);
    }
    q.count = 0;
    assert_int_equal(try_options(v, &q, &options), W2V_ERR_ARGUMENT);
    w2v_vectors_free(v);
}

static void test_ask_nothing(void **state)
{
    w2v_vectors *v = open_text(*state, royal);
    w2v_error err = {0};
    assert_int_equal(w2v_ask(v, NULL, 0, NULL, NULL, &err), W2V_OK);
    w2v_vectors_free(v);
}

/* Each allocation in turn fails: an error, nothing left over, and the table is as good as before.
 */
static void fail_each_allocation(const char *folder, w2v_method method)
{
    table t = table_random(folder, KIND_UNIFORM, 40, 5, 3);
    const ask_query queries[] = {query_of("w1 - w2 + w4"), query_of("w5"), query_of("none")};
    w2v_ask_options options = w2v_ask_options_default();
    options.method = method;
    bool done = false;
    for (uint64_t n = 1; !done; n++) {
        w2v_vectors *v = open_file(t.path, n % 2, 1);
        w2v_query list[3];
        w2v_answers a[3];
        for (size_t i = 0; i < 3; i++) {
            list[i] = (w2v_query){.terms = queries[i].terms, .term_count = queries[i].count};
        }
        w2v_error err = {0};
        mem_fail_at(n, false);
        const w2v_status status = w2v_ask(v, list, 3, &options, a, &err);
        done = mem_tries() < n;
        mem_fail_at(0, false);
        assert_int_equal(status, done ? W2V_OK : W2V_ERR_MEMORY);
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(a[i].items != NULL, done);
            w2v_answers_clear(&a[i]);
        }
        w2v_vectors_free(v);
        assert_true(n < 1000);
    }
    table_free(&t);
}

static void test_ask_out_of_memory(void **state)
{
    fail_each_allocation(*state, W2V_ADD);
    fail_each_allocation(*state, W2V_MUL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_ask_royal_distance),
        TEST(test_ask_royal_cosine),
        TEST(test_ask_dot),
        TEST(test_ask_inputs_left_out),
        TEST(test_ask_repeated_input),
        TEST(test_ask_ties_by_row),
        TEST(test_ask_zero_rows),
        TEST(test_ask_no_direction),
        TEST(test_ask_words_that_stand_twice),
        TEST(test_ask_unknown_words),
        TEST(test_ask_candidates),
        TEST(test_ask_candidates_missing_file),
        TEST(test_ask_refused),
        TEST(test_ask_nothing),
        TEST(test_ask_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
