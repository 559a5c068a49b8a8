/* Results on standard output: a table, TSV or JSON, checked to the last byte. */
#ifndef W2V_CLI_REPLY_H
#define W2V_CLI_REPLY_H

#include "cli/talk.h"
#include "render/grid.h"

/** Fields of the shared options --json, --tsv and --table. */
typedef struct reply_args {
    bool json, tsv, table;
} reply_args;

extern const option reply_options[];

typedef enum reply_form { REPLY_TABLE, REPLY_TSV, REPLY_JSON } reply_form;

typedef struct reply {
    reply_form form;
    bool batch;   /* several questions: each row says which it answers */
    bool started; /* something was answered */
    grid grid;
    buf out; /* not yet written */
} reply;

/** The form asked for; else a table on a terminal and TSV elsewhere. Errors: W2V_ERR_ARGUMENT. */
w2v_status reply_open(const reply_args *args, reply *r, w2v_error *err);
void reply_close(reply *r);

/** Begins the answer to one question: an empty grid, and for a table a blank line between two. */
void reply_begin(reply *r, size_t columns, unsigned right);
/** Ends it: the rows of the grid. Errors: W2V_ERR_MEMORY. */
w2v_status reply_end(reply *r, w2v_error *err);
/** A line above a table: `text` as it may be shown; nothing in other forms. */
w2v_status reply_title(reply *r, const char *text, size_t n, w2v_error *err);
/** One object on a line. Takes the reference; NULL stands for want of memory. */
w2v_status reply_json(reply *r, json_t *object, w2v_error *err);

/** Writes what has collected. Errors: W2V_ERR_IO. */
w2v_status reply_flush(reply *r, w2v_error *err);

/** A score as JSON, rounded to six decimals; null when it is undefined. */
json_t *reply_score(double value);

#endif
