#include "cli/question.h"

#include "base/mem.h"
#include "base/num.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MINUS "\xe2\x88\x92" /* U+2212 */
#define MINUS_BYTES ((size_t)3)

void question_clear(question *q)
{
    for (size_t i = 0; i < q->count; i++) {
        union {
            const char *borrowed;
            char *owned;
        } word = {.borrowed = q->terms[i].word};
        mem_free(word.owned);
    }
    mem_free(q->terms);
    mem_free(q->name);
    *q = (question){0};
}

bool question_add(question *q, double weight, const char *word, size_t n)
{
    if (q->count == q->capacity) {
        const size_t capacity = q->capacity ? q->capacity * 2 : 1;
        w2v_term *terms = mem_realloc(q->terms, capacity, sizeof *terms);
        if (!terms) {
            return false;
        }
        q->terms = terms;
        q->capacity = capacity;
    }
    const char *copy = mem_strndup(word, n);
    if (!copy) {
        return false;
    }
    q->terms[q->count++] = (w2v_term){.word = copy, .length = n, .weight = weight};
    return true;
}

bool question_call(question *q, const char *name, size_t n)
{
    char *copy = mem_strndup(name, n);
    if (!copy) {
        return false;
    }
    mem_free(q->name);
    q->name = copy;
    q->name_length = n;
    return true;
}

/* ----------------------------------------------------------------- formula */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_minus(const char *p, size_t n)
{
    return n >= MINUS_BYTES && memcmp(p, MINUS, MINUS_BYTES) == 0;
}

/* Length of a weight, as in "0.5*paris" or "0.5 * paris", with its star; 0 when there is none. */
static size_t weight_length(const char *p, size_t n, double *weight)
{
    size_t digits = 0;
    while (digits < n && p[digits] != '*' && !is_blank(p[digits])) {
        digits++;
    }
    size_t star = digits;
    while (star < n && is_blank(p[star])) {
        star++;
    }
    double value;
    if (star + 1 >= n || p[star] != '*' || !num_parse_double(p, digits, &value)) {
        return 0;
    }
    *weight = value;
    return star + 1;
}

/* Would a parser take it for something else than this word? */
static bool needs_quotes(const char *word, size_t n)
{
    double weight;
    if (n == 0 || word[0] == '"' || word[0] == '-' || word[0] == '+' || word[n - 1] == '*' ||
        weight_length(word, n, &weight)) {
        return true;
    }
    for (size_t i = 0; i < n; i++) {
        if (is_blank(word[i]) || is_minus(word + i, n - i)) {
            return true;
        }
    }
    return false;
}

static bool append_word(buf *out, const char *word, size_t n)
{
    if (!needs_quotes(word, n)) {
        return buf_append(out, word, n);
    }
    bool ok = buf_append(out, "\"", 1);
    for (size_t i = 0; ok && i < n; i++) {
        ok = ((word[i] != '"' && word[i] != '\\') || buf_append(out, "\\", 1)) &&
             buf_append(out, word + i, 1);
    }
    return ok && buf_append(out, "\"", 1);
}

bool question_call_formula(question *q)
{
    buf out = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < q->count; i++) {
        const w2v_term *t = &q->terms[i];
        const bool negative = signbit(t->weight) != 0;
        const double size = fabs(t->weight);
        const char *sign = i == 0 ? (negative ? MINUS : "") : negative ? " " MINUS " " : " + ";
        ok = buf_append_string(&out, sign) &&
             (fabs(size - 1) < 1e-9 || buf_printf(&out, "%.6g*", size)) &&
             append_word(&out, t->word, t->length);
    }
    ok = ok && question_call(q, out.data ? out.data : "", out.size);
    buf_clear(&out);
    return ok;
}

/* ----------------------------------------------------------------- parsing */

typedef struct reader {
    const char *at;
    size_t left;
    w2v_error *err;
} reader;

static void skip(reader *r, size_t n)
{
    r->at += n;
    r->left -= n;
}

static void skip_blanks(reader *r)
{
    while (r->left && is_blank(r->at[0])) {
        skip(r, 1);
    }
}

/* The sign that stands here: 1, -1, or 0 for none. */
static int take_sign(reader *r)
{
    int sign = 0;
    if (is_minus(r->at, r->left)) {
        sign = -1;
        skip(r, MINUS_BYTES);
    } else if (r->left && (r->at[0] == '-' || r->at[0] == '+')) {
        sign = r->at[0] == '+' ? 1 : -1;
        skip(r, 1);
    }
    skip_blanks(r);
    return sign;
}

/* The word in quotes that begins here, without them; its quotes may be escaped. */
static w2v_status take_quoted(reader *r, buf *word)
{
    skip(r, 1);
    while (r->left && r->at[0] != '"') {
        if (r->at[0] == '\\' && r->left > 1 && (r->at[1] == '"' || r->at[1] == '\\')) {
            skip(r, 1);
        }
        if (!buf_append(word, r->at, 1)) {
            return error_memory(r->err, "the question");
        }
        skip(r, 1);
    }
    if (!r->left) {
        return error_set(r->err, W2V_ERR_ARGUMENT, "a double quote is not closed in the formula");
    }
    skip(r, 1);
    return W2V_OK;
}

static w2v_status take_word(reader *r, buf *word)
{
    if (r->left && r->at[0] == '"') {
        return take_quoted(r, word);
    }
    size_t n = 0;
    while (n < r->left && !is_blank(r->at[n]) && !is_minus(r->at + n, r->left - n)) {
        n++;
    }
    if (!buf_append(word, r->at, n)) {
        return error_memory(r->err, "the question");
    }
    skip(r, n);
    return W2V_OK;
}

static w2v_status take_term(reader *r, question *q, int sign)
{
    double weight = 1;
    skip(r, weight_length(r->at, r->left, &weight));
    skip_blanks(r);
    const double size = fabs(weight);
    if (size > 0 && (size > W2V_WEIGHT_MAX || size < 1 / W2V_WEIGHT_MAX)) {
        return error_set(r->err, W2V_ERR_ARGUMENT,
                         "the weight %g in the formula is neither 0 nor from %g to %g in size",
                         weight, 1 / W2V_WEIGHT_MAX, W2V_WEIGHT_MAX);
    }
    buf word = {0};
    w2v_status status = take_word(r, &word);
    if (!status && word.size == 0) {
        status = error_set(r->err, W2V_ERR_ARGUMENT, "a word is missing in the formula");
    }
    if (!status && !question_add(q, sign * weight, word.data, word.size)) {
        status = error_memory(r->err, "the question");
    }
    buf_clear(&word);
    return status;
}

w2v_status question_parse(question *q, const char *text, size_t n, w2v_error *err)
{
    reader r = {.at = text, .left = n, .err = err};
    skip_blanks(&r);
    if (!r.left) {
        return error_set(err, W2V_ERR_ARGUMENT, "the formula is empty");
    }
    for (bool first = true; r.left; first = false) {
        const char *from = r.at;
        const int sign = take_sign(&r);
        if (!first && sign == 0) {
            error_set(err, W2V_ERR_ARGUMENT,
                      "'%.*s' in the formula stands without + or - before it",
                      (int)(r.left < 200 ? r.left : 200), from);
            error_hint(err, "a word with blanks is put in double quotes: '\"new york\" - city'");
            return W2V_ERR_ARGUMENT;
        }
        const w2v_status status = take_term(&r, q, sign ? sign : 1);
        if (status) {
            return status;
        }
        skip_blanks(&r);
    }
    return W2V_OK;
}
