/* A line of a text format: a word, which may hold spaces, and numbers behind it. */
#ifndef W2V_VEC_TEXT_ROW_H
#define W2V_VEC_TEXT_ROW_H

#include <stdbool.h>
#include <stddef.h>

typedef enum text_row_fault {
    TEXT_ROW_FINE,
    TEXT_ROW_BLANK,      /* nothing but white space */
    TEXT_ROW_FEW,        /* fewer numbers than there should be */
    TEXT_ROW_MANY,       /* more */
    TEXT_ROW_NOT_NUMBER, /* a field is no number: `field` */
    TEXT_ROW_NO_WORD,    /* numbers only */
    TEXT_ROW_NONFINITE,
    TEXT_ROW_NUL,      /* a NUL byte in the word */
    TEXT_ROW_CONFLICT, /* a marker of a merge conflict */
} text_row_fault;

typedef struct text_row {
    const char *word;
    size_t length;
    size_t numbers;    /* found at the end of the line */
    const char *field; /* the one at fault */
    size_t field_length;
} text_row;

/**
 * Takes line[0..n-1] (without its line end; a CR and white space at the end do
 * not count) as a word and `dim` numbers, which go to `values` unless it is NULL. Fields are cut
 * at spaces and tabs from the right; what is left of the last `dim` fields,
 * less one separator, is the word.
 */
text_row_fault text_row_parse(const char *line, size_t n, size_t dim, float *values, text_row *row);

/** How many fields at the end are numbers ("nan" and "inf" too), less the first field of the line,
    which has to be a word. */
size_t text_row_numbers(const char *line, size_t n);

#endif
