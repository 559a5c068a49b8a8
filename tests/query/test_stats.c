/* What a table looks like: worked by hand, and against brute force. */
#include "query/tables.h"

#include "base/mem.h"

static w2v_stats describe(const char *path, const w2v_stats_options *options, w2v_vectors **v)
{
    w2v_stats s;
    w2v_error err = {0};
    *v = open_file(path, false, options ? options->threads : 1);
    if (w2v_stats_of(*v, options, &s, &err) != W2V_OK) {
        fail_msg("%s", err.text);
    }
    return s;
}

static w2v_stats describe_text(const char *folder, const char *text, w2v_vectors **v)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(folder, "stats.txt", path), text);
    return describe(path, NULL, v);
}

static void assert_near(double x, double known)
{
    if (!(fabs(x - known) < 1e-12)) {
        fail_msg("%.17g is not %.17g", x, known);
    }
}

/* A cross: columns without covariance, variances (9 + 9) / 4 and (1 + 1) / 4; moved by (0, 8) only
   its norms change. */
static void test_stats_cross(void **state)
{
    w2v_vectors *v;
    w2v_stats s = describe_text(*state, "4 2\na 3 0\nb 0 1\nc -3 0\nd 0 -1\n", &v);
    assert_int_equal(s.rows, 4);
    assert_int_equal(s.dim, 2);
    assert_near(s.norm_min, 1.0);
    assert_near(s.norm_median, 2.0);
    assert_near(s.norm_max, 3.0);
    assert_near(s.norm_mean, 2.0);
    /* Ranks 1 2 3 4 and norms 3.5 1.5 3.5 1.5: -2 / sqrt(5 * 4). */
    assert_near(s.norm_rank, -2.0 / sqrt(20.0));
    assert_int_equal(s.band_count, 1);
    assert_int_equal(s.bands[0].first, 1);
    assert_int_equal(s.bands[0].last, 4);
    assert_near(s.bands[0].mean, 2.0);
    /* Four pairs at right angles, two opposite: -1 -1 0 0 0 0. */
    assert_int_equal(s.pairs, 6);
    assert_true(s.pairs_all);
    assert_near(s.cosine_mean, -1.0 / 3.0);
    assert_near(s.cosine_sd, sqrt((4.0 / 9.0 * 2.0 + 4.0 / 9.0) / 5.0));
    assert_near(s.cosine_median, 0.0);
    assert_true(isnan(s.cosine_99));
    assert_true(isnan(s.cosine_999));
    assert_near(s.variance[0], 4.5);
    assert_near(s.variance[1], 0.5);
    assert_near(s.total_variance, 5.0);
    assert_near(s.effective_dim, 25.0 / (20.25 + 0.25));
    /* Everyone is among the three others of everyone. */
    assert_int_equal(s.sampled, 4);
    assert_near(s.hub_mean, 3.0);
    assert_true(isnan(s.hub_skewness));
    assert_int_equal(s.hub_count, 4);
    assert_string_equal(s.hubs[0].word, "a");
    assert_int_equal(s.hubs[3].times, 3);
    w2v_stats_clear(&s);
    w2v_vectors_free(v);
}

static void test_stats_repeated(void **state)
{
    w2v_vectors *v;
    w2v_stats s = describe_text(*state,
                                "8 2\na 1 0\nb 0 0\nc -0.0 2\na 2 2\nd 0 2\ne 1 0\n"
                                "f 0 -0.0\na 1 0\n",
                                &v);
    assert_int_equal(s.zero_rows, 2);
    assert_int_equal(s.duplicate_rows, 3); /* d as c, e as a, the last a as the first */
    assert_int_equal(s.duplicate_id[0], 4);
    assert_int_equal(s.duplicate_id[1], 2);
    assert_int_equal(s.duplicate_words, 2);
    assert_int_equal(s.pairs, 15);
    assert_int_equal(s.sampled, 4); /* a, c, d, e: the first of their words, with a direction */
    w2v_stats_clear(&s);
    w2v_vectors_free(v);
}

/* What has no value is NaN, and all else a number. */
static void test_stats_degenerate(void **state)
{
    static const struct {
        const char *text;
        double norm_rank, cosine, effective, skewness;
        uint64_t zero, duplicate;
    } cases[] = {
        {"1 2\na 1 2\n", NAN, NAN, NAN, NAN, 0, 0},
        {"1 1\na 3\n", NAN, NAN, NAN, NAN, 0, 0},
        {"2 2\na 1 0\nb 2 0\n", 1.0, 1.0, 1.0, NAN, 0, 0},
        {"3 2\na 0 0\nb 0 0\nc 0 0\n", NAN, NAN, NAN, NAN, 3, 0},
        {"3 2\na 0.1 0.3\nb 0.1 0.3\nc 0.1 0.3\n", NAN, 1.0, NAN, NAN, 0, 2},
        {"3 1\na 1\nb -2\nc 3\n", 1.0, -1.0 / 3.0, 1.0, NAN, 0, 0},
        {"2 2\na 0.6 0.8\nb 0.8 0.6000001\n", NAN, 0.96, 1.0, NAN, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        w2v_vectors *v;
        w2v_stats s = describe_text(*state, cases[i].text, &v);
        const double got[] = {s.norm_rank, s.cosine_mean, s.effective_dim, s.hub_skewness};
        const double known[] = {cases[i].norm_rank, cases[i].cosine, cases[i].effective,
                                cases[i].skewness};
        for (size_t k = 0; k < 4; k++) {
            if (isnan(known[k]) ? !isnan(got[k]) : !(fabs(got[k] - known[k]) < 1e-6)) {
                fail_msg("case %zu, value %zu: %.17g is not %.17g", i, k, got[k], known[k]);
            }
        }
        assert_int_equal(s.zero_rows, cases[i].zero);
        assert_int_equal(s.duplicate_rows, cases[i].duplicate);
        assert_true(isfinite(s.norm_min) && isfinite(s.norm_median) && isfinite(s.norm_max));
        assert_true(isfinite(s.norm_mean) && isfinite(s.total_variance));
        assert_int_equal(isnan(s.hub_chance), s.sampled == 0);
        w2v_stats_clear(&s);
        w2v_vectors_free(v);
    }
}

/* How often each row is among the ten nearest of all rows, counted without cleverness. */
static void brute_hubs(const table *t, uint64_t *times)
{
    bool *taken = calloc(t->rows, sizeof *taken);
    assert_non_null(taken);
    for (size_t q = 0; q < t->rows; q++) {
        memset(taken, 0, t->rows * sizeof *taken);
        taken[q] = true;
        for (size_t k = 0; k < W2V_HUB_NEAREST && k + 1 < t->rows; k++) {
            size_t best = SIZE_MAX;
            double most = -2.0;
            for (size_t i = 0; i < t->rows; i++) {
                const double c = cosine_of(table_row(t, q), table_row(t, i), t->dim);
                if (!taken[i] && c > most) {
                    most = c;
                    best = i;
                }
            }
            taken[best] = true;
            times[best]++;
        }
    }
    free(taken);
}

static table plain_random(const char *folder, size_t rows, size_t dim, uint64_t seed)
{
    table t = table_make(folder, rows, dim);
    rng r = rng_stream(seed, RNG_INIT, 0, 0);
    for (size_t i = 0; i < rows * dim; i++) {
        t.values[i] = (float)uniform(&r);
    }
    return t;
}

/* Rows at right angles to each other, nearly, and one between all: it is the nearest of each. */
static void test_stats_hubs_planted(void **state)
{
    enum { ROWS = 40 };
    table t = table_make(*state, ROWS, ROWS);
    rng r = rng_stream(6, RNG_INIT, 0, 0);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t c = 0; c < ROWS; c++) {
            table_row(&t, i)[c] = i == 17 || i == c ? 1.0f : 0.01f * (float)uniform(&r);
        }
    }
    table_write(&t);
    w2v_vectors *v;
    w2v_stats s = describe(t.path, NULL, &v);
    assert_int_equal(s.sampled, ROWS);
    assert_near(s.hub_mean, 10.0);
    assert_string_equal(s.hubs[0].word, "w17");
    assert_int_equal(s.hubs[0].times, ROWS - 1);
    assert_true(s.hubs[1].times < 20);
    assert_true(s.hub_skewness > 3.0);
    w2v_stats_clear(&s);
    w2v_vectors_free(v);
    table_free(&t);
}

static void test_stats_hubs_brute_force(void **state)
{
    table t = plain_random(*state, 150, 6, 11);
    table_write(&t);
    uint64_t times[150] = {0};
    brute_hubs(&t, times);
    double m2 = 0.0, m3 = 0.0;
    for (size_t i = 0; i < t.rows; i++) {
        const double d = (double)times[i] - 10.0;
        m2 += d * d / (double)t.rows;
        m3 += d * d * d / (double)t.rows;
    }
    w2v_stats_options options = w2v_stats_options_default();
    options.hubs = 25;
    w2v_vectors *v;
    w2v_stats s = describe(t.path, &options, &v);
    assert_int_equal(s.sampled, 150);
    assert_near(s.hub_mean, 10.0);
    assert_near(s.hub_skewness, m3 / pow(m2, 1.5));
    assert_int_equal(s.hub_count, 25);
    for (size_t h = 0; h < s.hub_count; h++) {
        size_t best = 0;
        for (size_t i = 1; i < t.rows; i++) {
            best = times[i] > times[best] ? i : best;
        }
        assert_int_equal(s.hubs[h].id, best);
        assert_int_equal(s.hubs[h].times, times[best]);
        times[best] = 0;
    }
    w2v_stats_clear(&s);
    w2v_vectors_free(v);
    table_free(&t);
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* All 1225 pairs of 50 rows, and then 1224 of them drawn. */
static void test_stats_cosines_brute_force(void **state)
{
    table t = plain_random(*state, 50, 5, 2);
    table_write(&t);
    double all[1225], sum = 0.0, squares = 0.0;
    size_t n = 0;
    for (size_t a = 0; a < 50; a++) {
        for (size_t b = a + 1; b < 50; b++) {
            all[n] = cosine_of(table_row(&t, a), table_row(&t, b), 5);
            sum += all[n++];
        }
    }
    for (size_t i = 0; i < n; i++) {
        squares += pow(all[i] - sum / 1225.0, 2.0);
    }
    qsort(all, n, sizeof *all, by_value);
    w2v_stats_options options = w2v_stats_options_default();
    options.pairs = 1225;
    w2v_vectors *v;
    w2v_stats s = describe(t.path, &options, &v);
    assert_true(s.pairs_all);
    assert_near(s.cosine_mean, sum / 1225.0);
    assert_near(s.cosine_sd, sqrt(squares / 1224.0));
    assert_near(s.cosine_median, all[612]);
    assert_near(s.cosine_99, all[1212]);  /* 1213 of 1225 are 99.02 % */
    assert_near(s.cosine_999, all[1223]); /* 1224 of 1225 are 99.92 % */
    w2v_stats_clear(&s);
    w2v_vectors_free(v);
    options.pairs = 1224;
    s = describe(t.path, &options, &v);
    assert_false(s.pairs_all);
    assert_int_equal(s.pairs, 1224);
    /* Five standard errors. */
    assert_true(fabs(s.cosine_mean - sum / 1225.0) < 5.0 * sqrt(squares / 1225.0 / 1224.0));
    w2v_stats_clear(&s);
    w2v_vectors_free(v);
    table_free(&t);
}

static void assert_same(const w2v_stats *a, const w2v_stats *b)
{
    assert_true(a->norm_mean == b->norm_mean && a->norm_rank == b->norm_rank);
    assert_true(a->cosine_mean == b->cosine_mean && a->cosine_sd == b->cosine_sd);
    assert_true(a->cosine_99 == b->cosine_99 && a->cosine_999 == b->cosine_999);
    assert_true(a->total_variance == b->total_variance && a->effective_dim == b->effective_dim);
    assert_memory_equal(a->variance, b->variance, a->dim * sizeof *a->variance);
    assert_true(a->hub_skewness == b->hub_skewness);
    assert_int_equal(a->hub_count, b->hub_count);
    for (size_t i = 0; i < a->hub_count; i++) {
        assert_int_equal(a->hubs[i].id, b->hubs[i].id);
        assert_int_equal(a->hubs[i].times, b->hubs[i].times);
    }
}

static void test_stats_threads_and_seed(void **state)
{
    table t = plain_random(*state, 500, 9, 4);
    table_write(&t);
    w2v_stats_options options = w2v_stats_options_default();
    options.pairs = 20000;
    options.sample = 100;
    w2v_vectors *v;
    w2v_stats one = describe(t.path, &options, &v);
    w2v_vectors_free(v);
    assert_int_equal(one.sampled, 100);
    assert_near(one.hub_mean, 2.0);
    assert_near(one.hub_chance, sqrt(0.5));
    for (int threads = 2; threads < 7; threads += 2) {
        options.threads = threads;
        w2v_stats many = describe(t.path, &options, &v);
        assert_same(&one, &many);
        w2v_stats_clear(&many);
        w2v_vectors_free(v);
    }
    options.seed = 2;
    w2v_stats other = describe(t.path, &options, &v);
    assert_true(other.cosine_mean != one.cosine_mean);
    assert_true(other.effective_dim == one.effective_dim);
    assert_true(other.hub_skewness != one.hub_skewness);
    w2v_stats_clear(&other);
    w2v_stats_clear(&one);
    w2v_vectors_free(v);
    table_free(&t);
}

static void test_stats_bands(void **state)
{
    table t = table_make(*state, 1001, 1);
    for (size_t i = 0; i < t.rows; i++) {
        table_row(&t, i)[0] = (float)(i + 1);
    }
    table_write(&t);
    w2v_vectors *v;
    w2v_stats s = describe(t.path, NULL, &v);
    static const uint64_t last[] = {10, 100, 1000, 1001};
    static const double mean[] = {5.5, 55.5, 550.5, 1001.0};
    assert_int_equal(s.band_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(s.bands[i].first, i == 0 ? 1 : last[i - 1] + 1);
        assert_int_equal(s.bands[i].last, last[i]);
        assert_near(s.bands[i].mean, mean[i]);
    }
    assert_near(s.norm_mean, 501.0);
    assert_near(s.norm_rank, 1.0);
    w2v_stats_clear(&s);
    w2v_vectors_free(v);
    table_free(&t);
}

static void test_stats_too_wide(void **state)
{
    table t = plain_random(*state, 3, W2V_SPECTRUM_MOST + 1, 1);
    table_write(&t);
    w2v_vectors *v;
    w2v_stats s = describe(t.path, NULL, &v);
    assert_null(s.variance);
    assert_true(isnan(s.total_variance) && isnan(s.effective_dim));
    assert_int_equal(s.pairs, 3);
    w2v_stats_clear(&s);
    w2v_vectors_free(v);
    table_free(&t);
}

static void test_stats_arguments(void **state)
{
    table t = plain_random(*state, 3, 2, 1);
    table_write(&t);
    w2v_vectors *v = open_file(t.path, false, 1);
    for (int k = 0; k < 5; k++) {
        w2v_stats_options options = w2v_stats_options_default();
        w2v_stats s;
        w2v_error err = {0};
        options.pairs = k == 0 ? 0 : k == 1 ? 10000001 : 1;
        options.sample = k == 2 ? 0 : 1;
        options.hubs = k == 3 ? 1001 : 1;
        options.threads = k == 4 ? 0 : 1;
        assert_int_equal(w2v_stats_of(v, &options, &s, &err), W2V_ERR_ARGUMENT);
        assert_true(err.text[0] != '\0');
    }
    w2v_vectors_free(v);
    table_free(&t);
}

static void test_stats_without_memory(void **state)
{
    table t = plain_random(*state, 60, 4, 1);
    table_write(&t);
    w2v_stats_options options = w2v_stats_options_default();
    options.threads = 2;
    for (uint64_t n = 1;; n++) {
        w2v_vectors *v = open_file(t.path, true, 1);
        w2v_stats s;
        w2v_error err = {0};
        mem_fail_at(n, false);
        const w2v_status status = w2v_stats_of(v, &options, &s, &err);
        const bool reached = mem_tries() >= n;
        mem_fail_at(0, false);
        if (reached) {
            assert_int_equal(status, W2V_ERR_MEMORY);
            assert_null(s.variance);
        } else {
            assert_int_equal(status, W2V_OK);
        }
        w2v_stats_clear(&s);
        w2v_vectors_free(v);
        if (!reached) {
            break;
        }
    }
    table_free(&t);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_stats_cross),
        TEST(test_stats_repeated),
        TEST(test_stats_degenerate),
        TEST(test_stats_hubs_planted),
        TEST(test_stats_hubs_brute_force),
        TEST(test_stats_cosines_brute_force),
        TEST(test_stats_threads_and_seed),
        TEST(test_stats_bands),
        TEST(test_stats_too_wide),
        TEST(test_stats_arguments),
        TEST(test_stats_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
