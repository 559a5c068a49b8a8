#define _POSIX_C_SOURCE 200809L
#include "os/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

/*
 * A handler gets no argument, so this flag is global: with the counters for tests in
 * base/mem.c the only mutable state that is. Only the program installs the handler; without
 * it the flag stays 0.
 */
static atomic_int first_signal;

static void on_signal(int number)
{
    int none = 0;
    if (!atomic_compare_exchange_strong(&first_signal, &none, number)) {
        _exit(128 + number); /* the shells' way to say "ended by this signal" */
    }
}

void signals_catch(void)
{
    /* No SA_RESTART: opening a FIFO that nobody reads must end; all else repeats an interrupted
     * call. */
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int signals_pending(void)
{
    return atomic_load_explicit(&first_signal, memory_order_relaxed);
}

void signals_ignore_pipe(void)
{
    struct sigaction action = {.sa_handler = SIG_IGN};
    sigemptyset(&action.sa_mask);
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL); /* a limit on file size: writing then reports EFBIG */
}
