#include "train/kernel.h"

#include "base/mem.h"
#include "os/cpu.h"
#include "w2v/w2v.h"

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

/* What this machine can run, fastest first; "reference" is for tests. Returns how many. */
static size_t usable(kernel out[5])
{
    const cpu_features cpu = cpu_detect();
    size_t n = 0;
    (void)cpu;
#if HAVE_X86
    if (cpu.avx512) {
        out[n++] = (kernel){"avx512", kernel_gradients_avx512, kernel_update_avx512};
    }
    if (cpu.avx2_fma) {
        out[n++] = (kernel){"avx2", kernel_gradients_avx2, kernel_update_avx2};
    }
#endif
#if HAVE_NEON
    if (cpu.neon) {
        out[n++] = (kernel){"neon", kernel_gradients_neon, kernel_update_neon};
    }
#endif
    out[n++] = (kernel){"plain", kernel_gradients_plain, kernel_update_plain};
    out[n++] = (kernel){"reference", kernel_gradients_reference, kernel_update_reference};
    return n;
}

kernel kernel_best(void)
{
    kernel all[5];
    usable(all);
    return all[0];
}

kernel kernel_by_name(const char *name)
{
    kernel all[5];
    const size_t n = usable(all);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(all[i].name, name) == 0) {
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
