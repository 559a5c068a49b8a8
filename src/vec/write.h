/*
 * Writers of vector files: word2vec binary and text, GloVe text; and in two
 * files .npy, safetensors (tensor "vectors", F32; both with FILE.labels.txt, one
 * word a line) and the projector's TSV (with FILE.metadata.tsv, odd characters
 * escaped).
 */
#ifndef W2V_VEC_WRITE_H
#define W2V_VEC_WRITE_H

#include "vec/table.h"

/** The format that a name asks for (W2V_FORMAT_AUTO resolved: .txt .vec
    .glove .npy .safetensors .tsv, .gz set aside; else binary). */
w2v_format vec_format_of_name(const char *path);

/**
 * Writes the table to `path` (see w2v_model_save() for paths, errors). Words and values are checked
 * before anything is written: a word that the format's own reader could not read back (empty, or
 * with white space or a line end inside, in text formats; with a space or newline in binary) and a
 * non-finite value are refused, naming the word.
 */
w2v_status vec_write(const table_view *table, const char *path, w2v_format format, int precision,
                     uint64_t *bytes, w2v_error *err);

/** What vec_write() refuses whatever the numbers are, which are not looked at. */
w2v_status vec_write_check(const table_view *table, const char *path, w2v_format format,
                           int precision, w2v_error *err);

#endif
