/*
 * A small result as rows of cells: aligned columns for people, values between
 * tabs for programs.
 */
#ifndef W2V_RENDER_GRID_H
#define W2V_RENDER_GRID_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum grid_style {
    GRID_TABLE, /* aligned; cells as render_escape() shows them */
    GRID_TSV, /* tabs between; cells as they are, save \t \n \r inside them, which are spelt out */
    GRID_SAFE_TSV, /* the same for a screen: escaped like a table */
} grid_style;

/** Rows are filled cell by cell. Zero-initialise, then grid_begin(). */
typedef struct grid {
    grid_style style;
    size_t columns;
    unsigned right; /* bit c: column c of a table is aligned to the right */
    buf text;       /* the cells, end to end */
    buf ends;       /* size_t for each: where it ends in `text` */
    bool whole;     /* empty cells at the end of a line stay; set after grid_begin() */
    bool failed;    /* a cell found no memory */
} grid;

/** Empties it, for `columns` (1..32) columns. */
void grid_begin(grid *g, grid_style style, size_t columns, unsigned right);
void grid_clear(grid *g);

/** The next cell, row by row. Want of memory is told by grid_append(). */
void grid_bytes(grid *g, const char *bytes, size_t n);
void grid_string(grid *g, const char *text);
/** Six decimals; never "-0.000000"; "n/a" for what is undefined. */
void grid_score(grid *g, double value);
void grid_count(grid *g, uint64_t value);

/** Appends all rows, a line each; empty cells at the end of a line are left out unless `whole`. The
 * last row must be full. False without memory. */
bool grid_append(const grid *g, buf *out);

#endif
