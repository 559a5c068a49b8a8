#include "cli/options.h"

#include "cli/suggest.h"

#include <string.h>

/* What parsing has at hand everywhere. */
typedef struct parser {
    const command *command;
    int argc;
    char *const *argv;
    int next; /* argument to be looked at next */
    void *args;
    arguments *words;
    bool *help;
    w2v_error *err;
} parser;

bool option_name_equal(const char *a, const char *b, size_t b_length)
{
    for (size_t i = 0; i < b_length; i++) {
        if ((a[i] == '_' ? '-' : a[i]) != (b[i] == '_' ? '-' : b[i])) {
            return false; /* also where `a` ends */
        }
    }
    return a[b_length] == '\0';
}

const char *option_next_alias(const char **list, size_t *length)
{
    const char *p = *list ? *list + strspn(*list, " ") : "";
    *length = strcspn(p, " ");
    *list = p + *length;
    return *length ? p : NULL;
}

static bool has_name(const option *o, const char *name, size_t length)
{
    if (option_name_equal(o->name, name, length)) {
        return true;
    }
    const char *rest = o->aliases;
    size_t n;
    for (const char *alias; (alias = option_next_alias(&rest, &n));) {
        size_t i = 0;
        while (i < n && i < length && (name[i] == '_' ? '-' : name[i]) == alias[i]) {
            i++;
        }
        if (i == n && i == length) {
            return true;
        }
    }
    return false;
}

const option *options_find(const command *c, const char *name, size_t length,
                           const option_group **group)
{
    for (size_t g = 0; g < c->group_count; g++) {
        for (const option *o = c->groups[g].rows; o->name; o++) {
            if (has_name(o, name, length)) {
                if (group) {
                    *group = &c->groups[g];
                }
                return o;
            }
        }
    }
    return NULL;
}

static const option *find_letter(const command *c, char letter, const option_group **group)
{
    for (size_t g = 0; g < c->group_count; g++) {
        for (const option *o = c->groups[g].rows; o->name; o++) {
            if (o->letter == letter) {
                *group = &c->groups[g];
                return o;
            }
        }
    }
    return NULL;
}

static suggestion nearest(const command *c, const char *name, size_t length)
{
    suggestion s = {.typed = name, .length = length};
    for (size_t g = 0; g < c->group_count; g++) {
        for (const option *o = c->groups[g].rows; o->name; o++) {
            suggest_offer(&s, o->name, strlen(o->name), o->name);
            const char *rest = o->aliases;
            size_t n;
            for (const char *alias; (alias = option_next_alias(&rest, &n));) {
                suggest_offer(&s, alias, n, o->name);
            }
        }
    }
    return s;
}

const char *options_suggest(const command *c, const char *name, size_t length)
{
    return nearest(c, name, length).best;
}

/* `dashes` and name as typed, e.g. "--", "dmi". */
static w2v_status unknown(const parser *p, const char *dashes, const char *name, size_t length)
{
    error_set(p->err, W2V_ERR_ARGUMENT, "unknown option '%s%.*s'", dashes, (int)length, name);
    const char *near = options_suggest(p->command, name, length);
    if (near) {
        error_hint(p->err, "did you mean '--%s'?", near);
    } else {
        error_hint(p->err, "'w2v %s --help' lists the options", p->command->name);
    }
    return W2V_ERR_ARGUMENT;
}

/* Is the whole argument an option that we know ("--dim", "-size", "-d"), so that it is no value? */
static bool is_option(const parser *p, const char *arg)
{
    const option_group *group;
    if (arg[0] != '-' || !arg[1]) {
        return false;
    }
    const char *name = arg + (arg[1] == '-' ? 2 : 1);
    const size_t length = strcspn(name, "=");
    if (length && options_find(p->command, name, length, NULL)) {
        return true;
    }
    return arg[1] == '-' ? !arg[2] : !arg[2] && find_letter(p->command, arg[1], &group);
}

/* The value that stands in the next argument, or NULL with the error filled. */
static const char *following_value(parser *p, const option *o, const char *spelling)
{
    if (p->next >= p->argc || is_option(p, p->argv[p->next])) {
        error_set(p->err, W2V_ERR_ARGUMENT, "option '%s' needs a value", spelling);
        if (p->next < p->argc) {
            error_hint(p->err, "'%s' is an option itself; a value like this is given as '--%s=%s'",
                       p->argv[p->next], o->name, p->argv[p->next]);
        }
        return NULL;
    }
    return p->argv[p->next++];
}

static w2v_status apply(parser *p, const option *o, const option_group *group, const char *spelling,
                        const char *value)
{
    if (o->type == OPTION_HELP) {
        *p->help = true;
        return W2V_OK;
    }
    if (p->words->given) {
        p->words->given[p->words->given_count++] = o;
    }
    void *field = option_field(group, o, p->args);
    if (o->type == OPTION_FLAG) {
        *(bool *)field = true;
        return W2V_OK;
    }
    const w2v_status status = option_set(o, field, spelling, value, p->err);
    if (!status && o->type == OPTION_POSITIONAL) {
        p->words->items[p->words->count++] = value;
    }
    return status;
}

/* A spelling for messages: dashes and name without the value. */
#define SPELLING 128
static void spell(char out[SPELLING], const char *dashes, const char *name, size_t length)
{
    size_t at = 0;
    for (; *dashes; dashes++) {
        out[at++] = *dashes;
    }
    for (size_t i = 0; i < length && at < SPELLING - 1; i++) {
        out[at++] = name[i];
    }
    out[at] = '\0';
}

static w2v_status parse_long(parser *p, const option *o, const option_group *group,
                             const char *dashes, const char *name, size_t length)
{
    char spelling[SPELLING];
    spell(spelling, dashes, name, length);
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    if (!option_takes_value(o)) {
        if (value) {
            return error_set(p->err, W2V_ERR_ARGUMENT, "option '%s' takes no value ('%s')",
                             spelling, value);
        }
    } else if (!value) {
        value = following_value(p, o, spelling);
        if (!value) {
            return W2V_ERR_ARGUMENT;
        }
    }
    return apply(p, o, group, spelling, value);
}

/*
 * Is "-ouput" a slip for "--output" rather than -o with the value "uput"? A
 * number tells itself apart; a name does when it is one slip from a long one.
 */
static bool is_slip(const parser *p, const option *o, const char *name)
{
    const size_t length = strcspn(name, "=");
    if (o->type == OPTION_TEXT) {
        const suggestion s = nearest(p->command, name, length);
        return length >= 5 && s.best && s.distance == 1;
    }
    const bool negative = name[1] == '-' && name[2] >= '0' && name[2] <= '9';
    return !negative && !strchr("=.+0123456789", name[1]);
}

/* "-rq": letters never cluster. */
static w2v_status unknown_letters(const parser *p, const char *arg)
{
    const size_t length = strcspn(arg + 1, "=");
    const option_group *group;
    if (length == 2 && find_letter(p->command, arg[1], &group) &&
        find_letter(p->command, arg[2], &group)) {
        error_set(p->err, W2V_ERR_ARGUMENT, "unknown option '%s'", arg);
        error_hint(p->err, "letters are not joined: '-%c -%c'", arg[1], arg[2]);
    }
    return unknown(p, "-", arg + 1, length);
}

static w2v_status parse_letter(parser *p, const char *arg)
{
    const option_group *group;
    const option *o = find_letter(p->command, arg[1], &group);
    const char *value = arg[2] ? arg + 2 : NULL;
    if (!o || (value && (!option_takes_value(o) || is_slip(p, o, arg + 1)))) {
        return unknown_letters(p, arg);
    }
    const char spelling[3] = {'-', arg[1], '\0'};
    if (value) {
        value += value[0] == '=';
    } else if (option_takes_value(o)) {
        value = following_value(p, o, spelling);
        if (!value) {
            return W2V_ERR_ARGUMENT;
        }
    }
    return apply(p, o, group, spelling, value);
}

static w2v_status parse_option(parser *p, const char *arg)
{
    const bool two = arg[1] == '-';
    const char *dashes = two ? "--" : "-";
    const char *name = arg + (two ? 2 : 1);
    const size_t length = strcspn(name, "=");
    const option_group *group;
    const option *o = length ? options_find(p->command, name, length, &group) : NULL;
    if (o) {
        return parse_long(p, o, group, dashes, name, length);
    }
    return two ? unknown(p, dashes, name, length) : parse_letter(p, arg);
}

w2v_status options_parse(const command *c, int argc, char *const argv[], void *args,
                         arguments *words, bool *help, w2v_error *err)
{
    parser p = {.command = c,
                .argc = argc,
                .argv = argv,
                .args = args,
                .words = words,
                .help = help,
                .err = err};
    bool only_words = false; /* after "--" */
    *help = false;
    words->count = 0;
    words->given_count = 0;
    while (p.next < argc && !*help) {
        const char *arg = argv[p.next++];
        if (only_words || arg[0] != '-' || !arg[1]) {
            words->items[words->count++] = arg;
        } else if (strcmp(arg, "--") == 0) {
            only_words = true;
        } else if (parse_option(&p, arg)) {
            return W2V_ERR_ARGUMENT;
        }
    }
    return W2V_OK;
}
