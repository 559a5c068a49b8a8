#include "base/mem.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/*
 * A hook for tests, which must reach allocations deep inside other calls: with
 * the flag in os/signals.c the only mutable globals below the program. It decides
 * nothing unless a test asks it to, and costs one relaxed increment an allocation.
 */
static atomic_uint_fast64_t tries;
static atomic_uint_fast64_t fail_number; /* 0: none */
static atomic_bool fail_forever;

void mem_fail_at(uint64_t n, bool forever)
{
    atomic_store(&fail_number, 0);
    atomic_store(&tries, 0);
    atomic_store(&fail_forever, forever);
    atomic_store(&fail_number, n);
}

uint64_t mem_tries(void)
{
    return atomic_load(&tries);
}

bool mem_fault(void)
{
    const uint64_t number = atomic_fetch_add_explicit(&tries, 1, memory_order_relaxed) + 1;
    const uint64_t fail = atomic_load_explicit(&fail_number, memory_order_relaxed);
    if (fail == 0 || (number != fail && !(number > fail && atomic_load(&fail_forever)))) {
        return false;
    }
    errno = ENOMEM; /* as malloc() says it */
    return true;
}

bool mem_multiply(size_t a, size_t b, size_t *product)
{
    if (b != 0 && a > SIZE_MAX / b) {
        return false;
    }
    *product = a * b;
    return true;
}

void *mem_alloc(size_t n)
{
    return mem_fault() ? NULL : malloc(n ? n : 1);
}

void *mem_calloc(size_t count, size_t size)
{
    size_t n;
    if (!mem_multiply(count, size, &n) || mem_fault()) {
        return NULL;
    }
    return n ? calloc(count, size) : malloc(1);
}

void *mem_realloc(void *p, size_t count, size_t size)
{
    size_t n;
    if (!mem_multiply(count, size, &n) || mem_fault()) {
        return NULL;
    }
    return realloc(p, n ? n : 1);
}

char *mem_strndup(const char *bytes, size_t n)
{
    char *copy = n < SIZE_MAX ? mem_alloc(n + 1) : NULL;
    if (copy) {
        if (n) {
            memcpy(copy, bytes, n);
        }
        copy[n] = '\0';
    }
    return copy;
}

void mem_free(void *p)
{
    free(p);
}

void *mem_alloc_aligned(size_t n)
{
    if (n > SIZE_MAX - MEM_ALIGN || mem_fault()) {
        return NULL;
    }
    /* aligned_alloc() wants a multiple of the alignment. */
    const size_t whole = n ? (n + MEM_ALIGN - 1) / MEM_ALIGN * MEM_ALIGN : MEM_ALIGN;
    void *p = aligned_alloc(MEM_ALIGN, whole);
    if (p) {
        memset(p, 0, whole);
    }
    return p;
}

void *mem_calloc_aligned(size_t n, size_t size)
{
    size_t bytes;
    return mem_multiply(n, size, &bytes) ? mem_alloc_aligned(bytes) : NULL;
}
