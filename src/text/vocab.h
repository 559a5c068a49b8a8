/* The vocabulary behind w2v_vocab: words sorted by count, then by first sight; see w2v.h. */
#ifndef W2V_TEXT_VOCAB_H
#define W2V_TEXT_VOCAB_H

#include "base/words.h"
#include "text/rank.h"

struct w2v_vocab {
    words names;
    uint64_t *counts; /* names.count of them */
    uint64_t total;   /* their sum */
    uint32_t *slots;  /* open addressing: id + 1, 0 = empty; built on creation */
    size_t slot_mask; /* number of slots - 1, a power of two less 1 */
};

/** Bytes of word `index`; copies them to `out` unless it is NULL. */
typedef size_t vocab_word_source(void *user, uint32_t index, char *out);

/**
 * The vocabulary of n distinct words in the order of `order`, whose indices
 * `word` understands. Each word is copied once, in the order of the indices: so
 * the source may free what lies behind, and no two copies of all letters are held.
 */
w2v_status vocab_create(const ranked *order, size_t n, vocab_word_source *word, void *user,
                        w2v_vocab **out, w2v_error *err);
/**
 * The vocabulary of these words, in this order; takes names->count counts and the words over, and
 * leaves nothing behind in both, whatever it returns. Errors: W2V_ERR_MEMORY; W2V_ERR_INPUT when a
 * word stands twice.
 */
w2v_status vocab_adopt(words *names, uint64_t **counts, w2v_vocab **out, w2v_error *err);
void vocab_free(w2v_vocab *vocab);
/** Bytes that it holds, for whoever counts memory. */
uint64_t vocab_memory(const w2v_vocab *vocab);

/** A vocabulary file as it stands there. */
typedef struct vocab_list {
    words names;
    uint64_t *counts; /* NULL when the file gives none */
    size_t counts_capacity;
} vocab_list;

/**
 * Reads `word count` lines, or lines of one word only; blank lines, a byte
 * order mark, CRLF and gzip are understood. Errors: W2V_ERR_INPUT with the
 * line (a bad row, a word twice, counts here and none there), W2V_ERR_MEMORY.
 */
w2v_status vocab_list_read(const char *path, vocab_list *out, w2v_error *err);
void vocab_list_clear(vocab_list *list);

#endif
