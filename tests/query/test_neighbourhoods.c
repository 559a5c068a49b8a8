/* Agreement of two tables on neighbours, by hand. */
#include "query/tables.h"

static w2v_neighbourhoods *make(const char *folder, const char *text, const w2v_question_file *f,
                                uint64_t k)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(folder, "table.txt", path), text);
    w2v_vectors *v = open_file(path, false, 1);
    w2v_neighbourhoods *n = NULL;
    assert_int_equal(w2v_neighbourhoods_create(v, f, NULL, k, &n, NULL), W2V_OK);
    w2v_vectors_free(v);
    return n;
}

static void test_neighbourhoods_overlap(void **state)
{
    static const char one[] = "5 2\na 1 0\nb 1 0.1\nc 1 0.2\nd 0 1\nonly 0.5 1\n";
    static const char two[] = "4 2\na 1 0\nb 1 0.1\nc 0 1\nd 1 0.2\n";
    char path[SUPPORT_PATH];
    support_write_text(support_path(*state, "q.txt", path), "a b 1\nonly a 2\nnone a 3\n");
    w2v_question_file *f;
    assert_int_equal(w2v_question_file_read(path, &f, NULL), W2V_OK);
    w2v_neighbourhoods *x = make(*state, one, f, 2), *y = make(*state, two, f, 2);
    uint64_t words;
    /* a: b c against b d; b: a c against d a. Both share one of two. */
    assert_true(w2v_neighbourhoods_overlap(x, y, &words) == 0.5);
    assert_int_equal(words, 2);
    assert_true(w2v_neighbourhoods_overlap(x, x, &words) == 1.0);
    assert_int_equal(words, 3);
    w2v_neighbourhoods *z = make(*state, "1 1\nz 1\n", f, 2);
    assert_true(isnan(w2v_neighbourhoods_overlap(x, z, &words)));
    assert_int_equal(words, 0);
    w2v_neighbourhoods_free(x);
    w2v_neighbourhoods_free(y);
    w2v_neighbourhoods_free(z);
    w2v_question_file_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(
        test_neighbourhoods_overlap, support_setup, support_teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
