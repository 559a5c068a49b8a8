#include "query/dots.h"

#include "os/cpu.h"

#include <string.h>

#if defined(__x86_64__) || defined(_M_X64)
#define HAVE_X86 1
#else
#define HAVE_X86 0
#endif
#if defined(__aarch64__)
#define HAVE_NEON 1
#else
#define HAVE_NEON 0
#endif

/* What this machine can run, fastest first. Returns how many. */
static size_t usable(dots out[3])
{
    const cpu_features cpu = cpu_detect();
    size_t n = 0;
    (void)cpu;
#if HAVE_X86
    if (cpu.avx512) {
        out[n++] = (dots){"avx512", dots_rows_avx512, dots_block_avx512, dots_sift_avx512};
    }
    if (cpu.avx2_fma) {
        out[n++] = (dots){"avx2", dots_rows_avx2, dots_block_avx2, dots_sift_avx2};
    }
#endif
#if HAVE_NEON
    if (cpu.neon) {
        out[n++] = (dots){"neon", dots_rows_neon, dots_block_neon, dots_sift_neon};
    }
#endif
    out[n++] = (dots){"plain", dots_rows_plain, dots_block_plain, dots_sift_plain};
    return n;
}

dots dots_best(void)
{
    dots all[3];
    usable(all);
    return all[0];
}

dots dots_by_name(const char *name)
{
    dots all[3];
    const size_t n = usable(all);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(all[i].name, name) == 0) {
            return all[i];
        }
    }
    return (dots){.name = name};
}
