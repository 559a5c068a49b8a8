/*
 * Where results go. A regular file is written to a hidden temporary beside it
 * and renamed when it is complete; FIFOs, devices and "-" are written
 * directly. Everything is checked to the last byte. What a terminal is sent has
 * control characters and bytes that are not UTF-8 spelt out.
 */
#ifndef W2V_IO_SINK_H
#define W2V_IO_SINK_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sink sink;

/** `gzip`: compress. Errors: W2V_ERR_IO (a folder, unwritable, no space), W2V_ERR_MEMORY. */
w2v_status sink_open(const char *path, bool gzip, sink **out, w2v_error *err);
/** Collects in memory (for tests and renderers). */
w2v_status sink_open_memory(sink **out, w2v_error *err);
/** Buffered. After a failure further writes do nothing and return the same status. */
w2v_status sink_write(sink *s, const void *bytes, size_t n, w2v_error *err);
w2v_status sink_printf(sink *s, w2v_error *err, const char *format, ...) W2V_PRINTF(3, 4);
/** Room for at least n <= SINK_BUFFER bytes inside the buffer, to be filled by the caller and then
    told with sink_advance(); NULL after a failure. Saves a copy on hot paths. */
#define SINK_BUFFER ((size_t)1 << 18)
char *sink_room(sink *s, size_t n, w2v_error *err);
void sink_advance(sink *s, size_t n);
/** Flushes, syncs, renames. Only after W2V_OK does the final name hold the new content. Frees s
    in every case. *bytes (may be NULL): size of what was stored. */
w2v_status sink_commit(sink *s, uint64_t *bytes, w2v_error *err);
/** Gives up: removes the temporary, leaves an older file as it was, frees s. NULL is allowed. */
void sink_abort(sink *s);
/** Of a memory sink before commit. */
const char *sink_memory(const sink *s, size_t *n);

/** Does the name end in ".gz"? */
bool sink_name_is_gzip(const char *path);

#endif
