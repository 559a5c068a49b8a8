#include "vec/text_row.h"

#include "vec/number.h"

#include <math.h>
#include <string.h>

static bool is_gap(char c)
{
    return c == ' ' || c == '\t';
}

static size_t trimmed(const char *line, size_t n)
{
    while (n > 0 && (is_gap(line[n - 1]) || line[n - 1] == '\r')) {
        n--;
    }
    return n;
}

/* The usual row: a word without gaps, then exactly the numbers. False: look closer. */
static bool parse_plain(const char *line, size_t n, size_t dim, float *values, text_row *row)
{
    const char *p = line;
    const char *const end = line + n;
    while (p < end && !is_gap(*p)) {
        p++;
    }
    row->word = line;
    row->length = (size_t)(p - line);
    float probe = 0; /* becomes NaN with the first number that is not finite */
    for (size_t i = 0; i < dim; i++) {
        if (p == end || !is_gap(*p)) {
            return false;
        }
        while (p < end && is_gap(*p)) {
            p++;
        }
        p = number_parse(p, end, &values[i]);
        if (!p) {
            return false;
        }
        probe += values[i] * 0;
    }
    return p == end && probe == 0 && row->length > 0;
}

typedef struct field {
    size_t begin, end;
} field;

/* The last field of line[0..end-1]; false when there is none. */
static bool last_field(const char *line, size_t end, field *f)
{
    while (end > 0 && is_gap(line[end - 1])) {
        end--;
    }
    f->end = end;
    while (end > 0 && !is_gap(line[end - 1])) {
        end--;
    }
    f->begin = end;
    return f->begin < f->end;
}

size_t text_row_numbers(const char *line, size_t n)
{
    size_t count = 0;
    size_t end = trimmed(line, n);
    field f;
    bool finite;
    while (last_field(line, end, &f) && f.begin > 0 &&
           number_is_one(line + f.begin, f.end - f.begin, &finite)) {
        count++;
        end = f.begin;
    }
    return count;
}

static text_row_fault fault_at(text_row *row, const char *line, field f, text_row_fault fault)
{
    row->field = line + f.begin;
    row->field_length = f.end - f.begin;
    return fault;
}

/* Why the fields at the end are not `dim` numbers: `f` is no number, or there is none. */
static text_row_fault explain(text_row *row, const char *line, size_t n, field f, bool found,
                              size_t dim)
{
    row->word = line;
    row->length = n;
    const char *gap = memchr(line, ' ', n);
    const char *tab = memchr(line, '\t', n);
    gap = !gap || (tab && tab < gap) ? tab : gap;
    if (gap) {
        row->length = (size_t)(gap - line);
    }
    if (!found) {
        return fault_at(row, line, f, row->numbers == dim ? TEXT_ROW_NO_WORD : TEXT_ROW_FEW);
    }
    /* Enough fields, had this one been a number; else it is the end of a word and they are few. */
    size_t fields = row->numbers;
    size_t end = f.end;
    field at;
    while (fields <= dim && last_field(line, end, &at)) {
        fields++;
        end = at.begin;
    }
    return fault_at(row, line, f, fields > dim ? TEXT_ROW_NOT_NUMBER : TEXT_ROW_FEW);
}

static bool is_conflict(const char *line, size_t n)
{
    static const char *const markers[] = {"<<<<<<<", "=======", ">>>>>>>"};
    for (size_t i = 0; i < sizeof markers / sizeof markers[0]; i++) {
        if (n >= 7 && memcmp(line, markers[i], 7) == 0 && (n == 7 || line[7] == ' ')) {
            return true;
        }
    }
    return false;
}

/* What is left of the numbers, less a separator. */
static text_row_fault take_word(text_row *row, const char *line, size_t end)
{
    field f;
    if (end == 0) {
        row->word = line;
        row->length = 0;
        return TEXT_ROW_NO_WORD;
    }
    row->word = line;
    row->length = end - 1;
    bool finite;
    if (last_field(line, end, &f) && f.begin > 0 &&
        number_is_one(line + f.begin, f.end - f.begin, &finite)) {
        fault_at(row, line, f, TEXT_ROW_MANY); /* "a 1 0 9" is no word "a 1" */
        while (f.begin > 0 && number_is_one(line + f.begin, f.end - f.begin, &finite)) {
            row->numbers++;
            row->length = f.begin - 1;
            last_field(line, f.begin, &f);
        }
        return TEXT_ROW_MANY;
    }
    return memchr(line, '\0', row->length) ? TEXT_ROW_NUL : TEXT_ROW_FINE;
}

static text_row_fault parse_from_right(const char *line, size_t n, size_t dim, float *values,
                                       text_row *row)
{
    size_t end = n;
    bool nonfinite = false;
    field worst = {0};
    for (size_t i = dim; i-- > 0;) {
        field f;
        const bool found = last_field(line, end, &f);
        bool finite = false;
        if (!found || !number_is_one(line + f.begin, f.end - f.begin, &finite)) {
            return is_conflict(line, n) ? TEXT_ROW_CONFLICT : explain(row, line, n, f, found, dim);
        }
        if (!finite) {
            nonfinite = true;
            worst = f;
        } else if (values) {
            number_parse(line + f.begin, line + f.end, &values[i]);
        }
        row->numbers++;
        end = f.begin;
    }
    const text_row_fault fault = take_word(row, line, end);
    return fault == TEXT_ROW_FINE && nonfinite ? fault_at(row, line, worst, TEXT_ROW_NONFINITE)
                                               : fault;
}

text_row_fault text_row_parse(const char *line, size_t n, size_t dim, float *values, text_row *row)
{
    *row = (text_row){0};
    n = trimmed(line, n);
    if (n == 0) {
        return TEXT_ROW_BLANK;
    }
    if (values && parse_plain(line, n, dim, values, row)) {
        return memchr(row->word, '\0', row->length) ? TEXT_ROW_NUL : TEXT_ROW_FINE;
    }
    return parse_from_right(line, n, dim, values, row);
}
