#define _GNU_SOURCE
#include "os/clock.h"

#include <sys/resource.h>
#include <time.h>

double clock_wall(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        return 0;
    }
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void clock_utc(char *out, size_t size)
{
    const time_t now = time(NULL);
    struct tm parts;
    if (size && (!gmtime_r(&now, &parts) || !strftime(out, size, "%Y-%m-%dT%H:%M:%SZ", &parts))) {
        out[0] = '\0';
    }
}

uint64_t clock_peak_memory(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0 || usage.ru_maxrss < 0) {
        return 0;
    }
#ifdef __APPLE__
    return (uint64_t)usage.ru_maxrss; /* bytes there, kilobytes elsewhere */
#else
    return (uint64_t)usage.ru_maxrss * 1024;
#endif
}
