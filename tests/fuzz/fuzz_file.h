/* A file that holds what a target was given, for readers that take the name of one. Include it
   first, since it asks for POSIX. */
#ifndef W2V_TESTS_FUZZ_FILE_H
#define W2V_TESTS_FUZZ_FILE_H

#define _POSIX_C_SOURCE 200809L

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* In memory where the system has such a folder: a disk would set the pace. */
static char fuzz_in_memory[] = "/dev/shm/w2v-fuzz-XXXXXX", fuzz_on_disk[] = "/tmp/w2v-fuzz-XXXXXX";
static const char *fuzz_path = fuzz_in_memory;

static inline void fuzz_remove_file(void)
{
    remove(fuzz_path);
}

/** Its name, the same each time; gone at the end. */
static inline const char *fuzz_file(const uint8_t *data, size_t size)
{
    static int fd = -1;
    if (fd < 0) {
        fd = mkstemp(fuzz_in_memory);
        if (fd < 0) {
            fuzz_path = fuzz_on_disk;
            fd = mkstemp(fuzz_on_disk);
        }
        atexit(fuzz_remove_file);
    }
    if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size) {
        abort();
    }
    return fuzz_path;
}

#endif
