#include "cli/commands.h"

#include "cli/suggest.h"

#include <string.h>

const command *const commands[] = {
    &command_train,      &command_vocab,  &command_neighbours, &command_analogy,
    &command_similarity, &command_vector, &command_eval,       &command_convert,
};
const size_t command_count = sizeof commands / sizeof *commands;

/* Calls for each name in "one two": true when `name` is among them, or nearest to `near`. */
static bool in_list(const char *list, const char *name, suggestion *near, const char *answer)
{
    while (list && *(list += strspn(list, " "))) {
        const size_t n = strcspn(list, " ");
        if (name && strlen(name) == n && memcmp(name, list, n) == 0) {
            return true;
        }
        if (near) {
            suggest_offer(near, list, n, answer);
        }
        list += n;
    }
    return false;
}

const command *commands_find(const char *name)
{
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(commands[i]->name, name) == 0 ||
            in_list(commands[i]->aliases, name, NULL, NULL)) {
            return commands[i];
        }
    }
    return NULL;
}

const char *commands_suggest(const char *name)
{
    suggestion s = {.typed = name, .length = strlen(name)};
    for (size_t i = 0; i < command_count; i++) {
        suggest_offer(&s, commands[i]->name, strlen(commands[i]->name), commands[i]->name);
        (void)in_list(commands[i]->aliases, NULL, &s, commands[i]->name);
    }
    suggest_offer(&s, "help", strlen("help"), "help");
    return s.best;
}
