/* Large zeroed memory straight from the system, on huge pages where it grants them. */
#ifndef W2V_OS_PAGES_H
#define W2V_OS_PAGES_H

#include <stddef.h>
#include <stdint.h>

/** At least n bytes (n >= 1), zeroed, page-aligned; NULL without memory. Fails as mem_fail_at()
 * says. */
void *pages_alloc(size_t n);
/** The same on ordinary pages, for what is written and read in order: there huge ones gain nothing,
    and a virtual machine may have given them back to its host, from where they come slowly. */
void *pages_alloc_in_order(size_t n);
/** Same n as given to either. pages_free(NULL, n) does nothing. */
void pages_free(void *p, size_t n);
/** Bytes of memory free for new allocations now, counting caches; 0 when unknown. */
uint64_t pages_available(void);

#endif
