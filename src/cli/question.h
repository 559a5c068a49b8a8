/* A question: some words with weights, and what it is called in an answer. */
#ifndef W2V_CLI_QUESTION_H
#define W2V_CLI_QUESTION_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/** Zero-initialise. */
typedef struct question {
    w2v_term *terms; /* their words are owned */
    size_t count, capacity;
    char *name; /* the word, or the formula: "king − man + woman" */
    size_t name_length;
} question;

void question_clear(question *q);
/** Copies the word. False without memory. */
bool question_add(question *q, double weight, const char *word, size_t n);
/** Calls it `name`. False without memory. */
bool question_call(question *q, const char *name, size_t n);
/** Calls it by its formula: words in their order, weights other than 1 as "0.5*paris", a word that
    would be misread in double quotes. False without memory. */
bool question_call_formula(question *q);

/**
 * Adds the terms of "paris - france + 0.5*germany": signs stand between blanks
 * or before a word, a minus may be U+2212, "new york" in double quotes (with \"
 * and \\ inside) is one word. A hyphen or plus inside a word belongs to it.
 * Errors: W2V_ERR_ARGUMENT, W2V_ERR_MEMORY.
 */
w2v_status question_parse(question *q, const char *text, size_t n, w2v_error *err);

#endif
