#define _POSIX_C_SOURCE 200809L
#include "os/library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

library_function *library_find(const char *library, const char *function)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    void *symbol = handle ? dlsym(handle, function) : NULL;
    library_function *found = NULL;
    memcpy(&found, &symbol, sizeof found); /* POSIX has both alike; C has no cast for it */
    return found;
}
