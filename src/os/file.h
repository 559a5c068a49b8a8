/*
 * Files as the system has them: descriptors, whole reads and writes, what a
 * path is. Interrupted calls are repeated; only file_read(), which may wait for a
 * pipe, gives up with EINTR once a signal is pending (signals.h). Failures come back
 * as errno.
 */
#ifndef W2V_OS_FILE_H
#define W2V_OS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum file_kind {
    FILE_NONE,
    FILE_REGULAR,
    FILE_FOLDER,
    FILE_OTHER /* FIFO, device, socket */
} file_kind;

typedef struct file_facts {
    file_kind kind;
    uint64_t size;          /* bytes, of a regular file */
    uint64_t device, inode; /* the same pair: the same file */
    int64_t mtime_ns;
    unsigned mode; /* permission bits */
} file_facts;

/** Facts of what `path` names, links followed; kind FILE_NONE and 0 when nothing is there. Else
 * errno. */
int file_stat(const char *path, file_facts *facts);
int file_fstat(int fd, file_facts *facts);

#define FILE_STDIN 0
#define FILE_STDOUT 1

int file_open_read(const char *path, int *fd);
int file_open_write(const char *path,
                    int *fd); /* an existing FIFO or device; nothing is truncated or created */
/** Creates a new hidden file beside `target` (same folder), for a later file_rename(); the name is
    malloc-free: written to `name`, of `size` bytes. Errno ENAMETOOLONG when it does not fit. */
int file_create_beside(const char *target, unsigned mode, char *name, size_t size, int *fd);
/** Removes such files of `target` that killed processes have left; those that are open, in any
   process, stay. Failures are of no account. */
void file_clear_beside(const char *target);
/** One more descriptor of an open file, which keeps its lock when the first one is closed. */
int file_hold(int fd, int *held);
/** An unlinked temporary file in `folder`, open for reading and writing. */
int file_create_unlinked(const char *folder, int *fd);
/** Up to n bytes (at least 1 unless at the end); *got is 0 at the end of the file. */
int file_read(int fd, void *buffer, size_t n, size_t *got);
int file_pread(int fd, void *buffer, size_t n, uint64_t offset,
               size_t *got);                         /* all n bytes unless the file ends */
int file_write(int fd, const void *bytes, size_t n); /* all of them */
int file_pwrite(int fd, const void *bytes, size_t n, uint64_t offset);
int file_sync(int fd);                       /* to the disk */
int file_sync_folder(const char *file_path); /* the folder that holds it, after a rename */
int file_close(int fd);
int file_rename(const char *from, const char *to);
int file_remove(const char *path);
int file_chmod(int fd, unsigned mode);
bool file_readable(const char *path, int *sys_errno); /* access(2), R_OK */
bool file_writable(const char *path, int *sys_errno); /* access(2), W_OK */
/** Bytes that this process may still write on the file system where the file stands, or would
   stand: links are followed, the folder must exist. */
int file_free_space(const char *file_path, uint64_t *bytes);
/** Tells the system that the file is read once, in order. Advice only. */
void file_advise_sequential(int fd);
/** Follows symbolic links (also a dangling last one) to the file that a rename must replace.
 * Caller's buffer. */
int file_resolve(const char *path, char *out, size_t size);

/** Calls `visit` for each entry of a folder ("." and ".." left out), in no order; it returns 0 to
   go on. What it returns else is returned; otherwise 0 or errno. */
int file_list(const char *folder, int (*visit)(void *user, const char *name), void *user);

#define FILE_PATH_MAX 4352 /* PATH_MAX and the name of a temporary */

#endif
