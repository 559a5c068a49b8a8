/* Which words a map shows, and in which groups. */
#ifndef W2V_CLI_MAP_WORDS_H
#define W2V_CLI_MAP_WORDS_H

#include "base/words.h"
#include "cli/session.h"
#include "render/picture.h"

/** Rows in the order in which they were asked for, each once. Zero-initialise. */
typedef struct map_words {
    uint32_t *ids;
    size_t *groups;   /* of each: number of a group, or PICTURE_NO_GROUP */
    uint64_t *counts; /* of each: how often it stood in the text, or COUNT_UNKNOWN; or NULL */
    size_t count, room;
    words names; /* of the groups, in the order in which they came */
    bool *taken; /* of each row of the table */
} map_words;

/** What was asked for. */
typedef struct map_choice {
    const char *file;   /* --words, or NULL */
    const char *around; /* --around, or NULL */
    const char *counts; /* --counts, or NULL */
    uint64_t top;       /* --top; 0: not given */
    uint64_t k;         /* neighbours of the word of --around */
    int threads;
} map_choice;

/** Words beside which nothing was asked for. */
#define MAP_TOP 300

/**
 * Chooses rows of the loaded vectors of `s`: the arguments, the file's lines, a word and its
 * neighbours, the first rows; without any, the first MAP_TOP. Unknown words are told and counted in
 * `s`. Reads the counts of those chosen. Errors: W2V_ERR_INPUT, W2V_ERR_IO, W2V_ERR_MEMORY.
 */
w2v_status map_words_choose(map_words *m, const map_choice *choice, const arguments *args,
                            session *s, w2v_error *err);
void map_words_clear(map_words *m);

#endif
