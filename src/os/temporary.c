/*
 * Temporary files: beside the file that they will replace, or without a name.
 * Those with a name are locked as long as they are open, so that what a killed
 * run left behind can be told from what another run is writing.
 */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "os/file.h"
#include "os/signals.h"

#include "base/rng.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
#define UNIQUE 8 /* of them in a name */

static int open_new(const char *path, int flags, unsigned mode, int *fd)
{
    do {
        *fd = open(path, flags | O_CLOEXEC | O_NOCTTY, (mode_t)mode);
    } while (*fd < 0 && errno == EINTR && !signals_pending());
    return *fd < 0 ? errno : 0;
}

/* Bytes of `path` before its last component, the slash included; 0 for a bare name. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Locks a file just made. False when somebody who clears up took it for a leftover before that;
   where files have no locks nobody clears up. */
static bool claim(int fd)
{
    struct stat facts;
    while (flock(fd, LOCK_EX) != 0 && errno == EINTR) {
    }
    if (fstat(fd, &facts) == 0 && facts.st_nlink == 0) {
        close(fd);
        return false;
    }
    return true;
}

/* A value that differs between processes and calls; O_EXCL is what makes the name ours. */
static uint64_t name_seed(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    const uint64_t moment = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    return rng_mix(moment) ^ (uint64_t)getpid();
}

/*
 * Bytes of a file name that its temporary's name repeats: with the rest of the
 * name it stays below what any usual file system allows (143 and more), and
 * a UTF-8 character is not cut.
 */
static size_t kept_name(const char *name)
{
    size_t n = strlen(name);
    if (n > 120) {
        n = 120;
        while (n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80) {
            n--;
        }
    }
    return n;
}

int file_create_beside(const char *target, unsigned mode, char *name, size_t size, int *fd)
{
    const size_t folder = folder_length(target);
    const int kept = (int)kept_name(target + folder);
    if (folder > FILE_PATH_MAX) {
        return ENAMETOOLONG;
    }
    uint64_t random = name_seed();
    for (int attempt = 0; attempt < 100; attempt++) {
        random = rng_mix(random);
        char unique[UNIQUE + 1] = {0};
        uint64_t rest = random;
        for (size_t i = 0; i + 1 < sizeof unique; i++) {
            unique[i] = digits[rest % 36];
            rest /= 36;
        }
        const int length = snprintf(name, size, "%.*s.%.*s.%s.tmp", (int)folder, target, kept,
                                    target + folder, unique);
        if (length < 0 || (size_t)length >= size) {
            return ENAMETOOLONG;
        }
        const int e = open_new(name, O_RDWR | O_CREAT | O_EXCL, mode, fd);
        if (e && e != EEXIST) {
            return e;
        }
        if (e == 0 && claim(*fd)) {
            return 0;
        }
    }
    return EEXIST;
}

int file_create_unlinked(const char *folder, int *fd)
{
#ifdef O_TMPFILE
    if (open_new(folder, O_TMPFILE | O_RDWR, 0600, fd) == 0) {
        return 0;
    }
#endif
    /* Not every file system has nameless files. */
    char beside[FILE_PATH_MAX], name[FILE_PATH_MAX];
    const int length = snprintf(beside, sizeof beside, "%s/w2v", folder);
    if (length < 0 || (size_t)length >= sizeof beside) {
        return ENAMETOOLONG;
    }
    const int e = file_create_beside(beside, 0600, name, sizeof name, fd);
    if (e == 0) {
        unlink(name);
    }
    return e;
}

/* ------------------------------------------------------------- clearing up */

typedef struct clearing {
    const char *target;
    size_t folder;
} clearing;

/* Is it the name of a temporary of this target: ".NAME.xxxxxxxx.tmp"? */
static bool is_temporary(const clearing *c, const char *name)
{
    const char *own = c->target + c->folder;
    const size_t kept = kept_name(own), n = strlen(name);
    if (n != 1 + kept + 1 + UNIQUE + 4 || name[0] != '.' || memcmp(name + 1, own, kept) != 0 ||
        name[1 + kept] != '.' || strcmp(name + n - 4, ".tmp") != 0) {
        return false;
    }
    return strspn(name + 2 + kept, digits) == UNIQUE;
}

static int clear_entry(void *user, const char *name)
{
    const clearing *c = user;
    char path[FILE_PATH_MAX];
    int fd;
    const int length = snprintf(path, sizeof path, "%.*s%s", (int)c->folder, c->target, name);
    if (!is_temporary(c, name) || length < 0 || (size_t)length >= sizeof path ||
        open_new(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0, &fd)) {
        return 0;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
        unlink(path); /* while it is locked: who made it just now will notice */
    }
    close(fd);
    return 0;
}

void file_clear_beside(const char *target)
{
    char folder[FILE_PATH_MAX];
    clearing c = {.target = target, .folder = folder_length(target)};
    const int length = snprintf(folder, sizeof folder, "%.*s", c.folder ? (int)c.folder : 1,
                                c.folder ? target : ".");
    if (length > 0 && (size_t)length < sizeof folder) {
        (void)file_list(folder, clear_entry, &c); /* what cannot be cleared does no harm */
    }
}

int file_hold(int fd, int *held)
{
    *held = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return *held < 0 ? errno : 0;
}
