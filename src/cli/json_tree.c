#include "cli/json_tree.h"

#include <inttypes.h>

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

json_t *json_tree_whole(uint64_t value)
{
    return value <= INT64_MAX ? json_integer((json_int_t)value) : json_sprintf("%" PRIu64, value);
}

typedef struct writing {
    buf *out;
    bool failed;
} writing;

static int collect(const char *text, size_t n, void *user)
{
    writing *w = user;
    w->failed = w->failed || !buf_append(w->out, text, n);
    return w->failed ? -1 : 0;
}

bool json_tree_write(buf *out, const json_t *tree, size_t flags)
{
    /* Jansson 2.14 goes on where a key could not be written, and calls it success. */
    writing w = {.out = out};
    return json_dump_callback(tree, collect, &w, flags) == 0 && !w.failed;
}
