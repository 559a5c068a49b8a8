/* The list of inputs behind w2v_inputs_create(); see w2v.h. */
#ifndef W2V_IO_INPUTS_H
#define W2V_IO_INPUTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct w2v_inputs {
    char **paths;
    size_t count;
    uint64_t *sizes;   /* stored bytes, 0 for pipes */
    bool size_unknown; /* one of them is a pipe or the like */
};

/** Sum of the stored sizes, 0 when any of them is unknown. */
uint64_t inputs_total_size(const w2v_inputs *inputs);

/** Do two names lead to one stream, whose bytes only one reader gets: "-" twice, a pipe? */
bool inputs_same_stream(const char *a, const char *b);

#endif
