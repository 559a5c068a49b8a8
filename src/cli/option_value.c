/* The value of one option: from text into its field, and back. */
#include "base/num.h"
#include "cli/options.h"
#include "cli/suggest.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Choices are stored through an int, whatever integer the compiler chose for the enum. */
_Static_assert(sizeof(w2v_format) == sizeof(int) && sizeof(w2v_window_mode) == sizeof(int) &&
                   sizeof(w2v_share) == sizeof(int) && sizeof(w2v_invalid_utf8) == sizeof(int) &&
                   sizeof(w2v_metric) == sizeof(int) && sizeof(w2v_method) == sizeof(int),
               "an enum takes the room of an int");

bool option_takes_value(const option *o)
{
    return o->type != OPTION_FLAG && o->type != OPTION_HELP;
}

size_t option_size(const option *o)
{
    switch (o->type) {
    case OPTION_FLAG:
    case OPTION_CHOICE_BOOL:
        return sizeof(bool);
    case OPTION_TEXT:
        return sizeof(const char *);
    case OPTION_TEXTS:
        return sizeof(option_texts);
    case OPTION_INT:
    case OPTION_CHOICE:
        return sizeof(int);
    case OPTION_U32:
        return sizeof(uint32_t);
    case OPTION_U64:
    case OPTION_SIZE:
        return sizeof(uint64_t);
    case OPTION_DOUBLE:
    case OPTION_DURATION:
        return sizeof(double);
    case OPTION_POSITIONAL:
    case OPTION_IGNORED:
    case OPTION_ZERO:
    case OPTION_HELP:
        break;
    }
    return 0;
}

bool option_is_given(const arguments *words, const option *o)
{
    for (size_t i = 0; i < words->given_count; i++) {
        if (words->given[i] == o) {
            return true;
        }
    }
    return false;
}

/* "1 to 65536", "1 or more", "above 0", for error texts. */
static void range_text(const option *o, char *out, size_t size)
{
    if (o->type == OPTION_DOUBLE) {
        if (o->max >= HUGE_VAL) {
            snprintf(out, size, o->above_min ? "above %g" : "%g or more", o->min);
        } else {
            snprintf(out, size, o->above_min ? "above %g, at most %g" : "%g to %g", o->min, o->max);
        }
    } else if (o->high == UINT64_MAX) {
        snprintf(out, size, "%" PRIu64 " or more", o->low);
    } else {
        snprintf(out, size, "%" PRIu64 " to %" PRIu64, o->low, o->high);
    }
}

static w2v_status out_of_range(const option *o, const char *spelling, const char *text, bool low,
                               w2v_error *err)
{
    char range[96];
    range_text(o, range, sizeof range);
    error_set(err, W2V_ERR_ARGUMENT, "'%s %s' is out of range: %s", spelling, text, range);
    if (low && o->low_hint) {
        error_hint(err, "%s", o->low_hint);
    }
    return W2V_ERR_ARGUMENT;
}

static bool all_digits(const char *text)
{
    return *text && text[strspn(text, "0123456789")] == '\0';
}

static w2v_status parse_whole(const option *o, const char *spelling, const char *text,
                              uint64_t *value, w2v_error *err)
{
    const size_t n = strlen(text);
    const bool read =
        o->type == OPTION_SIZE ? num_parse_size(text, n, value) : num_parse_u64(text, n, value);
    if (read) {
        if (*value < o->low || *value > o->high) {
            return out_of_range(o, spelling, text, *value < o->low, err);
        }
        return W2V_OK;
    }
    double number;
    const bool is_number = num_parse_double(text, n, &number);
    if (all_digits(text) || (text[0] == '-' && all_digits(text + 1))) {
        return out_of_range(o, spelling, text, text[0] == '-', err);
    }
    char range[96];
    range_text(o, range, sizeof range);
    if (o->type == OPTION_SIZE) {
        return error_set(err, W2V_ERR_ARGUMENT,
                         "'%s %s' is not a size (bytes, %s; or with K, M, G or T)", spelling, text,
                         range);
    }
    error_set(err, W2V_ERR_ARGUMENT, "'%s %s' is not a whole number (%s)", spelling, text, range);
    if (is_number && o->fraction_hint) {
        error_hint(err, "%s", o->fraction_hint);
    }
    return W2V_ERR_ARGUMENT;
}

static w2v_status set_double(const option *o, double *field, const char *spelling, const char *text,
                             w2v_error *err)
{
    double value;
    if (!num_parse_double(text, strlen(text), &value)) {
        char range[96];
        range_text(o, range, sizeof range);
        return error_set(err, W2V_ERR_ARGUMENT, "'%s %s' is not a number (%s)", spelling, text,
                         range);
    }
    if (value < o->min || value > o->max || (o->above_min && value <= o->min)) {
        return out_of_range(o, spelling, text, value <= o->min, err);
    }
    *field = value;
    return W2V_OK;
}

static w2v_status set_duration(double *field, const char *spelling, const char *text,
                               w2v_error *err)
{
    double seconds;
    if (!num_parse_duration(text, strlen(text), &seconds)) {
        return error_set(err, W2V_ERR_ARGUMENT,
                         "'%s %s' is not a duration (seconds; or with ms, s, m, h or d)", spelling,
                         text);
    }
    *field = seconds;
    return W2V_OK;
}

static w2v_status set_choice(const option *o, void *field, const char *spelling, const char *text,
                             w2v_error *err)
{
    suggestion near = {.typed = text, .length = strlen(text)};
    char names[128] = "";
    for (const option_choice *c = o->choices; c->name; c++) {
        if (strcmp(c->name, text) == 0) {
            if (o->type == OPTION_CHOICE_BOOL) {
                *(bool *)field = c->value != 0;
            } else {
                memcpy(field, &c->value, sizeof c->value);
            }
            return W2V_OK;
        }
        suggest_offer(&near, c->name, strlen(c->name), c->name);
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", c->name);
    }
    error_set(err, W2V_ERR_ARGUMENT, "'%s %s' is not one of %s", spelling, text, names);
    if (near.best) {
        error_hint(err, "did you mean '%s'?", near.best);
    }
    return W2V_ERR_ARGUMENT;
}

static w2v_status add_text(option_texts *texts, const char *spelling, const char *text,
                           w2v_error *err)
{
    if (texts->count == OPTION_TEXTS_MOST) {
        return error_set(err, W2V_ERR_ARGUMENT, "'%s' is given more than %d times", spelling,
                         OPTION_TEXTS_MOST);
    }
    texts->items[texts->count++] = text;
    return W2V_OK;
}

w2v_status option_set(const option *o, void *field, const char *spelling, const char *text,
                      w2v_error *err)
{
    uint64_t whole = 0;
    w2v_status status = W2V_OK;
    switch (o->type) {
    case OPTION_TEXT:
    case OPTION_TEXTS:
    case OPTION_POSITIONAL:
        if (!*text) {
            return error_set(err, W2V_ERR_ARGUMENT, "'%s' is given an empty name", spelling);
        }
        if (o->type == OPTION_TEXT) {
            *(const char **)field = text;
        }
        return o->type == OPTION_TEXTS ? add_text(field, spelling, text, err) : W2V_OK;
    case OPTION_INT:
    case OPTION_U32:
    case OPTION_U64:
    case OPTION_SIZE:
        status = parse_whole(o, spelling, text, &whole, err);
        if (status) {
            return status;
        }
        if (o->type == OPTION_INT) {
            *(int *)field = (int)whole;
        } else if (o->type == OPTION_U32) {
            *(uint32_t *)field = (uint32_t)whole;
        } else {
            *(uint64_t *)field = whole;
        }
        return W2V_OK;
    case OPTION_DOUBLE:
        return set_double(o, field, spelling, text, err);
    case OPTION_DURATION:
        return set_duration(field, spelling, text, err);
    case OPTION_CHOICE:
    case OPTION_CHOICE_BOOL:
        return set_choice(o, field, spelling, text, err);
    case OPTION_IGNORED:
    case OPTION_ZERO:
        status = parse_whole(o, spelling, text, &whole, err);
        if (!status && o->type == OPTION_ZERO && whole) {
            return error_set(err, W2V_ERR_ARGUMENT, "'%s %s' is refused: %s", spelling, text,
                             o->help);
        }
        return status;
    case OPTION_FLAG:
    case OPTION_HELP:
        break;
    }
    return W2V_OK;
}

static bool format_choice(const option *o, int value, char out[OPTION_VALUE])
{
    for (const option_choice *c = o->choices; c->name; c++) {
        if (c->value == value) {
            snprintf(out, OPTION_VALUE, "%s", c->name);
            return true;
        }
    }
    return false;
}

bool option_format(const option *o, const void *field, char out[OPTION_VALUE])
{
    int choice;
    switch (o->type) {
    case OPTION_FLAG:
        snprintf(out, OPTION_VALUE, "on");
        return *(const bool *)field;
    case OPTION_TEXT:
        if (!*(const char *const *)field) {
            return false;
        }
        snprintf(out, OPTION_VALUE, "%s", *(const char *const *)field);
        return true;
    case OPTION_INT: /* 0 stands for "not set" where the range begins above it */
        snprintf(out, OPTION_VALUE, "%d", *(const int *)field);
        return *(const int *)field != 0 || o->low == 0;
    case OPTION_U32:
        snprintf(out, OPTION_VALUE, "%" PRIu32, *(const uint32_t *)field);
        return *(const uint32_t *)field != 0 || o->low == 0;
    case OPTION_U64:
    case OPTION_SIZE:
        snprintf(out, OPTION_VALUE, "%" PRIu64, *(const uint64_t *)field);
        return *(const uint64_t *)field != 0 || o->low == 0;
    case OPTION_DOUBLE:
        snprintf(out, OPTION_VALUE, "%.15g", *(const double *)field);
        return true;
    case OPTION_DURATION:
        snprintf(out, OPTION_VALUE, "%.15gs", *(const double *)field);
        return *(const double *)field >= 0;
    case OPTION_CHOICE:
        memcpy(&choice, field, sizeof choice);
        return format_choice(o, choice, out);
    case OPTION_CHOICE_BOOL:
        return format_choice(o, *(const bool *)field, out);
    case OPTION_TEXTS:
    case OPTION_POSITIONAL:
    case OPTION_IGNORED:
    case OPTION_ZERO:
    case OPTION_HELP:
        break;
    }
    return false;
}
