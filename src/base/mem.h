/*
 * Heap memory. Every allocation of the library goes through here (zlib's too),
 * so that tests can make each of them fail.
 */
#ifndef W2V_BASE_MEM_H
#define W2V_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** a * b into *product; false when it does not fit. */
bool mem_multiply(size_t a, size_t b, size_t *product);

/** n bytes, or NULL. n == 0 gives a pointer that may be freed. */
void *mem_alloc(size_t n);
/** count * size zeroed bytes, or NULL (also when the product overflows). */
void *mem_calloc(size_t count, size_t size);
/** Resizes to count * size bytes; NULL leaves `p` as it was. */
void *mem_realloc(void *p, size_t count, size_t size);
/** A copy of n bytes with a NUL after them. */
char *mem_strndup(const char *bytes, size_t n);
void mem_free(void *p);

/** Bytes of alignment of mem_alloc_aligned(): a cache line, and an AVX-512 vector. */
#define MEM_ALIGN 64
/** n bytes aligned to MEM_ALIGN, zeroed; freed with mem_free(). */
void *mem_alloc_aligned(size_t n);

/**
 * n objects of zeros that begin on a cache line, and share none with another allocation: what one
 * thread writes all the time must not lie beside what another one reads.
 */
void *mem_calloc_aligned(size_t n, size_t size);

/**
 * For tests: makes allocation number `n` from now (1 = the next) fail, and all
 * after it when `forever`. n == 0 switches it off. Counts across threads.
 */
void mem_fail_at(uint64_t n, bool forever);
/** For tests: number of allocations tried since the last mem_fail_at(). */
uint64_t mem_tries(void);
/** Counts one try and tells whether it is to fail; for allocators other than these (os/pages). */
bool mem_fault(void);

#endif
