#define _GNU_SOURCE
#include "os/pages.h"

#include "base/mem.h"
#include "os/cgroup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE_PAGE ((size_t)2 << 20) /* of x86-64, and of ARM with 4 KB pages */
#define HUGE_WORTH                                                                                 \
    ((size_t)4 << 20) /* smaller tables would waste up to half of what they ask for */

#if !defined(MAP_ANONYMOUS) && defined(MAP_ANON)
#define MAP_ANONYMOUS MAP_ANON
#endif

static size_t round_up(size_t n, size_t unit) /* 0 when it does not fit */
{
    return n > SIZE_MAX - (unit - 1) ? 0 : (n + unit - 1) / unit * unit;
}

static size_t page_size(void)
{
    const long size = sysconf(_SC_PAGESIZE);
    return size > 0 ? (size_t)size : 4096;
}

static unsigned char *map(size_t length)
{
    void *p = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Maps a huge page more than is needed and gives back what lies outside an aligned piece. */
static unsigned char *map_aligned(size_t length)
{
    if (length > SIZE_MAX - HUGE_PAGE) {
        return NULL;
    }
    unsigned char *p = map(length + HUGE_PAGE);
    if (!p) {
        return NULL;
    }
    const size_t before = (HUGE_PAGE - (uintptr_t)p % HUGE_PAGE) % HUGE_PAGE;
    const size_t after = HUGE_PAGE - before;
    if (before) {
        munmap(p, before);
    }
    if (after) {
        munmap(p + before + length, after);
    }
    return p + before;
}

void *pages_alloc_in_order(size_t n)
{
    const size_t length = round_up(n, page_size());
    return mem_fault() || length == 0 ? NULL : map(length);
}

void *pages_alloc(size_t n)
{
    const size_t length = round_up(n, page_size());
    if (mem_fault() || length == 0) {
        return NULL;
    }
    if (length >= HUGE_WORTH) {
        unsigned char *p = map_aligned(length);
        if (p) {
#ifdef MADV_HUGEPAGE
            (void)madvise(p, length, MADV_HUGEPAGE); /* a wish; ordinary pages serve as well */
#endif
            return p;
        }
    }
    return map(length);
}

void pages_free(void *p, size_t n)
{
    if (p) {
        munmap(p, round_up(n, page_size()));
    }
}

static uint64_t system_available(void)
{
    uint64_t bytes = 0;
    FILE *f = fopen("/proc/meminfo", "re");
    if (f) {
        char line[256];
        while (fgets(line, sizeof line, f)) {
            if (strncmp(line, "MemAvailable:", 13) == 0) {
                bytes = strtoull(line + 13, NULL, 10) * 1024;
                break;
            }
        }
        fclose(f);
    }
#ifdef _SC_AVPHYS_PAGES
    if (bytes == 0) {
        const long pages = sysconf(_SC_AVPHYS_PAGES);
        bytes = pages > 0 ? (uint64_t)pages * page_size() : 0;
    }
#endif
    return bytes;
}

uint64_t pages_available(void)
{
    const uint64_t bytes = system_available();
    const uint64_t group = cgroup_memory(CGROUP_SELF, CGROUP_ROOT);
    return bytes == 0 || group < bytes ? (group == UINT64_MAX ? bytes : group) : bytes;
}
