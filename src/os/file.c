#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "os/file.h"
#include "os/signals.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#define REQUEST_MAX ((size_t)1 << 30) /* some systems refuse requests of 2 GB and more */
#define LINKS_MAX 40                  /* as Linux follows before it says ELOOP */

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

/* ------------------------------------------------------------------- facts */

static int64_t nanoseconds(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void take_facts(const struct stat *st, file_facts *facts)
{
    *facts = (file_facts){
        .kind = S_ISREG(st->st_mode)   ? FILE_REGULAR
                : S_ISDIR(st->st_mode) ? FILE_FOLDER
                                       : FILE_OTHER,
        .size = S_ISREG(st->st_mode) && st->st_size > 0 ? (uint64_t)st->st_size : 0,
        .device = (uint64_t)st->st_dev,
        .inode = (uint64_t)st->st_ino,
        .mtime_ns = nanoseconds(st->st_mtim),
        .mode = (unsigned)(st->st_mode & 07777),
    };
}

int file_stat(const char *path, file_facts *facts)
{
    struct stat st;
    *facts = (file_facts){.kind = FILE_NONE};
    if (stat(path, &st) != 0) {
        return errno == ENOENT ? 0 : errno;
    }
    take_facts(&st, facts);
    return 0;
}

int file_fstat(int fd, file_facts *facts)
{
    struct stat st;
    *facts = (file_facts){.kind = FILE_NONE};
    if (fstat(fd, &st) != 0) {
        return errno;
    }
    take_facts(&st, facts);
    return 0;
}

bool file_readable(const char *path, int *sys_errno)
{
    const bool ok = access(path, R_OK) == 0;
    *sys_errno = ok ? 0 : errno;
    return ok;
}

bool file_writable(const char *path, int *sys_errno)
{
    const bool ok = access(path, W_OK) == 0;
    *sys_errno = ok ? 0 : errno;
    return ok;
}

/* ------------------------------------------------------------------- paths */

/* Bytes of `path` before its last component, the slash included; 0 for a bare name. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The folder that holds the file, as a path of its own. */
static int folder_of(const char *file_path, char *out, size_t size)
{
    const size_t n = folder_length(file_path);
    const int length = snprintf(out, size, "%.*s", n ? (int)n : 1, n ? file_path : ".");
    return length < 0 || (size_t)length >= size ? ENAMETOOLONG : 0;
}

/* One step: `out` names a link; it becomes what the link says, seen from the link's folder. */
static int follow(char *out, size_t size)
{
    char target[FILE_PATH_MAX];
    const ssize_t n = readlink(out, target, sizeof target - 1);
    if (n < 0) {
        return errno;
    }
    target[n] = '\0';
    const size_t keep = target[0] == '/' ? 0 : folder_length(out);
    if (keep + (size_t)n + 1 > size) {
        return ENAMETOOLONG;
    }
    memcpy(out + keep, target, (size_t)n + 1);
    return 0;
}

int file_resolve(const char *path, char *out, size_t size)
{
    const size_t n = strlen(path);
    if (n + 1 > size) {
        return ENAMETOOLONG;
    }
    memcpy(out, path, n + 1);
    for (int i = 0; i < LINKS_MAX; i++) {
        struct stat st;
        if (lstat(out, &st) != 0) {
            return errno == ENOENT ? 0 : errno; /* the folder may be missing: opening will tell */
        }
        if (!S_ISLNK(st.st_mode)) {
            return 0;
        }
        const int e = follow(out, size);
        if (e) {
            return e;
        }
    }
    return ELOOP;
}

int file_free_space(const char *file_path, uint64_t *bytes)
{
    char target[FILE_PATH_MAX], folder[FILE_PATH_MAX];
    struct statvfs facts;
    int e = file_resolve(file_path, target, sizeof target);
    if (e == 0) {
        e = folder_of(target, folder, sizeof folder);
    }
    if (e == 0 && statvfs(folder, &facts) != 0) {
        e = errno;
    }
    if (e) {
        return e;
    }
    const uint64_t block = facts.f_frsize ? facts.f_frsize : facts.f_bsize;
    const uint64_t blocks = facts.f_bavail; /* the system's own reserve is not ours */
    *bytes = block && blocks > UINT64_MAX / block ? UINT64_MAX : block * blocks;
    return 0;
}

int file_list(const char *folder, int (*visit)(void *user, const char *name), void *user)
{
    DIR *d = opendir(folder);
    if (!d) {
        return errno;
    }
    int result = 0;
    while (result == 0) {
        errno = 0;
        const struct dirent *entry = readdir(d);
        if (!entry) {
            result = errno;
            break;
        }
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            result = visit(user, entry->d_name);
        }
    }
    closedir(d);
    return result;
}

/* ----------------------------------------------------------------- opening */

static int open_path(const char *path, int flags, unsigned mode, int *fd)
{
    do {
        *fd = open(path, flags | O_CLOEXEC | O_NOCTTY, (mode_t)mode);
    } while (*fd < 0 && errno == EINTR && !signals_pending());
    return *fd < 0 ? errno : 0;
}

int file_open_read(const char *path, int *fd)
{
    /* Opening a FIFO would wait for its writer where no signal reaches us; file_read() waits
     * instead. */
    const int failed = open_path(path, O_RDONLY | O_NONBLOCK, 0, fd);
    if (failed) {
        return failed;
    }
    const int flags = fcntl(*fd, F_GETFL);
    return flags < 0 || fcntl(*fd, F_SETFL, flags & ~O_NONBLOCK) < 0 ? errno : 0;
}

int file_open_write(const char *path, int *fd)
{
    return open_path(path, O_WRONLY, 0, fd);
}

/* ------------------------------------------------------- reading and writing */

/*
 * After a call that failed: should it be made again? Waits where a descriptor
 * that we inherited does not block (a shell's pipe may be like that).
 */
static bool again(int fd, short events)
{
    if (errno == EINTR) {
        return true;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
        struct pollfd wait = {.fd = fd, .events = events};
        return poll(&wait, 1, -1) >= 0 || errno == EINTR;
    }
    return false;
}

/* Waits until something can be read, the end included; EINTR when the user asks to stop first. */
static int wait_readable(int fd)
{
    /* Short waits, since a signal may reach another thread than the one that waits here. */
    const int milliseconds = 100;
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    int ready = 0;
    while (!signals_pending() && ready == 0) {
        ready = poll(&wait, 1, milliseconds);
        if (ready < 0 && errno == EINTR) {
            ready = 0;
        } /* any other failure: reading itself will tell, or wait */
    }
    return signals_pending() ? EINTR : 0;
}

int file_read(int fd, void *buffer, size_t n, size_t *got)
{
    *got = 0;
    for (;;) {
        const int stopped = wait_readable(fd);
        if (stopped) {
            return stopped;
        }
        const ssize_t r = read(fd, buffer, n < REQUEST_MAX ? n : REQUEST_MAX);
        if (r >= 0) {
            *got = (size_t)r;
            return 0;
        }
        if (!again(fd, POLLIN)) {
            return errno;
        }
    }
}

int file_pread(int fd, void *buffer, size_t n, uint64_t offset, size_t *got)
{
    char *p = buffer;
    *got = 0;
    while (*got < n) {
        const size_t want = n - *got < REQUEST_MAX ? n - *got : REQUEST_MAX;
        const ssize_t r = pread(fd, p + *got, want, (off_t)(offset + *got));
        if (r == 0) {
            return 0;
        }
        if (r > 0) {
            *got += (size_t)r;
        } else if (!again(fd, POLLIN)) {
            return errno;
        }
    }
    return 0;
}

int file_write(int fd, const void *bytes, size_t n)
{
    const char *p = bytes;
    while (n > 0) {
        const ssize_t r = write(fd, p, n < REQUEST_MAX ? n : REQUEST_MAX);
        if (r > 0) {
            p += r;
            n -= (size_t)r;
        } else if (r == 0) {
            return EIO; /* no progress and no reason: never go round for ever */
        } else if (!again(fd, POLLOUT)) {
            return errno;
        }
    }
    return 0;
}

int file_pwrite(int fd, const void *bytes, size_t n, uint64_t offset)
{
    const char *p = bytes;
    while (n > 0) {
        const ssize_t r = pwrite(fd, p, n < REQUEST_MAX ? n : REQUEST_MAX, (off_t)offset);
        if (r > 0) {
            p += r;
            n -= (size_t)r;
            offset += (uint64_t)r;
        } else if (r == 0) {
            return EIO;
        } else if (!again(fd, POLLOUT)) {
            return errno;
        }
    }
    return 0;
}

void file_advise_sequential(int fd)
{
#ifdef POSIX_FADV_SEQUENTIAL
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
#else
    (void)fd;
#endif
}

/* --------------------------------------------------------------- finishing */

int file_sync(int fd)
{
    while (fsync(fd) != 0) {
        if (errno == EINVAL || errno == ENOTSUP) {
            return 0; /* nothing behind it that could be synced */
        }
        if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

int file_sync_folder(const char *file_path)
{
    char folder[FILE_PATH_MAX];
    int fd;
    int e = folder_of(file_path, folder, sizeof folder);
    if (e) {
        return e;
    }
    e = open_path(folder, O_RDONLY | O_DIRECTORY, 0, &fd);
    if (e) {
        return e == EACCES ? 0 : e; /* a folder may be writable and not readable */
    }
    e = file_sync(fd);
    close(fd);
    return e;
}

int file_close(int fd)
{
    /* After EINTR the descriptor is gone on Linux; a second try could close someone else's. */
    return close(fd) == 0 || errno == EINTR ? 0 : errno;
}

int file_rename(const char *from, const char *to)
{
    return rename(from, to) == 0 ? 0 : errno;
}

int file_remove(const char *path)
{
    return unlink(path) == 0 ? 0 : errno;
}

int file_chmod(int fd, unsigned mode)
{
    return fchmod(fd, (mode_t)mode) == 0 ? 0 : errno;
}
