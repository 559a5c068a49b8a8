/* Time. Given upwards as a value; nothing below the program decides by it. */
#ifndef W2V_OS_CLOCK_H
#define W2V_OS_CLOCK_H

#include <stddef.h>
#include <stdint.h>

double clock_wall(void);                /* seconds, monotone */
void clock_utc(char *out, size_t size); /* now, "2026-01-31T12:00:00Z" */
uint64_t clock_peak_memory(void);       /* largest resident set of this process, bytes; 0 unknown */

#endif
