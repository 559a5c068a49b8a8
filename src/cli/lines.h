/*
 * Lines of a file, a pipe or a terminal: LF, CR LF or CR at the end, a byte order
 * mark and blanks at both ends taken off, lines without anything skipped.
 */
#ifndef W2V_CLI_LINES_H
#define W2V_CLI_LINES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Longest line, bytes; a longer one is no question but a wrong file. */
#define LINES_MAX ((size_t)1 << 20)

typedef struct lines lines;

/** Opens a file, plain or gzip; "-" is standard input. Errors: W2V_ERR_INPUT, W2V_ERR_MEMORY. */
w2v_status lines_open(const char *path, lines **out, w2v_error *err);
/** Lines typed after `prompt`, which must outlive them. Errors: W2V_ERR_MEMORY. */
w2v_status lines_open_prompt(const char *prompt, lines **out, w2v_error *err);
/**
 * The next line that holds anything; `*end` tells that there is none. Valid
 * until the next call. Errors: W2V_ERR_INPUT (damaged, a line too long), W2V_ERR_IO,
 * W2V_ERR_MEMORY.
 */
w2v_status lines_next(lines *l, const char **line, size_t *n, bool *end, w2v_error *err);
void lines_close(lines *l);

/** Number of the last line, from 1, blank ones counted; and the name for errors. */
uint64_t lines_number(const lines *l);
const char *lines_name(const lines *l);

#endif
