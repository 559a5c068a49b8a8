/* Teams of threads (OpenMP) and a mutex. A team may be smaller than was asked for. */
#ifndef W2V_OS_THREAD_H
#define W2V_OS_THREAD_H

/** Runs body(arg, thread, team) once in each of at most `threads` threads; returns when all are
 * done. */
void thread_team(int threads, void (*body)(void *arg, int thread, int team), void *arg);

typedef struct mutex mutex; /* heap and opaque */
mutex *mutex_create(void);
void mutex_free(mutex *m);
void mutex_lock(mutex *m);
void mutex_unlock(mutex *m);

#endif
