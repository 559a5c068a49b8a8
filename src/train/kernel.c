#include "train/kernel.h"

#include "base/mem.h"
#include "os/cpu.h"
#include "w2v/w2v.h"

#include <string.h>

/* Fastest first; the last is for tests. */
static const kernel all[] = {
#if CPU_IS_X86_64
    {"avx512", kernel_gradients_avx512, kernel_update_avx512},
    {"avx2", kernel_gradients_avx2, kernel_update_avx2},
#endif
#if CPU_IS_ARM_64
    {"neon", kernel_gradients_neon, kernel_update_neon},
#endif
    {"plain", kernel_gradients_plain, kernel_update_plain},
    {"reference", kernel_gradients_reference, kernel_update_reference},
};

kernel kernel_best(void)
{
    size_t i = 0;
    while (!cpu_runs(all[i].name)) {
        i++; /* to "plain" at the latest */
    }
    return all[i];
}

kernel kernel_by_name(const char *name)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].name, name) == 0 && cpu_runs(name)) {
            return all[i];
        }
    }
    return (kernel){name, NULL, NULL};
}

const char *w2v_kernel_name(void)
{
    return kernel_best().name;
}

size_t kernel_scratch_size(size_t max_rows, size_t max_outs)
{
    /* gradients of an even number of rows, then at most two vectors of 16 columns for each row */
    const size_t rows = (max_rows + 1) / 2 * 2;
    size_t floats;
    if (max_outs > SIZE_MAX / 2 ||
        !mem_multiply(rows, kernel_padded_outs(max_outs) + 2 * KERNEL_LANES, &floats)) {
        return 0;
    }
    return floats;
}

KERNEL_RACY void kernel_read_row(const float *row, float *copy, size_t stride)
{
    for (size_t c = 0; c < stride; c++) {
        copy[c] = row[c];
    }
}

KERNEL_RACY void kernel_move_row(float *row, const float *from, const float *to, size_t stride)
{
    for (size_t c = 0; c < stride; c++) {
        row[c] += to[c] - from[c];
    }
}
