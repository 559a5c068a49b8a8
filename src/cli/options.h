/*
 * Options. Each is declared once, as a row of a const table; parsing, help and
 * the record of a run all come from the row. A row names a field of some
 * struct; what stands there before parsing is the default.
 */
#ifndef W2V_CLI_OPTIONS_H
#define W2V_CLI_OPTIONS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum option_type {
    OPTION_FLAG,        /* bool; takes no value */
    OPTION_TEXT,        /* const char *: a file or a folder */
    OPTION_TEXTS,       /* option_texts: may be given several times */
    OPTION_INT,         /* int, low..high */
    OPTION_U32,         /* uint32_t, low..high */
    OPTION_U64,         /* uint64_t, low..high */
    OPTION_SIZE,        /* uint64_t bytes, with K M G T */
    OPTION_DOUBLE,      /* double, min..max */
    OPTION_DURATION,    /* double, seconds, with ms s m h d; below 0: not set */
    OPTION_CHOICE,      /* an enum: one of `choices` */
    OPTION_CHOICE_BOOL, /* bool: one of `choices` */
    OPTION_POSITIONAL,  /* its value is one more argument, e.g. -train FILE */
    OPTION_IGNORED,     /* a whole number that changes nothing, e.g. -debug 2 */
    OPTION_ZERO,        /* only 0 is accepted; `help` says why */
    OPTION_HELP,        /* asks for help */
} option_type;

typedef struct option_choice {
    const char *name; /* NULL ends the list */
    int value;
} option_choice;

/** Values of an OPTION_TEXTS in the order in which they were given. */
#define OPTION_TEXTS_MOST 64
typedef struct option_texts {
    const char *items[OPTION_TEXTS_MOST];
    size_t count;
} option_texts;

typedef struct option {
    const char *name;    /* long, with '-' between words */
    const char *aliases; /* other long names, separated by blanks, or NULL */
    char letter;         /* or 0 */
    option_type type;
    bool hidden;   /* understood, not shown */
    size_t offset; /* of the field in the group's struct */
    uint64_t low, high;
    double min, max;
    bool above_min; /* min itself is outside */
    const option_choice *choices;
    const char *metavar;
    const char *help;
    const char *default_text;  /* shown instead of the field's value; "" = nothing */
    const char *fraction_hint; /* what to say when a fraction stands where a whole number should */
    const char *low_hint;      /* what to say to a value below the range */
} option;

/** For --threads: team sizes beyond this are a slip of the hand, not a machine. */
#define OPTION_THREADS_MAX 4096

/** Rows that belong together: a heading of the help, and where their struct lies. */
typedef struct option_group {
    const char *title;
    const option *rows; /* a row without a name ends them */
    size_t base;        /* offset of the rows' struct in the command's own */
    bool in_force;      /* said at the start of a run */
} option_group;

/** Arguments that are no options, in order; borrowed from argv. Room for argc of them. */
typedef struct arguments {
    const char **items;
    size_t count;
    const struct option *
        *given; /* rows that were named by an option, in order, or NULL; room for argc */
    size_t given_count;
} arguments;

/** A command: one file that defines it, one row in commands.c. */
typedef struct command {
    const char *name;
    const char *aliases; /* separated by blanks, or NULL */
    const char *others;  /* what other tools call it: for hints; separated by blanks, or NULL */
    const char *usage;   /* what follows the name */
    const char *summary; /* a line for the list of commands */
    const char *about;   /* a paragraph or two */
    const char *examples;
    const option_group *groups;
    size_t group_count;
    size_t args_size; /* of the struct that its options fill */
    void (*defaults)(void *args);
    int (*run)(void *args, const arguments *words); /* returns the exit status */
} command;

/**
 * Parses argv[0..argc-1] (what follows the command's name) into `args`, which
 * holds the defaults, and `words`. `*help` tells that help was asked for; the
 * rest is then not looked at. Errors: W2V_ERR_ARGUMENT.
 */
w2v_status options_parse(const command *c, int argc, char *const argv[], void *args,
                         arguments *words, bool *help, w2v_error *err);

/* A value, one by one; for the parser, help and records. */

/** Stores `text` in the row's field; `spelling` is the option as typed ("--dim", "-d"). */
w2v_status option_set(const option *o, void *field, const char *spelling, const char *text,
                      w2v_error *err);
/** Value as text; false when there is nothing to say (an unset file or limit, a flag that is off).
 */
#define OPTION_VALUE 64
bool option_format(const option *o, const void *field, char out[OPTION_VALUE]);
/** Bytes of the row's field; 0 where it has none. */
size_t option_size(const option *o);
/** Was the option named on the command line? */
bool option_is_given(const arguments *words, const option *o);
/** Does the next argument or a part after '=' belong to it? */
bool option_takes_value(const option *o);

/** The next of the names in "one two three", not terminated; *list moves on. NULL at the end. */
const char *option_next_alias(const char **list, size_t *length);
/** Are the names equal, with '_' for '-'? */
bool option_name_equal(const char *a, const char *b, size_t b_length);
/** The row with that long name or alias, or NULL; *group (may be NULL) receives its group. */
const option *options_find(const command *c, const char *name, size_t length,
                           const option_group **group);
/** The long name nearest to a misspelt one, or NULL when none is near. */
const char *options_suggest(const command *c, const char *name, size_t length);

static inline void *option_field(const option_group *g, const option *o, void *args)
{
    return (char *)args + g->base + o->offset;
}

#endif
