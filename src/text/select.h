/* Which of the words met make the vocabulary: the frequent ones, or those of a given list. */
#ifndef W2V_TEXT_SELECT_H
#define W2V_TEXT_SELECT_H

#include "text/corpus.h"
#include "text/type_table.h"

/** What there is to choose from. */
typedef struct word_choice {
    type_table *met;   /* all word types of the text; slots and letters are dropped on the way */
    vocab_list *given; /* or NULL */
    const w2v_text_options *options;
    const char *subject; /* "'x.txt' has" or "the 3 inputs have", for errors */
} word_choice;

/**
 * Makes the vocabulary, and sets ids[i] to the id of type i of `met`, or to
 * CODES_DROPPED. Fills in *stats: types, top_count, types_kept, tokens_kept,
 * unseen. Errors: W2V_ERR_INPUT (no word is frequent enough, no given word
 * stands in the text), W2V_ERR_MEMORY.
 */
w2v_status select_words(const word_choice *choice, w2v_vocab **vocab, uint32_t *ids,
                        w2v_text_stats *stats, w2v_error *err);

#endif
