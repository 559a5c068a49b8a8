/* What the writers share. */
#ifndef W2V_VEC_WRITE_PARTS_H
#define W2V_VEC_WRITE_PARTS_H

#include "io/sink.h"
#include "vec/table.h"

static inline uint32_t table_row(const table_view *table, size_t i)
{
    return table->pick ? table->pick[i] : (uint32_t)i;
}

static inline const char *table_word(const table_view *table, size_t i, size_t *n)
{
    return words_get(table->names, table_row(table, i), n);
}

static inline const float *table_values(const table_view *table, size_t i)
{
    return table->values + table_row(table, i) * table->stride;
}

/** The row as it is to be written: as it stands, or scaled to length 1 in `scratch`. */
const float *write_row(const table_view *table, size_t row, float *scratch);
/** Numbers with gaps between them (and before the first, when `lead`), and a line end. */
w2v_status write_numbers(sink *s, const float *values, size_t dim, char gap, bool lead,
                         int precision, w2v_error *err);
w2v_status write_floats(sink *s, const float *values, size_t dim, w2v_error *err);

/**
 * Formats of two files: arrays with FILE.labels.txt (one word a line), and the
 * projector's FILE.tsv with FILE.metadata.tsv. The list is put in place first,
 * so that numbers never stand there without their words.
 */
w2v_status write_pair(const table_view *table, const char *path, w2v_format format, int precision,
                      float *scratch, uint64_t *bytes, w2v_error *err);
/** Is it one of these formats? */
static inline bool write_is_pair(w2v_format format)
{
    return format == W2V_FORMAT_NPY || format == W2V_FORMAT_SAFETENSORS || format == W2V_FORMAT_TSV;
}

/** Name of the second file; mem_free() it. NULL without memory. */
char *write_pair_name(const char *path, w2v_format format);

#endif
