/* Words that stand beside their rows: lists and JSON vocabularies. */
#include "base/buf.h"
#include "base/mem.h"
#include "io/source.h"
#include "os/file.h"
#include "vec/file.h"

#include <inttypes.h>
#include <string.h>

#define PIECE ((size_t)1 << 16)

w2v_status vec_read_whole(const char *path, char **text, size_t *n, w2v_error *err)
{
    *text = NULL;
    source *src;
    w2v_status status = source_open(path, NULL, &src, err);
    if (status != W2V_OK) {
        return status;
    }
    buf b = {0};
    size_t got = 1;
    while (status == W2V_OK && got > 0) {
        if (!buf_reserve(&b, PIECE)) {
            status = error_memory(err, "a list of words");
            break;
        }
        status = source_read(src, b.data + b.size, PIECE, &got, err);
        b.size += got;
    }
    source_close(src);
    if (status != W2V_OK) {
        buf_clear(&b);
        return status;
    }
    *text = b.data;
    *n = b.size;
    return W2V_OK;
}

bool vec_split_lines(const char *text, size_t n, bool blank, words *out)
{
    size_t at = n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < n) {
        size_t end = at;
        while (end < n && text[end] != '\n' && text[end] != '\r') {
            end++;
        }
        const size_t length = end - at;
        if ((length > 0 || blank) && !words_append(out, text + at, length)) {
            return false;
        }
        at = end + 1;
        at += at < n && text[end] == '\r' && text[at] == '\n'; /* CR LF is one end */
    }
    return true;
}

w2v_status vec_read_list(const char *path, words *out, w2v_error *err)
{
    *out = (words){0};
    char *text;
    size_t n;
    w2v_status status = vec_read_whole(path, &text, &n, err);
    if (status != W2V_OK) {
        return status;
    }
    if (memchr(text, '\0', n)) {
        status =
            error_set(err, W2V_ERR_INPUT, "'%s' holds NUL bytes: it is no list of words", path);
    } else if (!vec_split_lines(text, n, false, out)) {
        status = error_memory(err, "a list of words");
    } else if (out->count == 0) {
        status = error_set(err, W2V_ERR_INPUT, "'%s' holds no words", path);
    }
    mem_free(text);
    if (status != W2V_OK) {
        words_clear(out);
    }
    return status;
}

char *vec_labels_path(const char *path)
{
    static const char suffix[] = ".labels.txt";
    size_t n = strlen(path);
    n -= n > 3 && strcmp(path + n - 3, ".gz") == 0 ? 3 : 0;
    char *name = mem_alloc(n + sizeof suffix);
    if (name) {
        memcpy(name, path, n);
        memcpy(name + n, suffix, sizeof suffix);
    }
    return name;
}

void vec_labels_clear(vec_labels *labels)
{
    words_clear(&labels->names);
    mem_free(labels->known);
    *labels = (vec_labels){0};
}

static w2v_status take_list(const w2v_vectors *v, const char *path, const char *text, size_t n,
                            vec_labels *out, w2v_error *err)
{
    if (memchr(text, '\0', n)) {
        return error_set(err, W2V_ERR_INPUT, "'%s' holds NUL bytes: it is no list of words", path);
    }
    if (!vec_split_lines(text, n, true, &out->names)) {
        return error_memory(err, "a list of words");
    }
    if (out->names.count != v->file->rows && !v->file->options.lenient) {
        error_set(err, W2V_ERR_INPUT, "'%s' names %" PRIu32 " words, but '%s' has %" PRIu64 " rows",
                  path, out->names.count, vec_name(v), v->file->rows);
        error_hint(err, "the list needs one word a line, in the order of the rows");
        return W2V_ERR_INPUT;
    }
    return W2V_OK;
}

static bool begins_json(const char *text, size_t n)
{
    size_t at = 0;
    while (at < n && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))) {
        at++;
    }
    return at < n && (text[at] == '{' || text[at] == '[');
}

static w2v_status read_from(const w2v_vectors *v, const char *path, bool json, vec_labels *out,
                            w2v_error *err)
{
    char *text;
    size_t n;
    w2v_status status = vec_read_whole(path, &text, &n, err);
    if (status != W2V_OK) {
        return status;
    }
    bool is_json = false;
    if (json && begins_json(text, n)) {
        status = vec_json_labels(text, n, v->file->rows, v, path, out, &is_json, err);
    }
    if (status == W2V_OK && !is_json) {
        status = take_list(v, path, text, n, out, err);
    }
    mem_free(text);
    return status;
}

/* Remembers the file, so that it is not replaced while its words are still the only ones. */
static w2v_status read_and_note(w2v_vectors *v, const char *path, bool json, vec_labels *out,
                                w2v_error *err)
{
    file_facts facts;
    const w2v_status status = read_from(v, path, json, out, err);
    if (status == W2V_OK && file_stat(path, &facts) == 0 && facts.kind == FILE_REGULAR) {
        v->file->words = (vec_origin){.known = true, .device = facts.device, .inode = facts.inode};
    }
    return status;
}

w2v_status vec_read_labels(w2v_vectors *v, vec_labels *out, w2v_error *err)
{
    const vec_file *f = v->file;
    *out = (vec_labels){0};
    if (f->own_words && !f->options.labels) {
        return vec_own_labels(v, &out->names, err);
    }
    if (f->options.labels) {
        return read_and_note(v, f->options.labels, true, out, err);
    }
    char *beside = vec_labels_path(f->path);
    if (!beside) {
        return error_memory(err, "a list of words");
    }
    file_facts facts;
    w2v_status status;
    if (f->path[0] != '\0' && file_stat(beside, &facts) == 0 && facts.kind == FILE_REGULAR) {
        status = read_and_note(v, beside, false, out, err); /* our own writer's list */
    } else {
        status = error_set(err, W2V_ERR_INPUT, "'%s' holds numbers without words", vec_name(v));
        error_hint(err,
                   "--labels FILE gives the words, one a line (or a vocab.json); else they are "
                   "looked for in '%s'",
                   beside);
    }
    mem_free(beside);
    return status;
}
