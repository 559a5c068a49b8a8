#include "base/json_read.h"

#include "base/mem.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

/* What a tree may take for each byte of its text, and any tree at least: short members of an object
   take the most, about ten. */
#define TREE_BYTES 16
#define TREE_LEAST ((size_t)1 << 16)

void *json_memory(size_t n)
{
    void *p = mem_alloc(n);
    return p ? p : malloc(n);
}

static bool is_room_for(size_t n)
{
    void *room =
        n < (SIZE_MAX - TREE_LEAST) / TREE_BYTES ? mem_alloc(TREE_LEAST + TREE_BYTES * n) : NULL;
    mem_free(room);
    return room != NULL;
}

json_t *json_read(const char *bytes, size_t n, json_error_t *fault, bool *no_memory)
{
    *no_memory = !is_room_for(n);
    if (*no_memory) {
        return NULL;
    }
    /* Where memory fails inside a string, Jansson calls it a bad token or says nothing at all. */
    errno = 0;
    json_t *root = json_loadb(bytes, n, JSON_REJECT_DUPLICATES, fault);
    *no_memory = !root && (errno == ENOMEM || json_error_code(fault) == json_error_out_of_memory);
    return root;
}
