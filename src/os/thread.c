#define _POSIX_C_SOURCE 200809L
#include "os/thread.h"

#include "base/mem.h"

#include <pthread.h>
#ifdef _OPENMP
#include <omp.h>
#endif

void thread_team(int threads, void (*body)(void *arg, int thread, int team), void *arg)
{
#ifdef _OPENMP
    /* The region may get fewer threads than it asks for (OMP_THREAD_LIMIT); the body is told. */
#pragma omp parallel num_threads(threads > 1 ? threads : 1)
    {
        body(arg, omp_get_thread_num(), omp_get_num_threads());
    }
#else
    (void)threads;
    body(arg, 0, 1);
#endif
}

struct mutex {
    pthread_mutex_t native;
};

mutex *mutex_create(void)
{
    mutex *m = mem_alloc(sizeof *m);
    if (m && pthread_mutex_init(&m->native, NULL) != 0) {
        mem_free(m);
        m = NULL;
    }
    return m;
}

void mutex_free(mutex *m)
{
    if (m) {
        pthread_mutex_destroy(&m->native);
        mem_free(m);
    }
}

void mutex_lock(mutex *m)
{
    pthread_mutex_lock(&m->native);
}

void mutex_unlock(mutex *m)
{
    pthread_mutex_unlock(&m->native);
}
