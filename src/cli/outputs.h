/* The files that a command writes. */
#ifndef W2V_CLI_OUTPUTS_H
#define W2V_CLI_OUTPUTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** One file to be written. */
typedef struct output {
    const char *option; /* that named it, "--save-vocab" */
    const char *what;   /* "vectors", "vocabulary" */
    const char *path;   /* NULL: not asked for */
    char *stored;       /* where it was really written, NULL so far; heap */
    uint64_t bytes;     /* its size */
} output;

/**
 * The second file that `o` brings where its format (AUTO: by the name) has two; its path is NULL
 * where there is none, and is freed with w2v_free() as `stored`. Errors: W2V_ERR_MEMORY.
 */
w2v_status output_beside(const output *o, w2v_format format, output *beside, w2v_error *err);

/**
 * Checks, before any work, that all of them can be written, that none is an
 * input, and that no two are the same file. Errors: W2V_ERR_IO, W2V_ERR_ARGUMENT.
 */
w2v_status outputs_check(const output *outputs, size_t n, const w2v_inputs *inputs, w2v_error *err);

/**
 * Checks that none of them is `input`, a file that is read besides the inputs
 * and that `option` names (NULL: none). Errors: W2V_ERR_ARGUMENT.
 */
w2v_status outputs_spare(const output *outputs, size_t n, const char *option, const char *input,
                         w2v_error *err);

/** "-", or a FIFO or device: written directly, so that another name makes no sense. */
bool output_is_stream(const char *path);

/**
 * The name for an unfinished result: "vectors.bin" -> "vectors.partial.bin",
 * "v.txt.gz" -> "v.partial.txt.gz", "v" -> "v.partial"; streams keep their name.
 * Heap, NULL without memory.
 */
char *output_partial_name(const char *path);

/** The folder that `path` stands in, "." for streams. Heap, NULL without memory. */
char *output_folder(const char *path);

/** Size of a file by its path; 0 for streams. */
uint64_t output_size(const char *path);

/** Did standard output's reader go away? That ends quietly. */
bool output_pipe_closed(const char *path, const w2v_error *err);

#endif
