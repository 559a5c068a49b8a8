#define _GNU_SOURCE
#include "os/cpu.h"

#include "os/cgroup.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#endif

cpu_features cpu_detect(void)
{
    cpu_features f = {0};
#if defined(__x86_64__) || defined(__i386__)
    /* The built-in also asks whether the system saves the wide registers (XGETBV). */
    __builtin_cpu_init();
    f.avx2_fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    f.avx512 = f.avx2_fma && __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
#elif defined(__aarch64__)
    f.neon = true;
#endif
    return f;
}

bool cpu_runs(const char *set)
{
    const cpu_features cpu = cpu_detect();
    return strcmp(set, "avx512") == 0 ? cpu.avx512
           : strcmp(set, "avx2") == 0 ? cpu.avx2_fma
           : strcmp(set, "neon") == 0 ? cpu.neon
                                      : true;
}

#ifdef __linux__
/* CPUs in the affinity mask, 0 when unknown. One cpu_set_t holds 1,024: too few for some machines.
 */
static int affinity(void)
{
    cpu_set_t sets[8];
    return sched_getaffinity(0, sizeof sets, sets) == 0 ? CPU_COUNT_S(sizeof sets, sets) : 0;
}
#else
static int affinity(void)
{
    return 0;
}
#endif

int cpu_usable(void)
{
    int count = affinity();
#ifdef _SC_NPROCESSORS_ONLN
    if (count < 1) {
        const long online = sysconf(_SC_NPROCESSORS_ONLN);
        count = online > 0 && online < 1 << 20 ? (int)online : 1;
    }
#endif
    const double quota = cgroup_cpus(CGROUP_SELF, CGROUP_ROOT);
    if (quota > 0 && quota < count) {
        count = (int)quota;
    }
    return count < 1 ? 1 : count;
}
