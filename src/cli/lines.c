#include "cli/lines.h"

#include "base/buf.h"
#include "base/mem.h"
#include "cli/prompt.h"
#include "io/source.h"

#include <inttypes.h>
#include <string.h>

#define PIECE ((size_t)1 << 16)

struct lines {
    source *source; /* or */
    prompt *prompt;
    uint64_t number;
    bool source_ended;
    bool after_cr; /* the last line ended in CR: a LF that follows belongs to it */
    buf text;      /* read and not yet handed out: from `at` on */
    size_t at;     /* begins with the next line */
    size_t seen;   /* bytes from `at` known to hold no line end */
};

w2v_status lines_open(const char *path, lines **out, w2v_error *err)
{
    *out = NULL;
    lines *l = mem_calloc(1, sizeof *l);
    if (!l) {
        return error_memory(err, "the questions");
    }
    const w2v_status status = source_open(path, NULL, &l->source, err);
    if (status) {
        mem_free(l);
        return status;
    }
    *out = l;
    return W2V_OK;
}

w2v_status lines_open_prompt(const char *text, lines **out, w2v_error *err)
{
    *out = NULL;
    lines *l = mem_calloc(1, sizeof *l);
    prompt *p = l ? prompt_open(text) : NULL;
    if (!p) {
        mem_free(l);
        return error_memory(err, "the prompt");
    }
    l->prompt = p;
    *out = l;
    return W2V_OK;
}

void lines_close(lines *l)
{
    if (l) {
        source_close(l->source);
        prompt_close(l->prompt);
        buf_clear(&l->text);
        mem_free(l);
    }
}

uint64_t lines_number(const lines *l)
{
    return l->number;
}

const char *lines_name(const lines *l)
{
    return l->source ? source_name(l->source) : "standard input";
}

static w2v_status read_more(lines *l, w2v_error *err)
{
    if (l->at) {
        memmove(l->text.data, l->text.data + l->at, l->text.size - l->at);
        l->text.size -= l->at;
        l->at = 0;
    }
    if (l->text.size > LINES_MAX) {
        return error_set(err, W2V_ERR_INPUT, "'%s' line %" PRIu64 " is longer than %zu bytes",
                         lines_name(l), l->number + 1, LINES_MAX);
    }
    size_t got = 0;
    if (!buf_reserve(&l->text, PIECE)) {
        return error_memory(err, "the questions");
    }
    const w2v_status status = source_read(l->source, l->text.data + l->text.size, PIECE, &got, err);
    l->text.size += got;
    l->source_ended = got == 0;
    return status;
}

/* The first LF or CR, or NULL. */
static const char *line_end(const char *p, size_t n)
{
    for (const char *const end = p + n; p < end; p++) {
        if (*p == '\n' || *p == '\r') {
            return p;
        }
    }
    return NULL;
}

/* The next line of the source, without its end. */
static w2v_status source_line(lines *l, const char **line, size_t *n, bool *end, w2v_error *err)
{
    for (;;) {
        const size_t have = l->text.size - l->at;
        const char *from = have ? l->text.data + l->at : "";
        if (l->after_cr && have) {
            l->after_cr = false;
            if (*from == '\n') {
                l->at++;
                continue;
            }
        }
        const char *stop = have > l->seen ? line_end(from + l->seen, have - l->seen) : NULL;
        if (stop || l->source_ended) {
            *end = !stop && have == 0;
            *line = from;
            *n = stop ? (size_t)(stop - from) : have;
            l->at += *n + (stop ? 1 : 0);
            l->seen = 0;
            l->after_cr = stop && *stop == '\r';
            return W2V_OK;
        }
        l->seen = have;
        const w2v_status status = read_more(l, err);
        if (status) {
            return status;
        }
    }
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

w2v_status lines_next(lines *l, const char **line, size_t *n, bool *end, w2v_error *err)
{
    for (;;) {
        const w2v_status status = l->prompt ? prompt_next(l->prompt, line, n, end, err)
                                            : source_line(l, line, n, end, err);
        if (status || *end) {
            return status;
        }
        l->number++;
        if (l->number == 1 && *n >= 3 && memcmp(*line, "\xef\xbb\xbf", 3) == 0) {
            *line += 3;
            *n -= 3;
        }
        while (*n && is_blank((*line)[*n - 1])) {
            --*n;
        }
        while (*n && is_blank((*line)[0])) {
            ++*line;
            --*n;
        }
        if (*n) {
            return W2V_OK;
        }
    }
}
