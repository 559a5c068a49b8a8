#include "support.h"

#include "base/mem.h"
#include "os/thread.h"

#include <stdatomic.h>

typedef struct tally {
    atomic_int runs[64];
    atomic_int team;
    mutex *lock;
    int unprotected; /* only safe under the lock */
} tally;

static void body(void *arg, int thread, int team)
{
    tally *t = arg;
    t->runs[thread]++;
    t->team = team;
    for (int i = 0; i < 1000; i++) {
        mutex_lock(t->lock);
        t->unprotected++;
        mutex_unlock(t->lock);
    }
}

static void check_team(int threads)
{
    tally t = {.lock = mutex_create()};
    assert_non_null(t.lock);
    thread_team(threads, body, &t);
    const int team = t.team;
    assert_in_range(team, 1, threads < 1 ? 1 : threads);
    for (int i = 0; i < 64; i++) {
        assert_int_equal(t.runs[i], i < team);
    }
    assert_int_equal(t.unprotected, 1000 * team);
    mutex_free(t.lock);
}

static void test_thread_team_runs_once_in_each(void **state)
{
    (void)state;
    check_team(1);
    check_team(2);
    check_team(7);
    check_team(0);
    check_team(-3);
}

static char self[SUPPORT_PATH]; /* this program, for a run of its own under another environment */

static void tell_team(void *arg, int thread, int team)
{
    (void)arg;
    if (thread == 0) {
        printf("%d", team);
    }
}

static void test_thread_team_may_be_smaller_than_asked(void **state)
{
    (void)state;
    char command[2 * SUPPORT_PATH], *out;
    snprintf(command, sizeof command, "OMP_THREAD_LIMIT=3 '%s' team", self);
    assert_int_equal(support_run(command, &out, NULL), 0);
    assert_string_equal(out, "3");
    free(out);
}

static void test_mutex_create_without_memory(void **state)
{
    (void)state;
    mem_fail_at(1, true);
    mutex *m = mutex_create();
    mem_fail_at(0, false);
    assert_null(m);
    mutex_free(NULL);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        thread_team(8, tell_team, NULL);
        return 0;
    }
    snprintf(self, sizeof self, "%s", argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thread_team_runs_once_in_each),
        cmocka_unit_test(test_thread_team_may_be_smaller_than_asked),
        cmocka_unit_test(test_mutex_create_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
