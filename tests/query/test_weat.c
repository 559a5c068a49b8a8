/* Association tests: by hand in two dimensions, and against sums written out in full. */
#include "query/tables.h"

#include "base/mem.h"
#include "base/rng.h"

static void assert_near(double value, double expected, double most)
{
    if (!(fabs(value - expected) <= most)) {
        fail_msg("%.17g instead of %.17g", value, expected);
    }
}

static w2v_question_file *read_lists(const char *folder, const char *text)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(folder, "lists.json", path), text);
    w2v_question_file *f = NULL;
    w2v_error err = {0};
    if (w2v_question_file_read(path, &f, &err) != W2V_OK) {
        fail_msg("%s", err.text);
    }
    return f;
}

static w2v_vectors *open_text(const char *folder, const char *text)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(folder, "table.txt", path), text);
    return open_file(path, false, 1);
}

static const w2v_weat_test xyab = {.list = {"x", "y", "a", "b"}};

static w2v_weat_result weat(const char *folder, const char *rows, const char *lists,
                            const w2v_score_options *options)
{
    w2v_vectors *v = open_text(folder, rows);
    w2v_question_file *f = read_lists(folder, lists);
    w2v_weat_result result;
    w2v_error err = {0};
    if (w2v_weat(v, f, &xyab, 1, options, &result, &err) != W2V_OK) {
        fail_msg("%s", err.text);
    }
    mem_free(result.unknown); /* its words end with the file */
    result.unknown = NULL;
    w2v_question_file_free(f);
    w2v_vectors_free(v);
    return result;
}

/* s is cosine - sine: 1 and 0.2 for x, -1 and -0.2 for y; their squares sum to 2.08. */
static const char plane[] = "9 2\neast 2 0\nnorth 0 1\nx1 1 0\nx2 4 3\ny1 0 5\ny2 3 4\nzero 0 0\n"
                            "Big 1 1\nnew_york 0.3 0.1\n";

static void test_weat_by_hand(void **state)
{
    const w2v_weat_result w = weat(*state, plane,
                                   "{\"x\": [\"x1\", \"x2\"], \"y\": [\"y1\", \"y2\"],"
                                   " \"a\": [\"east\"], \"b\": [\"north\"]}",
                                   NULL);
    assert_near(w.effect, 1.2 / sqrt(2.08 / 3.0), 1e-6);
    assert_true(w.exact);
    assert_int_equal(w.partitions, 6);
    assert_near(w.p, 1.0 / 6.0, 1e-12);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(w.used[i], i < 2 ? 2 : 1);
        assert_int_equal(w.missing[i], 0);
    }
    assert_int_equal(w.unknown_count, 0);
}

/* Targets the other way round: as large an effect, and every partition sets them apart as much. */
static void test_weat_turned(void **state)
{
    const w2v_weat_result w = weat(*state, plane,
                                   "{\"y\": [\"x1\", \"x2\"], \"x\": [\"y1\", \"y2\"],"
                                   " \"a\": [\"east\"], \"b\": [\"north\"]}",
                                   NULL);
    assert_near(w.effect, -1.2 / sqrt(2.08 / 3.0), 1e-6);
    assert_near(w.p, 1.0, 1e-12);
}

/* One of x is left: s is 1 against -1, -0.2; mean -0.2/3, three partitions. */
static void test_weat_missing_words(void **state)
{
    const w2v_weat_result w =
        weat(*state, plane,
             "{\"x\": [\"x1\", \"none\", \"x1\", \"none\", \"zero\", \"zero\"],"
             " \"y\": [\"y1\", \"y2\", \"y2\"], \"a\": [\"east\", \"gone\"],"
             " \"b\": [\"north\"]}",
             NULL);
    const double s[] = {1.0, -1.0, -0.2}, mean = -0.2 / 3.0;
    double squares = 0.0;
    for (size_t i = 0; i < 3; i++) {
        squares += (s[i] - mean) * (s[i] - mean);
    }
    assert_near(w.effect, (1.0 - -0.6) / sqrt(squares / 2.0), 1e-6);
    assert_int_equal(w.partitions, 3);
    assert_near(w.p, 1.0 / 3.0, 1e-12);
    assert_int_equal(w.used[0], 1);
    assert_int_equal(w.missing[0], 2);
    assert_int_equal(w.repeated[0], 3);
    assert_int_equal(w.used[1], 2);
    assert_int_equal(w.repeated[1], 1);
    assert_int_equal(w.used[2], 1);
    assert_int_equal(w.missing[2], 1);
    assert_int_equal(w.unknown_count, 2); /* a word of zeros is known */
}

static void test_weat_no_value(void **state)
{
    static const char *const empty[] = {
        "{\"x\": [], \"y\": [\"y1\"], \"a\": [\"east\"], \"b\": [\"north\"]}",
        "{\"x\": [\"x1\"], \"y\": [\"zero\"], \"a\": [\"east\"], \"b\": [\"north\"]}",
        "{\"x\": [\"x1\"], \"y\": [\"y1\"], \"a\": [\"none\"], \"b\": [\"north\"]}",
        "{\"x\": [\"x1\"], \"y\": [\"y1\"], \"a\": [\"east\"], \"b\": []}",
    };
    for (size_t i = 0; i < SUPPORT_COUNT(empty); i++) {
        const w2v_weat_result w = weat(*state, plane, empty[i], NULL);
        assert_true(isnan(w.effect) && isnan(w.p));
        assert_int_equal(w.partitions, 0);
    }
    /* The same attributes on both sides: s is 0 for all, whatever the rounding. */
    const w2v_weat_result same =
        weat(*state, plane,
             "{\"x\": [\"x1\", \"x2\"], \"y\": [\"y1\", \"y2\"], \"a\": [\"Big\", \"new_york\"],"
             " \"b\": [\"new_york\", \"Big\"]}",
             NULL);
    assert_true(isnan(same.effect));
    assert_near(same.p, 1.0, 1e-12);
}

/* "x1" and "X1" are one word then; a blank in a word is part of it. */
static void test_weat_words(void **state)
{
    static const char rows[] = "5 2\nx1 1 0\nX1 0 1\neast 1 0\nnorth 0 1\ny1 0 1\n";
    static const char lists[] = "{\"x\": [\"x1\", \"X1\", \"EAST\", \"new york\"], \"y\": [\"y1\"],"
                                " \"a\": [\"east\"], \"b\": [\"north\"]}";
    w2v_weat_result w = weat(*state, rows, lists, NULL);
    assert_int_equal(w.used[0], 2);
    assert_int_equal(w.missing[0], 2);
    assert_int_equal(w.partitions, 3);
    assert_near(w.p, 2.0 / 3.0, 1e-12); /* two of 1, -1, -1: sums 0, 0, -2 */
    if (!strstr(w2v_build_info(), "icu")) {
        skip();
    }
    w2v_score_options options = w2v_score_options_default();
    options.ignore_case = true;
    w = weat(*state, rows, lists, &options);
    assert_int_equal(w.used[0], 2);
    assert_int_equal(w.repeated[0], 1);
    assert_int_equal(w.missing[0], 1);
    assert_near(w.p, 1.0 / 3.0, 1e-12); /* two of 1, 1, -1: sums 2, 0, 0 */
}

/* ------------------------------------------------------------- against sums in full */

#define EACH 7

static double cosine(const table *t, size_t i, size_t j)
{
    double xy = 0.0, xx = 0.0, yy = 0.0;
    for (size_t c = 0; c < t->dim; c++) {
        const double x = (double)table_row(t, i)[c], y = (double)table_row(t, j)[c];
        xy += x * y;
        xx += x * x;
        yy += y * y;
    }
    return xy / sqrt(xx * yy);
}

/* Rows 0.. are X, then Y, A, B, EACH of them. */
static void brute(const table *t, double *effect, double *p)
{
    double s[2 * EACH], mean = 0.0, x = 0.0, squares = 0.0;
    for (size_t i = 0; i < 2 * EACH; i++) {
        s[i] = 0.0;
        for (size_t k = 0; k < EACH; k++) {
            s[i] += (cosine(t, i, 2 * EACH + k) - cosine(t, i, 3 * EACH + k)) / EACH;
        }
        mean += s[i] / (2 * EACH);
        x += i < EACH ? s[i] : 0.0;
    }
    for (size_t i = 0; i < 2 * EACH; i++) {
        squares += (s[i] - mean) * (s[i] - mean);
    }
    *effect = (2.0 * x / EACH - 2.0 * mean) / sqrt(squares / (2 * EACH - 1));
    uint32_t hits = 0, all = 0;
    for (uint32_t set = 0; set < 1u << (2 * EACH); set++) {
        size_t size = 0;
        double sum = 0.0;
        for (size_t i = 0; i < 2 * EACH; i++) {
            size += set >> i & 1u;
            sum += set >> i & 1u ? s[i] : 0.0;
        }
        all += size == EACH;
        hits += size == EACH && sum >= x - 1e-10;
    }
    *p = (double)hits / (double)all;
}

static table random_rows(const char *folder, uint64_t seed)
{
    table t = table_make(folder, (size_t)4 * EACH, 5);
    rng r = rng_stream(seed, RNG_INIT, 0, 0);
    for (size_t i = 0; i < t.rows * t.dim; i++) {
        t.values[i] = (float)uniform(&r);
    }
    table_write(&t);
    return t;
}

static w2v_question_file *lists_of_rows(const char *folder)
{
    char text[1024] = "{";
    size_t used = 1;
    for (size_t i = 0; i < (size_t)4 * EACH; i++) {
        used += (size_t)(i % EACH == 0
                             ? snprintf(text + used, sizeof text - used, "%s\"%s\": [\"w%zu\"",
                                        i ? "], " : "", xyab.list[i / EACH], i)
                             : snprintf(text + used, sizeof text - used, ", \"w%zu\"", i));
    }
    snprintf(text + used, sizeof text - used, "]}");
    return read_lists(folder, text);
}

static void test_weat_brute_force(void **state)
{
    w2v_question_file *f = lists_of_rows(*state);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        table t = random_rows(*state, seed);
        w2v_vectors *v = open_file(t.path, true, 1);
        double effect, p;
        brute(&t, &effect, &p);
        w2v_weat_result w;
        assert_int_equal(w2v_weat(v, f, &xyab, 1, NULL, &w, NULL), W2V_OK);
        assert_near(w.effect, effect, 1e-12);
        assert_int_equal(w.partitions, 3432);
        assert_near(w.p, p, 1e-12);
        w2v_weat_clear(&w);
        w2v_vectors_free(v);
        table_free(&t);
    }
    w2v_question_file_free(f);
}

static void test_weat_drawn(void **state)
{
    table t = random_rows(*state, 2);
    w2v_question_file *f = lists_of_rows(*state);
    w2v_vectors *v = open_file(t.path, true, 1);
    w2v_score_options options = w2v_score_options_default();
    w2v_weat_result all, drawn, again;
    options.permutations = 3432;
    assert_int_equal(w2v_weat(v, f, &xyab, 1, &options, &all, NULL), W2V_OK);
    assert_true(all.exact);
    options.permutations = 3431;
    assert_int_equal(w2v_weat(v, f, &xyab, 1, &options, &drawn, NULL), W2V_OK);
    assert_false(drawn.exact);
    assert_int_equal(drawn.partitions, 3431);
    assert_true(fabs(drawn.p - all.p) < 5.0 * sqrt(all.p * (1.0 - all.p) / 3431.0) + 1.0 / 3432.0);
    /* (hits + 1) / (draws + 1) */
    assert_near(drawn.p * 3432.0, floor(drawn.p * 3432.0 + 0.5), 1e-8);
    options.threads = 4;
    assert_int_equal(w2v_weat(v, f, &xyab, 1, &options, &again, NULL), W2V_OK);
    assert_true(again.p == drawn.p && again.effect == drawn.effect);
    w2v_weat_clear(&all);
    w2v_weat_clear(&drawn);
    w2v_weat_clear(&again);
    w2v_vectors_free(v);
    w2v_question_file_free(f);
    table_free(&t);
}

/* ----------------------------------------------------------------------- refusals */

static void test_weat_arguments(void **state)
{
    w2v_vectors *v = open_text(*state, plane);
    w2v_question_file *f = read_lists(*state, "{\"x\": [], \"y\": [], \"a\": [], \"b\": []}");
    const w2v_weat_test unknown = {.list = {"x", "y", "a", "c"}};
    w2v_score_options options = w2v_score_options_default();
    w2v_weat_result w;
    w2v_score s;
    w2v_error err = {0};
    assert_int_equal(w2v_weat(v, f, &unknown, 1, &options, &w, &err), W2V_ERR_ARGUMENT);
    assert_string_equal(err.text, "there is no list 'c'");
    options.permutations = 0;
    assert_int_equal(w2v_weat(v, f, &xyab, 1, &options, &w, NULL), W2V_ERR_ARGUMENT);
    options = w2v_score_options_default();
    options.threads = 0;
    assert_int_equal(w2v_weat(v, f, &xyab, 1, &options, &w, NULL), W2V_ERR_ARGUMENT);
    assert_int_equal(w2v_score_vectors(v, f, NULL, &s, NULL), W2V_ERR_ARGUMENT);
    w2v_question_file_free(f);
    f = read_lists(*state, "a b c d\n");
    assert_int_equal(w2v_weat(v, f, &xyab, 1, NULL, &w, NULL), W2V_ERR_ARGUMENT);
    w2v_question_file_free(f);
    w2v_vectors_free(v);
}

static void test_weat_without_memory(void **state)
{
    w2v_vectors *v = open_text(*state, plane);
    w2v_question_file *f = read_lists(*state, "{\"x\": [\"x1\"], \"y\": [\"y1\", \"none\"],"
                                              " \"a\": [\"east\"], \"b\": [\"north\"]}");
    assert_int_equal(w2v_vectors_load(v, NULL), W2V_OK);
    const w2v_weat_test tests[] = {xyab, xyab};
    w2v_status status = W2V_ERR_MEMORY;
    uint64_t n = 1;
    for (; status != W2V_OK && n < 200; n++) {
        w2v_weat_result w[2];
        mem_fail_at(n, false);
        status = w2v_weat(v, f, tests, 2, NULL, w, NULL);
        mem_fail_at(0, false);
        assert_true(status == W2V_OK || status == W2V_ERR_MEMORY);
        w2v_weat_clear(&w[0]);
        w2v_weat_clear(&w[1]);
    }
    assert_int_equal(status, W2V_OK);
    assert_true(n > 10);
    w2v_question_file_free(f);
    w2v_vectors_free(v);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_weat_by_hand),  TEST(test_weat_turned),    TEST(test_weat_missing_words),
        TEST(test_weat_no_value), TEST(test_weat_words),     TEST(test_weat_brute_force),
        TEST(test_weat_drawn),    TEST(test_weat_arguments), TEST(test_weat_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
