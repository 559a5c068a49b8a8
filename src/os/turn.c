#define _POSIX_C_SOURCE 200809L
#include "os/turn.h"

#include "base/mem.h"

#include <pthread.h>
#include <stdatomic.h>

struct turn {
    atomic_uint_fast64_t now;
    pthread_mutex_t lock;
    pthread_cond_t passed;
};

/* Turns are short where they are used: most waits end before a sleep would have begun. */
#define LOOKS_BEFORE_SLEEP 2000

turn *turn_create(void)
{
    turn *t = mem_alloc(sizeof *t);
    if (!t) {
        return NULL;
    }
    atomic_init(&t->now, 0);
    if (pthread_mutex_init(&t->lock, NULL) != 0) {
        mem_free(t);
        return NULL;
    }
    if (pthread_cond_init(&t->passed, NULL) != 0) {
        pthread_mutex_destroy(&t->lock);
        mem_free(t);
        return NULL;
    }
    return t;
}

void turn_free(turn *t)
{
    if (t) {
        pthread_cond_destroy(&t->passed);
        pthread_mutex_destroy(&t->lock);
        mem_free(t);
    }
}

void turn_wait(turn *t, uint64_t number)
{
    for (int i = 0; i < LOOKS_BEFORE_SLEEP; i++) {
        if (atomic_load_explicit(&t->now, memory_order_acquire) == number) {
            return;
        }
    }
    pthread_mutex_lock(&t->lock);
    while (atomic_load_explicit(&t->now, memory_order_acquire) != number) {
        pthread_cond_wait(&t->passed, &t->lock);
    }
    pthread_mutex_unlock(&t->lock);
}

void turn_pass(turn *t)
{
    pthread_mutex_lock(&t->lock);
    atomic_fetch_add_explicit(&t->now, 1, memory_order_release);
    pthread_cond_broadcast(&t->passed);
    pthread_mutex_unlock(&t->lock);
}
