#include "support.h"

#include "base/mem.h"
#include "io/inputs.h"

#include <errno.h>
#include <fcntl.h>

static char *at(void **state, const char *name)
{
    static char paths[8][SUPPORT_PATH];
    static int turn;
    turn = (turn + 1) % 8;
    return support_path(*state, name, paths[turn]);
}

static w2v_inputs *list_well(const char *const *paths, size_t n, bool recursive)
{
    w2v_inputs *in = NULL;
    w2v_error err = {0};
    if (w2v_inputs_create(paths, n, recursive, &in, &err) != W2V_OK) {
        fail_msg("%s", err.text);
    }
    return in;
}

static void assert_list_fails(const char *const *paths, size_t n, bool recursive, w2v_status status,
                              const char *text)
{
    w2v_inputs *in = (w2v_inputs *)&status;
    w2v_error err = {0};
    assert_int_equal(w2v_inputs_create(paths, n, recursive, &in, &err), status);
    assert_null(in);
    assert_int_equal(err.code, status);
    assert_string_equal(err.text, text);
}

/* A text with the folder's path in it, e.g. "cannot read '%s/x'". */
static const char *with_folder(void **state, const char *format_head, const char *rest)
{
    static char text[2 * SUPPORT_PATH];
    snprintf(text, sizeof text, "%s%s%s", format_head, (char *)*state, rest);
    return text;
}

/* ------------------------------------------------------------------- lists */

static void test_inputs_create_keeps_order_and_sizes(void **state)
{
    support_write_text(at(state, "b"), "12345");
    support_write_text(at(state, "a"), "123");
    const char *paths[] = {at(state, "b"), at(state, "a"), at(state, "b")};
    w2v_inputs *in = list_well(paths, 3, false);
    assert_int_equal(w2v_inputs_count(in), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(w2v_inputs_path(in, i), paths[i]);
    }
    assert_int_equal(in->sizes[0], 5);
    assert_int_equal(inputs_total_size(in), 13);
    w2v_inputs_free(in);
    w2v_inputs_free(NULL);
}

static void test_inputs_total_size_with_an_empty_file_and_a_pipe(void **state)
{
    support_write_text(at(state, "empty"), "");
    support_write_text(at(state, "a"), "123");
    assert_int_equal(mkfifo(at(state, "fifo"), 0600), 0);
    const char *paths[] = {at(state, "empty"), at(state, "a"), at(state, "fifo")};
    w2v_inputs *in = list_well(paths, 2, false);
    assert_int_equal(inputs_total_size(in), 3);
    w2v_inputs_free(in);
    in = list_well(paths, 3, false);
    assert_int_equal(inputs_total_size(in), 0);
    w2v_inputs_free(in);
}

static void test_inputs_standard_input_once(void **state)
{
    (void)state;
    const char *paths[] = {"-", "-"};
    w2v_inputs *in = list_well(paths, 1, false);
    assert_string_equal(w2v_inputs_path(in, 0), "-");
    w2v_inputs_free(in);
    assert_list_fails(paths, 2, false, W2V_ERR_ARGUMENT, "'-' (standard input) is given twice");
    assert_list_fails(paths, 0, false, W2V_ERR_ARGUMENT, "no input is given");
}

static void test_inputs_stream_once(void **state)
{
    const char *paths[] = {at(state, "fifo"), at(state, "link"), "/dev/null"};
    assert_int_equal(mkfifo(paths[0], 0600), 0);
    assert_int_equal(symlink("fifo", paths[1]), 0);
    assert_list_fails(paths, 2, false, W2V_ERR_ARGUMENT,
                      with_folder(state, "'", "/link' is given twice"));
    assert_true(inputs_same_stream(paths[0], paths[1]));
    assert_true(inputs_same_stream("-", "-"));
    assert_false(inputs_same_stream(paths[0], paths[2]));
    const char *file = at(state, "file"); /* each reader begins at its first byte */
    support_write_text(file, "a");
    assert_false(inputs_same_stream(file, file));
}

static void test_inputs_missing_and_forbidden(void **state)
{
    const char *paths[] = {at(state, "a"), at(state, "x")};
    support_write_text(paths[0], "");
    assert_list_fails(paths, 2, false, W2V_ERR_INPUT,
                      with_folder(state, "cannot read '", "/x': No such file or directory"));
    assert_int_equal(symlink("nowhere", paths[1]), 0);
    assert_list_fails(paths, 2, false, W2V_ERR_INPUT,
                      with_folder(state, "cannot read '", "/x': No such file or directory"));
    if (geteuid() != 0) { /* nothing is forbidden to root */
        assert_int_equal(chmod(paths[0], 0), 0);
        assert_list_fails(paths, 1, true, W2V_ERR_INPUT,
                          with_folder(state, "cannot read '", "/a': Permission denied"));
    }
}

/* ----------------------------------------------------------------- folders */

static void make_folder(void **state, const char *name)
{
    assert_int_equal(mkdir(at(state, name), 0755), 0);
}

static void assert_lists(void **state, const char *const *expected, size_t n)
{
    const char *paths[] = {*state};
    w2v_inputs *in = list_well(paths, 1, true);
    for (size_t i = 0; i < in->count && i < n; i++) {
        assert_string_equal(in->paths[i], at(state, expected[i]));
    }
    assert_int_equal(in->count, n);
    w2v_inputs_free(in);
}

static void test_inputs_folder_in_byte_order(void **state)
{
    static const char *const expected[] = {"B.txt", "a",     "a-b/x",   "a.txt",   "b/c/d",
                                           "b/z",   "b.txt", "f.empty", "\xc3\xa9"};
    make_folder(state, "a-b");
    make_folder(state, "b");
    make_folder(state, "b/c");
    make_folder(state, "nothing");
    make_folder(state, ".hidden");
    support_write_text(at(state, ".hidden/in"), "no");
    support_write_text(at(state, ".e.txt"), "no");
    support_write_text(at(state, "b/.e"), "no");
    for (size_t i = SUPPORT_COUNT(expected); i > 0; i--) {
        support_write_text(at(state, expected[i - 1]), i % 2 ? "x" : "");
    }
    assert_lists(state, expected, SUPPORT_COUNT(expected));
}

static void test_inputs_folder_with_slashes_at_the_end(void **state)
{
    char folder[SUPPORT_PATH + 2], expected[SUPPORT_PATH + 4];
    support_write_text(at(state, "a"), "");
    snprintf(folder, sizeof folder, "%s/", (char *)*state);
    snprintf(expected, sizeof expected, "%sa", folder);
    const char *paths[] = {folder};
    w2v_inputs *in = list_well(paths, 1, true);
    assert_int_equal(in->count, 1);
    assert_string_equal(in->paths[0], expected);
    w2v_inputs_free(in);
}

static void test_inputs_folder_needs_recursive(void **state)
{
    const char *paths[] = {*state};
    w2v_inputs *in;
    w2v_error err = {0};
    support_write_text(at(state, "a"), "");
    assert_int_equal(w2v_inputs_create(paths, 1, false, &in, &err), W2V_ERR_INPUT);
    assert_string_equal(err.text, with_folder(state, "'", "' is a folder"));
    assert_non_null(strstr(err.hint, "--recursive"));
}

static void test_inputs_folder_with_nothing(void **state)
{
    const char *paths[] = {*state};
    make_folder(state, "empty");
    support_write_text(at(state, ".hidden"), "x");
    assert_int_equal(mkfifo(at(state, "fifo"), 0600), 0); /* would wait for ever */
    assert_list_fails(paths, 1, true, W2V_ERR_INPUT, with_folder(state, "'", "' holds no files"));
}

static void test_inputs_folder_broken_link(void **state)
{
    const char *paths[] = {*state};
    support_write_text(at(state, "a"), "x");
    assert_int_equal(symlink("nowhere", at(state, "broken.txt")), 0);
    assert_list_fails(
        paths, 1, true, W2V_ERR_INPUT,
        with_folder(state, "cannot read '", "/broken.txt': No such file or directory"));
}

/* Links back up are passed over; a link to a folder elsewhere is followed, twice if it stands
 * twice. */
static void test_inputs_folder_links(void **state)
{
    static const char *const expected[] = {"one/f", "two/f", "x/deep/f", "x/f"};
    make_folder(state, "x");
    make_folder(state, "x/deep");
    support_write_text(at(state, "x/f"), "");
    support_write_text(at(state, "x/deep/f"), "");
    assert_int_equal(symlink("../..", at(state, "x/deep/up")), 0);
    assert_int_equal(symlink(".", at(state, "self")), 0);
    assert_int_equal(symlink("x/deep", at(state, "one")), 0);
    assert_int_equal(symlink("x/deep", at(state, "two")), 0);
    assert_lists(state, expected, SUPPORT_COUNT(expected));
}

static void test_inputs_every_allocation_fails(void **state)
{
    make_folder(state, "sub");
    support_write_text(at(state, "sub/a"), "");
    support_write_text(at(state, "b"), "");
    const char *paths[] = {at(state, "b"), *state};
    for (uint64_t number = 1;; number++) {
        w2v_inputs *in = NULL;
        w2v_error err = {0};
        mem_fail_at(number, false);
        const w2v_status status = w2v_inputs_create(paths, 2, true, &in, &err);
        const bool reached = mem_tries() >= number;
        mem_fail_at(0, false);
        if (!reached) {
            assert_int_equal(status, W2V_OK);
            assert_int_equal(w2v_inputs_count(in), 3);
            assert_true(number > 10);
            w2v_inputs_free(in);
            return;
        }
        assert_int_equal(status, W2V_ERR_MEMORY);
        assert_int_equal(err.code, W2V_ERR_MEMORY);
        assert_null(in);
    }
}

/* ------------------------------------------------------------------ output */

static void assert_output_fails(const char *path, const w2v_inputs *in, w2v_status status,
                                const char *text)
{
    w2v_error err = {0};
    assert_int_equal(w2v_output_check(path, in, &err), status);
    assert_string_equal(err.text, text);
}

static void test_output_check_passes_and_leaves_nothing(void **state)
{
    support_write_text(at(state, "old"), "old");
    assert_int_equal(mkfifo(at(state, "fifo"), 0600), 0);
    const char *paths[] = {at(state, "old")};
    w2v_inputs *in = list_well(paths, 1, false);
    assert_int_equal(w2v_output_check(at(state, "new"), in, NULL), W2V_OK);
    assert_int_equal(w2v_output_check(at(state, "fifo"), in, NULL),
                     W2V_OK); /* no reader: no wait */
    assert_int_equal(w2v_output_check("-", in, NULL), W2V_OK);
    assert_int_equal(w2v_output_check("/dev/full", in, NULL), W2V_OK);
    assert_int_equal(w2v_output_check("/dev/null", NULL, NULL), W2V_OK);
    assert_int_equal(w2v_output_check(at(state, "old"), NULL, NULL), W2V_OK);
    assert_int_equal(support_count(*state), 2);
    char *text = support_read(at(state, "old"), NULL);
    assert_string_equal(text, "old");
    free(text);
    w2v_inputs_free(in);
}

static void test_output_check_finds_the_input_by_any_name(void **state)
{
    char text[3 * SUPPORT_PATH];
    support_write_text(at(state, "a"), "x");
    support_write_text(at(state, "b"), "x");
    assert_int_equal(link(at(state, "b"), at(state, "hard")), 0);
    assert_int_equal(symlink("b", at(state, "soft")), 0);
    const char *paths[] = {at(state, "a"), at(state, "b")};
    w2v_inputs *in = list_well(paths, 2, false);
    static const char *const names[] = {"b", "hard", "soft", "./b"};
    for (size_t i = 0; i < SUPPORT_COUNT(names); i++) {
        snprintf(text, sizeof text, "output '%s' would overwrite the input '%s'",
                 at(state, names[i]), paths[1]);
        assert_output_fails(at(state, names[i]), in, W2V_ERR_ARGUMENT, text);
    }
    w2v_inputs_free(in);
}

static void test_output_check_finds_standard_input(void **state)
{
    char text[2 * SUPPORT_PATH];
    support_write_text(at(state, "a"), "x");
    const int saved = dup(0), fd = open(at(state, "a"), O_RDONLY);
    assert_int_equal(dup2(fd, 0), 0);
    const char *paths[] = {"-"};
    w2v_inputs *in = list_well(paths, 1, false);
    snprintf(text, sizeof text, "output '%s' would overwrite the input '-'", at(state, "a"));
    assert_output_fails(at(state, "a"), in, W2V_ERR_ARGUMENT, text);
    w2v_inputs_free(in);
    assert_int_equal(dup2(saved, 0), 0);
    close(saved);
    close(fd);
}

static void test_output_check_unwritable(void **state)
{
    support_write_text(at(state, "old"), "old");
    assert_output_fails(*state, NULL, W2V_ERR_IO,
                        with_folder(state, "cannot write '", "': Is a directory"));
    assert_output_fails(
        at(state, "no/out"), NULL, W2V_ERR_IO,
        with_folder(state, "cannot write '", "/no/out': No such file or directory"));
    assert_output_fails(at(state, "old/out"), NULL, W2V_ERR_IO,
                        with_folder(state, "cannot write '", "/old/out': Not a directory"));
    if (access("/proc/version", F_OK) == 0) { /* root may not write here either */
        w2v_error err = {0};
        assert_int_equal(w2v_output_check("/proc/no-such-file", NULL, &err), W2V_ERR_IO);
        assert_non_null(strstr(err.text, "cannot write '/proc/no-such-file': "));
    }
    assert_int_equal(support_count(*state), 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_inputs_create_keeps_order_and_sizes),
        TEST(test_inputs_total_size_with_an_empty_file_and_a_pipe),
        TEST(test_inputs_standard_input_once),
        TEST(test_inputs_stream_once),
        TEST(test_inputs_missing_and_forbidden),
        TEST(test_inputs_folder_in_byte_order),
        TEST(test_inputs_folder_with_slashes_at_the_end),
        TEST(test_inputs_folder_needs_recursive),
        TEST(test_inputs_folder_with_nothing),
        TEST(test_inputs_folder_broken_link),
        TEST(test_inputs_folder_links),
        TEST(test_inputs_every_allocation_fails),
        TEST(test_output_check_passes_and_leaves_nothing),
        TEST(test_output_check_finds_the_input_by_any_name),
        TEST(test_output_check_finds_standard_input),
        TEST(test_output_check_unwritable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
