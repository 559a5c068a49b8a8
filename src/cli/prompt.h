/* Questions typed on a terminal, with line editing and history where libedit is built in. */
#ifndef W2V_CLI_PROMPT_H
#define W2V_CLI_PROMPT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct prompt prompt;

/** `text` stands before each line; it must outlive the prompt. NULL without memory. */
prompt *prompt_open(const char *text);
/**
 * The next line without its end; false at the end of the input. The line is
 * valid until the next call. Errors: W2V_ERR_MEMORY.
 */
w2v_status prompt_next(prompt *p, const char **line, size_t *n, bool *end, w2v_error *err);
void prompt_close(prompt *p);

/** For --version: ", libedit" or ", no libedit". */
const char *prompt_build_info(void);

#endif
