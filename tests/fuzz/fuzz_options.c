/* Any bytes as a command line, one argument a line, the first a command's name. */
#include "cli/commands.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST 64

static int cut(char *text, size_t size, char *argv[MOST])
{
    int argc = 0;
    text[size] = '\0';
    for (char *line = text; line && argc < MOST; argc++) {
        char *end = strchr(line, '\n');
        argv[argc] = line;
        line = end ? end + 1 : NULL;
        if (end) {
            *end = '\0';
        }
    }
    return argc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *argv[MOST], *text = malloc(size + 1);
    if (!text) {
        return 0;
    }
    memcpy(text, data, size);
    const int argc = cut(text, size, argv);
    const command *c = commands_find(argv[0]);
    if (!c) {
        c = commands[size % command_count];
    }
    void *args = calloc(1, c->args_size + 1);
    const char *items[MOST];
    const option *given[MOST];
    arguments words = {.items = items, .given = given};
    bool help = false;
    w2v_error err = {0};
    c->defaults(args);
    const w2v_status status = options_parse(c, argc - 1, argv + 1, args, &words, &help, &err);
    if (status != err.code || (status != W2V_OK) != (err.text[0] != '\0') ||
        words.count > (size_t)argc || words.given_count > (size_t)argc) {
        abort();
    }
    for (size_t g = 0; status == W2V_OK && !help && g < c->group_count; g++) {
        for (const option *o = c->groups[g].rows; o->name; o++) {
            char value[OPTION_VALUE];
            if (option_format(o, option_field(&c->groups[g], o, args), value) &&
                !memchr(value, '\0', sizeof value)) {
                abort();
            }
        }
    }
    free(args);
    free(text);
    return 0;
}
