#include "support.h"

#include "base/mem.h"
#include "cli/lines.h"

/* Lines of a file with these bytes, joined as "number:line|". */
static w2v_status read_all(const char *folder, const char *bytes, size_t n, char *out, size_t size,
                           w2v_error *err)
{
    char path[SUPPORT_PATH];
    support_write(support_path(folder, "lines.txt", path), bytes, n);
    lines *l = NULL;
    w2v_status status = lines_open(path, &l, err);
    out[0] = '\0';
    for (bool end = false; !status && !end;) {
        const char *line;
        size_t length;
        status = lines_next(l, &line, &length, &end, err);
        if (!status && !end) {
            const size_t used = strlen(out);
            snprintf(out + used, size - used, "%d:%.*s|", (int)lines_number(l), (int)length, line);
        }
    }
    lines_close(l);
    return status;
}

static void test_lines_next_values(void **state)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"\n\n", ""},
        {"cat\ndog\n", "1:cat|2:dog|"},
        {"cat\ndog", "1:cat|2:dog|"}, /* no end after the last */
        {"\xef\xbb\xbf"
         "cat\r\n\r\n  new york \t\r\n",
         "1:cat|3:new york|"},
        {"cat\rdog\r\r\ncow\r", "1:cat|2:dog|4:cow|"}, /* lone CRs end lines too */
        {"\xef\xbb\xbf\n\xef\xbb\xbf"
         "a\n",
         "2:\xef\xbb\xbf"
         "a|"}, /* a mark stands at the beginning only */
    };
    char out[256];
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        w2v_error err = {0};
        assert_int_equal(read_all(*state, cases[i][0], strlen(cases[i][0]), out, sizeof out, &err),
                         W2V_OK);
        assert_string_equal(out, cases[i][1]);
    }
}

/* Lines that lie across the pieces a file is read in, and one that is no line at all. */
static void test_lines_next_long_lines(void **state)
{
    const size_t n = (size_t)3 << 16;
    char *bytes = malloc(n), *out = malloc(n + 64);
    assert_true(bytes && out);
    memset(bytes, 'x', n);
    bytes[n - 4] = '\n';
    w2v_error err = {0};
    assert_int_equal(read_all(*state, bytes, n, out, n + 64, &err), W2V_OK);
    assert_int_equal(strlen(out), n - 1 + 2 * strlen("1:|"));
    assert_string_equal(out + strlen(out) - 6, "2:xxx|");

    const size_t huge = LINES_MAX * 2;
    char *wrong = malloc(huge);
    assert_non_null(wrong);
    memset(wrong, 'x', huge);
    wrong[0] = '\n';
    assert_int_equal(read_all(*state, wrong, huge, out, n, &err), W2V_ERR_INPUT);
    assert_non_null(strstr(err.text, "line 2 is longer than 1048576 bytes"));
    free(wrong);
    free(bytes);
    free(out);
}

static void test_lines_open_missing(void **state)
{
    char path[SUPPORT_PATH];
    lines *l;
    w2v_error err = {0};
    assert_int_equal(lines_open(support_path(*state, "none", path), &l, &err), W2V_ERR_INPUT);
    assert_null(l);
    lines_close(NULL);
}

static void test_lines_next_without_memory(void **state)
{
    char out[64];
    uint64_t i = 0;
    w2v_status status;
    do {
        w2v_error err = {0};
        mem_fail_at(++i, false);
        status = read_all(*state, "cat\ndog\n", 8, out, sizeof out, &err);
        mem_fail_at(0, false);
        assert_true(status == W2V_OK || status == W2V_ERR_MEMORY);
    } while (status);
    assert_true(i > 3);
    assert_string_equal(out, "1:cat|2:dog|");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lines_next_values, support_setup, support_teardown),
        cmocka_unit_test_setup_teardown(test_lines_next_long_lines, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_lines_open_missing, support_setup, support_teardown),
        cmocka_unit_test_setup_teardown(test_lines_next_without_memory, support_setup,
                                        support_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
