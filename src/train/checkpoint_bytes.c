/* A checkpoint as a stream of bytes that are summed up as they come. */
#include "base/mem.h"
#include "train/checkpoint.h"

#include <inttypes.h>
#include <string.h>

#define PIECE ((size_t)1 << 18) /* bytes read at a time */

w2v_status checkpoint_damaged(const w2v_checkpoint *c, w2v_error *err, const char *what)
{
    return error_set(err, W2V_ERR_INPUT, "'%s' is a damaged checkpoint: %s", c->name, what);
}

w2v_status checkpoint_take(w2v_checkpoint *c, void *out, size_t n, w2v_error *err)
{
    size_t have = 0;
    while (have < n) {
        size_t got;
        const w2v_status status = source_read(c->src, (char *)out + have, n - have, &got, err);
        if (status != W2V_OK) {
            return status;
        }
        if (got == 0) {
            return error_set(err, W2V_ERR_INPUT, "'%s' ends early at byte %" PRIu64, c->name,
                             c->at + have);
        }
        have += got;
    }
    hash_add(&c->sum, out, n);
    c->at += n;
    return W2V_OK;
}

w2v_status checkpoint_take_new(w2v_checkpoint *c, uint64_t n, void **out, w2v_error *err)
{
    char *bytes = mem_alloc(1);
    size_t have = 0, room = 0;
    w2v_status status = bytes ? W2V_OK : error_memory(err, "the checkpoint");
    while (status == W2V_OK && have < n) {
        if (have == room) {
            const size_t more = room < PIECE ? PIECE : room;
            room = n - room < more ? (size_t)n : room + more;
            char *grown = mem_realloc(bytes, room, 1);
            if (!grown) {
                status = error_memory(err, "the checkpoint");
                break;
            }
            bytes = grown;
        }
        status = checkpoint_take(c, bytes + have, room - have, err);
        have = room;
    }
    if (status != W2V_OK) {
        mem_free(bytes);
        bytes = NULL;
    }
    *out = bytes;
    return status;
}

w2v_status checkpoint_take_numbers(w2v_checkpoint *c, uint64_t n, uint64_t **out, w2v_error *err)
{
    void *bytes;
    *out = NULL;
    const w2v_status status = checkpoint_take_new(c, 8 * n, &bytes, err);
    if (status != W2V_OK) {
        return status;
    }
    uint64_t *numbers = bytes;
    for (uint64_t i = 0; i < n; i++) {
        unsigned char own[8];
        memcpy(own, (const char *)bytes + 8 * i, 8);
        numbers[i] = checkpoint_take_u64(own);
    }
    *out = numbers;
    return W2V_OK;
}

w2v_status checkpoint_take_sum(w2v_checkpoint *c, w2v_error *err)
{
    const uint64_t sum = hash_end(&c->sum);
    unsigned char bytes[8];
    const w2v_status status = checkpoint_take(c, bytes, sizeof bytes, err);
    c->sum = (hash){.sum = HASH_START};
    if (status == W2V_OK && c->checked && checkpoint_take_u64(bytes) != sum) {
        return checkpoint_damaged(c, err, "its bytes are not those that were written");
    }
    return status;
}
