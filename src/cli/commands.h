/* The commands of the program. A new one is a file of its own and a row in commands.c. */
#ifndef W2V_CLI_COMMANDS_H
#define W2V_CLI_COMMANDS_H

#include "cli/options.h"

extern const command command_train;
extern const command command_vocab;
extern const command command_neighbours;
extern const command command_analogy;
extern const command command_similarity;
extern const command command_vector;
extern const command command_eval;
extern const command command_stats;
extern const command command_predict;
extern const command command_convert;
extern const command command_map;

extern const command *const commands[];
extern const size_t command_count;

/** By name or alias; NULL when there is none. */
const command *commands_find(const char *name);
/** The command that other tools call so, or the nearest to a misspelt name, or NULL. */
const char *commands_suggest(const char *name);

#endif
