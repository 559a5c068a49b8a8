#include "support.h"

#include "cli/vectors_file.h"

/* What is chosen for these arguments; words left in *words. */
static const char *choose(const char *given, size_t each, const char *const *list, size_t n,
                          arguments *words, w2v_error *err)
{
    static const char *items[8];
    vectors_args args = vectors_defaults();
    vectors_choice choice;
    args.vectors = given;
    for (size_t i = 0; i < n; i++) {
        items[i] = list[i];
    }
    *words = (arguments){.items = items, .count = n};
    *err = (w2v_error){0};
    return vectors_choose(&args, "analogy", each, words, &choice, err) ? NULL : choice.path;
}

static int setup(void **state)
{
    if (support_setup(state) || chdir(*state)) {
        return -1;
    }
    unsetenv("W2V_VECTORS");
    support_write_text("king", "1 1\na 1\n");
    support_write_text("v.vec", "1 1\na 1\n");
    return mkdir("folder", 0700) || mkfifo("pipe", 0600);
}

static int teardown(void **state)
{
    unsetenv("W2V_VECTORS");
    return chdir("/") || support_teardown(state);
}

static void test_vectors_choose_counts_arguments(void **state)
{
    (void)state;
    static const char *const words[] = {"king", "a", "b", "c", "d"};
    static const char *const file[] = {"v.vec", "a", "b", "c"};
    arguments left;
    w2v_error err;
    setenv("W2V_VECTORS", "env.bin", 1);
    /* Three words are needed: with four the first is the file, with three all are words. */
    assert_string_equal(choose(NULL, 3, words, 4, &left, &err), "king");
    assert_int_equal(left.count, 3);
    assert_string_equal(left.items[0], "a");
    assert_string_equal(choose(NULL, 3, words, 3, &left, &err), "env.bin");
    assert_int_equal(left.count, 3);
    assert_string_equal(left.items[0], "king");
    assert_string_equal(choose(NULL, 3, words, 1, &left, &err), "king");
    assert_int_equal(left.count, 0);
    assert_string_equal(choose(NULL, 0, words, 2, &left, &err), "king");
    assert_string_equal(choose(NULL, 0, words + 1, 2, &left, &err), "env.bin");
    assert_string_equal(choose("x", 0, words, 2, &left, &err), "x");
    assert_int_equal(left.count, 2);
    /* Too many words for one question, or a name that can only be a file's. */
    assert_null(choose(NULL, 3, words, 5, &left, &err));
    assert_int_equal(err.code, W2V_ERR_ARGUMENT);
    assert_null(choose(NULL, 3, file, 3, &left, &err));
    assert_string_equal(err.text, "'v.vec' is a file, and 'analogy' takes 3 words, not 2");
    assert_string_equal(choose(NULL, 3, file, 4, &left, &err), "v.vec");
}

static void test_vectors_choose_names_of_files(void **state)
{
    (void)state;
    static const char *const missing[] = {"none.bin", "none.txt.gz",      "none.vec", "none.glove",
                                          "none.npy", "none.safetensors", "a/b",      "folder/"};
    arguments left;
    w2v_error err;
    for (size_t i = 0; i < SUPPORT_COUNT(missing); i++) {
        assert_null(choose(NULL, 0, &missing[i], 1, &left, &err));
        assert_int_equal(err.code, W2V_ERR_INPUT);
        assert_non_null(strstr(err.text, missing[i]));
    }
    static const char *const files[] = {"pipe", "-", "./king", "/dev/null"};
    for (size_t i = 0; i < SUPPORT_COUNT(files); i++) {
        assert_string_equal(choose(NULL, 0, &files[i], 1, &left, &err), files[i]);
    }
    setenv("W2V_VECTORS", "env.bin", 1);
    static const char *const words[] = {"folder", "none.gz", ".bin", "cat.binary"};
    for (size_t i = 0; i < SUPPORT_COUNT(words); i++) {
        assert_string_equal(choose(NULL, 0, &words[i], 1, &left, &err), "env.bin");
        assert_int_equal(left.count, 1);
    }
}

static void test_vectors_choose_falls_back(void **state)
{
    (void)state;
    static const char *const word = "cat";
    arguments left;
    w2v_error err;
    assert_null(choose(NULL, 0, &word, 1, &left, &err));
    assert_int_equal(err.code, W2V_ERR_INPUT);
    assert_non_null(strstr(err.text, "--vectors"));
    assert_non_null(strstr(err.text, "W2V_VECTORS"));
    assert_non_null(strstr(err.text, "'vectors.bin'"));
    assert_null(strchr(err.text, '\n'));
    assert_non_null(strstr(err.hint, "w2v analogy FILE"));
    support_write_text("vectors.bin", "x");
    assert_string_equal(choose(NULL, 0, &word, 1, &left, &err), "vectors.bin");
    setenv("W2V_VECTORS", "", 1); /* as if it were not set */
    assert_string_equal(choose(NULL, 0, &word, 1, &left, &err), "vectors.bin");
    setenv("W2V_VECTORS", "env.bin", 1);
    assert_string_equal(choose(NULL, 0, &word, 1, &left, &err), "env.bin");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_vectors_choose_counts_arguments, setup, teardown),
        cmocka_unit_test_setup_teardown(test_vectors_choose_names_of_files, setup, teardown),
        cmocka_unit_test_setup_teardown(test_vectors_choose_falls_back, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
