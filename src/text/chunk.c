#include "text/chunk.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <string.h>

w2v_status chunk_reader_init(chunk_reader *r, const w2v_inputs *inputs, size_t chunk_size,
                             bool hash, w2v_error *err)
{
    memset(r, 0, sizeof *r);
    r->inputs = inputs;
    r->chunk_size = chunk_size;
    r->hash = hash;
    r->at_line_end = true;
    if (hash) {
        r->hashes = mem_calloc(inputs->count, sizeof *r->hashes);
        if (!r->hashes) {
            return error_memory(err, "the hashes of the inputs");
        }
    }
    return W2V_OK;
}

void chunk_reader_clear(chunk_reader *r)
{
    source_close(r->source);
    for (size_t i = 0; r->hashes && i < r->inputs->count; i++) {
        mem_free(r->hashes[i]);
    }
    mem_free(r->hashes);
    memset(r, 0, sizeof *r);
}

uint64_t chunk_stored_done(const chunk_reader *r)
{
    return r->stored_done + (r->source ? source_stored_done(r->source) : 0);
}

/* Length of the separator at p[0..n-1], 0 for none. */
static size_t separator_length(const char *p, size_t n)
{
    return *p == '\0' ? 1 : utf8_space_length(p, n);
}

/* Start of the last separator of text[begin..end-1] that begins within `reach` bytes of the end;
   `end` when there is none. White space cannot begin inside another character, so no context is
   needed. */
static size_t last_separator(const char *text, size_t begin, size_t end, size_t reach)
{
    const size_t low = end - begin > reach ? end - reach : begin;
    for (size_t i = end; i > low;) {
        i--;
        const unsigned char c = (unsigned char)text[i];
        if ((c <= ' ' || c >= 0xc2) && separator_length(text + i, end - i) > 0) {
            return i;
        }
    }
    return end;
}

/* Bytes that the first byte of a character announces. */
static size_t announced_length(unsigned char lead)
{
    return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
}

/* Where text[0..end-1] can be cut inside a token: at its end, or before a character that is not all
   there yet. Anything else decodes alike whatever follows. */
static size_t character_cut(const char *text, size_t end)
{
    for (size_t back = 1; back <= 3 && back <= end; back++) {
        const char *p = text + end - back;
        uint32_t code;
        if (announced_length((unsigned char)*p) > back && utf8_decode(p, back, &code) == back &&
            code == UTF8_INVALID) {
            return end - back;
        }
    }
    return end;
}

/* Where to cut text[begin..end-1]; `begin` when more text is needed. */
static size_t find_cut(const chunk_reader *r, const char *text, size_t begin, size_t end,
                       bool *inside)
{
    /* What lies before a cut inside must be longer than TOKEN_MAX, whatever the separator before it
       and the character behind it take. */
    const size_t reach = TOKEN_MAX + 8;
    const size_t at = last_separator(text, begin, end, reach);
    *inside = at == end && (r->inside || end - begin > reach);
    if (*inside) {
        return character_cut(text, end);
    }
    if (at == end) {
        return begin;
    }
    return at > begin && text[at] == '\n' && text[at - 1] == '\r' ? at - 1 : at;
}

/* Reads until the buffer holds `target` bytes or the input ends. */
static w2v_status fill(chunk_reader *r, char *buffer, size_t *size, size_t target, bool *end,
                       w2v_error *err)
{
    while (*size < target && !*end) {
        size_t got = 0;
        const w2v_status status = source_read(r->source, buffer + *size, target - *size, &got, err);
        if (status != W2V_OK) {
            return status;
        }
        *size += got;
        *end = got == 0;
    }
    return W2V_OK;
}

static w2v_status end_input(chunk_reader *r, w2v_error *err)
{
    if (r->hashes) {
        const char *hash = source_hash(r->source);
        r->hashes[r->input] = mem_strndup(hash, strlen(hash));
        if (!r->hashes[r->input]) {
            return error_memory(err, "the hashes of the inputs");
        }
    }
    r->gzip_trailing += source_trailing(r->source);
    r->open_lines += !r->at_line_end;
    r->at_line_end = true;
    r->stored_done += source_stored_done(r->source);
    source_close(r->source);
    r->source = NULL;
    r->input++;
    r->offset = 0;
    r->inside = false;
    return W2V_OK;
}

/* Cuts the text in the buffer, keeps the rest for the next chunk and moves the reader on. */
static w2v_status deliver(chunk_reader *r, size_t begin, size_t cut, size_t size, bool end,
                          chunk *out, w2v_error *err)
{
    out->number = r->number++;
    out->input = r->input;
    out->size = cut - begin;
    out->input_offset = r->offset + begin;
    out->text_offset = r->text_offset + begin;
    out->ends_input = end;
    r->carry_size = size - cut;
    memcpy(r->carry, out->data + out->size, r->carry_size);
    r->offset += cut;
    r->text_offset += cut;
    if (cut > begin) {
        const char last = out->data[out->size - 1];
        r->at_line_end = last == '\n' || last == '\r';
    }
    return end ? end_input(r, err) : W2V_OK;
}

w2v_status chunk_next(chunk_reader *r, char *buffer, chunk *out, w2v_error *err)
{
    w2v_status status = W2V_OK;
    if (!r->source) {
        const source_options options = {.hash = r->hash};
        status = source_open(r->inputs->paths[r->input], &options, &r->source, err);
        if (status != W2V_OK) {
            return status;
        }
    }
    const size_t capacity = CHUNK_BUFFER(r->chunk_size) - CHUNK_PADDING;
    size_t size = r->carry_size;
    size_t begin = 0;
    size_t cut = 0;
    bool end = false;
    bool inside = false;
    memcpy(buffer, r->carry, size);
    for (size_t target = size; cut == begin && !end;) {
        target = capacity - target > r->chunk_size ? target + r->chunk_size : capacity;
        status = fill(r, buffer, &size, target, &end, err);
        if (status != W2V_OK) {
            return status;
        }
        if (r->offset == 0 && size >= 3 && memcmp(buffer, "\xef\xbb\xbf", 3) == 0) {
            begin = 3; /* a byte order mark is no text */
        }
        cut = end ? size : find_cut(r, buffer, begin, size, &inside);
    }
    out->data = buffer + begin;
    out->begins_inside = r->inside;
    r->inside = inside;
    return deliver(r, begin, cut, size, end, out, err);
}
