/* Help, made from the tables of commands and options. */
#ifndef W2V_CLI_HELP_H
#define W2V_CLI_HELP_H

#include "base/buf.h"
#include "cli/options.h"

/** Columns that no line of the help exceeds. */
#define HELP_COLUMNS 96

/** Appends the help of a command, with the defaults that its defaults() gives. */
bool help_command(buf *out, const command *c);
/** Appends the list of commands. */
bool help_program(buf *out, const command *const *commands, size_t count);

#endif
