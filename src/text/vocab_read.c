#include "base/buf.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/utf8.h"
#include "io/source.h"
#include "text/fold.h"
#include "text/type_table.h"
#include "text/vocab.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A folded word, a count and what may stand around them. */
#define ROW_MAX (FOLD_BYTES(TOKEN_MAX) + 64)
#define PIECE ((size_t)1 << 16)

typedef struct list_reader {
    const char *path;
    vocab_list *list;
    type_table seen; /* of the words so far */
    buf line;        /* the part of a row that is not complete */
    uint64_t line_number;
    bool after_cr; /* an LF now belongs to the line end before it */
    w2v_error *err;
    uint64_t total; /* of the counts so far */
} list_reader;

void vocab_list_clear(vocab_list *list)
{
    words_clear(&list->names);
    mem_free(list->counts);
    memset(list, 0, sizeof *list);
}

static w2v_status row_error(const list_reader *r, const char *what)
{
    error_set(r->err, W2V_ERR_INPUT, "'%s' line %" PRIu64 ": %s", r->path, r->line_number, what);
    if (r->err) {
        r->err->line = r->line_number;
    }
    return W2V_ERR_INPUT;
}

/* Cuts s[0..n-1] at white space into at most `max` fields; returns their number, max + 1 if there
   are more. */
static size_t split(const char *s, size_t n, const char **fields, size_t *lengths, size_t max)
{
    size_t count = 0;
    for (size_t i = 0, start = 0; i <= n; i++) {
        const size_t space = i == n || s[i] == '\0' ? 1 : utf8_space_length(s + i, n - i);
        if (space == 0) {
            continue;
        }
        if (i > start) {
            if (count == max) {
                return max + 1;
            }
            fields[count] = s + start;
            lengths[count++] = i - start;
        }
        i += space - 1;
        start = i + 1;
    }
    return count;
}

static w2v_status keep_count(list_reader *r, uint64_t count)
{
    vocab_list *list = r->list;
    const size_t at = list->names.count;
    if (count > UINT64_MAX - r->total) {
        return row_error(r, "the counts add up to more than 2^64 - 1");
    }
    r->total += count;
    if (at >= list->counts_capacity) {
        const size_t capacity = at < 512 ? 1024 : 2 * at;
        uint64_t *grown = mem_realloc(list->counts, capacity, sizeof *grown);
        if (!grown) {
            return error_memory(r->err, "the vocabulary");
        }
        list->counts = grown;
        list->counts_capacity = capacity;
    }
    list->counts[at] = count;
    return W2V_OK;
}

static w2v_status keep_word(list_reader *r, const char *word, size_t n)
{
    token k;
    uint32_t id;
    token_set(&k, word, n);
    k.first_seen = r->line_number;
    const uint32_t known = type_table_find(&r->seen, &k);
    if (known != TYPE_TABLE_NONE) {
        char what[64];
        snprintf(what, sizeof what, "the word stands in line %" PRIu64 " already",
                 type_table_first_seen(&r->seen, known));
        return row_error(r, what);
    }
    if (type_table_count(&r->seen, &k, 1, &id, r->err) != W2V_OK) {
        return W2V_ERR_MEMORY;
    }
    return words_append(&r->list->names, word, n) ? W2V_OK : error_memory(r->err, "the vocabulary");
}

static w2v_status take_row(list_reader *r, const char *row, size_t n)
{
    const char *fields[2];
    size_t lengths[2];
    r->line_number++;
    if (r->line_number == 1 && n >= 3 && memcmp(row, "\xef\xbb\xbf", 3) == 0) {
        row += 3;
        n -= 3;
    }
    const size_t count = split(row, n, fields, lengths, 2);
    if (count == 0) {
        return W2V_OK;
    }
    if (count > 2) {
        return row_error(r, "more than a word and a count");
    }
    if (r->list->names.count > 0 && (count == 2) != (r->list->counts != NULL)) {
        return row_error(r, count == 2 ? "a count, although the words before have none"
                                       : "no count, although the words before have one");
    }
    if (count == 2) {
        uint64_t value;
        if (!num_parse_u64(fields[1], lengths[1], &value)) {
            return row_error(r, "the count is not a whole number below 2^64");
        }
        const w2v_status status = keep_count(r, value);
        if (status != W2V_OK) {
            return status;
        }
    }
    return keep_word(r, fields[0], lengths[0]);
}

/* The end of a row at text[0..n-1], perhaps begun in the pieces before. */
static w2v_status end_row(list_reader *r, const char *text, size_t n)
{
    if (r->line.size + n > ROW_MAX) {
        r->line_number++;
        return row_error(r, "too long for a word and its count");
    }
    if (r->line.size == 0) {
        return take_row(r, text, n);
    }
    if (!buf_append(&r->line, text, n)) {
        return error_memory(r->err, "the vocabulary");
    }
    const w2v_status status = take_row(r, r->line.data, r->line.size);
    r->line.size = 0;
    return status;
}

static w2v_status take_piece(list_reader *r, const char *text, size_t n)
{
    size_t start = 0;
    for (size_t i = 0; i < n; i++) {
        const bool crlf = text[i] == '\n' && r->after_cr;
        r->after_cr = text[i] == '\r';
        if (crlf) {
            start = i + 1;
        } else if (text[i] == '\n' || text[i] == '\r') {
            const w2v_status status = end_row(r, text + start, i - start);
            if (status != W2V_OK) {
                return status;
            }
            start = i + 1;
        }
    }
    if (r->line.size + (n - start) > ROW_MAX) {
        r->line_number++;
        return row_error(r, "too long for a word and its count");
    }
    return buf_append(&r->line, text + start, n - start) ? W2V_OK
                                                         : error_memory(r->err, "the vocabulary");
}

static w2v_status read_all(list_reader *r, source *s, char *piece)
{
    for (;;) {
        size_t got = 0;
        w2v_status status = source_read(s, piece, PIECE, &got, r->err);
        if (status == W2V_OK && got > 0) {
            status = take_piece(r, piece, got);
        }
        if (status != W2V_OK) {
            return status;
        }
        if (got == 0) {
            return r->line.size ? end_row(r, NULL, 0) : W2V_OK;
        }
    }
}

w2v_status vocab_list_read(const char *path, vocab_list *out, w2v_error *err)
{
    memset(out, 0, sizeof *out);
    w2v_error own = {0};
    list_reader r = {.path = path, .list = out, .err = err ? err : &own};
    source *s = NULL;
    char *piece = mem_alloc(PIECE);
    w2v_status status =
        piece ? type_table_init(&r.seen, r.err) : error_memory(r.err, "the vocabulary");
    if (status == W2V_OK) {
        status = source_open(path, NULL, &s, r.err);
    }
    if (status == W2V_OK) {
        status = read_all(&r, s, piece);
    }
    if (status == W2V_OK && out->names.count == 0) {
        status = error_set(r.err, W2V_ERR_INPUT, "'%s' has no words", path);
    }
    source_close(s);
    mem_free(piece);
    buf_clear(&r.line);
    type_table_clear(&r.seen);
    if (status != W2V_OK) {
        vocab_list_clear(out);
    }
    return status;
}
