/* Rows whose words are the same, with and without case. */
#include "support.h"

#include "base/mem.h"
#include "vec/classes.h"

static const char rows[] = "6 1\nA 1\nb 2\na 3\nA 4\n\xc3\x89t\xc3\xa9 5\n\xc3\xa9T\xc3\x89 6\n";

static w2v_vectors *load(const char *folder)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(folder, "rows.txt", path), rows);
    w2v_vectors *v = NULL;
    assert_int_equal(w2v_vectors_open(path, NULL, &v, NULL), W2V_OK);
    assert_int_equal(w2v_vectors_load(v, NULL), W2V_OK);
    return v;
}

static uint32_t find(vec_classes *c, const char *word)
{
    uint32_t class;
    assert_int_equal(vec_classes_find(c, word, strlen(word), &class, NULL), W2V_OK);
    return class;
}

static void test_vec_classes_build_case_counts(void **state)
{
    w2v_vectors *v = load(*state);
    vec_classes c;
    assert_int_equal(vec_classes_build(&c, v, false, 8, NULL), W2V_OK);
    const uint32_t expected[] = {0, 1, 2, 0, 4, 5};
    assert_memory_equal(c.of, expected, sizeof expected);
    assert_int_equal(c.next[0], 3);
    assert_int_equal(c.next[3], CLASS_NONE);
    assert_int_equal(find(&c, "A"), 0);
    assert_int_equal(find(&c, "a"), 2);
    assert_int_equal(find(&c, "B"), CLASS_NONE);
    vec_classes_clear(&c);
    w2v_vectors_free(v);
}

static void test_vec_classes_build_ignoring_case(void **state)
{
    if (!fold_has_case()) {
        skip();
    }
    w2v_vectors *v = load(*state);
    vec_classes c;
    assert_int_equal(vec_classes_build(&c, v, true, 30, NULL), W2V_OK);
    const uint32_t expected[] = {0, 1, 0, 0, 4, 4};
    assert_memory_equal(c.of, expected, sizeof expected);
    bool seen[6] = {false};
    for (uint32_t row = 0; row != CLASS_NONE; row = c.next[row]) {
        seen[row] = true;
    }
    assert_true(seen[0] && seen[2] && seen[3] && !seen[1] && !seen[4]);
    assert_int_equal(find(&c, "a"), 0);
    assert_int_equal(find(&c, "B"), 1);
    assert_int_equal(find(&c, "\xc3\x89T\xc3\x89"), 4);
    assert_int_equal(find(&c, "no word that the table has has"), CLASS_NONE);
    vec_classes_clear(&c);
    w2v_vectors_free(v);
}

static void test_vec_classes_build_without_memory(void **state)
{
    w2v_vectors *v = load(*state);
    w2v_status status = W2V_ERR_MEMORY;
    uint64_t n = 1;
    for (; status != W2V_OK && n < 100; n++) {
        vec_classes c;
        mem_fail_at(n, false);
        status = vec_classes_build(&c, v, fold_has_case(), 8, NULL);
        mem_fail_at(0, false);
        assert_true(status == W2V_OK || status == W2V_ERR_MEMORY);
        vec_classes_clear(&c);
    }
    assert_int_equal(status, W2V_OK);
    assert_true(n > 4);
    w2v_vectors_free(v);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_vec_classes_build_case_counts),
        TEST(test_vec_classes_build_ignoring_case),
        TEST(test_vec_classes_build_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
