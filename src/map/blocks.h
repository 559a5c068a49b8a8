/*
 * Work in blocks of a fixed size: which thread takes a block changes nothing of what it computes,
 * and sums over blocks are taken in their order.
 */
#ifndef W2V_MAP_BLOCKS_H
#define W2V_MAP_BLOCKS_H

#include <stddef.h>

/** Number of blocks that `count` things make. */
static inline size_t blocks_count(size_t count, size_t size)
{
    return count / size + (count % size != 0);
}

/** Items first..last-1 are block number `block`; `thread` names scratch memory. */
typedef void blocks_body(void *user, int thread, size_t block, size_t first, size_t last);

/** Calls `body` once for each block of 0..count-1, from at most `threads` threads. */
void blocks_run(int threads, size_t count, size_t size, blocks_body *body, void *user);

#endif
