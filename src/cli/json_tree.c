#include "cli/json_tree.h"

static void drop(json_t **tree)
{
    json_decref(*tree);
    *tree = NULL;
}

void json_tree_put(json_t **object, const char *key, json_t *value)
{
    if (json_object_set_new(*object, key, value) != 0) {
        drop(object);
    }
}

void json_tree_add(json_t **list, json_t *value)
{
    if (json_array_append_new(*list, value) != 0) {
        drop(list);
    }
}
