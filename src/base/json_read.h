/* JSON from memory; want of memory is told apart from damage, which Jansson mixes up. */
#ifndef W2V_BASE_JSON_READ_H
#define W2V_BASE_JSON_READ_H

#include <jansson.h>
#include <stdbool.h>

/** A value, each key of an object once; or NULL. Then *no_memory tells whether memory was wanting,
    else *fault what is wrong with the text. */
json_t *json_read(const char *bytes, size_t n, json_error_t *fault, bool *no_memory);

#endif
