/* Whole maps. */
#include "map/clouds.h"

#include "base/mem.h"
#include "map/points.h"

static w2v_map map_of(const float *rows, size_t n, size_t dim, const w2v_map_options *o)
{
    w2v_map m;
    w2v_error err = {0};
    if (w2v_map_rows(rows, n, (uint32_t)dim, o, NULL, NULL, &m, &err)) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(m.count, n);
    for (size_t i = 0; i < 2 * n; i++) {
        assert_true(isfinite(m.places[i]));
    }
    return m;
}

/* How many others are nearer to i than j: in the picture, or by the points. */
static size_t rank_of(const double *d, size_t n, size_t i, size_t j)
{
    size_t rank = 1;
    for (size_t l = 0; l < n; l++) {
        rank += l != i && (d[i * n + l] < d[i * n + j] || (d[i * n + l] == d[i * n + j] && l < j));
    }
    return rank;
}

/* Trustworthiness (Venna and Kaski 2001): 1 less the ranks of false neighbours in the picture. */
static double trustworthiness(const float *rows, size_t dim, const w2v_map *m, size_t k)
{
    const size_t n = m->count;
    points p;
    double *far = calloc(n * n, sizeof *far), *flat = calloc(n * n, sizeof *flat), sum = 0.0;
    assert_true(far && flat);
    assert_int_equal(points_init(&p, rows, n, dim, W2V_COSINE, NULL), W2V_OK);
    for (size_t i = 0; i < n * n; i++) {
        const size_t a = i / n, b = i % n;
        far[i] = a == b ? -1.0 : points_distance(&p, a, b);
        flat[i] = a == b ? -1.0
                         : hypot(m->places[2 * a] - m->places[2 * b],
                                 m->places[2 * a + 1] - m->places[2 * b + 1]);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            if (i != j && rank_of(flat, n, i, j) <= k) {
                const size_t rank = rank_of(far, n, i, j);
                sum += rank > k ? (double)(rank - k) : 0.0;
            }
        }
    }
    points_clear(&p);
    free(far);
    free(flat);
    return 1.0 - 2.0 * sum / ((double)(n * k) * (double)(2 * n - 3 * k - 1));
}

/* The nearest place of every point is of its own group. */
static void assert_groups_apart(const w2v_map *m, size_t groups)
{
    double within = 0.0, between = HUGE_VAL;
    for (size_t i = 0; i < m->count; i++) {
        double own = HUGE_VAL;
        for (size_t j = 0; j < m->count; j++) {
            const double d = hypot(m->places[2 * i] - m->places[2 * j],
                                   m->places[2 * i + 1] - m->places[2 * j + 1]);
            if (i % groups == j % groups) {
                own = i == j ? own : fmin(own, d);
            } else {
                between = fmin(between, d);
            }
        }
        within = fmax(within, own);
    }
    assert_true(within < between);
}

static void test_map_rows_planted_clusters(void **state)
{
    (void)state;
    w2v_map_options o = w2v_map_options_default();
    float *rows = cloud_groups(240, 10, 3, 4);
    for (uint64_t seed = 1; seed <= 2; seed++) {
        o.seed = seed;
        w2v_map m = map_of(rows, 240, 10, &o);
        assert_int_equal(m.method, W2V_TSNE);
        assert_true(m.perplexity == 30.0);
        assert_true(m.divergence > 0.0 && m.divergence < 1.0);
        assert_groups_apart(&m, 3);
        assert_true(trustworthiness(rows, 10, &m, 10) > 0.95);
        w2v_map_clear(&m);
    }
    free(rows);
}

/* Steps that suit thousands of points fling some of a few far away, from where nothing brings them
   back: such maps have ten times the divergence. */
static void test_map_rows_few_points_stay_together(void **state)
{
    static const size_t counts[] = {12, 20, 30, 45, 60, 100};
    (void)state;
    w2v_map_options o = w2v_map_options_default();
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        double sum = 0.0;
        for (uint64_t seed = 1; seed <= 10; seed++) {
            float *rows = cloud_groups(counts[c], 12, 3, seed);
            w2v_map m = map_of(rows, counts[c], 12, &o);
            assert_groups_apart(&m, 3);
            sum += m.divergence;
            w2v_map_clear(&m);
            free(rows);
        }
        assert_true(sum / 10.0 < (counts[c] < 100 ? 0.025 : 0.05));
    }
}

/* Beyond 2,000 points squares repel from afar. */
static void test_map_rows_planted_clusters_barnes_hut(void **state)
{
    (void)state;
    w2v_map_options o = w2v_map_options_default();
    o.iterations = 400;
    o.threads = 2;
    float *rows = cloud_groups(2100, 6, 3, 4);
    w2v_map m = map_of(rows, 2100, 6, &o);
    assert_groups_apart(&m, 3);
    w2v_map_clear(&m);
    free(rows);
}

static void test_map_rows_threads_and_seeds(void **state)
{
    (void)state;
    static const size_t sizes[] = {80, 1000, 2300};
    w2v_map_options o = w2v_map_options_default();
    o.iterations = 60;
    for (size_t s = 0; s < SUPPORT_COUNT(sizes); s++) {
        float *rows = cloud_random(sizes[s], 12, s);
        w2v_map one = map_of(rows, sizes[s], 12, &o);
        o.threads = 4;
        w2v_map four = map_of(rows, sizes[s], 12, &o);
        o.threads = 1;
        o.seed = 2;
        w2v_map other = map_of(rows, sizes[s], 12, &o);
        o.seed = 1;
        assert_memory_equal(one.places, four.places, 2 * sizes[s] * sizeof *one.places);
        assert_true(one.divergence == four.divergence);
        assert_memory_not_equal(one.places, other.places, 2 * sizes[s] * sizeof *one.places);
        w2v_map_clear(&one);
        w2v_map_clear(&four);
        w2v_map_clear(&other);
        free(rows);
    }
}

static void test_map_rows_few(void **state)
{
    (void)state;
    w2v_map_options o = w2v_map_options_default();
    float *rows = cloud_random(16, 4, 1);
    for (size_t n = 1; n <= 16; n++) {
        w2v_map m = map_of(rows, n, 4, &o);
        assert_int_equal(m.method, n < 5 ? W2V_PCA : W2V_TSNE);
        assert_true(n < 5 ? m.perplexity == 0.0
                          : m.perplexity >= 1.0 && m.perplexity < (double)(n - 1) / 3.0);
        w2v_map_clear(&m);
    }
    free(rows);
}

static void test_map_rows_perplexity_lowered(void **state)
{
    (void)state;
    w2v_map_options o = w2v_map_options_default();
    float *rows = cloud_random(92, 4, 1);
    w2v_map m = map_of(rows, 16, 4, &o);
    assert_true(fabs(m.perplexity - 4.9) < 1e-12); /* 15 / 3 is 5, and it stays below */
    w2v_map_clear(&m);
    m = map_of(rows, 92, 4, &o);
    assert_true(m.perplexity == 30.0); /* 91 / 3 is 30.3 */
    w2v_map_clear(&m);
    m = map_of(rows, 91, 4, &o);
    assert_true(fabs(m.perplexity - 29.9) < 1e-12);
    w2v_map_clear(&m);
    free(rows);
}

static void test_map_rows_equal_and_flat(void **state)
{
    (void)state;
    w2v_map_options o = w2v_map_options_default();
    static const float same[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const float zero[21];
    for (size_t n = 1; n <= 7; n++) {
        for (int method = W2V_PCA; method <= W2V_TSNE; method++) {
            o.method = (w2v_map_method)method;
            o.metric = n % 2 ? W2V_COSINE : W2V_EUCLIDEAN;
            w2v_map a = map_of(same, n, 3, &o), b = map_of(zero, n, 3, &o);
            w2v_map line = map_of(same, 3 * n, 1, &o);
            assert_true(a.share[0] == 0.0 && b.share[0] == 0.0 && line.share[0] == 0.0);
            w2v_map_clear(&a);
            w2v_map_clear(&b);
            w2v_map_clear(&line);
        }
    }
    static const float steps[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    o.metric = W2V_EUCLIDEAN;
    o.method = W2V_PCA;
    w2v_map m = map_of(steps, 9, 1, &o);
    assert_true(m.share[0] == 1.0 && m.share[1] == 0.0);
    assert_true(fabs(m.variance[0] - 7.5) < 1e-12); /* sum of (i - 5)^2 is 60, over 8 */
    w2v_map_clear(&m);
    o.method = W2V_TSNE;
    m = map_of(steps, 9, 1, &o);
    w2v_map_clear(&m);
}

static void test_map_rows_refusals(void **state)
{
    (void)state;
    const float rows[] = {1, 2, (float)NAN, 4, 5, (float)INFINITY};
    w2v_map_options o = w2v_map_options_default();
    w2v_map m;
    w2v_error err = {0};
    assert_int_equal(w2v_map_rows(rows, 2, 2, &o, NULL, NULL, &m, &err), W2V_ERR_INPUT);
    assert_string_equal(err.text, "point 2 of the map has an infinite or undefined number");
    assert_null(m.places);
    assert_int_equal(w2v_map_rows(rows + 4, 1, 2, &o, NULL, NULL, &m, NULL), W2V_ERR_INPUT);
    assert_int_equal(w2v_map_rows(rows, 0, 2, &o, NULL, NULL, &m, NULL), W2V_ERR_ARGUMENT);
    o.perplexity = 0.9;
    assert_int_equal(w2v_map_rows(rows, 1, 2, &o, NULL, NULL, &m, NULL), W2V_ERR_ARGUMENT);
    o.perplexity = (double)NAN;
    assert_int_equal(w2v_map_rows(rows, 1, 2, &o, NULL, NULL, &m, NULL), W2V_ERR_ARGUMENT);
    o.perplexity = 1.0;
    o.metric = W2V_DOT;
    assert_int_equal(w2v_map_rows(rows, 1, 2, &o, NULL, NULL, &m, NULL), W2V_ERR_ARGUMENT);
}

static int stop_later(void *user, const w2v_map_progress *at)
{
    uint32_t *seen = user;
    assert_true(at->points <= at->points_total && at->iteration < at->iterations);
    *seen = at->iteration;
    return at->iteration == 20;
}

static void test_map_rows_stopped(void **state)
{
    (void)state;
    float *rows = cloud_random(40, 4, 2);
    uint32_t seen = 0;
    w2v_map m;
    assert_int_equal(w2v_map_rows(rows, 40, 4, NULL, stop_later, &seen, &m, NULL),
                     W2V_ERR_INTERRUPTED);
    assert_int_equal(seen, 20);
    assert_null(m.places);
    free(rows);
}

static void test_map_rows_out_of_memory(void **state)
{
    (void)state;
    static const size_t sizes[] = {30, 2010}; /* all pairs; from afar */
    w2v_map_options o = w2v_map_options_default();
    o.iterations = 2;
    o.threads = 2;
    o.perplexity = 3.0;
    for (size_t s = 0; s < SUPPORT_COUNT(sizes); s++) {
        float *rows = cloud_random(sizes[s], 3, 2);
        bool done = false;
        for (uint64_t n = 1; !done; n++) {
            w2v_map m;
            mem_fail_at(n, false);
            const w2v_status status = w2v_map_rows(rows, sizes[s], 3, &o, NULL, NULL, &m, NULL);
            done = mem_tries() < n;
            mem_fail_at(0, false);
            assert_int_equal(status, done ? W2V_OK : W2V_ERR_MEMORY);
            assert_true(done == (m.places != NULL));
            w2v_map_clear(&m);
        }
        free(rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_rows_planted_clusters),
        cmocka_unit_test(test_map_rows_few_points_stay_together),
        cmocka_unit_test(test_map_rows_planted_clusters_barnes_hut),
        cmocka_unit_test(test_map_rows_threads_and_seeds),
        cmocka_unit_test(test_map_rows_few),
        cmocka_unit_test(test_map_rows_perplexity_lowered),
        cmocka_unit_test(test_map_rows_equal_and_flat),
        cmocka_unit_test(test_map_rows_refusals),
        cmocka_unit_test(test_map_rows_stopped),
        cmocka_unit_test(test_map_rows_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
