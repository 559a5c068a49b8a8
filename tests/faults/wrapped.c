#define _GNU_SOURCE
#include "faults/wrapped.h"

#include "base/rng.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static wrapped_plan plan;
static atomic_uint_fast64_t calls;
static atomic_int victim_fd = -1;
static atomic_bool struck;
static atomic_int_fast64_t blocks, mapped;

void wrapped_begin(wrapped_plan wanted)
{
    plan = wanted;
    atomic_store(&struck, false);
    atomic_store(&victim_fd, -1);
    atomic_store(&calls, 0);
}

uint64_t wrapped_end(void)
{
    plan = (wrapped_plan){0};
    return atomic_load(&calls);
}

bool wrapped_struck(void)
{
    return atomic_load(&struck);
}

int64_t wrapped_blocks(void)
{
    return atomic_load(&blocks);
}

int64_t wrapped_mapped(void)
{
    return atomic_load(&mapped);
}

/* -------------------------------------------------------------------- plan */

static void change_victim(void)
{
    struct stat facts;
    if (stat(plan.victim, &facts) != 0) {
        abort();
    }
    if (plan.fault == WRAPPED_VANISH) {
        (void)unlink(plan.victim);
    } else if (truncate(plan.victim, plan.fault == WRAPPED_SHRINK ? facts.st_size / 2
                                                                  : facts.st_size + 1000) != 0) {
        abort();
    }
}

/* Counts a call. True when it is to fail, with `reason` in errno. */
static bool fails(int reason)
{
    const uint64_t number = atomic_fetch_add(&calls, 1) + 1;
    if (plan.fault >= WRAPPED_SHRINK && number >= plan.at && atomic_load(&victim_fd) >= 0 &&
        !atomic_exchange(&struck, true)) {
        change_victim();
    }
    if (plan.fault == WRAPPED_FAIL && (number == plan.at || (plan.forever && number > plan.at))) {
        errno = reason;
        return true;
    }
    return false;
}

/* As fails(), of a call that a signal may interrupt. */
static bool fails_or_stops(int reason)
{
    if (fails(reason)) {
        return true;
    }
    if (plan.fault == WRAPPED_INTERRUPT && rng_mix(atomic_load(&calls)) % 2 == 1) {
        errno = EINTR;
        return true;
    }
    return false;
}

/* Bytes that this transfer moves: 1 to 7 of them when it is to come short. */
static size_t moved(size_t n)
{
    const size_t most = (size_t)(atomic_load(&calls) % 7 + 1);
    return plan.fault == WRAPPED_SHORT && n > most ? most : n;
}

/* As moved(), on a disk that becomes full; 0 with ENOSPC in errno when it is. */
static size_t stored(size_t n)
{
    const uint64_t number = atomic_load(&calls);
    if (plan.fault != WRAPPED_FULL || number < plan.at) {
        return moved(n);
    }
    errno = ENOSPC;
    return number == plan.at ? n / 2 : 0;
}

/* ------------------------------------------------------------ opening, closing */

static void opened(const char *path, int fd)
{
    const char *slash = strrchr(path, '/');
    if (plan.victim && fd >= 0 && strcmp(slash ? slash + 1 : path, plan.victim) == 0) {
        atomic_store(&victim_fd, fd);
    }
}

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);

int __wrap_open64(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(args, unsigned) : 0;
    va_end(args);
    if (fails_or_stops(flags & O_CREAT ? ENOSPC : EMFILE)) {
        return -1;
    }
    const int fd = __real_open64(path, flags, mode);
    opened(path, fd);
    return fd;
}

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
    const bool failed = fails_or_stops(EIO);
    const int reason = errno;
    if (fd == atomic_load(&victim_fd)) {
        atomic_store(&victim_fd, -1);
    }
    const int result = __real_close(fd);
    errno = failed ? reason : errno;
    return failed ? -1 : result;
}

DIR *__real_opendir(const char *path);
DIR *__wrap_opendir(const char *path);
DIR *__wrap_opendir(const char *path)
{
    return fails(EMFILE) ? NULL : __real_opendir(path);
}

struct dirent *__real_readdir64(DIR *d);
struct dirent *__wrap_readdir64(DIR *d);
struct dirent *__wrap_readdir64(DIR *d)
{
    return fails(EIO) ? NULL : __real_readdir64(d);
}

/* ------------------------------------------------------------ moving bytes */

ssize_t __real_read(int fd, void *to, size_t n);
ssize_t __wrap_read(int fd, void *to, size_t n);
ssize_t __wrap_read(int fd, void *to, size_t n)
{
    return fails_or_stops(EIO) ? -1 : __real_read(fd, to, moved(n));
}

ssize_t __real_pread64(int fd, void *to, size_t n, off_t at);
ssize_t __wrap_pread64(int fd, void *to, size_t n, off_t at);
ssize_t __wrap_pread64(int fd, void *to, size_t n, off_t at)
{
    return fails_or_stops(EIO) ? -1 : __real_pread64(fd, to, moved(n), at);
}

ssize_t __real_write(int fd, const void *from, size_t n);
ssize_t __wrap_write(int fd, const void *from, size_t n);
ssize_t __wrap_write(int fd, const void *from, size_t n)
{
    if (fails_or_stops(ENOSPC)) {
        return -1;
    }
    const size_t part = stored(n);
    return part == 0 && n > 0 ? -1 : __real_write(fd, from, part);
}

ssize_t __real_pwrite64(int fd, const void *from, size_t n, off_t at);
ssize_t __wrap_pwrite64(int fd, const void *from, size_t n, off_t at);
ssize_t __wrap_pwrite64(int fd, const void *from, size_t n, off_t at)
{
    if (fails_or_stops(ENOSPC)) {
        return -1;
    }
    const size_t part = stored(n);
    return part == 0 && n > 0 ? -1 : __real_pwrite64(fd, from, part, at);
}

int __real_poll(struct pollfd *fds, nfds_t n, int milliseconds);
int __wrap_poll(struct pollfd *fds, nfds_t n, int milliseconds);
int __wrap_poll(struct pollfd *fds, nfds_t n, int milliseconds)
{
    return fails_or_stops(ENOMEM) ? -1 : __real_poll(fds, n, milliseconds);
}

/* Answers: the program flushes each, so that this is where their writing fails. */
size_t __real_fwrite(const void *from, size_t size, size_t n, FILE *f);
size_t __wrap_fwrite(const void *from, size_t size, size_t n, FILE *f);
size_t __wrap_fwrite(const void *from, size_t size, size_t n, FILE *f)
{
    return f == stdout && fails(ENOSPC) ? 0 : __real_fwrite(from, size, n, f);
}

int __real_fflush(FILE *f);
int __wrap_fflush(FILE *f);
int __wrap_fflush(FILE *f)
{
    return f == stdout && fails(ENOSPC) ? EOF : __real_fflush(f);
}

/* -------------------------------------------------------- files and folders */

int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
    (void)fd;
    return fails_or_stops(EIO) ? -1 : 0; /* the disk itself is not what is tested */
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to)
{
    return fails(EACCES) ? -1 : __real_rename(from, to);
}

int __real_stat64(const char *path, struct stat *facts);
int __wrap_stat64(const char *path, struct stat *facts);
int __wrap_stat64(const char *path, struct stat *facts)
{
    return fails(EACCES) ? -1 : __real_stat64(path, facts);
}

int __real_lstat64(const char *path, struct stat *facts);
int __wrap_lstat64(const char *path, struct stat *facts);
int __wrap_lstat64(const char *path, struct stat *facts)
{
    return fails(EACCES) ? -1 : __real_lstat64(path, facts);
}

int __real_fstat64(int fd, struct stat *facts);
int __wrap_fstat64(int fd, struct stat *facts);
int __wrap_fstat64(int fd, struct stat *facts)
{
    return fails(EIO) ? -1 : __real_fstat64(fd, facts);
}

int __real_access(const char *path, int mode);
int __wrap_access(const char *path, int mode);
int __wrap_access(const char *path, int mode)
{
    return fails(EACCES) ? -1 : __real_access(path, mode);
}

int __real_fchmod(int fd, mode_t mode);
int __wrap_fchmod(int fd, mode_t mode);
int __wrap_fchmod(int fd, mode_t mode)
{
    return fails(EPERM) ? -1 : __real_fchmod(fd, mode);
}

int __real_statvfs64(const char *path, struct statvfs *facts);
int __wrap_statvfs64(const char *path, struct statvfs *facts);
int __wrap_statvfs64(const char *path, struct statvfs *facts)
{
    return fails(EIO) ? -1 : __real_statvfs64(path, facts);
}

/* ------------------------------------------------------------------ memory */

static void *taken(void *p)
{
    atomic_fetch_add(&blocks, p != NULL);
    return p;
}

void *__real_malloc(size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_malloc(size_t n)
{
    return taken(__real_malloc(n));
}

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size)
{
    return taken(__real_calloc(n, size));
}

void *__real_aligned_alloc(size_t alignment, size_t n);
void *__wrap_aligned_alloc(size_t alignment, size_t n);
void *__wrap_aligned_alloc(size_t alignment, size_t n)
{
    return taken(__real_aligned_alloc(alignment, n));
}

void *__real_realloc(void *p, size_t n);
void *__wrap_realloc(void *p, size_t n);
void *__wrap_realloc(void *p, size_t n)
{
    return p ? __real_realloc(p, n) : taken(__real_realloc(p, n));
}

void __real_free(void *p);
void __wrap_free(void *p);
void __wrap_free(void *p)
{
    atomic_fetch_sub(&blocks, p != NULL);
    __real_free(p);
}

void *__real_mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
    void *p = __real_mmap(at, n, protection, flags, fd, offset);
    atomic_fetch_add(&mapped, p != MAP_FAILED ? (int64_t)n : 0);
    return p;
}

int __real_munmap(void *p, size_t n);
int __wrap_munmap(void *p, size_t n);
int __wrap_munmap(void *p, size_t n)
{
    atomic_fetch_sub(&mapped, (int64_t)n);
    return __real_munmap(p, n);
}
