/* Large zeroed memory straight from the system, on huge pages where it grants them. */
#ifndef W2V_OS_PAGES_H
#define W2V_OS_PAGES_H

#include <stddef.h>
#include <stdint.h>

/** At least n bytes (n >= 1), zeroed, page-aligned; NULL without memory. Fails as mem_fail_at()
 * says. */
void *pages_alloc(size_t n);
/** Same n as given to pages_alloc(). pages_free(NULL, n) does nothing. */
void pages_free(void *p, size_t n);
/** Bytes of memory free for new allocations now, counting caches; 0 when unknown. */
uint64_t pages_available(void);

#endif
