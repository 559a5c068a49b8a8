/* What two tables expect near a word: worked by hand, and against brute force. */
#include "query/tables.h"

#include "base/mem.h"

/* Opens a table that is given as text; its words are those of the file. */
static w2v_vectors *open_text(const char *folder, const char *name, const char *text)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(folder, name, path), text);
    return open_file(path, false, 1);
}

static void assert_near(double x, double known)
{
    if (!(fabs(x - known) < 1e-14)) {
        fail_msg("%.17g is not %.17g", x, known);
    }
}

/* a . a = 1, a . b = ln 3 - to a double; counts 16 and 1, whose 3/4th powers are 8 and 1:
   softmax 8 e / (8 e + 3) and 3 / (8 e + 3). */
static void test_predict_by_hand(void **state)
{
    w2v_vectors *v = open_text(*state, "v.txt", "2 2\na 1 0\nb 0 1\n");
    w2v_vectors *c = open_text(*state, "c.txt", "2 2\nb 1.0986123 -2\na 1 4\n");
    static const uint64_t counts[] = {1, 16};
    w2v_predict_options options = w2v_predict_options_default();
    options.counts = counts;
    const w2v_term asked[] = {term_of("a", 1.0), term_of("none", 1.0), term_of("b", 1.0)};
    w2v_predictions out[3];
    assert_int_equal(w2v_predict(v, c, asked, 3, &options, out, NULL), W2V_OK);
    const double three = exp((double)1.0986123f), e = exp(1.0);
    assert_true(fabs(three - 3.0) < 1e-6);
    assert_false(out[0].unknown);
    assert_int_equal(out[0].real_count, 2);
    assert_string_equal(out[0].real[0].word, "b");
    assert_int_equal(out[0].real[0].id, 0);
    assert_near(out[0].real[0].dot, (double)1.0986123f);
    assert_near(out[0].real[0].real, three / (three + 1.0)); /* 0.75 */
    assert_near(out[0].real[1].real, e / (e + 1.0));
    assert_int_equal(out[0].expected_count, 2);
    assert_string_equal(out[0].expected[0].word, "a");
    assert_near(out[0].expected[0].expectation, 8.0 * e / (8.0 * e + three));
    assert_near(out[0].expected[1].expectation, three / (8.0 * e + three));
    assert_near(out[0].expected[1].real, out[0].real[0].real);
    assert_near(out[0].real[0].expectation, out[0].expected[1].expectation);
    assert_true(out[1].unknown);
    assert_int_equal(out[1].real_count + out[1].expected_count, 0);
    assert_string_equal(out[2].real[0].word, "a");
    assert_near(out[2].real[0].dot, 4.0);
    for (size_t i = 0; i < 3; i++) {
        w2v_predictions_clear(&out[i]);
    }
    w2v_vectors_free(v);
    w2v_vectors_free(c);
}

/* Words without a count, and later rows of a word, are in no softmax. */
static void test_predict_left_out(void **state)
{
    w2v_vectors *v = open_text(*state, "v.txt", "1 1\nx 1\n");
    w2v_vectors *c = open_text(*state, "c.txt", "4 1\na 0\nrare 5\na 7\nb 0\n");
    static const uint64_t counts[] = {3, 0, 3, 1};
    w2v_predict_options options = w2v_predict_options_default();
    options.counts = counts;
    options.ns_exponent = 1.0;
    const w2v_term asked = term_of("x", 1.0);
    w2v_predictions out;
    assert_int_equal(w2v_predict(v, c, &asked, 1, &options, &out, NULL), W2V_OK);
    assert_int_equal(out.real_count, 3);
    assert_string_equal(out.real[0].word, "rare");
    assert_true(isnan(out.real[0].expectation));
    assert_int_equal(out.real[1].id, 0); /* ties by row */
    assert_int_equal(out.real[2].id, 3);
    assert_int_equal(out.expected_count, 2);
    assert_near(out.expected[0].expectation, 0.75);
    assert_near(out.expected[1].expectation, 0.25);
    w2v_predictions_clear(&out);
    w2v_vectors_free(v);
    w2v_vectors_free(c);
}

/* Products far beyond what exp() can hold. */
static void test_predict_extremes(void **state)
{
    w2v_vectors *v = open_text(*state, "v.txt", "2 1\nx 1e30\nzero 0\n");
    w2v_vectors *c = open_text(*state, "c.txt", "3 1\na 1e30\nb -1e30\nc 0\n");
    static const uint64_t counts[] = {1, UINT64_MAX, 1};
    w2v_predict_options options = w2v_predict_options_default();
    options.counts = counts;
    const w2v_term asked[] = {term_of("x", 1.0), term_of("zero", 1.0)};
    w2v_predictions out[2];
    assert_int_equal(w2v_predict(v, c, asked, 2, &options, out, NULL), W2V_OK);
    static const double real[] = {1.0, 0.5, 0.0}, expected[] = {1.0, 0.0, 0.0};
    for (size_t i = 0; i < 3; i++) {
        assert_near(out[0].real[i].real, real[i]);
        assert_near(out[0].expected[i].expectation, expected[i]);
        assert_near(out[1].real[i].real, 0.5);
    }
    const double many = pow(18446744073709551615.0, 0.75);
    assert_near(out[1].expected[0].expectation, many / (many + 2.0));
    w2v_predictions_clear(&out[0]);
    w2v_predictions_clear(&out[1]);
    w2v_vectors_free(v);
    w2v_vectors_free(c);
}

static void test_predict_brute_force(void **state)
{
    enum { ROWS = 300, DIM = 7, K = 12 };
    table t = table_make(*state, ROWS, DIM), c = table_make(*state, ROWS, DIM);
    support_path(*state, "context.bin", c.path);
    rng r = rng_stream(1, RNG_INIT, 0, 0);
    uint64_t counts[ROWS];
    for (size_t i = 0; i < ROWS * DIM; i++) {
        t.values[i] = (float)uniform(&r);
        c.values[i] = (float)(2.0 * uniform(&r));
    }
    for (size_t i = 0; i < ROWS; i++) {
        snprintf(c.word[i], TABLE_WORD, "w%zu", ROWS - 1 - i); /* another order */
        counts[i] = 1 + rng_below(&r, 10000);
    }
    table_write(&t);
    table_write(&c);
    for (int threads = 1; threads < 5; threads++) {
        w2v_vectors *v = open_file(t.path, false, threads), *w = open_file(c.path, true, threads);
        const w2v_predict_options options = {
            .k = K, .counts = counts, .ns_exponent = 0.6, .threads = threads};
        const w2v_term asked = term_of("w42", 1.0);
        w2v_predictions out;
        assert_int_equal(w2v_predict(v, w, &asked, 1, &options, &out, NULL), W2V_OK);
        assert_int_equal(out.real_count, K);
        assert_int_equal(out.expected_count, K);
        double dots[ROWS], part[ROWS], sum = 0.0;
        for (size_t i = 0; i < ROWS; i++) {
            dots[i] = 0.0;
            for (size_t k = 0; k < DIM; k++) {
                dots[i] += (double)table_row(&t, 42)[k] * (double)table_row(&c, i)[k];
            }
            part[i] = exp(dots[i]) * pow((double)counts[i], 0.6);
            sum += part[i];
        }
        for (size_t k = 0; k < K; k++) {
            size_t best = 0, most = 0;
            for (size_t i = 1; i < ROWS; i++) {
                best = dots[i] > dots[best] ? i : best;
                most = part[i] > part[most] ? i : most;
            }
            assert_int_equal(out.real[k].id, best);
            assert_near(out.real[k].real, 1.0 / (1.0 + exp(-dots[best])));
            assert_int_equal(out.expected[k].id, most);
            assert_near(out.expected[k].expectation, part[most] / sum);
            assert_string_equal(out.expected[k].word, c.word[most]);
            dots[best] = -1e9;
            part[most] = -1.0;
        }
        w2v_predictions_clear(&out);
        w2v_vectors_free(v);
        w2v_vectors_free(w);
    }
    table_free(&t);
    table_free(&c);
}

static void test_predict_refused(void **state)
{
    w2v_vectors *v = open_text(*state, "v.txt", "1 2\nx 1 1\n");
    w2v_vectors *c = open_text(*state, "c.txt", "1 2\nx 1 1\n");
    w2v_vectors *other = open_text(*state, "other.txt", "1 3\nx 1 1 1\n");
    static const uint64_t none[] = {0};
    const w2v_term asked = term_of("x", 1.0);
    w2v_predictions out;
    w2v_predict_options options = w2v_predict_options_default();
    w2v_error err = {0};
    assert_int_equal(w2v_predict(v, other, &asked, 1, &options, &out, &err), W2V_ERR_INPUT);
    assert_non_null(strstr(err.text, "has 2 columns and"));
    options.counts = none;
    assert_int_equal(w2v_predict(v, c, &asked, 1, &options, &out, NULL), W2V_ERR_INPUT);
    options = w2v_predict_options_default();
    options.k = 0;
    assert_int_equal(w2v_predict(v, c, &asked, 1, &options, &out, NULL), W2V_ERR_ARGUMENT);
    options = w2v_predict_options_default();
    options.ns_exponent = NAN;
    assert_int_equal(w2v_predict(v, c, &asked, 1, &options, &out, NULL), W2V_ERR_ARGUMENT);
    assert_int_equal(w2v_predict(v, c, &asked, 0, NULL, NULL, NULL), W2V_OK);
    w2v_vectors_free(v);
    w2v_vectors_free(c);
    w2v_vectors_free(other);
}

static void test_predict_without_memory(void **state)
{
    static const uint64_t counts[] = {2, 3};
    w2v_predict_options options = w2v_predict_options_default();
    options.counts = counts;
    const w2v_term asked[] = {term_of("a", 1.0), term_of("b", 1.0)};
    bool reached = true;
    for (uint64_t n = 1; reached; n++) {
        w2v_vectors *v = open_text(*state, "v.txt", "2 2\na 1 0\nb 0 1\n");
        w2v_vectors *c = open_text(*state, "c.txt", "2 2\nb 1 -2\na 1 4\n");
        w2v_predictions out[2];
        mem_fail_at(n, false);
        const w2v_status status = w2v_predict(v, c, asked, 2, &options, out, NULL);
        reached = mem_tries() >= n;
        mem_fail_at(0, false);
        assert_int_equal(status, reached ? W2V_ERR_MEMORY : W2V_OK);
        w2v_predictions_clear(&out[0]);
        w2v_predictions_clear(&out[1]);
        w2v_vectors_free(v);
        w2v_vectors_free(c);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_predict_by_hand),  TEST(test_predict_left_out),
        TEST(test_predict_extremes), TEST(test_predict_brute_force),
        TEST(test_predict_refused),  TEST(test_predict_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
