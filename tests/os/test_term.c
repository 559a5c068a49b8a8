#include "support.h"

#include "os/term.h"

#include <fcntl.h>
#include <sys/ioctl.h>

static void test_term_pipe_is_none(void **state)
{
    (void)state;
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    assert_false(term_is_terminal(fds[0]));
    assert_int_equal(term_columns(fds[1]), 80);
    close(fds[0]);
    close(fds[1]);
    assert_false(term_is_terminal(-1));
    assert_int_equal(term_columns(-1), 80);
}

static void test_term_columns_of_a_terminal(void **state)
{
    (void)state;
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
        print_message("no pseudo terminals here\n");
        skip();
    }
    const int fd = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(fd >= 0);
    assert_true(term_is_terminal(fd));
    assert_int_equal(term_columns(fd), 80); /* a new one has width 0 */
    const struct winsize size = {.ws_row = 10, .ws_col = 133};
    assert_int_equal(ioctl(fd, TIOCSWINSZ, &size), 0);
    assert_int_equal(term_columns(fd), 133);
    close(fd);
    close(master);
}

static void test_term_env_empty_is_unset(void **state)
{
    (void)state;
    setenv("W2V_TEST_NAME", "value", 1);
    assert_string_equal(term_env("W2V_TEST_NAME"), "value");
    setenv("W2V_TEST_NAME", "", 1);
    assert_null(term_env("W2V_TEST_NAME"));
    unsetenv("W2V_TEST_NAME");
    assert_null(term_env("W2V_TEST_NAME"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_term_pipe_is_none),
        cmocka_unit_test(test_term_columns_of_a_terminal),
        cmocka_unit_test(test_term_env_empty_is_unset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
