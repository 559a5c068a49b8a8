#include "map/blocks.h"

#include "os/thread.h"

typedef struct blocks {
    size_t count, size;
    blocks_body *body;
    void *user;
} blocks;

static void take_turns(void *arg, int thread, int team)
{
    const blocks *b = arg;
    const size_t all = blocks_count(b->count, b->size);
    for (size_t i = (size_t)thread; i < all; i += (size_t)team) {
        const size_t first = i * b->size;
        const size_t left = b->count - first;
        b->body(b->user, thread, i, first, first + (left < b->size ? left : b->size));
    }
}

void blocks_run(int threads, size_t count, size_t size, blocks_body *body, void *user)
{
    blocks b = {.count = count, .size = size, .body = body, .user = user};
    const size_t all = blocks_count(count, size);
    if (threads > 1 && all > 1) {
        thread_team((size_t)threads < all ? threads : (int)all, take_turns, &b);
    } else {
        take_turns(&b, 0, 1);
    }
}
