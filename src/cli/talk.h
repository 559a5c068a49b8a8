/* What the program says on standard error: facts, warnings, errors. Never results. */
#ifndef W2V_CLI_TALK_H
#define W2V_CLI_TALK_H

#include "base/buf.h"
#include "base/error.h"
#include "cli/options.h"

#include <jansson.h>
#include <stdio.h>

typedef enum talk_progress {
    TALK_AUTO, /* a rewritten line on a terminal, plain lines elsewhere */
    TALK_PLAIN,
    TALK_JSON,
    TALK_NONE,
    TALK_LINE, /* what AUTO becomes on a terminal */
} talk_progress;

/** Fields of the shared options --progress, -q and -v. */
typedef struct talk_args {
    talk_progress progress;
    bool quiet, verbose;
} talk_args;

/** --progress comes first: commands that show none begin after it. */
extern const option talk_options[];

typedef struct talk {
    FILE *stream;
    talk_progress progress; /* never AUTO */
    bool quiet, verbose, colour;
    int columns; /* of the terminal */
} talk;

/** Standard error as it is: terminal or not, coloured or not. */
talk talk_open(const talk_args *args);

/** An error as "w2v: error: …" and its hint; said even when quiet. */
void talk_error(const talk *t, const w2v_error *err);
/** "w2v: warning: …"; `hint` may be NULL. With JSON progress an object {"event":"warning",…}. */
void talk_warning(const talk *t, const char *hint, const char *format, ...) W2V_PRINTF(3, 4);
/** A line "label     text", long text wrapped; nothing when quiet or with JSON progress. */
void talk_fact(const talk *t, const char *label, const char *format, ...) W2V_PRINTF(3, 4);
/** One JSON object on a line, when JSON progress was asked for. Takes the reference. */
void talk_event(const talk *t, json_t *object);
/** Are facts shown to a reader? */
bool talk_facts(const talk *t);

/** Tells the error and returns its exit status. */
int talk_fail(const talk *t, const w2v_error *err);
/** The exit status that an error stands for; `signal` is what stopped the program, or 0. */
int talk_exit_status(w2v_status status, int signal);

/**
 * Bytes as JSON without loss: a string where they are UTF-8, else an object
 * {"escaped": "caf\\xe9"} in which \\ is a backslash and \xHH a byte.
 */
json_t *talk_json_bytes(const char *bytes, size_t n);

/**
 * The object and a newline at the end of `out`. JSON itself spells out only
 * what is below U+0020: here DEL, C1 controls and marks that turn the writing
 * direction become \uHHHH too, so that no word drives a terminal. False
 * without memory.
 */
bool talk_json_line(buf *out, const json_t *object, size_t digits);

#endif
