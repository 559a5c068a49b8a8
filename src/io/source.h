/*
 * Where text comes from: a file, standard input, a FIFO, memory; plain or
 * gzip, told apart by the first bytes. One reader for every purpose.
 */
#ifndef W2V_IO_SOURCE_H
#define W2V_IO_SOURCE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct source source;

typedef struct source_options {
    bool hash; /* SHA-256 of the stored bytes */
} source_options;

/** Opens `path` ("-" is standard input). `options` may be NULL. Errors: W2V_ERR_INPUT,
 * W2V_ERR_MEMORY. */
w2v_status source_open(const char *path, const source_options *options, source **out,
                       w2v_error *err);
/** Reads from memory[0..n-1], which must outlive the source; `name` is used in errors. */
w2v_status source_open_memory(const void *memory, size_t n, const char *name, source **out,
                              w2v_error *err);
/**
 * Next bytes of text, up to n (n >= 1), as many as come without waiting twice;
 * *got == 0 only at the end. Concatenated gzip members are one text; zero
 * padding after the last is ignored, other bytes there are ignored and noted.
 * At the end it checks CRC and length, and that the file has not changed since
 * it was opened. Errors: W2V_ERR_INPUT with the offset in the text reached
 * ("'x.gz' ends early at byte N (truncated gzip)", "'x.gz' is damaged at byte N (…)",
 * "'x' changed while it was read", "'x' is a zstd file, which is not supported");
 * W2V_ERR_IO when the system fails to read; W2V_ERR_MEMORY. An error is final.
 */
w2v_status source_read(source *s, void *buffer, size_t n, size_t *got, w2v_error *err);
void source_close(source *s); /* NULL is allowed */

const char *source_name(const source *s);
uint64_t source_stored_done(const source *s); /* bytes of the stored file consumed */
bool source_is_gzip(const source *s);         /* known after the first read */
bool source_trailing(const source *s);        /* bytes after the last gzip member were ignored */
/** After the end: hex digits, or NULL when not asked for. Owned by the source. */
const char *source_hash(source *s);

#endif
