#include "train/blocks.h"

#include "base/mem.h"

#include <string.h>

/* At least 100 rates an epoch where there are tokens (pieces are not cut for it, so aim at more),
   but blocks small enough that their words stay in a core's cache. */
#define BLOCKS_AN_EPOCH 200
#define BLOCK_TOKENS_MAX 16384
/* Codes read at a time. */
#define SCAN ((uint64_t)1 << 20)

typedef struct builder {
    blocks *blocks;
    size_t capacity;
    uint64_t target; /* tokens after which a block may end */
    uint64_t tokens, piece;
    uint32_t max_sentence;
} builder;

static bool add_boundary(builder *b, uint64_t code)
{
    blocks *out = b->blocks;
    if (out->count + 1 >= b->capacity) {
        const size_t capacity = b->capacity * 2 + 64;
        uint64_t *begin = mem_realloc(out->begin, capacity, sizeof *begin);
        if (!begin) {
            return false;
        }
        out->begin = begin;
        uint64_t *before = mem_realloc(out->before, capacity, sizeof *before);
        if (!before) {
            return false;
        }
        out->before = before;
        b->capacity = capacity;
    }
    out->begin[out->count] = code;
    out->before[out->count] = b->tokens;
    return true;
}

/* A piece has ended before `code`: ends the block as well when it has grown enough. */
static bool end_piece(builder *b, uint64_t code)
{
    blocks *out = b->blocks;
    b->piece = 0;
    if (b->tokens - out->before[out->count] < b->target) {
        return true;
    }
    const uint64_t length = code - out->begin[out->count];
    out->max_codes = length > out->max_codes ? length : out->max_codes;
    out->count++;
    return add_boundary(b, code);
}

static bool scan(builder *b, const uint32_t *codes, uint64_t n, uint64_t at)
{
    for (uint64_t i = 0; i < n; i++) {
        if (codes[i] == CORPUS_BREAK) {
            if (!end_piece(b, at + i + 1)) {
                return false;
            }
        } else {
            /* only when one more token comes is the piece known to be full, not ended by a break */
            if (b->piece == b->max_sentence) {
                b->blocks->cuts++;
                if (!end_piece(b, at + i)) {
                    return false;
                }
            }
            b->piece++;
            b->tokens++;
        }
    }
    return true;
}

w2v_status blocks_init(blocks *b, const w2v_corpus *corpus, uint32_t max_sentence, w2v_error *err)
{
    memset(b, 0, sizeof *b);
    uint64_t target = corpus->stats.tokens_kept / BLOCKS_AN_EPOCH;
    target = target < 1 ? 1 : target > BLOCK_TOKENS_MAX ? BLOCK_TOKENS_MAX : target;
    builder build = {b, 0, target, 0, 0, max_sentence};
    uint32_t *buffer = corpus->codes ? NULL : mem_calloc(SCAN, sizeof *buffer);
    bool ok = (corpus->codes || buffer) && add_boundary(&build, 0);
    for (uint64_t at = 0; ok && at < corpus->length; at += SCAN) {
        const uint64_t end = at + SCAN < corpus->length ? at + SCAN : corpus->length;
        const uint32_t *codes = corpus_read(corpus, at, end, buffer, err);
        if (!codes) {
            mem_free(buffer);
            blocks_clear(b);
            return err ? err->code : W2V_ERR_IO;
        }
        ok = scan(&build, codes, end - at, at);
    }
    if (ok && build.tokens > b->before[b->count]) {
        build.target = 0;
        ok = end_piece(&build, corpus->length);
    }
    mem_free(buffer);
    if (!ok) {
        blocks_clear(b);
        return error_memory(err, "the list of blocks");
    }
    return W2V_OK;
}

void blocks_clear(blocks *b)
{
    mem_free(b->begin);
    mem_free(b->before);
    memset(b, 0, sizeof *b);
}

double blocks_rate(const blocks *b, double lr, uint32_t epoch, uint32_t epochs, uint64_t block)
{
    const double tokens = (double)b->before[b->count];
    const double done = ((double)epoch * tokens + (double)b->before[block]) / ((double)epochs * tokens);
    const double left = 1.0 - done;
    return lr * (left > 1e-4 ? left : 1e-4);
}
