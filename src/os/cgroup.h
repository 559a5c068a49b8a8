/*
 * Limits that a container or a service manager sets (Linux control groups,
 * version 2 and 1). A limit of any group on the way up to the root binds.
 * Files and folders are arguments so that tests can give their own.
 */
#ifndef W2V_OS_CGROUP_H
#define W2V_OS_CGROUP_H

#include <stdint.h>

#define CGROUP_SELF "/proc/self/cgroup"
#define CGROUP_ROOT "/sys/fs/cgroup"

/** CPUs that the tightest quota allows, e.g. 1.5; 0 when there is none. */
double cgroup_cpus(const char *self, const char *root);
/** Bytes still allowed by the tightest memory limit, page cache counted as free; UINT64_MAX: none.
 */
uint64_t cgroup_memory(const char *self, const char *root);

#endif
