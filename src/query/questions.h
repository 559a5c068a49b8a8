/*
 * Queries made ready: their words numbered and found, their targets computed.
 *
 * Cosine and 3CosMul add rows of length 1, as the original tool and gensim do;
 * dot product, distance and `raw` take the rows as stored. Of a word that
 * stands more than once the first row is meant, and every row that carries the word
 * counts as an input.
 */
#ifndef W2V_QUERY_QUESTIONS_H
#define W2V_QUERY_QUESTIONS_H

#include "query/find.h"
#include "query/lanes.h"

typedef struct part {
    uint32_t word; /* number in the set; WORD_SET_NONE for an empty word */
    double weight;
} part;

#define NO_LANE SIZE_MAX

typedef struct question {
    const part *parts;
    size_t count;
    size_t lane; /* under 3CosAdd; NO_LANE: nothing to rank */
    bool unknown, no_direction;
} question;

/** Zero-initialise. */
typedef struct questions {
    word_set words;
    found found;
    part *parts;
    question *items;
    size_t count, dim;
} questions;

/** Checks the queries and finds their words: one pass. Errors: W2V_ERR_ARGUMENT, and of
 * find_rows(). */
w2v_status questions_prepare(questions *q, w2v_vectors *vectors, const w2v_query *queries, size_t n,
                             int threads, w2v_error *err);
void questions_clear(questions *q);

/** The weighted sums as lanes, one for each question that has an answer (3CosAdd). */
w2v_status questions_sums(questions *q, const w2v_ask_options *options, lanes *out, w2v_error *err);

/** Unit vectors of all words that have a direction, as lanes; lane_of[word] tells which, or is
   NO_LANE. `lane_of` has an entry for each word. Questions with a word without direction get none.
 */
w2v_status questions_units(questions *q, lanes *out, size_t *lane_of, w2v_error *err);

/** Adds weight * the word's row (of length 1 when `unit`; nothing for a zero row) to `target`. */
void questions_add(const questions *q, uint32_t word, double weight, bool unit, double *target);

/** Does the row carry one of the question's words? */
bool questions_is_input(const questions *q, const question *item, const char *word, size_t length);

static inline bool questions_answerable(const question *item)
{
    return !item->unknown && !item->no_direction;
}

#endif
