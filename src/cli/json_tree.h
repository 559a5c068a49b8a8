/*
 * Trees of JSON that are whole or not there: where memory runs out, the tree
 * under construction becomes NULL, and so does every tree it was meant for.
 */
#ifndef W2V_CLI_JSON_TREE_H
#define W2V_CLI_JSON_TREE_H

#include "base/buf.h"

#include <jansson.h>
#include <stdint.h>

/** Puts `value` under `key`, or at the end of the list, and takes the reference. Without memory,
    that is also where `value` is NULL, the tree is freed and set to NULL. */
void json_tree_put(json_t **object, const char *key, json_t *value);
void json_tree_add(json_t **list, json_t *value);

/** A whole number; above 2^63 - 1, where Jansson's integers end, a string. */
json_t *json_tree_whole(uint64_t value);

/** The tree as text at the end of `out`, with Jansson's flags; false without memory. */
bool json_tree_write(buf *out, const json_t *tree, size_t flags);

#endif
