/* A file that holds what a target was given, for readers that take the name of one. Include it
   first, since it asks for POSIX. */
#ifndef W2V_TESTS_FUZZ_FILE_H
#define W2V_TESTS_FUZZ_FILE_H

#define _POSIX_C_SOURCE 200809L

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Files of a target, in memory where the system has a folder for it: a disk would set the pace. */
enum { FUZZ_FILES = 2 };
static struct fuzz_place {
    char path[32];
    int fd;
} fuzz_places[FUZZ_FILES];

static inline void fuzz_remove_files(void)
{
    for (int i = 0; i < FUZZ_FILES; i++) {
        if (fuzz_places[i].path[0]) {
            remove(fuzz_places[i].path);
        }
    }
}

/** Name of file `number`, the same each time, which holds the bytes now; gone at the end. */
static inline const char *fuzz_file(int number, const uint8_t *data, size_t size)
{
    struct fuzz_place *p = &fuzz_places[number];
    if (!p->path[0]) {
        strcpy(p->path, "/dev/shm/w2v-fuzz-XXXXXX");
        p->fd = mkstemp(p->path);
        if (p->fd < 0) {
            strcpy(p->path, "/tmp/w2v-fuzz-XXXXXX");
            p->fd = mkstemp(p->path);
        }
        atexit(fuzz_remove_files); /* twice does no harm */
    }
    if (p->fd < 0 || ftruncate(p->fd, 0) != 0 || pwrite(p->fd, data, size, 0) != (ssize_t)size) {
        abort();
    }
    return p->path;
}

#endif
