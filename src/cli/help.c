#include "cli/help.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "render/text.h"

#include <string.h>

/* Where the text of an option begins; a longer left side gets a line of its own. */
#define TEXT_COLUMN 30

static bool append_metavar(buf *out, const option *o)
{
    if (o->metavar) {
        return buf_printf(out, " %s", o->metavar);
    }
    bool ok = true;
    for (const option_choice *c = o->choices; ok && c && c->name; c++) {
        ok = buf_printf(out, "%s%s", c == o->choices ? " " : "|", c->name);
    }
    return ok;
}

/* "(default 100)", or nothing. */
static bool append_default(buf *out, const option *o, const void *field)
{
    char value[OPTION_VALUE];
    if (o->default_text) {
        return !*o->default_text || buf_printf(out, " (default %s)", o->default_text);
    }
    if (o->type == OPTION_FLAG || !option_format(o, field, value)) {
        return true;
    }
    return buf_printf(out, " (default %s)", value);
}

static bool help_option(buf *out, const option *o, const void *field)
{
    buf left = {0}, text = {0};
    bool ok = o->letter ? buf_printf(&left, "  -%c, --%s", o->letter, o->name)
                        : buf_printf(&left, "      --%s", o->name);
    ok = ok && append_metavar(&left, o) && buf_printf(&text, "%s", o->help) &&
         append_default(&text, o, field);
    if (ok) {
        const size_t width = utf8_width(left.data, left.size);
        const bool own_line = width + 2 > TEXT_COLUMN;
        ok = buf_append(out, left.data, left.size) && (!own_line || buf_append(out, "\n", 1)) &&
             buf_printf(out, "%*s", (int)(own_line ? TEXT_COLUMN : TEXT_COLUMN - width), "") &&
             render_wrap(out, text.data, TEXT_COLUMN, TEXT_COLUMN, HELP_COLUMNS) &&
             buf_printf(out, "\n");
    }
    buf_clear(&left);
    buf_clear(&text);
    return ok;
}

static bool help_group(buf *out, const option_group *g, void *args)
{
    bool ok = buf_printf(out, "\n%s:\n", g->title);
    for (const option *o = g->rows; ok && o->name; o++) {
        if (!o->hidden) {
            ok = help_option(out, o, option_field(g, o, args));
        }
    }
    return ok;
}

bool help_command(buf *out, const command *c)
{
    void *args = mem_calloc(1, c->args_size);
    if (!args) {
        return false;
    }
    c->defaults(args);
    bool ok = buf_printf(out, "usage: w2v %s %s\n\n", c->name, c->usage) &&
              render_wrap(out, c->about, 0, 0, HELP_COLUMNS) &&
              buf_printf(out, "\n\n%s:\n%s", strchr(c->examples, '\n')[1] ? "examples" : "example",
                         c->examples);
    for (size_t g = 0; ok && g < c->group_count; g++) {
        ok = help_group(out, &c->groups[g], args);
    }
    mem_free(args);
    return ok;
}

bool help_program(buf *out, const command *const *commands, size_t count)
{
    bool ok = buf_append_string(
        out, "usage: w2v COMMAND [ARGUMENT…] [OPTION…]\n\n"
             "Skip-gram word vectors: from a text to the table, and questions asked of it.\n\n"
             "commands:\n");
    for (size_t i = 0; ok && i < count; i++) {
        ok = buf_printf(out, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
    }
    return ok && buf_printf(out, "%s",
                            "  help         explains a command: w2v help train\n\n"
                            "examples:\n"
                            "  w2v train corpus.txt.gz -o vectors.bin\n"
                            "  w2v neighbours vectors.bin cat\n"
                            "  w2v analogy king man woman --exclude-inputs\n\n"
                            "'w2v COMMAND --help' lists a command's options,"
                            " 'w2v --version' tells what is built in.\n");
}
