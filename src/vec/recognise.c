/* What is this file? Its bytes decide, never its name. */
#include "vec/file.h"
#include "vec/text_row.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define HEAD ((size_t)1 << 16)           /* bytes that are looked at */
#define FIRST_LINE_MAX ((size_t)1 << 23) /* of a file without header: 500,000 numbers and more */
#define ROWS_COMPARED 100

#define BOM "\xef\xbb\xbf"

static size_t bom_length(const char *head, size_t n)
{
    return n >= 3 && memcmp(head, BOM, 3) == 0 ? 3 : 0;
}

/* ------------------------------------------------------------------ header */

/* A whole number with an optional sign at *p; false when none is there. A negative or too large one
   counts as 0, which no header may say. */
static bool take_whole(const char **p, const char *end, uint64_t *value)
{
    const bool minus = *p < end && **p == '-';
    const char *q = *p + (*p < end && (**p == '-' || **p == '+'));
    const char *const digits = q;
    uint64_t v = 0;
    bool fits = !minus;
    for (; q < end && *q >= '0' && *q <= '9'; q++) {
        const unsigned digit = (unsigned)(*q - '0');
        fits = fits && v <= (UINT64_MAX - digit) / 10;
        v = v * 10 + digit;
    }
    if (q == digits) {
        return false;
    }
    *p = q;
    *value = fits ? v : 0;
    return true;
}

static void skip_gaps(const char **p, const char *end)
{
    while (*p < end && (**p == ' ' || **p == '\t')) {
        ++*p;
    }
}

header_kind vec_text_header(const char *head, size_t n, text_header *header)
{
    const size_t start = bom_length(head, n);
    const char *p = head + start;
    const char *const newline = n > start ? memchr(p, '\n', n - start) : NULL;
    const char *end = newline ? newline : head + n;
    header->length = (size_t)(end - head) + (newline ? 1 : 0);
    while (end > p && (end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    skip_gaps(&p, end);
    if (!take_whole(&p, end, &header->rows) || p == end || (*p != ' ' && *p != '\t')) {
        return HEADER_NONE;
    }
    skip_gaps(&p, end);
    if (!take_whole(&p, end, &header->dim) || p != end) {
        return HEADER_NONE;
    }
    return header->rows == 0 || header->dim == 0 ? HEADER_BAD : HEADER_FOUND;
}

/* ------------------------------------------------------------- text or binary */

static bool is_control(char c)
{
    const unsigned char u = (unsigned char)c;
    return u < 0x20 && !(u >= 0x09 && u <= 0x0d);
}

/* Text has no control characters to speak of; floats are full of them. */
static bool looks_text(const char *p, size_t n)
{
    size_t controls = 0;
    for (size_t i = 0; i < n; i++) {
        controls += is_control(p[i]);
    }
    return controls <= n / 100;
}

/* The first line that is not blank; false when it does not end in p[0..n-1]. */
static bool first_line(const char *p, size_t n, bool ended, const char **line, size_t *length)
{
    size_t at = 0;
    while (at < n) {
        const char *newline = memchr(p + at, '\n', n - at);
        const size_t end = newline ? (size_t)(newline - p) : n;
        bool blank = true;
        for (size_t i = at; i < end && blank; i++) {
            blank = p[i] == ' ' || p[i] == '\t' || p[i] == '\r';
        }
        if (!blank) {
            *line = p + at;
            *length = end - at;
            return newline || ended;
        }
        at = end + 1;
    }
    return false;
}

/* Are these binary rows, from the first byte to the last? */
static bool fits_binary(const char *p, size_t n, uint64_t rows, uint64_t dim)
{
    size_t at = 0;
    for (uint64_t row = 0; row < rows; row++) {
        const char *space = at < n ? memchr(p + at, ' ', n - at) : NULL;
        if (!space) {
            return false;
        }
        at = (size_t)(space - p) + 1;
        if (dim > (n - at) / 4) {
            return false;
        }
        at += 4 * (size_t)dim;
        at += at < n && p[at] == '\n';
    }
    return at == n;
}

static bool is_binary(const char *p, size_t n, bool ended, const text_header *header)
{
    const char *line;
    size_t length;
    if (first_line(p, n, ended, &line, &length) && text_row_numbers(line, length) >= header->dim) {
        return false;
    }
    return (ended && n > 0 && fits_binary(p, n, header->rows, header->dim)) || !looks_text(p, n);
}

/* ------------------------------------------------------------------ byte order */

#define ORDER_FLOATS 5 /* different ones; fewer look like anything by chance */

static uint32_t take_bits(const char *p, bool swap)
{
    uint32_t bits = 0;
    for (unsigned k = 0; k < 4; k++) {
        bits |= (uint32_t)(unsigned char)p[swap ? 3 - k : k] << (8 * k);
    }
    return bits;
}

static bool sane(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    const float size = fabsf(value);
    return size > 1e-9F && size < 1e6F;
}

/*
 * Numbers of the other order make no sense, and all but a few do when they are
 * turned around. Numbers that are merely large or small, as 1e30 is, make none
 * either way; a number that is repeated says nothing new.
 */
bool vec_looks_big_endian(const char *rows, size_t n, size_t dim)
{
    size_t little = 0, big = 0, all = 0, at = 0;
    uint32_t last = 0;
    while (at < n) {
        const char *space = memchr(rows + at, ' ', n - at);
        if (!space) {
            break;
        }
        at = (size_t)(space - rows) + 1;
        for (size_t i = 0; i < dim && n - at >= 4; i++, at += 4) {
            const uint32_t bits = take_bits(rows + at, false);
            if (bits << 1 != 0 && bits != last) {
                little += sane(bits);
                big += sane(take_bits(rows + at, true));
                all++;
                last = bits;
            }
        }
        if (n - at < 4) {
            break;
        }
    }
    return all >= ORDER_FLOATS && little < all / 2 + all % 2 && big >= all - all / 10;
}

/* ------------------------------------------------------------------ the kinds */

static w2v_status not_vectors(const w2v_vectors *v, const char *head, size_t n, w2v_error *err)
{
    size_t doubles = 0, count = 0;
    for (; 8 * (count + 1) <= n; count++) {
        float value;
        number_convert(NUMBER_F64, head + 8 * count, 1, &value);
        doubles += value == 0 || (fabsf(value) > 1e-12F && fabsf(value) < 1e4F);
    }
    if (count > 1 && doubles >= count - count / 20 && !looks_text(head, n)) {
        error_set(err, W2V_ERR_INPUT,
                  "'%s' holds raw doubles without words, as GloVe writes with -binary 1",
                  vec_name(v));
        error_hint(err, "take the text file that GloVe writes beside it");
        return W2V_ERR_INPUT;
    }
    error_set(err, W2V_ERR_INPUT, "'%s' is no vector file of a known kind", vec_name(v));
    error_hint(err, "known are word2vec binary and text, fastText .vec, GloVe text, .npy and "
                    ".safetensors");
    return W2V_ERR_INPUT;
}

static w2v_status check_dim(const w2v_vectors *v, uint64_t dim, size_t least, w2v_error *err)
{
    const uint64_t size = v->file->size;
    if (dim > VEC_DIM_MAX || (size && dim > size / least)) {
        return error_set(err, W2V_ERR_INPUT, "'%s' promises rows of %" PRIu64 " numbers, %s",
                         vec_name(v), dim,
                         dim > VEC_DIM_MAX ? "which is more than can be read"
                                           : "which is more than the file holds");
    }
    return W2V_OK;
}

static w2v_status take_header(w2v_vectors *v, const text_header *header, w2v_format format,
                              w2v_error *err)
{
    vec_file *f = v->file;
    const w2v_status status = check_dim(v, header->dim, format == W2V_FORMAT_BINARY ? 4 : 2, err);
    if (status != W2V_OK) {
        return status;
    }
    f->format = format;
    f->rows = header->rows;
    f->data_at = header->length;
    v->dim = (uint32_t)header->dim;
    const char *rows = input_data(&f->in) + header->length;
    const size_t n = input_size(&f->in) - header->length;
    if (format == W2V_FORMAT_BINARY &&
        vec_looks_big_endian(rows, n < HEAD ? n : HEAD, (size_t)header->dim)) {
        error_set(err, W2V_ERR_INPUT, "'%s' holds numbers in big-endian byte order", vec_name(v));
        error_hint(err, "write it again as text on the machine it comes from");
        return W2V_ERR_INPUT;
    }
    return W2V_OK;
}

static size_t fields_of(const char *line, size_t n)
{
    size_t fields = 0;
    bool inside = false;
    for (size_t i = 0; i < n; i++) {
        const bool gap = line[i] == ' ' || line[i] == '\t' || line[i] == '\r';
        fields += !gap && !inside;
        inside = !gap;
    }
    return fields;
}

/* The number of values that most of the first lines have; the first line decides a draw. *pairs:
   most lines have several words before them, as lists of word pairs with a score do. */
static size_t usual_numbers(const char *p, size_t n, bool ended, bool *pairs)
{
    size_t several = 0;
    size_t counts[ROWS_COMPARED];
    size_t rows = 0, at = 0;
    while (rows < ROWS_COMPARED && at < n) {
        const char *newline = memchr(p + at, '\n', n - at);
        if (!newline && !ended && rows > 0) {
            break;
        }
        const size_t end = newline ? (size_t)(newline - p) : n;
        const char *line;
        size_t length;
        if (first_line(p + at, end - at, true, &line, &length)) {
            counts[rows] = text_row_numbers(line, length);
            several += fields_of(line, length) > counts[rows] + 1;
            rows++;
        }
        at = end + 1;
    }
    *pairs = several > rows / 2;
    size_t best = 0, best_votes = 0;
    for (size_t i = 0; i < rows; i++) {
        size_t votes = 0;
        for (size_t k = 0; k < rows; k++) {
            votes += counts[k] == counts[i];
        }
        if (votes > best_votes) {
            best = counts[i];
            best_votes = votes;
        }
    }
    return best;
}

static bool bare_numbers(const char *line, size_t length)
{
    size_t n = 0;
    while (n < length && line[n] != ' ' && line[n] != '\t') {
        n++;
    }
    bool finite;
    return memchr(line, '.', n) && number_is_one(line, n, &finite);
}

/* Lines that end in numbers and are something else. */
static w2v_status check_lookalikes(const w2v_vectors *v, const char *first, size_t length,
                                   size_t dim, bool pairs, w2v_error *err)
{
    if (bare_numbers(first, length)) {
        error_set(err, W2V_ERR_INPUT, "'%s' holds numbers without words", vec_name(v));
        error_hint(err,
                   "each row needs its word before the numbers (--input-format glove takes the "
                   "first number for the word)");
        return W2V_ERR_INPUT;
    }
    if (pairs) {
        error_set(err, W2V_ERR_INPUT,
                  "'%s' has several words before the numbers of most lines, as lists of word pairs "
                  "do",
                  vec_name(v));
        error_hint(err, "if they are vectors of words with spaces: --input-format glove");
        return W2V_ERR_INPUT;
    }
    if (dim == 1) {
        error_set(err, W2V_ERR_INPUT,
                  "'%s' has one number after each word, as lists of words with counts do",
                  vec_name(v));
        error_hint(err, "if they are vectors of one number: --input-format glove");
        return W2V_ERR_INPUT;
    }
    return W2V_OK;
}

static w2v_status take_glove(w2v_vectors *v, w2v_error *err)
{
    vec_file *f = v->file;
    const char *line = NULL;
    size_t length = 0;
    size_t look = HEAD;
    size_t start;
    for (;;) { /* until the first line is whole */
        const w2v_status status = vec_peek(v, look, err);
        if (status != W2V_OK) {
            return status;
        }
        start = bom_length(input_data(&f->in), input_size(&f->in));
        if (first_line(input_data(&f->in) + start, input_size(&f->in) - start, f->in.ended, &line,
                       &length) ||
            f->in.ended || look >= FIRST_LINE_MAX ||
            !looks_text(input_data(&f->in), input_size(&f->in))) {
            break;
        }
        look *= 2;
    }
    const char *head = input_data(&f->in) + start;
    const size_t n = input_size(&f->in) - start;
    bool pairs;
    const size_t dim = usual_numbers(head, n, f->in.ended, &pairs);
    if (dim == 0 || dim > VEC_DIM_MAX) {
        return not_vectors(v, input_data(&f->in), input_size(&f->in), err);
    }
    if (f->options.format == W2V_FORMAT_AUTO) {
        const w2v_status status = check_lookalikes(v, line, length, dim, pairs, err);
        if (status != W2V_OK) {
            return status;
        }
    }
    f->format = W2V_FORMAT_GLOVE;
    f->data_at = start;
    v->dim = (uint32_t)dim;
    return W2V_OK;
}

static w2v_status bad_header(const w2v_vectors *v, const char *head, size_t length, w2v_error *err)
{
    char text[SHOWN_WORD];
    while (length > 0 && (head[length - 1] == '\n' || head[length - 1] == '\r')) {
        length--;
    }
    return vec_error_at(err, 1, 0,
                        "'%s' line 1: the header '%s' promises no table: both numbers must be at "
                        "least 1",
                        vec_name(v), shown_word(head, length, text));
}

/* Files that say how many rows of which length follow, or begin with the first row. */
static w2v_status recognise_words(w2v_vectors *v, w2v_format forced, w2v_error *err)
{
    vec_file *f = v->file;
    const char *head = input_data(&f->in);
    const size_t n = input_size(&f->in);
    text_header header;
    const header_kind kind =
        forced == W2V_FORMAT_GLOVE ? HEADER_NONE : vec_text_header(head, n, &header);
    if (kind == HEADER_BAD) {
        return bad_header(v, head, header.length, err);
    }
    if (kind == HEADER_FOUND) {
        w2v_format format = forced;
        if (forced == W2V_FORMAT_AUTO) {
            const bool binary =
                is_binary(head + header.length, n - header.length, f->in.ended, &header);
            format = binary ? W2V_FORMAT_BINARY : W2V_FORMAT_TEXT;
        }
        return take_header(v, &header, format, err);
    }
    if (forced == W2V_FORMAT_BINARY || forced == W2V_FORMAT_TEXT) {
        return vec_error_at(
            err, 1, 0, "'%s' does not begin with the number of rows and their length", vec_name(v));
    }
    return take_glove(v, err);
}

w2v_status vec_recognise(w2v_vectors *v, w2v_error *err)
{
    vec_file *f = v->file;
    const w2v_status status = vec_peek(v, HEAD, err);
    if (status != W2V_OK) {
        return status;
    }
    const char *head = input_data(&f->in);
    const size_t n = input_size(&f->in);
    const w2v_format forced = f->options.format;
    if (n == 0) {
        return error_set(err, W2V_ERR_INPUT, "'%s' is empty", vec_name(v));
    }
    if (forced == W2V_FORMAT_TSV) {
        return error_set(err, W2V_ERR_ARGUMENT,
                         "projector TSV is written but not read: its rows have no words");
    }
    const char *hint;
    const char *foreign = forced == W2V_FORMAT_AUTO ? vec_foreign(head, n, &hint) : NULL;
    if (foreign) {
        error_set(err, W2V_ERR_INPUT, "'%s' is %s, not a vector file", vec_name(v), foreign);
        error_hint(err, "%s", hint);
        return W2V_ERR_INPUT;
    }
    if (forced == W2V_FORMAT_NPY ||
        (forced == W2V_FORMAT_AUTO && n >= 6 && memcmp(head, "\x93NUMPY", 6) == 0)) {
        return vec_npy_head(v, err);
    }
    const bool safetensors =
        n > 8 && head[8] == '{' && head[7] == 0 && head[6] == 0 && head[5] == 0;
    if (forced == W2V_FORMAT_SAFETENSORS || (forced == W2V_FORMAT_AUTO && safetensors)) {
        return vec_safetensors_head(v, err);
    }
    return recognise_words(v, forced, err);
}
