#include "support.h"

#include "os/signals.h"

#include <errno.h>
#include <signal.h>

/* Each case is a process of its own; returns its exit status, 128 + signal when it was killed. */
static int in_child(void (*body)(void))
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        body();
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void first_is_a_flag(void)
{
    signals_catch();
    if (signals_pending() != 0) {
        _exit(1);
    }
    raise(SIGTERM);
    _exit(signals_pending() == SIGTERM ? 0 : 2);
}

static void two_interrupts(void)
{
    signals_catch();
    raise(SIGINT);
    raise(SIGINT);
}

static void two_terminations(void)
{
    signals_catch();
    raise(SIGTERM);
    raise(SIGTERM);
}

static void write_to_nobody(void)
{
    int fds[2];
    signals_ignore_pipe();
    if (pipe(fds) != 0) {
        _exit(1);
    }
    close(fds[0]);
    const ssize_t n = write(fds[1], "x", 1);
    _exit(n < 0 && errno == EPIPE ? 0 : 2);
}

static void test_signals_catch_first_is_a_flag(void **state)
{
    (void)state;
    assert_int_equal(in_child(first_is_a_flag), 0);
}

static void test_signals_catch_second_ends_the_process(void **state)
{
    (void)state;
    assert_int_equal(in_child(two_interrupts), 130);
    assert_int_equal(in_child(two_terminations), 143);
}

static void test_signals_ignore_pipe_reports_instead(void **state)
{
    (void)state;
    assert_int_equal(in_child(write_to_nobody), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signals_catch_first_is_a_flag),
        cmocka_unit_test(test_signals_catch_second_ends_the_process),
        cmocka_unit_test(test_signals_ignore_pipe_reports_instead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
