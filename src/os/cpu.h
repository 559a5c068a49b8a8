/* What the processor can do and how much of it is ours. */
#ifndef W2V_OS_CPU_H
#define W2V_OS_CPU_H

#include <stdbool.h>

typedef struct cpu_features {
    bool avx2_fma; /* AVX2 and FMA, and the system saves their registers */
    bool avx512;   /* AVX-512 F, BW, DQ, VL likewise */
    bool neon;     /* 64-bit ARM always has it */
} cpu_features;

cpu_features cpu_detect(void);

/** CPUs this process may use: affinity mask and cgroup quota (v2 and v1, rounded down), at least 1.
 */
int cpu_usable(void);

#endif
