/* Counts of some words, from a vocabulary file of "word count" lines. */
#ifndef W2V_CLI_COUNTS_H
#define W2V_CLI_COUNTS_H

#include "base/error.h"

#include <stdint.h>

/** The count of a word that the file does not hold. */
#define COUNT_UNKNOWN UINT64_MAX

/**
 * counts[i] becomes the count of words[i], of its first line where it has
 * several. Reads the file once. Errors: W2V_ERR_INPUT, W2V_ERR_IO, W2V_ERR_MEMORY.
 */
w2v_status counts_find(const char *path, const w2v_term *words, size_t n, uint64_t *counts,
                       w2v_error *err);

#endif
