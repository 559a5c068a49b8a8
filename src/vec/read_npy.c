/*
 * The head of a NumPy .npy file (NEP 1, versions 1 to 3): a magic, a length
 * and a Python dictionary such as
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }
 */
#include "base/num.h"
#include "vec/file.h"

#include <inttypes.h>
#include <string.h>

#define HEADER_MAX ((size_t)1 << 16) /* NumPy writes about 120 bytes */

typedef struct cursor {
    const char *p, *end;
} cursor;

static void skip_space(cursor *c)
{
    while (c->p < c->end && (*c->p == ' ' || *c->p == '\n' || *c->p == '\t')) {
        c->p++;
    }
}

static bool take(cursor *c, char what)
{
    skip_space(c);
    if (c->p < c->end && *c->p == what) {
        c->p++;
        return true;
    }
    return false;
}

/* 'text' or "text", without escapes. */
static bool take_string(cursor *c, const char **text, size_t *n)
{
    skip_space(c);
    if (c->p == c->end || (*c->p != '\'' && *c->p != '"')) {
        return false;
    }
    const char quote = *c->p++;
    const char *close = memchr(c->p, quote, (size_t)(c->end - c->p));
    if (!close) {
        return false;
    }
    *text = c->p;
    *n = (size_t)(close - c->p);
    c->p = close + 1;
    return true;
}

static bool is(const char *text, size_t n, const char *what)
{
    return n == strlen(what) && memcmp(text, what, n) == 0;
}

static bool take_bool(cursor *c, bool *value)
{
    skip_space(c);
    const size_t left = (size_t)(c->end - c->p);
    *value = left >= 4 && memcmp(c->p, "True", 4) == 0;
    const bool no = left >= 5 && memcmp(c->p, "False", 5) == 0;
    c->p += *value ? 4 : no ? 5 : 0;
    return *value || no;
}

typedef struct npy_header {
    const char *descr;
    size_t descr_length;
    bool fortran;
    uint64_t shape[2];
    size_t axes;
    unsigned seen; /* bits of the three keys */
} npy_header;

static bool take_shape(cursor *c, npy_header *h)
{
    if (!take(c, '(')) {
        return false;
    }
    while (!take(c, ')')) {
        skip_space(c);
        const char *digits = c->p;
        while (c->p < c->end && *c->p >= '0' && *c->p <= '9') {
            c->p++;
        }
        uint64_t value;
        if (!num_parse_u64(digits, (size_t)(c->p - digits), &value)) {
            return false;
        }
        if (h->axes < 2) {
            h->shape[h->axes] = value;
        }
        h->axes++;
        if (!take(c, ',')) {
            return take(c, ')');
        }
    }
    return true;
}

static bool take_dictionary(cursor *c, npy_header *h)
{
    if (!take(c, '{')) {
        return false;
    }
    while (!take(c, '}')) {
        const char *key;
        size_t n;
        if (!take_string(c, &key, &n) || !take(c, ':')) {
            return false;
        }
        bool ok = false;
        if (is(key, n, "descr")) {
            h->seen |= 1;
            ok = take_string(c, &h->descr, &h->descr_length);
        } else if (is(key, n, "fortran_order")) {
            h->seen |= 2;
            ok = take_bool(c, &h->fortran);
        } else if (is(key, n, "shape")) {
            h->seen |= 4;
            ok = take_shape(c, h);
        }
        if (!ok) {
            return false;
        }
        if (!take(c, ',')) {
            return take(c, '}') && h->seen == 7;
        }
    }
    return h->seen == 7;
}

/* Where the dictionary stands in the head; false when these are no npy bytes of a known version. */
static bool find_dictionary(const unsigned char *head, size_t n, size_t *begin, size_t *length)
{
    if (n < 12 || memcmp(head, "\x93NUMPY", 6) != 0 || head[6] < 1 || head[6] > 3) {
        return false;
    }
    *begin = head[6] == 1 ? 10 : 12;
    *length = head[8] + ((size_t)head[9] << 8);
    if (head[6] > 1) {
        *length += ((size_t)head[10] << 16) + ((size_t)head[11] << 24);
    }
    return true;
}

static w2v_status check_header(w2v_vectors *v, const npy_header *h, w2v_error *err)
{
    vec_file *f = v->file;
    char text[SHOWN_WORD];
    const char *d = h->descr;
    const size_t n = h->descr_length;
    if (is(d, n, "<f4")) {
        f->number = NUMBER_F32;
    } else if (is(d, n, "<f8")) {
        f->number = NUMBER_F64;
    } else if (is(d, n, "<f2")) {
        f->number = NUMBER_F16;
    } else {
        error_set(err, W2V_ERR_INPUT, "'%s' holds elements of type '%s', not '<f4', '<f8' or '<f2'",
                  vec_name(v), shown_word(d, n, text));
        error_hint(err, "in Python: numpy.save('x.npy', array.astype('<f4'))");
        return W2V_ERR_INPUT;
    }
    if (h->axes != 2) {
        return error_set(err, W2V_ERR_INPUT, "'%s' is an array of %zu dimension%s, not of 2",
                         vec_name(v), h->axes, h->axes == 1 ? "" : "s");
    }
    if (h->fortran && h->shape[0] != 1 &&
        h->shape[1] != 1) { /* with one axis orders are the same */
        error_set(err, W2V_ERR_INPUT, "'%s' is stored column by column (Fortran order)",
                  vec_name(v));
        error_hint(err, "in Python: numpy.save('x.npy', numpy.ascontiguousarray(array))");
        return W2V_ERR_INPUT;
    }
    return vec_take_shape(v, h->shape[0], h->shape[1], err);
}

w2v_status vec_npy_head(w2v_vectors *v, w2v_error *err)
{
    vec_file *f = v->file;
    size_t begin, length;
    if (!find_dictionary((const unsigned char *)input_data(&f->in), input_size(&f->in), &begin,
                         &length)) {
        return error_set(err, W2V_ERR_INPUT, "'%s' is no .npy file of version 1, 2 or 3",
                         vec_name(v));
    }
    if (length > HEADER_MAX || (f->size && length > f->size)) {
        return vec_error_at(err, 0, 8, "'%s': a header of %zu bytes is too long", vec_name(v),
                            length);
    }
    const w2v_status status = input_peek(&f->in, begin + length, err);
    if (status != W2V_OK) {
        return status;
    }
    if (input_size(&f->in) < begin + length) {
        return vec_error_at(err, 0, input_size(&f->in), "'%s' ends inside its header, at byte %zu",
                            vec_name(v), input_size(&f->in));
    }
    cursor c = {input_data(&f->in) + begin, input_data(&f->in) + begin + length};
    npy_header h = {0};
    if (!take_dictionary(&c, &h)) {
        return vec_error_at(err, 0, (uint64_t)(c.p - input_data(&f->in)),
                            "'%s' is damaged at byte %zu (its header)", vec_name(v),
                            (size_t)(c.p - input_data(&f->in)));
    }
    f->format = W2V_FORMAT_NPY;
    f->data_at = begin + length;
    return check_header(v, &h, err);
}
