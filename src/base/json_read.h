/* JSON from memory; want of memory is told apart from damage, which Jansson mixes up. */
#ifndef W2V_BASE_JSON_READ_H
#define W2V_BASE_JSON_READ_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * For json_set_alloc_funcs(), with mem_free(): as mem_alloc(), but what fails is tried once more.
 * Where Jansson 2.14 cannot enlarge the buffer of a token it goes on and writes beyond it, so it
 * must not meet want of memory at all; json_read() looks beforehand whether there is enough.
 */
void *json_memory(size_t n);

/** A value, each key of an object once; or NULL. Then *no_memory tells whether memory was wanting,
    else *fault what is wrong with the text. */
json_t *json_read(const char *bytes, size_t n, json_error_t *fault, bool *no_memory);

#endif
