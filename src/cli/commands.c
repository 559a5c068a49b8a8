#include "cli/commands.h"

#include "cli/suggest.h"

#include <string.h>

const command *const commands[] = {
    &command_train,      &command_vocab,  &command_neighbours, &command_analogy,
    &command_similarity, &command_vector, &command_eval,       &command_convert,
};
const size_t command_count = sizeof commands / sizeof *commands;

static bool has_alias(const command *c, const char *name)
{
    const char *rest = c->aliases;
    size_t n;
    for (const char *alias; (alias = option_next_alias(&rest, &n));) {
        if (strlen(name) == n && memcmp(name, alias, n) == 0) {
            return true;
        }
    }
    return false;
}

const command *commands_find(const char *name)
{
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(commands[i]->name, name) == 0 || has_alias(commands[i], name)) {
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
        suggest_offer(&s, answer, strlen(answer), answer);
        for (const char *alias; (alias = option_next_alias(&rest, &n));) {
            suggest_offer(&s, alias, n, answer);
        }
    }
    suggest_offer(&s, "help", strlen("help"), "help");
    return s.best;
}
