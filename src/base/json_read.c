#include "base/json_read.h"

#include <errno.h>

json_t *json_read(const char *bytes, size_t n, json_error_t *fault, bool *no_memory)
{
    /* Where memory fails inside a string, Jansson calls it a bad token or says nothing at all. */
    errno = 0;
    json_t *root = json_loadb(bytes, n, JSON_REJECT_DUPLICATES, fault);
    *no_memory = !root && (errno == ENOMEM || json_error_code(fault) == json_error_out_of_memory);
    return root;
}
