#include "io/zlib_memory.h"

#include "base/mem.h"

void *zlib_alloc(void *opaque, unsigned count, unsigned size)
{
    (void)opaque;
    size_t n;
    return mem_multiply(count, size, &n) ? mem_alloc(n) : NULL;
}

void zlib_free(void *opaque, void *p)
{
    (void)opaque;
    mem_free(p);
}
