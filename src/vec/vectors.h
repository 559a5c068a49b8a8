/*
 * What stands behind w2v_vectors: a file whose kind is known, its rows once
 * they are loaded, and a scan over rows that need not be loaded at all.
 */
#ifndef W2V_VEC_VECTORS_H
#define W2V_VEC_VECTORS_H

#include "base/words.h"
#include "vec/table.h"

/** Words to rows: open addressing over the words of a table; built when it is first needed. */
typedef struct word_index {
    uint32_t *slots;  /* row + 1, 0 = empty; NULL = not built */
    size_t slot_mask; /* number of slots - 1, a power of two less 1 */
    uint64_t duplicates;
} word_index;

typedef struct vec_file vec_file; /* the file behind a table; see file.h */

struct w2v_vectors {
    vec_file *file; /* its kind, header and options */
    w2v_load_report report;
    uint32_t dim; /* known when the file is open, of every format */
    bool loaded;

    /* Of a loaded table. */
    words names;
    float *values; /* rows x stride, aligned to 64 bytes, zero beyond dim; in pages memory */
    uint32_t rows;
    size_t stride; /* dim rounded up to 16 */
    size_t room;   /* rows that `values` has room for */
    word_index index;

    words offered; /* what w2v_near_spellings() handed out last */
};

/** Name of the file for errors: its path, or "standard input". */
const char *vec_name(const w2v_vectors *vectors);

/** The loaded table. */
table_view vec_table(const w2v_vectors *vectors);

/** Can its rows be scanned without loading them: a plain word2vec binary in a regular file, not
    loaded yet, read strictly? (A lenient read numbers the rows it keeps, so it has to load.) */
bool vec_can_scan(const w2v_vectors *vectors);

/** Number of rows a scan will give: exact when it ends without error. 0 when it is not known yet.
 */
uint64_t vec_rows_expected(const w2v_vectors *vectors);

/** A row as it lies in a piece of the file or in the table. */
typedef struct vec_row {
    const char *word;   /* `length` bytes, not NUL-terminated */
    const void *values; /* `dim` floats of this machine's byte order, NOT aligned when streamed:
                           load them with memcpy() or unaligned vector loads. Finite in visit();
                           in_order() comes before that is known: see vec_check_row(). */
    uint32_t length;
} vec_row;

/** Some rows that follow each other; valid only during the call. */
typedef struct vec_batch {
    uint64_t first; /* number of the first of them, from 0 */
    size_t rows;    /* 1..VEC_BATCH_ROWS */
    uint32_t dim;
    const vec_row *row;
} vec_batch;

#define VEC_BATCH_ROWS ((size_t)16384)

/** What a scan does with rows. Each function may be NULL and returns true to go on. */
typedef struct vec_scan_calls {
    /** Called for all batches in order of rows, from one thread at a time: for what depends on the
        order, such as "the first row with this word". It delays all other threads: be brief. After
        false no later batch is given to anyone; this one still goes to `visit`. Without `visit` the
        numbers of rows are not looked at. */
    bool (*in_order)(void *user, const vec_batch *batch);
    /** Called for the same batches in any order from many threads at once, each after its
        `in_order`. thread < vec_scan_threads(threads). After false no further piece is begun. */
    bool (*visit)(void *user, int thread, const vec_batch *batch);
    void *user;
} vec_scan_calls;

/** Upper bound of the threads a scan will use when it is given `threads` (at least 1). */
int vec_scan_threads(int threads);

/**
 * All rows in batches of about 1 MB: streamed from the file where vec_can_scan(), else from the
 * table, which is loaded first when it has to be. Row starts are walked in order. Each thread reads
 * into a buffer of its own, so a file that shrinks meanwhile is an error and no signal. Errors:
 * W2V_ERR_INPUT (damage, with row and byte; a non-finite number), W2V_ERR_IO, W2V_ERR_MEMORY.
 * Stopping early is no error, and what lies beyond is then not checked.
 */
w2v_status vec_scan(w2v_vectors *vectors, int threads, const vec_scan_calls *calls, w2v_error *err);

/** For in_order(), when it takes a row's values: are they finite? Error: W2V_ERR_INPUT. */
w2v_status vec_check_row(const w2v_vectors *vectors, uint64_t number, const vec_row *row,
                         w2v_error *err);

/** A list of words, one a line (blank lines, CRLF, byte order mark, gzip understood), for
    --words and --candidates; spaces inside a line belong to the word. */
w2v_status vec_read_list(const char *path, words *out, w2v_error *err);

/** Builds the index of a loaded table unless it is there. Errors: W2V_ERR_MEMORY. */
w2v_status vec_build_index(w2v_vectors *vectors, w2v_error *err);
/** First row with this word or UINT32_MAX; the index must be built. Safe from many threads. */
uint32_t vec_find(const w2v_vectors *vectors, const char *word, size_t length);

#endif
