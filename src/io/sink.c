#define ZLIB_CONST
#include "io/sink.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/shown.h"
#include "io/zlib_memory.h"
#include "os/file.h"
#include "os/term.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#define PACKED_BUFFER ((size_t)1 << 16)
#define GZIP_LEVEL 6 /* as gzip itself; 9 takes twice the time for a hundredth of the size */

struct sink {
    char *name;   /* for errors */
    char *target; /* the file that is replaced, links resolved; NULL: written directly */
    char *temporary;
    int fd;   /* -1: memory */
    int lock; /* holds the temporary until it has its final name; -1 for none */
    bool is_stdout;
    bool is_terminal;      /* and not compressed: what could drive it is spelt out */
    char cut[SHOWN_NEEDS]; /* bytes that begin a character, perhaps, and go out with the next */
    size_t cut_size;
    buf held; /* bytes not written yet; everything, of a memory sink */
    bool gzip, z_ready;
    z_stream z;
    unsigned char *packed;
    uint64_t stored;
    w2v_status failed;
    int sys_errno;
};

/* ------------------------------------------------------------------ errors */

static w2v_status fail(sink *s, int sys_errno, w2v_error *err)
{
    s->failed = W2V_ERR_IO;
    s->sys_errno = sys_errno;
    return error_sys(err, W2V_ERR_IO, sys_errno, "cannot write '%s'", s->name);
}

static w2v_status fail_memory(sink *s, w2v_error *err)
{
    s->failed = W2V_ERR_MEMORY;
    return error_set(err, W2V_ERR_MEMORY, "out of memory for writing '%s'", s->name);
}

static w2v_status fail_again(sink *s, w2v_error *err)
{
    return s->failed == W2V_ERR_MEMORY ? fail_memory(s, err) : fail(s, s->sys_errno, err);
}

/* ----------------------------------------------------------------- opening */

static void free_sink(sink *s)
{
    if (s->z_ready) {
        deflateEnd(&s->z);
    }
    buf_clear(&s->held);
    mem_free(s->packed);
    mem_free(s->name);
    mem_free(s->target);
    mem_free(s->temporary);
    mem_free(s);
}

static w2v_status prepare_gzip(sink *s, w2v_error *err)
{
    s->packed = mem_alloc(PACKED_BUFFER);
    s->z = (z_stream){.zalloc = zlib_alloc, .zfree = zlib_free};
    /* 16: a gzip header; zlib's own has time 0 and no name, so that the same text gives the same
     * bytes. */
    if (!s->packed || deflateInit2(&s->z, GZIP_LEVEL, Z_DEFLATED, 16 + MAX_WBITS, 8,
                                   Z_DEFAULT_STRATEGY) != Z_OK) {
        return fail_memory(s, err);
    }
    s->z_ready = true;
    return W2V_OK;
}

/* A temporary beside the file, with the mode of the one that it will replace. */
static w2v_status open_beside(sink *s, const char *target, const file_facts *old, w2v_error *err)
{
    char temporary[FILE_PATH_MAX];
    int e = 0;
    const bool replaces = old->kind == FILE_REGULAR;
    if (replaces && !file_writable(target, &e)) {
        return fail(s, e, err);
    }
    e = file_create_beside(target, replaces ? old->mode : 0666, temporary, sizeof temporary,
                           &s->fd);
    if (e == 0 && file_hold(s->fd, &s->lock)) {
        s->lock = -1; /* then only a run that begins at the very end of this one could interfere */
    }
    if (e) {
        s->fd = -1;
        fail(s, e, err);
        if (replaces && e == EACCES) {
            error_hint(err, "its folder must be writable, since a file is replaced only when the "
                            "new one is complete");
        }
        return W2V_ERR_IO;
    }
    s->temporary = mem_strndup(temporary, strlen(temporary));
    s->target = mem_strndup(target, strlen(target));
    if (!s->temporary || !s->target) {
        (void)file_remove(temporary);
        return fail_memory(s, err);
    }
    e = replaces ? file_chmod(s->fd, old->mode) : 0; /* what the umask took away when it was made */
    return e ? fail(s, e, err) : W2V_OK;
}

static w2v_status open_path(sink *s, const char *path, w2v_error *err)
{
    if (s->is_stdout) {
        s->fd = FILE_STDOUT;
        return W2V_OK;
    }
    const size_t n = strlen(path);
    if (n == 0 || path[n - 1] == '/') {
        return fail(s, n == 0 ? ENOENT : EISDIR, err);
    }
    file_facts facts;
    int e = file_stat(path, &facts);
    if (e == 0 && facts.kind == FILE_FOLDER) {
        e = EISDIR;
    }
    if (e) {
        return fail(s, e, err);
    }
    if (facts.kind == FILE_OTHER) {
        e = file_open_write(path, &s->fd);
        return e ? fail(s, e, err) : W2V_OK;
    }
    char target[FILE_PATH_MAX];
    e = file_resolve(path, target, sizeof target);
    return e ? fail(s, e, err) : open_beside(s, target, &facts, err);
}

w2v_status sink_open(const char *path, bool gzip, sink **out, w2v_error *err)
{
    *out = NULL;
    sink *s = mem_calloc(1, sizeof *s);
    if (!s) {
        return error_memory(err, "writing a file");
    }
    s->fd = -1;
    s->lock = -1;
    s->gzip = gzip;
    /* /dev/stdout may stand for a file that the shell goes on writing to: it must not be replaced.
     */
    s->is_stdout = strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
    const char *name = s->is_stdout ? "standard output" : path;
    s->name = mem_strndup(name, strlen(name));
    w2v_status status = W2V_OK;
    if (!s->name || !buf_reserve(&s->held, SINK_BUFFER)) {
        status = error_memory(err, "writing a file");
    }
    if (status == W2V_OK && gzip) {
        status = prepare_gzip(s, err);
    }
    if (status == W2V_OK) {
        status = open_path(s, path, err);
    }
    s->is_terminal = status == W2V_OK && !gzip && term_is_terminal(s->fd);
    if (status != W2V_OK) {
        sink_abort(s);
        return status;
    }
    *out = s;
    return W2V_OK;
}

w2v_status sink_open_memory(sink **out, w2v_error *err)
{
    *out = NULL;
    sink *s = mem_calloc(1, sizeof *s);
    if (!s) {
        return error_memory(err, "a text in memory");
    }
    s->fd = -1;
    s->lock = -1;
    s->name = mem_strndup("memory", 6);
    if (!s->name) {
        mem_free(s);
        return error_memory(err, "a text in memory");
    }
    *out = s;
    return W2V_OK;
}

/* ----------------------------------------------------------------- writing */

static w2v_status store(sink *s, const void *bytes, size_t n, w2v_error *err)
{
    const int e = file_write(s->fd, bytes, n);
    if (e) {
        return fail(s, e, err);
    }
    s->stored += n;
    return W2V_OK;
}

/* Compresses n bytes and stores what comes out; `flush` is Z_FINISH at the very end. */
static w2v_status store_packed(sink *s, const char *bytes, size_t n, int flush, w2v_error *err)
{
    s->z.next_in = (const unsigned char *)bytes;
    s->z.avail_in = (uInt)n; /* n <= SINK_BUFFER */
    do {
        s->z.next_out = s->packed;
        s->z.avail_out = (uInt)PACKED_BUFFER;
        (void)deflate(&s->z, flush); /* cannot fail: its state is sound and there is room */
        const w2v_status status = store(s, s->packed, PACKED_BUFFER - s->z.avail_out, err);
        if (status != W2V_OK) {
            return status;
        }
    } while (s->z.avail_out == 0);
    return W2V_OK;
}

/* Writes what a terminal may be sent: lines and tabs as they are, other controls and bytes that are
   not UTF-8 spelt out. The last few bytes wait, unless nothing follows: a character may be cut. */
static w2v_status store_shown(sink *s, const char *bytes, size_t n, bool last, w2v_error *err)
{
    buf in = {0}, out = {0};
    bool ok = buf_append(&in, s->cut, s->cut_size) && buf_append(&in, bytes, n);
    size_t at = 0;
    while (ok && at < in.size && (last || in.size - at >= SHOWN_NEEDS)) {
        char text[SHOWN_CHAR];
        const char c = in.data[at];
        size_t taken = 1;
        if (c == '\n' || c == '\t') {
            ok = buf_append(&out, &c, 1);
        } else {
            const size_t m = shown_char(in.data + at, in.size - at, text, &taken);
            ok = buf_append(&out, text, m);
        }
        at += taken;
    }
    if (ok) {
        s->cut_size = in.size - at;
        memcpy(s->cut, in.data ? in.data + at : "", s->cut_size);
    }
    const w2v_status status = ok ? store(s, out.data, out.size, err) : fail_memory(s, err);
    buf_clear(&in);
    buf_clear(&out);
    return status;
}

/* Empties the buffer of a sink that is not memory; `last`: for good. */
static w2v_status flush_held(sink *s, bool last, w2v_error *err)
{
    const size_t n = s->held.size;
    s->held.size = 0;
    return s->gzip          ? store_packed(s, s->held.data, n, last ? Z_FINISH : Z_NO_FLUSH, err)
           : s->is_terminal ? store_shown(s, s->held.data, n, last, err)
                            : store(s, s->held.data, n, err);
}

char *sink_room(sink *s, size_t n, w2v_error *err)
{
    if (s->failed != W2V_OK) {
        fail_again(s, err);
        return NULL;
    }
    if (s->fd < 0) {
        if (!buf_reserve(&s->held, n)) {
            fail_memory(s, err);
            return NULL;
        }
    } else if (SINK_BUFFER - s->held.size < n && flush_held(s, false, err) != W2V_OK) {
        return NULL;
    }
    return s->held.data + s->held.size;
}

void sink_advance(sink *s, size_t n)
{
    s->held.size += n;
}

w2v_status sink_write(sink *s, const void *bytes, size_t n, w2v_error *err)
{
    const char *p = bytes;
    while (n > 0) {
        size_t take = n < SINK_BUFFER ? n : SINK_BUFFER;
        /* What fits goes beside what is held; else the buffer is emptied first. */
        if (s->fd >= 0 && s->held.size < SINK_BUFFER && take > SINK_BUFFER - s->held.size) {
            take = SINK_BUFFER - s->held.size;
        }
        char *room = sink_room(s, take, err);
        if (!room) {
            return s->failed;
        }
        memcpy(room, p, take);
        sink_advance(s, take);
        p += take;
        n -= take;
    }
    return s->failed == W2V_OK ? W2V_OK : fail_again(s, err);
}

w2v_status sink_printf(sink *s, w2v_error *err, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    const size_t size = length < 0 ? 0 : (size_t)length + 1; /* with the NUL */
    char *text = NULL;
    w2v_status status = W2V_OK;
    if (length < 0) {
        status = fail(s, errno, err);
    } else if (size <= SINK_BUFFER) {
        char *room = sink_room(s, size, err);
        status = s->failed;
        if (room) {
            vsnprintf(room, size, format, again);
            sink_advance(s, size - 1);
        }
    } else if ((text = mem_alloc(size)) != NULL) {
        vsnprintf(text, size, format, again);
        status = sink_write(s, text, size - 1, err);
        mem_free(text);
    } else {
        status = fail_memory(s, err);
    }
    va_end(again);
    return status;
}

/* --------------------------------------------------------------- finishing */

/* The last bytes, and for a file that is replaced: to the disk, closed, renamed. */
static w2v_status finish(sink *s, w2v_error *err)
{
    const w2v_status status = s->failed == W2V_OK ? flush_held(s, true, err) : fail_again(s, err);
    if (status != W2V_OK || s->is_stdout) {
        return status;
    }
    int e = s->temporary ? file_sync(s->fd) : 0;
    if (e == 0) {
        const int fd = s->fd;
        s->fd = -1;
        e = file_close(fd); /* network file systems tell only now that the disk is full */
    }
    if (e == 0 && s->temporary) {
        e = file_rename(s->temporary, s->target);
        if (e == 0) {
            mem_free(s->temporary); /* nothing is left to remove */
            s->temporary = NULL;
            e = file_sync_folder(s->target);
        }
    }
    return e ? fail(s, e, err) : W2V_OK;
}

w2v_status sink_commit(sink *s, uint64_t *bytes, w2v_error *err)
{
    w2v_status status;
    if (s->fd < 0) {
        status = s->failed == W2V_OK ? W2V_OK : fail_again(s, err);
        s->stored = s->held.size;
    } else {
        status = finish(s, err);
    }
    if (bytes) {
        *bytes = s->stored;
    }
    sink_abort(s);
    return status;
}

void sink_abort(sink *s)
{
    if (s) {
        if (s->fd >= 0 && !s->is_stdout) {
            (void)file_close(s->fd); /* what was written is given up */
        }
        if (s->temporary) {
            (void)file_remove(s->temporary);
        }
        if (s->lock >= 0) {
            (void)file_close(s->lock);
        }
        free_sink(s);
    }
}

const char *sink_memory(const sink *s, size_t *n)
{
    *n = s->held.size;
    return s->held.data ? s->held.data : "";
}

bool sink_name_is_gzip(const char *path)
{
    const size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".gz") == 0;
}
