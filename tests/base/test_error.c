#include "support.h"

#include "base/error.h"
#include "base/mem.h"

#include <errno.h>

static void test_error_set_fills_and_returns_the_code(void **state)
{
    (void)state;
    w2v_error err = {0};
    assert_int_equal(error_set(&err, W2V_ERR_INPUT, "'%s' is damaged at byte %d", "x", 7),
                     W2V_ERR_INPUT);
    assert_int_equal(err.code, W2V_ERR_INPUT);
    assert_int_equal(err.sys_errno, 0);
    assert_string_equal(err.text, "'x' is damaged at byte 7");
    assert_string_equal(err.hint, "");
}

static void test_error_set_first_error_wins(void **state)
{
    (void)state;
    w2v_error err = {0};
    error_set(&err, W2V_ERR_INPUT, "first");
    assert_int_equal(error_set(&err, W2V_ERR_MEMORY, "second"), W2V_ERR_MEMORY);
    assert_int_equal(error_sys(&err, W2V_ERR_IO, ENOENT, "third"), W2V_ERR_IO);
    assert_int_equal(err.code, W2V_ERR_INPUT);
    assert_int_equal(err.sys_errno, 0);
    assert_string_equal(err.text, "first");
}

static void test_error_set_null_is_allowed(void **state)
{
    (void)state;
    assert_int_equal(error_set(NULL, W2V_ERR_INPUT, "x"), W2V_ERR_INPUT);
    assert_int_equal(error_sys(NULL, W2V_ERR_IO, EIO, "x"), W2V_ERR_IO);
    assert_int_equal(error_memory(NULL, "x"), W2V_ERR_MEMORY);
    error_hint(NULL, "x");
}

static void test_error_set_stays_one_line(void **state)
{
    (void)state;
    w2v_error err = {0};
    error_set(&err, W2V_ERR_INPUT, "cannot read '%s'", "a\nb\x1b[31m");
    assert_string_equal(err.text, "cannot read 'a?b?[31m'");
}

static void test_error_sys_appends_the_reason(void **state)
{
    (void)state;
    w2v_error err = {0};
    assert_int_equal(error_sys(&err, W2V_ERR_IO, ENOSPC, "cannot write '%s'", "f"), W2V_ERR_IO);
    assert_int_equal(err.sys_errno, ENOSPC);
    assert_string_equal(err.text, "cannot write 'f': No space left on device");
}

static void test_error_sys_long_path_keeps_the_reason(void **state)
{
    (void)state;
    char path[4000];
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    w2v_error err = {0};
    error_sys(&err, W2V_ERR_IO, ENOENT, "cannot write '%s'", path);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    const char *end = ": No such file or directory";
    assert_string_equal(err.text + strlen(err.text) - strlen(end), end);
}

/* What is wrong stands behind the path. */
static void test_error_set_long_path_keeps_the_end(void **state)
{
    (void)state;
    static const size_t lengths[] = {990, 1009, 1010, 1200, 4096, 20000};
    static char path[20001];
    for (size_t i = 0; i < SUPPORT_COUNT(lengths); i++) {
        memset(path, 'p', sizeof path);
        path[lengths[i]] = '\0';
        w2v_error err = {0};
        error_set(&err, W2V_ERR_INPUT, "'%s' has no bytes", path);
        const size_t whole = lengths[i] + strlen("'' has no bytes");
        const bool fits = whole < sizeof err.text;
        assert_int_equal(strlen(err.text), fits ? whole : sizeof err.text - 1);
        assert_memory_equal(err.text, "'ppp", 4);
        assert_string_equal(err.text + strlen(err.text) - 16, "pp' has no bytes");
        assert_true((strstr(err.text, "…") == NULL) == fits);
        error_hint(&err, "unpack it: gzip -dc '%s' | w2v", path);
        assert_int_equal(strlen(err.hint), sizeof err.hint - 1);
        assert_string_equal(err.hint + strlen(err.hint) - 8, "p' | w2v");
    }
}

static void test_error_set_long_path_without_memory(void **state)
{
    (void)state;
    static char path[20001];
    memset(path, 'p', sizeof path - 1);
    w2v_error err = {0};
    mem_fail_at(1, true);
    error_sys(&err, W2V_ERR_IO, ENOENT, "cannot write '%s'", path);
    mem_fail_at(0, false);
    const char *end = "ppp: No such file or directory";
    assert_string_equal(err.text + strlen(err.text) - strlen(end), end);
}

static void test_error_hint_needs_an_error_and_stays(void **state)
{
    (void)state;
    w2v_error err = {0};
    error_hint(&err, "no error yet");
    assert_string_equal(err.hint, "");
    error_memory(&err, "the vocabulary");
    assert_int_equal(err.code, W2V_ERR_MEMORY);
    assert_string_equal(err.text, "out of memory for the vocabulary");
    error_hint(&err, "try %s", "this");
    error_hint(&err, "or that");
    assert_string_equal(err.hint, "try this");
}

static void test_error_pass_fills_what_is_open(void **state)
{
    (void)state;
    w2v_error from = {0}, to = {0};
    error_set(&from, W2V_ERR_INPUT, "the first");
    error_hint(&from, "a hint");
    from.offset = 7;
    assert_int_equal(error_pass(NULL, &from), W2V_ERR_INPUT);
    assert_int_equal(error_pass(&to, &from), W2V_ERR_INPUT);
    assert_memory_equal(&to, &from, sizeof to);
    w2v_error other = {0};
    error_set(&other, W2V_ERR_IO, "another");
    assert_int_equal(error_pass(&to, &other), W2V_ERR_IO);
    assert_string_equal(to.text, "the first");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_set_fills_and_returns_the_code),
        cmocka_unit_test(test_error_set_first_error_wins),
        cmocka_unit_test(test_error_set_null_is_allowed),
        cmocka_unit_test(test_error_set_stays_one_line),
        cmocka_unit_test(test_error_sys_appends_the_reason),
        cmocka_unit_test(test_error_sys_long_path_keeps_the_reason),
        cmocka_unit_test(test_error_set_long_path_keeps_the_end),
        cmocka_unit_test(test_error_set_long_path_without_memory),
        cmocka_unit_test(test_error_hint_needs_an_error_and_stays),
        cmocka_unit_test(test_error_pass_fills_what_is_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
