#include "text/tokenizer.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "text/masks.h"

#include <string.h>

#define FOLDED_BYTES ((size_t)1 << 16)

void met_add(text_met *total, const text_met *more)
{
    const bool earlier = more->invalid_input < total->invalid_input ||
                         (more->invalid_input == total->invalid_input &&
                          more->invalid_offset < total->invalid_offset);
    if (more->invalid && (!total->invalid || earlier)) {
        total->invalid_input = more->invalid_input;
        total->invalid_offset = more->invalid_offset;
    }
    total->tokens += more->tokens;
    total->lines += more->lines;
    total->nul_bytes += more->nul_bytes;
    total->long_tokens += more->long_tokens;
    total->invalid += more->invalid;
    total->latin1 += more->latin1;
}

w2v_status tokenizer_init(tokenizer *t, const w2v_text_options *options, token_sink *sink,
                          void *user, w2v_error *err)
{
    memset(t, 0, sizeof *t);
    t->lines_are_sentences = options->lines_are_sentences;
    t->lowercase = options->lowercase;
    t->sink = sink;
    t->user = user;
    const bool mends =
        options->invalid_utf8 == W2V_UTF8_REPLACE || options->invalid_utf8 == W2V_UTF8_DROP;
    if (!mends && !t->lowercase && options->normal_form == W2V_FORM_AS_IS) {
        return W2V_OK;
    }
    t->folded = mem_alloc(FOLDED_BYTES);
    if (!t->folded) {
        return error_memory(err, "folding words");
    }
    const fold_rules rules = {options->invalid_utf8, t->lowercase, options->normal_form};
    const w2v_status status = fold_create(&rules, TOKEN_MAX, &t->fold, err);
    if (status != W2V_OK) {
        tokenizer_clear(t);
    }
    return status;
}

void tokenizer_clear(tokenizer *t)
{
    fold_free(t->fold);
    mem_free(t->folded);
    t->fold = NULL;
    t->folded = NULL;
}

static void flush(tokenizer *t)
{
    if (t->status == W2V_OK && t->count > 0) {
        t->status = t->sink(t->user, t->tokens, t->count, t->err);
    }
    t->count = 0;
    t->folded_used = 0;
}

static inline void push(tokenizer *t, const char *word, size_t n, size_t at)
{
    token *k = &t->tokens[t->count++];
    token_set_padded(k, word, n);
    k->first_seen = t->chunk->text_offset + at;
    t->after_break = false;
    t->met.tokens++;
    if (t->count == TOKEN_BATCH) {
        flush(t);
    }
}

static void push_break(tokenizer *t)
{
    if (!t->after_break) {
        token *k = &t->tokens[t->count++];
        memset(k, 0, sizeof *k); /* length TOKEN_BREAK */
        t->after_break = true;
        if (t->count == TOKEN_BATCH) {
            flush(t);
        }
    }
}

static bool is_ascii(const char *s, size_t n)
{
    unsigned char any = 0;
    for (size_t i = 0; i < n; i++) {
        any |= (unsigned char)s[i];
    }
    return any < 0x80;
}

static void push_folded(tokenizer *t, const char *word, size_t n, size_t at)
{
    if (FOLDED_BYTES - t->folded_used < FOLD_BYTES(n)) {
        flush(t);
    }
    char *out = t->folded + t->folded_used;
    size_t length = 0;
    const w2v_status status = fold_word(t->fold, word, n, out, &length, t->err);
    if (status != W2V_OK) {
        t->status = status;
    } else if (length > 0) {
        t->folded_used += length + 8; /* the padding that push() may read */
        push(t, out, length, at);
    }
}

/* A token of data[start..end-1], not empty. */
static inline void take_token(tokenizer *t, size_t start, size_t end)
{
    const char *word = t->chunk->data + start;
    const size_t n = end - start;
    if (n > TOKEN_MAX) {
        t->met.long_tokens++;
    } else if (!t->fold || is_ascii(word, n)) {
        push(t, word, n, start);
    } else {
        push_folded(t, word, n, start);
    }
}

/* LF, CR or NUL at data[at]. */
static void take_special(tokenizer *t, size_t at)
{
    const char *data = t->chunk->data;
    if (data[at] == '\0') {
        t->met.nul_bytes++;
        return;
    }
    if (data[at] == '\n' && at > 0 && data[at - 1] == '\r') {
        return; /* CRLF is one end, and never parted by a chunk */
    }
    t->met.lines++;
    if (t->lines_are_sentences) {
        push_break(t);
    }
}

static bool is_letter(int c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* A lone byte beside an ASCII letter, where Latin-1 has letters. */
static bool looks_latin1(const chunk *c, size_t at, size_t length)
{
    if (length != 1 || (unsigned char)c->data[at] < 0xc0) {
        return false;
    }
    const int before = at > 0 ? (unsigned char)c->data[at - 1] : ' ';
    const int after = at + 1 < c->size ? (unsigned char)c->data[at + 1] : ' ';
    const bool inside_character = (before | 0x3f) == 0xbf || (after | 0x3f) == 0xbf;
    return (is_letter(before) || is_letter(after)) && !inside_character;
}

static void take_invalid(tokenizer *t, size_t at, size_t length)
{
    if (t->met.invalid == 0) { /* a worker's chunks come in the order of the text */
        t->met.invalid_input = t->chunk->input;
        t->met.invalid_offset = t->chunk->input_offset + at;
    }
    t->met.invalid++;
    t->met.latin1 += looks_latin1(t->chunk, at, length);
}

static bool is_tail(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Characters of two and three bytes that are surely well-formed and no white space: most of all
   text that is not ASCII. 0 when it takes a closer look. */
static inline size_t plain_length(const char *s, size_t n)
{
    const unsigned char c = (unsigned char)s[0];
    if (c >= 0xc3 && c <= 0xdf && n >= 2 && is_tail(s[1])) {
        return 2;
    }
    const bool three =
        (c >= 0xe4 && c <= 0xec) || (c == 0xe0 && n >= 2 && (unsigned char)s[1] >= 0xa0);
    return three && n >= 3 && is_tail(s[1]) && is_tail(s[2]) ? 3 : 0;
}

static uint64_t bits_from(size_t i) /* all bits from i on; none from 64 */
{
    return i < 64 ? UINT64_MAX << i : 0;
}

/* Looks at the characters that begin at the set bits of `high`, which stands for 64 bytes from
   `base` on. Returns the bytes of white space among them. */
static uint64_t scan_high(tokenizer *t, uint64_t high, size_t base)
{
    const chunk *c = t->chunk;
    uint64_t separators = t->space_carry;
    t->space_carry = 0;
    high &= t->decoded > base ? bits_from(t->decoded - base) : UINT64_MAX;
    while (high) {
        const unsigned bit = mask_first(high);
        const size_t at = base + bit;
        size_t length = plain_length(c->data + at, c->size - at);
        if (length == 0) {
            uint32_t code;
            length = utf8_decode(c->data + at, c->size - at, &code);
            if (code == UTF8_INVALID) {
                take_invalid(t, at, length);
            } else if (utf8_is_space(code)) {
                separators |= bits_from(bit) & ~bits_from(bit + length);
                t->space_carry = bit + length > 64 ? ~bits_from(bit + length - 64) : 0;
            }
        }
        t->decoded = at + length;
        high &= bits_from(bit + length);
    }
    return separators;
}

static void lower_ascii(char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)s[i];
        s[i] = (char)(c + ((unsigned char)(c - 'A') < 26 ? 32 : 0));
    }
}

w2v_status tokenizer_run(tokenizer *t, const chunk *c, w2v_error *err)
{
    t->chunk = c;
    t->err = err;
    t->status = W2V_OK;
    t->after_break = false;
    t->decoded = 0;
    t->space_carry = 0;
    if (t->lowercase) {
        lower_ascii(c->data, c->size);
    }
    memset(c->data + c->size, ' ', CHUNK_PADDING); /* ends the last token */
    /* The rest of a token that is too long was counted with its beginning: no end is past this. */
    size_t start = c->begins_inside ? SIZE_MAX : 0;
    for (size_t base = 0; base <= c->size && t->status == W2V_OK; base += MASK_BYTES) {
        byte_masks m = byte_masks_of(c->data + base);
        if (m.high) {
            m.separator |= scan_high(t, m.high, base);
        }
        for (; m.separator; m.separator &= m.separator - 1) {
            const unsigned bit = mask_first(m.separator);
            const size_t at = base + bit;
            if (at > start) {
                take_token(t, start, at);
            }
            start = at + 1;
            if ((m.special >> bit) & 1) {
                take_special(t, at);
            }
        }
    }
    if (c->ends_input) {
        push_break(t);
    }
    flush(t);
    return t->status;
}
