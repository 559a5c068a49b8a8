/*
 * Helpers of the tests: temporary folders, whole files, commands. Include it
 * before any system header, since it asks for POSIX.
 */
#ifndef W2V_TESTS_SUPPORT_H
#define W2V_TESTS_SUPPORT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <ftw.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SUPPORT_PATH 512
#define SUPPORT_COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ----------------------------------------------------------------- folders */

/** Makes a fresh temporary folder and writes its path to `folder`. */
static inline void support_folder(char folder[SUPPORT_PATH])
{
    const char *base = getenv("TMPDIR");
    snprintf(folder, SUPPORT_PATH, "%s/w2v-test-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder)) {
        fail_msg("cannot make a temporary folder '%s'", folder);
    }
}

static inline int support_remove_entry(const char *path, const struct stat *facts, int kind,
                                       struct FTW *place)
{
    (void)facts;
    (void)kind;
    (void)place;
    return remove(path);
}

/** Removes a folder and all in it; links are removed, not followed. */
static inline void support_remove(const char *folder)
{
    nftw(folder, support_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/** Number of entries in a folder, hidden ones too. */
static inline int support_count(const char *folder)
{
    DIR *d = opendir(folder);
    assert_non_null(d);
    int count = -2; /* "." and ".." */
    while (readdir(d)) {
        count++;
    }
    closedir(d);
    return count;
}

/** Setup and teardown of a cmocka test: *state is the path of a fresh folder. */
static inline int support_setup(void **state)
{
    char *folder = malloc(SUPPORT_PATH);
    if (!folder) {
        return -1;
    }
    support_folder(folder);
    *state = folder;
    return 0;
}

static inline int support_teardown(void **state)
{
    support_remove(*state);
    free(*state);
    return 0;
}

/** "folder/name" into `path`, which is returned. */
static inline char *support_path(const char *folder, const char *name, char path[SUPPORT_PATH])
{
    const int n = snprintf(path, SUPPORT_PATH, "%s/%s", folder, name);
    assert_in_range(n, 1, SUPPORT_PATH - 1);
    return path;
}

/* ------------------------------------------------------------------- files */

/** Makes the file hold exactly these bytes. */
static inline void support_write(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static inline void support_write_text(const char *path, const char *text)
{
    support_write(path, text, strlen(text));
}

/** All bytes of a file, with a NUL after them; free() it. *n may be NULL. */
static inline char *support_read_stream(FILE *f, size_t *n)
{
    size_t size = 0, capacity = 4096;
    char *bytes = malloc(capacity);
    assert_non_null(bytes);
    for (;;) {
        const size_t got = fread(bytes + size, 1, capacity - size - 1, f);
        size += got;
        if (got == 0) {
            break;
        }
        if (capacity - size < 2) {
            capacity *= 2;
            bytes = realloc(bytes, capacity);
            assert_non_null(bytes);
        }
    }
    bytes[size] = '\0';
    if (n) {
        *n = size;
    }
    return bytes;
}

static inline char *support_read(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        fail_msg("cannot read '%s'", path);
    }
    char *bytes = support_read_stream(f, n);
    fclose(f);
    return bytes;
}

static inline bool support_exists(const char *path)
{
    struct stat facts;
    return lstat(path, &facts) == 0;
}

/** Permission bits of a file. */
static inline unsigned support_mode(const char *path)
{
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    return (unsigned)(facts.st_mode & 07777);
}

/* ---------------------------------------------------------------- commands */

/**
 * Runs a shell command. Returns its exit status (128 + signal when it was
 * killed); what it wrote to standard output goes to *out (free() it; may be
 * NULL).
 */
static inline int support_run(const char *command, char **out, size_t *n)
{
    fflush(NULL);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    char *text = support_read_stream(f, n);
    const int status = pclose(f);
    if (out) {
        *out = text;
    } else {
        free(text);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#endif
