/* Vocabularies of language models: a JSON object of token -> row, or a list of tokens. */
#include "base/json_read.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "vec/file.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

/*
 * GPT-2's tokenizer shows each byte as a character that can be printed:
 * bytes 33-126, 161-172 and 174-255 as themselves, the other 68 in order from
 * U+0100 (Radford et al. 2019, encoder.py's bytes_to_unicode).
 */
static bool is_own_character(uint32_t byte)
{
    return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

static int byte_of(uint32_t code)
{
    if (code < 256) {
        return is_own_character(code) ? (int)code : -1;
    }
    uint32_t next = 256;
    for (uint32_t byte = 0; byte < 256; byte++) {
        if (!is_own_character(byte) && next++ == code) {
            return (int)byte;
        }
    }
    return -1;
}

bool vec_byte_level(const char *text, size_t n, char *out, size_t *length)
{
    *length = 0;
    for (size_t i = 0; i < n;) {
        uint32_t code;
        i += utf8_decode(text + i, n - i, &code);
        const int byte = code == UTF8_INVALID ? -1 : byte_of(code);
        if (byte <= 0) {
            return false;
        }
        out[(*length)++] = (char)(unsigned char)byte;
    }
    return true;
}

/* A vocabulary is byte-level when every token is spelt in the 256 characters and some token begins
   with the one for a space. */
static bool is_byte_level(json_t *vocab)
{
    bool space = false;
    const char *token;
    json_t *id;
    json_object_foreach(vocab, token, id)
    {
        const size_t n = strlen(token);
        for (size_t i = 0; i < n;) {
            uint32_t code;
            i += utf8_decode(token + i, n - i, &code);
            if (byte_of(code) < 0 && code != ' ') { /* added tokens may hold a plain space */
                return false;
            }
            space = space || code == 0x120;
        }
    }
    return space;
}

typedef struct by_row {
    const char **tokens; /* of each row, or NULL */
    uint64_t rows;
} by_row;

static w2v_status sort_tokens(json_t *vocab, const w2v_vectors *v, const char *path, by_row *r,
                              w2v_error *err)
{
    const char *token;
    json_t *id;
    json_object_foreach(vocab, token, id)
    {
        char text[SHOWN_WORD];
        const json_int_t row = json_is_integer(id) ? json_integer_value(id) : -1;
        if (row < 0) {
            return error_set(err, W2V_ERR_INPUT, "'%s': token '%s' has no row number", path,
                             shown_word(token, strlen(token), text));
        }
        if ((uint64_t)row >= r->rows) {
            if (v->file->options.lenient) {
                continue;
            }
            return error_set(err, W2V_ERR_INPUT,
                             "'%s': token '%s' stands for row %" PRIu64 ", but '%s' has %" PRIu64
                             " rows (numbered from 0)",
                             path, shown_word(token, strlen(token), text), (uint64_t)row,
                             vec_name(v), r->rows);
        }
        if (r->tokens[row]) {
            char other[SHOWN_WORD];
            return error_set(err, W2V_ERR_INPUT,
                             "'%s': tokens '%s' and '%s' both stand for row %" PRIu64, path,
                             shown_word(r->tokens[row], strlen(r->tokens[row]), other),
                             shown_word(token, strlen(token), text), (uint64_t)row);
        }
        r->tokens[row] = token;
    }
    return W2V_OK;
}

static w2v_status sort_list(json_t *list, const w2v_vectors *v, const char *path, by_row *r,
                            w2v_error *err)
{
    if (json_array_size(list) != r->rows && !v->file->options.lenient) {
        return error_set(err, W2V_ERR_INPUT, "'%s' names %zu words, but '%s' has %" PRIu64 " rows",
                         path, json_array_size(list), vec_name(v), r->rows);
    }
    for (size_t i = 0; i < json_array_size(list) && i < r->rows; i++) {
        r->tokens[i] = json_string_value(json_array_get(list, i));
        if (!r->tokens[i]) {
            return error_set(err, W2V_ERR_INPUT, "'%s': entry %zu of the list is no text", path,
                             i + 1);
        }
    }
    return W2V_OK;
}

static bool put_tokens(const by_row *r, bool byte_level, vec_labels *out)
{
    out->known = mem_calloc((size_t)r->rows, sizeof *out->known);
    if (!out->known) {
        return false;
    }
    for (uint64_t i = 0; i < r->rows; i++) {
        const char *token = r->tokens[i] ? r->tokens[i] : "";
        size_t n = strlen(token);
        out->known[i] = r->tokens[i] != NULL;
        char *decoded = byte_level ? mem_alloc(n) : NULL;
        if (byte_level && !decoded) {
            return false;
        }
        size_t length;
        const bool use = byte_level && vec_byte_level(token, n, decoded, &length);
        const bool kept = words_append(&out->names, use ? decoded : token, use ? length : n);
        mem_free(decoded);
        if (!kept) {
            return false;
        }
    }
    return true;
}

/* The object of tokens: the whole file, or "model" / "vocab" of a tokenizer.json. */
static json_t *vocabulary_in(json_t *root)
{
    json_t *inner = json_object_get(json_object_get(root, "model"), "vocab");
    return json_is_object(inner) ? inner : root;
}

static w2v_status take_json(json_t *root, const w2v_vectors *v, const char *path, by_row *r,
                            vec_labels *out, w2v_error *err)
{
    r->tokens = mem_calloc((size_t)r->rows, sizeof *r->tokens);
    if (!r->tokens) {
        return error_memory(err, "the words");
    }
    json_t *vocab = vocabulary_in(root);
    const bool object = json_is_object(vocab);
    const w2v_status status =
        object ? sort_tokens(vocab, v, path, r, err) : sort_list(vocab, v, path, r, err);
    if (status != W2V_OK) {
        return status;
    }
    return put_tokens(r, object && is_byte_level(vocab), out) ? W2V_OK
                                                              : error_memory(err, "the words");
}

/* Is this a list of words after all, whose first line looks like JSON? It has a line for each row
   then; else it begins as no JSON text of tokens does. */
static bool is_list(const char *text, size_t n, uint64_t rows)
{
    uint64_t lines = n > 0 && text[n - 1] != '\n';
    for (size_t i = 0; i < n; i++) {
        lines += text[i] == '\n';
    }
    size_t at = 0;
    while (at < n && text[at] != '{' && text[at] != '[') {
        at++;
    }
    at++;
    while (at < n && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))) {
        at++;
    }
    return lines == rows || at >= n || text[at] != '"';
}

w2v_status vec_json_labels(const char *json, size_t n, uint64_t rows, const w2v_vectors *v,
                           const char *path, vec_labels *out, bool *is_json, w2v_error *err)
{
    json_error_t fault;
    bool no_memory;
    json_t *root = json_read(json, n, &fault, &no_memory);
    *is_json = root != NULL;
    if (no_memory) {
        return error_memory(err, "the words of the rows");
    }
    if (!root) { /* a list may begin with a bracket, but hardly with one and a quote */
        return is_list(json, n, rows)
                   ? W2V_OK
                   : error_set(err, W2V_ERR_INPUT, "'%s' is damaged at line %d (its JSON): %s",
                               path, fault.line, fault.text);
    }
    by_row r = {.rows = rows};
    const uint64_t tokens = json_is_object(vocabulary_in(root))
                                ? json_object_size(vocabulary_in(root))
                                : json_array_size(root);
    if (rows / 4 > tokens) { /* another table's words; and a header's word alone costs no memory */
        json_decref(root);
        return error_set(err, W2V_ERR_INPUT,
                         "'%s' names %" PRIu64 " words, but '%s' has %" PRIu64 " rows", path,
                         tokens, vec_name(v), rows);
    }
    const w2v_status status = take_json(root, v, path, &r, out, err);
    mem_free(r.tokens);
    json_decref(root);
    return status;
}
