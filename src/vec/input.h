/* A source with a window: bytes can be looked at before they are taken. */
#ifndef W2V_VEC_INPUT_H
#define W2V_VEC_INPUT_H

#include "io/source.h"

typedef struct input {
    source *src;
    char *data; /* the window: data[begin .. end-1] was read and not taken yet */
    size_t begin, end, capacity;
    uint64_t offset; /* of data[begin] in the text */
    bool ended;      /* nothing comes after the window */
} input;

/** Takes the source over. Zero-initialise `in` before. */
void input_open(input *in, source *src);
void input_close(input *in);
/** Makes the window hold at least n bytes, or all that is left; input_size() tells. The window
    grows only as bytes arrive. */
w2v_status input_peek(input *in, size_t n, w2v_error *err);
/** Drops n <= input_size() bytes from the front of the window. */
void input_skip(input *in, size_t n);
/** Up to n bytes; fewer only at the end. */
w2v_status input_read(input *in, void *buffer, size_t n, size_t *got, w2v_error *err);
/** Reads over n bytes; *skipped is less at the end. */
w2v_status input_pass(input *in, uint64_t n, uint64_t *skipped, w2v_error *err);

static inline const char *input_data(const input *in)
{
    return in->data + in->begin;
}

static inline size_t input_size(const input *in)
{
    return in->end - in->begin;
}

#endif
