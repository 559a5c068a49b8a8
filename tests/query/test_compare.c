#include "query/tables.h"

static const char animals[] = "7 3\ncat 0.9 0.8 0.1\ndog 0.8 0.9 0.2\ncar 0.1 0.2 0.9\n"
                              "bus 0.2 0.1 0.8\nthree 3 4 0\nfour 4 3 0\neight 8 6 0\n";

static w2v_similarity compare(const char *folder, const char *text, const char *a, const char *b)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(folder, "table.txt", path), text);
    w2v_vectors *v = open_file(path, false, 1);
    const w2v_term pair[1][2] = {{term_of(a, 1.0), term_of(b, 1.0)}};
    w2v_similarity s;
    w2v_error err = {0};
    assert_int_equal(w2v_compare(v, pair, 1, &s, &err), W2V_OK);
    w2v_vectors_free(v);
    return s;
}

static void assert_near(double x, double expected, double room)
{
    assert_true(fabs(x - expected) <= room);
}

static void test_compare_cosine_and_dot(void **state)
{
    w2v_similarity s = compare(*state, animals, "three", "four");
    assert_true(s.cosine == 0.96);
    assert_true(s.dot == 24.0);
    assert_near(s.euclidean, sqrt(2.0), 1e-15);
    s = compare(*state, animals, "three", "eight"); /* twice as long */
    assert_true(s.cosine == 0.96);
    assert_true(s.dot == 48.0);
}

static void test_compare_animals_and_vehicles(void **state)
{
    w2v_similarity s = compare(*state, animals, "cat", "dog");
    assert_near(s.euclidean, 0.173, 0.0005);
    assert_near(s.cosine, 0.990, 0.0005);
    s = compare(*state, animals, "cat", "car");
    assert_near(s.euclidean, 1.281, 0.0005);
    assert_near(s.cosine, 0.303, 0.0005);
    s = compare(*state, animals, "car", "cat");
    assert_near(s.euclidean, 1.281, 0.0005);
    s = compare(*state, animals, "cat", "cat");
    assert_true(s.cosine == 1.0 && s.euclidean == 0.0);
}

static void test_compare_one_hot(void **state)
{
    const w2v_similarity s = compare(*state, "2 3\na 1 0 0\nb 0 0 1\n", "a", "b");
    assert_near(s.euclidean, 1.414, 0.0005);
    assert_true(s.cosine == 0.0 && s.dot == 0.0);
}

static void test_compare_zero_row(void **state)
{
    const w2v_similarity s = compare(*state, "2 2\na 3 4\nzero 0 0\n", "a", "zero");
    assert_true(isnan(s.cosine));
    assert_true(s.dot == 0.0 && s.euclidean == 5.0);
    assert_false(s.unknown[0] || s.unknown[1]);
}

static void test_compare_many(void **state)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(*state, "table.txt", path), animals);
    w2v_vectors *v = open_file(path, false, 1);
    const w2v_term pairs[3][2] = {{term_of("cat", 1.0), term_of("cow", 1.0)},
                                  {term_of("", 1.0), term_of("bus", 1.0)},
                                  {term_of("four", 1.0), term_of("three", 1.0)}};
    w2v_similarity s[3];
    w2v_error err = {0};
    assert_int_equal(w2v_compare(v, pairs, 3, s, &err), W2V_OK);
    assert_true(!s[0].unknown[0] && s[0].unknown[1]);
    assert_true(s[1].unknown[0] && !s[1].unknown[1]);
    assert_true(s[2].dot == 24.0);
    assert_int_equal(w2v_compare(v, pairs, 0, s, &err), W2V_OK);
    w2v_vectors_free(v);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_compare_cosine_and_dot), TEST(test_compare_animals_and_vehicles),
        TEST(test_compare_one_hot),        TEST(test_compare_zero_row),
        TEST(test_compare_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
