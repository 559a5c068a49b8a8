/*
 * The system between the program and the kernel, for tests: the linker's --wrap leads calls of the
 * program's own objects here, where call number N fails, or comes short, or the file that is read
 * changes. What the C library does inside itself is not reached.
 */
#ifndef W2V_TESTS_WRAPPED_H
#define W2V_TESTS_WRAPPED_H

#include <stdbool.h>
#include <stdint.h>

typedef enum wrapped_fault {
    WRAPPED_NONE,
    WRAPPED_FAIL,      /* call number `at` fails, and later ones when `forever` */
    WRAPPED_FULL,      /* writing ends half-way through call number `at`, then the disk is full */
    WRAPPED_SHORT,     /* every read and write moves a few bytes only */
    WRAPPED_INTERRUPT, /* half of the calls that may say so say EINTR */
    WRAPPED_SHRINK,    /* from call `at` on, once the victim is open: it loses its second half */
    WRAPPED_GROW,      /* likewise: it becomes longer */
    WRAPPED_VANISH,    /* likewise: it is removed */
} wrapped_fault;

typedef struct wrapped_plan {
    wrapped_fault fault;
    uint64_t at; /* 1 is the next call */
    bool forever;
    const char *victim; /* its name, without a folder */
} wrapped_plan;

/** Starts counting afresh. */
void wrapped_begin(wrapped_plan plan);
/** Back to what the system does; the number of calls since wrapped_begin(). */
uint64_t wrapped_end(void);
/** Was the victim changed? */
bool wrapped_struck(void);
/** Blocks of the heap less those that were freed, and bytes mapped less those unmapped: of the
    program and what goes through its allocator. */
int64_t wrapped_blocks(void);
int64_t wrapped_mapped(void);

#endif
