/* Words that a checkpoint has in its own tensors, before its rows. */
#include "base/mem.h"
#include "vec/file.h"

#include <inttypes.h>
#include <string.h>

static w2v_status damaged(const w2v_vectors *v, w2v_error *err)
{
    return vec_error_at(err, 0, v->file->in.offset,
                        "'%s' is a damaged checkpoint: its words are not sound at byte %" PRIu64,
                        vec_name(v), v->file->in.offset);
}

/* n <= VEC_WORD_MAX bytes at the front of the window. */
static w2v_status need(w2v_vectors *v, size_t n, w2v_error *err)
{
    const w2v_status status = input_peek(&v->file->in, n, err);
    return status == W2V_OK && input_size(&v->file->in) < n ? damaged(v, err) : status;
}

static w2v_status go_to(w2v_vectors *v, uint64_t at, w2v_error *err)
{
    uint64_t skipped;
    const uint64_t here = v->file->in.offset;
    if (at < here) {
        return damaged(v, err);
    }
    return input_pass(&v->file->in, at - here, &skipped, err);
}

static uint64_t little_endian(const char *bytes)
{
    uint64_t value = 0;
    for (unsigned k = 0; k < 8; k++) {
        value |= (uint64_t)(unsigned char)bytes[k] << (8 * k);
    }
    return value;
}

/* Where the words begin and end; room grows as they come. */
static w2v_status read_offsets(w2v_vectors *v, uint64_t **offsets, w2v_error *err)
{
    vec_file *f = v->file;
    size_t room = 0;
    w2v_status status = go_to(v, f->offsets_at, err);
    for (uint64_t i = 0; status == W2V_OK && i <= f->rows; i++) {
        if (i == room) {
            room = room ? 2 * room : 1024;
            uint64_t *grown = mem_realloc(*offsets, room, sizeof **offsets);
            if (!grown) {
                return error_memory(err, "a list of words");
            }
            *offsets = grown;
        }
        status = need(v, 8, err);
        if (status == W2V_OK) {
            (*offsets)[i] = little_endian(input_data(&f->in));
            input_skip(&f->in, 8);
        }
    }
    return status;
}

w2v_status vec_own_labels(w2v_vectors *v, words *out, w2v_error *err)
{
    vec_file *f = v->file;
    uint64_t *offsets = NULL;
    w2v_status status = read_offsets(v, &offsets, err);
    status = status ? status : go_to(v, f->letters_at, err);
    if (status == W2V_OK && offsets[0] != 0) {
        status = damaged(v, err);
    }
    for (uint64_t i = 0; status == W2V_OK && i < f->rows; i++) {
        const uint64_t from = offsets[i], to = offsets[i + 1];
        if (to <= from || to > f->letters || to - from > VEC_WORD_MAX) {
            status = damaged(v, err);
            break;
        }
        const size_t n = (size_t)(to - from);
        status = need(v, n, err);
        if (status == W2V_OK && memchr(input_data(&f->in), '\0', n)) {
            status = damaged(v, err);
        }
        if (status == W2V_OK) {
            status = words_append(out, input_data(&f->in), n)
                         ? W2V_OK
                         : error_memory(err, "a list of words");
            input_skip(&f->in, n);
        }
    }
    mem_free(offsets);
    return status;
}
