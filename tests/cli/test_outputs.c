#include "support.h"

#include "base/mem.h"
#include "cli/outputs.h"

#include <errno.h>

static void test_output_partial_name_keeps_extensions(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"vectors.bin", "vectors.partial.bin"},
        {"vectors.txt.gz", "vectors.partial.txt.gz"},
        {"vectors", "vectors.partial"},
        {"v.gz", "v.partial.gz"},
        {"wiki.en.vec", "wiki.en.partial.vec"},
        {"some.folder/vectors", "some.folder/vectors.partial"},
        {"some.folder/v.bin", "some.folder/v.partial.bin"},
        {".hidden", ".hidden.partial"},
        {"folder/.hidden.gz", "folder/.hidden.partial.gz"},
        {".gz", ".gz.partial"},
        {"-", "-"},
        {"/dev/null", "/dev/null"},
        {"/dev/stdout", "/dev/stdout"},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        char *name = output_partial_name(cases[i][0]);
        assert_non_null(name);
        assert_string_equal(name, cases[i][1]);
        mem_free(name);
    }
}

/* A name as long as a name may be stays one, and is not cut inside a character. */
static void test_output_partial_name_of_a_long_name(void **state)
{
    (void)state;
    char path[512] = "folder/";
    for (int i = 0; i < 125; i++) {
        strcat(path, "\xc3\xa9");
    }
    strcat(path, ".bin");
    char *name = output_partial_name(path);
    assert_non_null(name);
    const char *file = name + strlen("folder/");
    assert_true(strlen(file) <= 255);
    assert_string_equal(file + strlen(file) - strlen("\xc3\xa9.partial.bin"), "\xc3\xa9.partial.bin");
    mem_free(name);
}

static void test_output_folder_of_paths(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"v.bin", "."}, {"a/b/v.bin", "a/b"}, {"/v.bin", "/"}, {"-", "."}, {"/dev/null", "."}};
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        char *name = output_folder(cases[i][0]);
        assert_non_null(name);
        assert_string_equal(name, cases[i][1]);
        mem_free(name);
    }
}

static w2v_status check(const char *a, const char *b, w2v_error *err)
{
    const output outputs[] = {{.option = "--output", .path = a},
                              {.option = "--save-context", .path = NULL},
                              {.option = "--save-vocab", .path = b}};
    *err = (w2v_error){0};
    return outputs_check(outputs, 3, NULL, err);
}

static void test_outputs_check_same_file(void **state)
{
    const char *folder = *state;
    char a[SUPPORT_PATH], dotted[SUPPORT_PATH], link_path[SUPPORT_PATH], b[SUPPORT_PATH];
    w2v_error err;
    support_path(folder, "a.bin", a);
    support_path(folder, "./a.bin", dotted);
    support_path(folder, "link", link_path);
    support_path(folder, "b.bin", b);
    assert_int_equal(symlink("a.bin", link_path), 0);

    assert_int_equal(check(a, b, &err), W2V_OK);
    assert_int_equal(check(a, a, &err), W2V_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "--output and --save-vocab both name"));
    assert_int_equal(check(a, dotted, &err), W2V_ERR_ARGUMENT);
    assert_int_equal(check(a, link_path, &err), W2V_ERR_ARGUMENT);
    support_write_text(a, "old");
    assert_int_equal(check(dotted, link_path, &err), W2V_ERR_ARGUMENT);
    assert_int_equal(check("-", "-", &err), W2V_ERR_ARGUMENT);
    assert_int_equal(check("/dev/null", "/dev/null", &err), W2V_OK);
    assert_int_equal(check(a, NULL, &err), W2V_OK);
}

static w2v_status spare(const char *path, const char *input, w2v_error *err)
{
    const output outputs[] = {{.option = "--output", .path = NULL},
                              {.option = "--save-vocab", .path = path}};
    *err = (w2v_error){0};
    return outputs_spare(outputs, 2, "--read-vocab", input, err);
}

static void test_outputs_spare_other_inputs(void **state)
{
    const char *folder = *state;
    char a[SUPPORT_PATH], hard[SUPPORT_PATH], soft[SUPPORT_PATH], b[SUPPORT_PATH];
    w2v_error err;
    support_path(folder, "a", a);
    support_path(folder, "hard", hard);
    support_path(folder, "soft", soft);
    support_path(folder, "b", b);
    support_write_text(a, "cat 2\n");
    support_write_text(b, "cat 2\n");
    assert_int_equal(link(a, hard), 0);
    assert_int_equal(symlink("a", soft), 0);

    assert_int_equal(spare(b, a, &err), W2V_OK);
    assert_int_equal(spare(a, a, &err), W2V_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "which --read-vocab reads"));
    assert_int_equal(spare(hard, a, &err), W2V_ERR_ARGUMENT);
    assert_int_equal(spare(a, soft, &err), W2V_ERR_ARGUMENT);
    assert_int_equal(spare("-", a, &err), W2V_OK);
    assert_int_equal(spare(a, NULL, &err), W2V_OK);
    assert_int_equal(spare("/dev/null", "/dev/null", &err), W2V_OK);
    assert_int_equal(unlink(a), 0);
    assert_int_equal(spare(a, a, &err), W2V_OK); /* a missing file is its reader's matter */
}

static void test_output_pipe_closed_only_for_standard_output(void **state)
{
    (void)state;
    w2v_error err = {.code = W2V_ERR_IO, .sys_errno = EPIPE};
    assert_true(output_pipe_closed("-", &err));
    assert_false(output_pipe_closed("fifo", &err));
    err.sys_errno = ENOSPC;
    assert_false(output_pipe_closed("-", &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_partial_name_keeps_extensions),
        cmocka_unit_test(test_output_partial_name_of_a_long_name),
        cmocka_unit_test(test_output_folder_of_paths),
        cmocka_unit_test_setup_teardown(test_outputs_check_same_file, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_outputs_spare_other_inputs, support_setup,
                                        support_teardown),
        cmocka_unit_test(test_output_pipe_closed_only_for_standard_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
