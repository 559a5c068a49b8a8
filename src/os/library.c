#define _POSIX_C_SOURCE 200809L
#include "os/library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>

/* A limit on address space (`ulimit -v`) or on memory that is written (`ulimit -d`). */
static bool memory_is_limited(void)
{
    struct rlimit space, data;
    return (!getrlimit(RLIMIT_AS, &space) && space.rlim_cur != RLIM_INFINITY) ||
           (!getrlimit(RLIMIT_DATA, &data) && data.rlim_cur != RLIM_INFINITY);
}

library_function *library_find(const char *library, const char *function)
{
    void *handle = memory_is_limited() ? NULL : dlopen(library, RTLD_NOW | RTLD_LOCAL);
    void *symbol = handle ? dlsym(handle, function) : NULL;
    library_function *found = NULL;
    memcpy(&found, &symbol, sizeof found); /* POSIX has both alike; C has no cast for it */
    return found;
}
