#include "support.h"

#include "os/thread.h"
#include "os/turn.h"

#include <stdatomic.h>

#define NUMBERS 5000

typedef struct line_up {
    turn *t;
    atomic_uint next;
    unsigned order[NUMBERS]; /* written in turn: no other thread is in it then */
    unsigned done;
} line_up;

static void take_turns(void *arg, int thread, int team)
{
    (void)thread;
    (void)team;
    line_up *l = arg;
    for (;;) {
        const unsigned number = atomic_fetch_add(&l->next, 1);
        if (number >= NUMBERS) {
            return;
        }
        turn_wait(l->t, number);
        l->order[l->done++] = number;
        turn_pass(l->t);
    }
}

static void test_turn_wait_goes_by_number(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 5; threads += 2) {
        static line_up l;
        l.t = turn_create();
        assert_non_null(l.t);
        atomic_store(&l.next, 0);
        l.done = 0;
        thread_team(threads, take_turns, &l);
        assert_int_equal(l.done, NUMBERS);
        for (unsigned i = 0; i < NUMBERS; i++) {
            assert_int_equal(l.order[i], i);
        }
        turn_free(l.t);
    }
    turn_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_turn_wait_goes_by_number)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
