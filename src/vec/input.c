#include "vec/input.h"

#include "base/mem.h"

#include <string.h>

#define WINDOW ((size_t)1 << 16) /* at first, and the least that is read at a time */

void input_open(input *in, source *src)
{
    *in = (input){.src = src};
}

void input_close(input *in)
{
    source_close(in->src);
    mem_free(in->data);
    *in = (input){0};
}

/* Room behind the window for at least WINDOW bytes more: moves it to the front, or doubles. */
static w2v_status make_room(input *in, w2v_error *err)
{
    if (in->capacity - in->end >= WINDOW) {
        return W2V_OK;
    }
    if (in->begin > 0) {
        memmove(in->data, in->data + in->begin, in->end - in->begin);
        in->end -= in->begin;
        in->begin = 0;
    }
    if (in->capacity - in->end >= WINDOW) {
        return W2V_OK;
    }
    const size_t capacity = in->capacity ? in->capacity : WINDOW;
    char *data = mem_realloc(in->data, capacity, 2);
    if (!data) {
        return error_memory(err, "reading a file");
    }
    in->data = data;
    in->capacity = capacity * 2;
    return W2V_OK;
}

w2v_status input_peek(input *in, size_t n, w2v_error *err)
{
    while (in->end - in->begin < n && !in->ended) {
        w2v_status status = make_room(in, err);
        size_t got = 0;
        if (status == W2V_OK) {
            status = source_read(in->src, in->data + in->end, in->capacity - in->end, &got, err);
        }
        if (status != W2V_OK) {
            return status;
        }
        in->end += got;
        in->ended = got == 0;
    }
    return W2V_OK;
}

void input_skip(input *in, size_t n)
{
    in->begin += n;
    in->offset += n;
}

w2v_status input_read(input *in, void *buffer, size_t n, size_t *got, w2v_error *err)
{
    char *out = buffer;
    *got = input_size(in) < n ? input_size(in) : n;
    if (*got > 0) {
        memcpy(out, input_data(in), *got);
        input_skip(in, *got);
    }
    while (*got < n && !in->ended) {
        size_t more;
        const w2v_status status = source_read(in->src, out + *got, n - *got, &more, err);
        if (status != W2V_OK) {
            return status;
        }
        in->ended = more == 0;
        *got += more;
        in->offset += more;
    }
    return W2V_OK;
}

w2v_status input_pass(input *in, uint64_t n, uint64_t *skipped, w2v_error *err)
{
    *skipped = 0;
    while (*skipped < n) {
        const w2v_status status = input_peek(in, 1, err);
        if (status != W2V_OK || input_size(in) == 0) {
            return status;
        }
        const uint64_t left = n - *skipped;
        const size_t step = left < input_size(in) ? (size_t)left : input_size(in);
        input_skip(in, step);
        *skipped += step;
    }
    return W2V_OK;
}
