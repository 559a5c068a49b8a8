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

/* Processors for which code of one instruction set is built at all. */
#if defined(__x86_64__) || defined(_M_X64)
#define CPU_IS_X86_64 1
#else
#define CPU_IS_X86_64 0
#endif
#if defined(__aarch64__)
#define CPU_IS_ARM_64 1
#else
#define CPU_IS_ARM_64 0
#endif

/** Can it run code that bears this name? "avx512", "avx2" and "neon" ask for that set; every other
    name is plain C. */
bool cpu_runs(const char *set);

/** CPUs this process may use: affinity mask and cgroup quota (v2 and v1, rounded down), at least 1.
 */
int cpu_usable(void);

#endif
