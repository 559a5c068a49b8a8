#define ZLIB_CONST /* zlib then takes its input as const */
#include "io/source.h"

#include "base/mem.h"
#include "base/sha256.h"
#include "io/magic.h"
#include "io/zlib_memory.h"
#include "os/file.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

#define STORED_BUFFER                                                                              \
    ((size_t)1 << 18)                  /* what inflate works from; it fits a second-level cache    \
                                        */
#define READ_REQUEST ((size_t)1 << 20) /* larger requests are not faster */

typedef enum stage {
    STAGE_START, /* nothing read: the kind is unknown */
    STAGE_PLAIN,
    STAGE_MEMBER,  /* inside a gzip member */
    STAGE_BETWEEN, /* after one */
    STAGE_END,
} stage;

struct source {
    char *name;
    int fd; /* -1: memory */
    bool is_stdin;
    file_facts opened; /* as it was when it was opened */
    source_options options;
    stage stage;
    w2v_error failed; /* an error is final, and told again */

    /* Stored bytes read and not used yet: in[at .. end-1]. */
    unsigned char *buffer; /* owned; NULL for memory */
    const unsigned char *in;
    size_t at, end;
    bool stored_end;
    uint64_t stored; /* read in all */

    uint64_t text; /* bytes handed out */
    z_stream z;
    bool z_ready, is_gzip, trailing;
    sha256 hash;
    char hex[SHA256_HEX];
};

/* ----------------------------------------------------------------- opening */

static w2v_status fill_source(source *s, const char *path, w2v_error *err)
{
    s->is_stdin = strcmp(path, "-") == 0;
    const char *name = s->is_stdin ? "standard input" : path;
    s->name = mem_strndup(name, strlen(name));
    s->buffer = mem_alloc(STORED_BUFFER);
    if (!s->name || !s->buffer) {
        return error_memory(err, "reading a file");
    }
    s->in = s->buffer;
    int e = 0;
    if (s->is_stdin) {
        s->fd = FILE_STDIN;
    } else {
        e = file_open_read(path, &s->fd);
    }
    if (e == 0) {
        e = file_fstat(s->fd, &s->opened);
    }
    if (e) {
        return error_sys(err, W2V_ERR_INPUT, e, "cannot read '%s'", name);
    }
    if (s->opened.kind == FILE_FOLDER) {
        return error_set(err, W2V_ERR_INPUT, "'%s' is a folder", name);
    }
    file_advise_sequential(s->fd);
    return W2V_OK;
}

w2v_status source_open(const char *path, const source_options *options, source **out,
                       w2v_error *err)
{
    *out = NULL;
    source *s = mem_calloc(1, sizeof *s);
    if (!s) {
        return error_memory(err, "reading a file");
    }
    s->fd = -1;
    if (options) {
        s->options = *options;
    }
    sha256_init(&s->hash);
    const w2v_status status = fill_source(s, path, err);
    if (status != W2V_OK) {
        source_close(s);
        return status;
    }
    *out = s;
    return W2V_OK;
}

w2v_status source_open_memory(const void *memory, size_t n, const char *name, source **out,
                              w2v_error *err)
{
    *out = NULL;
    source *s = mem_calloc(1, sizeof *s);
    if (!s) {
        return error_memory(err, "reading from memory");
    }
    s->fd = -1;
    s->name = mem_strndup(name, strlen(name));
    if (!s->name) {
        source_close(s);
        return error_memory(err, "reading from memory");
    }
    s->in = n ? memory : (const void *)""; /* NULL is no start of anything */
    s->end = n;
    s->stored = n;
    s->stored_end = true;
    *out = s;
    return W2V_OK;
}

void source_close(source *s)
{
    if (s) {
        if (s->z_ready) {
            inflateEnd(&s->z);
        }
        if (s->fd >= 0 && !s->is_stdin) {
            (void)file_close(s->fd); /* nothing was written: nothing can be lost */
        }
        mem_free(s->buffer);
        mem_free(s->name);
        mem_free(s);
    }
}

/* ------------------------------------------------------------ stored bytes */

/* Was the file written to since it was opened? Pipes and devices have no answer. */
static w2v_status check_unchanged(const source *s, w2v_error *err)
{
    if (s->opened.kind != FILE_REGULAR) {
        return W2V_OK;
    }
    file_facts now;
    const int e = file_fstat(s->fd, &now);
    if (e) {
        return error_sys(err, W2V_ERR_IO, e, "cannot read '%s'", s->name);
    }
    /* Files of /proc have size 0 and content; standard input may start in the middle of its file.
     */
    const bool length_known = s->opened.size > 0 && !s->is_stdin;
    if (now.size != s->opened.size || now.mtime_ns != s->opened.mtime_ns ||
        (length_known && s->stored != s->opened.size)) {
        return error_set(err, W2V_ERR_INPUT, "'%s' changed while it was read", s->name);
    }
    return W2V_OK;
}

/* Up to n more stored bytes; *got == 0 at their end, where the file is looked at once more. */
static w2v_status read_stored(source *s, void *buffer, size_t n, size_t *got, w2v_error *err)
{
    *got = 0;
    if (s->stored_end) {
        return W2V_OK;
    }
    const int e = file_read(s->fd, buffer, n < READ_REQUEST ? n : READ_REQUEST, got);
    if (e) {
        return error_sys(err, W2V_ERR_IO, e, "cannot read '%s'", s->name);
    }
    s->stored += *got;
    if (s->options.hash) {
        sha256_update(&s->hash, buffer, *got);
    }
    if (*got == 0) {
        s->stored_end = true;
        if (s->options.hash) {
            sha256_finish(&s->hash, s->hex);
        }
        return check_unchanged(s, err);
    }
    return W2V_OK;
}

/* More bytes behind those in the buffer, which move to its front. */
static w2v_status refill(source *s, w2v_error *err)
{
    if (s->stored_end) {
        return W2V_OK;
    }
    if (s->at > 0) {
        memmove(s->buffer, s->buffer + s->at, s->end - s->at);
        s->end -= s->at;
        s->at = 0;
    }
    size_t got;
    const w2v_status status = read_stored(s, s->buffer + s->end, STORED_BUFFER - s->end, &got, err);
    s->end += got;
    return status;
}

/* --------------------------------------------------------------- the stages */

static w2v_status begin_gzip(source *s, w2v_error *err)
{
    s->is_gzip = true;
    s->z = (z_stream){.zalloc = zlib_alloc, .zfree = zlib_free};
    if (inflateInit2(&s->z, 16 + MAX_WBITS) != Z_OK) { /* 16: a gzip wrapper, checked by zlib */
        return error_memory(err, "decompression");
    }
    s->z_ready = true;
    s->stage = STAGE_MEMBER;
    return W2V_OK;
}

/* Looks at the first bytes, and waits for more of them only while they may be a known magic. */
static w2v_status begin(source *s, w2v_error *err)
{
    magic m;
    while ((m = magic_find(s->in + s->at, s->end - s->at)).kind == MAGIC_UNDECIDED &&
           !s->stored_end) {
        const w2v_status status = refill(s, err);
        if (status != W2V_OK) {
            return status;
        }
    }
    if (m.kind == MAGIC_GZIP ||
        (m.kind == MAGIC_UNDECIDED && s->end > s->at && s->in[s->at] == 0x1f)) {
        return begin_gzip(s, err); /* a lone 1f is the start of a gzip file that was cut off */
    }
    if (m.kind == MAGIC_OTHER) {
        error_set(err, W2V_ERR_INPUT, "'%s' is a %s file, which is not supported", s->name, m.name);
        error_hint(err, "unpack it on the way: %s '%s' | w2v … -", m.unpack,
                   s->is_stdin ? "FILE" : s->name);
        return W2V_ERR_INPUT;
    }
    s->stage = STAGE_PLAIN;
    return W2V_OK;
}

static w2v_status read_plain(source *s, void *buffer, size_t n, size_t *got, w2v_error *err)
{
    if (s->at < s->end) {
        *got = n < s->end - s->at ? n : s->end - s->at;
        memcpy(buffer, s->in + s->at, *got);
        s->at += *got;
        return W2V_OK;
    }
    const w2v_status status = read_stored(s, buffer, n, got, err);
    if (status == W2V_OK && *got == 0) {
        s->stage = STAGE_END;
    }
    return status;
}

static w2v_status damaged(const source *s, int code, w2v_error *err)
{
    const unsigned long long byte = s->text;
    w2v_status status = W2V_ERR_INPUT;
    if (code == Z_MEM_ERROR) {
        return error_memory(err, "decompression");
    }
    if (code == Z_BUF_ERROR) {
        status =
            error_set(err, status, "'%s' ends early at byte %llu (truncated gzip)", s->name, byte);
    } else {
        status = error_set(err, status, "'%s' is damaged at byte %llu (%s)", s->name, byte,
                           s->z.msg ? s->z.msg : "bad gzip data");
    }
    if (err && err->offset == 0) {
        err->offset = s->text;
    }
    return status;
}

/* Text from inside a member. What came before a fault is handed out first. */
static w2v_status read_member(source *s, void *buffer, size_t n, size_t *got, w2v_error *err)
{
    s->z.next_out = buffer;
    s->z.avail_out = n < UINT_MAX ? (uInt)n : UINT_MAX;
    const uInt room = s->z.avail_out;
    int code = Z_OK;
    while (code == Z_OK && s->z.avail_out == room) {
        if (s->at == s->end) {
            const w2v_status status = refill(s, err);
            if (status != W2V_OK) {
                return status;
            }
        }
        const size_t left = s->end - s->at;
        const uInt give = left < UINT_MAX ? (uInt)left : UINT_MAX;
        s->z.next_in = s->in + s->at;
        s->z.avail_in = give;
        code = inflate(&s->z, Z_NO_FLUSH);
        s->at += give - s->z.avail_in;
        if (code == Z_BUF_ERROR && !s->stored_end) {
            code = Z_OK; /* it only wants more */
        }
    }
    *got = room - s->z.avail_out;
    if (code == Z_STREAM_END) {
        s->stage = STAGE_BETWEEN;
        return W2V_OK;
    }
    return code == Z_OK || *got > 0 ? W2V_OK : damaged(s, code, err);
}

/* Reads on to the end of the stored bytes, for their hash and so that a pipe's writer can finish.
 */
static w2v_status drain(source *s, w2v_error *err)
{
    w2v_status status = W2V_OK;
    do {
        s->at = s->end;
        status = refill(s, err);
    } while (status == W2V_OK && s->at < s->end);
    s->stage = STAGE_END;
    return status;
}

/* After a member: another one, padding, the end, or bytes that belong to nothing. */
static w2v_status pass_gap(source *s, w2v_error *err)
{
    for (;;) {
        while (s->at < s->end && s->in[s->at] == 0) {
            s->at++;
        }
        const size_t left = s->end - s->at;
        if (left < 2 && !s->stored_end) {
            const w2v_status status = refill(s, err);
            if (status != W2V_OK) {
                return status;
            }
            continue;
        }
        if (left == 0) {
            s->stage = STAGE_END;
            return W2V_OK;
        }
        if (s->in[s->at] == 0x1f && (left == 1 || s->in[s->at + 1] == 0x8b)) {
            s->stage = STAGE_MEMBER;
            return inflateReset(&s->z) == Z_OK ? W2V_OK : damaged(s, Z_STREAM_ERROR, err);
        }
        s->trailing = true;
        return drain(s, err);
    }
}

static w2v_status step(source *s, void *buffer, size_t n, size_t *got, w2v_error *err)
{
    switch (s->stage) {
    case STAGE_START:
        return begin(s, err);
    case STAGE_PLAIN:
        return read_plain(s, buffer, n, got, err);
    case STAGE_MEMBER:
        return read_member(s, buffer, n, got, err);
    case STAGE_BETWEEN:
        return pass_gap(s, err);
    case STAGE_END:
        break;
    }
    return W2V_OK;
}

w2v_status source_read(source *s, void *buffer, size_t n, size_t *got, w2v_error *err)
{
    *got = 0;
    while (*got == 0 && s->stage != STAGE_END && s->failed.code == W2V_OK) {
        (void)step(s, buffer, n, got, &s->failed);
    }
    if (s->failed.code != W2V_OK) {
        *got = 0;
        return error_pass(err, &s->failed);
    }
    s->text += *got;
    return W2V_OK;
}

/* ------------------------------------------------------------------- facts */

const char *source_name(const source *s)
{
    return s->name;
}

uint64_t source_stored_done(const source *s)
{
    return s->stored - (s->end - s->at);
}

bool source_is_gzip(const source *s)
{
    return s->is_gzip;
}

bool source_trailing(const source *s)
{
    return s->trailing;
}

const char *source_hash(source *s)
{
    return s->options.hash && s->stored_end ? s->hex : NULL;
}
