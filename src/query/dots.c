#include "query/dots.h"

#include "os/cpu.h"

#include <string.h>

/* Fastest first. */
static const dots all[] = {
#if CPU_IS_X86_64
    {"avx512", dots_rows_avx512, dots_block_avx512, dots_sift_avx512},
    {"avx2", dots_rows_avx2, dots_block_avx2, dots_sift_avx2},
#endif
#if CPU_IS_ARM_64
    {"neon", dots_rows_neon, dots_block_neon, dots_sift_neon},
#endif
    {"plain", dots_rows_plain, dots_block_plain, dots_sift_plain},
};

dots dots_best(void)
{
    size_t i = 0;
    while (!cpu_runs(all[i].name)) {
        i++; /* to "plain" at the latest */
    }
    return all[i];
}

dots dots_by_name(const char *name)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].name, name) == 0 && cpu_runs(name)) {
            return all[i];
        }
    }
    return (dots){.name = name};
}
