#include "cli/commands.h"

#include "cli/suggest.h"

#include <string.h>

const command *const commands[] = {
    &command_train,      &command_vocab,   &command_neighbours, &command_analogy,
    &command_similarity, &command_vector,  &command_eval,       &command_stats,
    &command_predict,    &command_convert, &command_map,
};
const size_t command_count = sizeof commands / sizeof *commands;

/* Is it one of the names in "one two three"? */
static bool in_list(const char *list, const char *name)
{
    size_t n;
    for (const char *one; (one = option_next_alias(&list, &n));) {
        if (option_name_equal(name, one, n)) {
            return true;
        }
    }
    return false;
}

const command *commands_find(const char *name)
{
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(commands[i]->name, name) == 0 || in_list(commands[i]->aliases, name)) {
            return commands[i];
        }
    }
    return NULL;
}

const char *commands_suggest(const char *name)
{
    suggestion s = {.typed = name, .length = strlen(name)};
    for (size_t i = 0; i < command_count; i++) {
        const char *answer = commands[i]->name;
        const char *rest = commands[i]->aliases;
        size_t n;
        if (in_list(commands[i]->others, name)) {
            return answer;
        }
        suggest_offer(&s, answer, strlen(answer), answer);
        for (const char *alias; (alias = option_next_alias(&rest, &n));) {
            suggest_offer(&s, alias, n, answer);
        }
    }
    suggest_offer(&s, "help", strlen("help"), "help");
    return s.best;
}
