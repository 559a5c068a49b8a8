/*
 * A worker's own table of word types: counts, and where each was seen first.
 * It sets itself no limit: 40 bytes and at most 22 of slots a type, and the
 * letters of words over 16 bytes. Entries never move.
 */
#ifndef W2V_TEXT_TYPE_TABLE_H
#define W2V_TEXT_TYPE_TABLE_H

#include "base/error.h"
#include "text/token.h"

#define TYPE_TABLE_ENTRIES_BITS 16 /* entries of a block */
#define TYPE_TABLE_NONE UINT32_MAX
#define TYPE_TABLE_MAX (UINT32_MAX - 2) /* the two last codes mean a break and a dropped word */

typedef struct type_table_entry {
    uint64_t head;
    union {
        uint64_t tail;       /* of words up to TOKEN_INLINE bytes */
        const char *letters; /* all of a longer one */
    } rest;
    uint64_t count;
    uint32_t hash;
    uint32_t length;
} type_table_entry;

typedef struct type_table_slot {
    uint32_t hash;
    uint32_t next; /* index of the entry + 1, 0 = empty */
} type_table_slot;

typedef struct type_table_block type_table_block;
typedef struct type_table_letters type_table_letters;

/** Zero-initialised; type_table_init() first. */
typedef struct type_table {
    type_table_slot *slots;
    size_t slot_mask;  /* number of slots - 1, a power of two less 1 */
    size_t slot_limit; /* entries at which it grows */
    type_table_block **blocks;
    size_t block_count, block_capacity;
    uint32_t count;                             /* types */
    type_table_letters *letters, *last_letters; /* oldest first */
    size_t letters_used, letters_size;          /* of the last */
    uint64_t memory;                            /* bytes held while words are counted */
} type_table;

w2v_status type_table_init(type_table *t, w2v_error *err);
void type_table_clear(type_table *t);
/** Frees the slots, when nothing will be looked up any more. */
void type_table_drop_slots(type_table *t);

/**
 * Counts n <= TOKEN_BATCH tokens, adding types that are new; ids[i] becomes the
 * index of token i's type, TYPE_TABLE_NONE for a TOKEN_BREAK.
 */
w2v_status type_table_count(type_table *t, const token *tokens, size_t n, uint32_t *ids,
                            w2v_error *err);

/** Index of a word, or TYPE_TABLE_NONE. */
uint32_t type_table_find(const type_table *t, const token *word);

/**
 * Adds all of `from` to `into`, keeping the earliest first sight; map[i]
 * becomes the index in `into` of from's type i. The letters move, and `from` is
 * cleared; no word can be counted in `into` any more. After an error `from`
 * still has the letters, and must live until `into` is cleared.
 */
w2v_status type_table_merge(type_table *into, type_table *from, uint32_t *map, w2v_error *err);

const type_table_entry *type_table_at(const type_table *t, uint32_t index);
uint64_t type_table_first_seen(const type_table *t, uint32_t index);
/** Copies the entry's word to `out`, room for entry->length bytes. */
void type_table_copy_word(const type_table_entry *entry, char *out);

/* Two ways to part with letters before counts, when nothing will be looked up any more. */

/** As type_table_copy_word(); letters of words with a smaller index may be freed. */
void type_table_take_word(type_table *t, uint32_t index, char *out);
/** Frees all letters. */
void type_table_drop_letters(type_table *t);

#endif
