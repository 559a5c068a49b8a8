/*
 * A row of a word2vec binary: word, space, floats, and in later files a
 * newline. Which of the two dialects a file speaks shows behind its first row;
 * bytes inside the floats are never looked at for it.
 */
#ifndef W2V_VEC_BINARY_ROW_H
#define W2V_VEC_BINARY_ROW_H

#include "vec/file.h"

#include <string.h>

typedef enum binary_dialect {
    BINARY_UNKNOWN, /* before the first row has ended */
    BINARY_NEWLINE, /* a newline stands between rows */
    BINARY_BARE,
} binary_dialect;

typedef enum binary_fault {
    BINARY_FINE,
    BINARY_SHORT,      /* the bytes end before the row does */
    BINARY_ENDLESS,    /* no word of a sane length */
    BINARY_NO_NEWLINE, /* not the newline that the dialect has between rows */
    BINARY_NUL,        /* a NUL byte in the word */
} binary_fault;

typedef struct binary_row {
    size_t word, length; /* where the word stands in the bytes given */
    size_t end;          /* behind the floats */
    size_t left;         /* of BINARY_SHORT: bytes of the row that are there (0: a clean end) */
} binary_row;

/** The row at p[0..n-1], before it the newline of the row before (`between`); `values` bytes of
    floats. */
static inline binary_fault binary_row_look(const char *p, size_t n, size_t values,
                                           binary_dialect dialect, bool between, binary_row *row)
{
    size_t at = 0;
    if (dialect == BINARY_NEWLINE && between && n > 0) {
        if (p[0] != '\n') {
            row->left = n;
            return BINARY_NO_NEWLINE;
        }
        at = 1;
    }
    row->left = n - at;
    const size_t look = n - at < VEC_WORD_MAX + 1 ? n - at : VEC_WORD_MAX + 1;
    const char *space = look ? memchr(p + at, ' ', look) : NULL;
    if (!space) {
        return look > VEC_WORD_MAX ? BINARY_ENDLESS : BINARY_SHORT;
    }
    row->word = at;
    row->length = (size_t)(space - p) - at;
    row->end = at + row->length + 1 + values;
    if (memchr(p + at, '\0', row->length)) {
        return BINARY_NUL;
    }
    return n >= row->end ? BINARY_FINE : BINARY_SHORT;
}

/** The error of row `row` (from 0), which begins at byte `at`; the file ends at byte `end`. */
w2v_status binary_row_error(const w2v_vectors *v, binary_fault fault, uint64_t row, uint64_t at,
                            uint64_t end, w2v_error *err);
w2v_status binary_nonfinite_error(const w2v_vectors *v, uint64_t row, const char *word,
                                  size_t length, w2v_error *err);

#endif
