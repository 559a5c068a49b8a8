/* The terminal. */
#ifndef W2V_OS_TERM_H
#define W2V_OS_TERM_H

#include <stdbool.h>

bool term_is_terminal(int fd);
int term_columns(int fd);               /* 80 where unknown */
const char *term_env(const char *name); /* the environment, NULL when unset or empty */

#endif
