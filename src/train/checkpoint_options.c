/* The options that decide what is learnt, as strings by name: written, read and compared. */
#include "base/num.h"
#include "train/checkpoint.h"
#include "train/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define VALUE 64

typedef enum kind { WHOLE_32, WHOLE_64, REAL, CHOICE, FLAG, LINES } kind;

typedef struct saved {
    const char *name; /* as the program spells it */
    kind kind;
    bool of_text; /* a field of w2v_text_options, else of w2v_train_options */
    size_t offset;
    const char *const *choices; /* names of the values 0, 1, … up to NULL */
} saved;

static const char *const window_modes[] = {"shrink", "fixed", NULL};
static const char *const shares[] = {"window", "none", NULL};
static const char *const forms[] = {"none", "nfc", NULL};
static const char *const utf8[] = {"keep", "replace", "drop", "fail", NULL};
static const char *const sentences[] = {"none", "line", NULL};
static const char *const flags[] = {"off", "on", NULL};

#define TRAIN(member) false, offsetof(w2v_train_options, member)
#define TEXT(member) true, offsetof(w2v_text_options, member)

static const saved options[] = {
    {"dim", WHOLE_32, TRAIN(dim), NULL},
    {"window", WHOLE_32, TRAIN(window), NULL},
    {"window-mode", CHOICE, TRAIN(window_mode), window_modes},
    {"negative", WHOLE_32, TRAIN(negative), NULL},
    {"ns-exponent", REAL, TRAIN(ns_exponent), NULL},
    {"share-negatives", CHOICE, TRAIN(share), shares},
    {"sample", REAL, TRAIN(sample), NULL},
    {"epochs", WHOLE_32, TRAIN(epochs), NULL},
    {"lr", REAL, TRAIN(lr), NULL},
    {"max-sentence", WHOLE_32, TRAIN(max_sentence), NULL},
    {"seed", WHOLE_64, TRAIN(seed), NULL},
    {"min-count", WHOLE_64, TEXT(min_count), NULL},
    {"vocab-size", WHOLE_64, TEXT(vocab_size), NULL},
    {"lowercase", FLAG, TEXT(lowercase), flags},
    {"normalise", CHOICE, TEXT(normal_form), forms},
    {"sentence", LINES, TEXT(lines_are_sentences), sentences},
    {"invalid-utf8", CHOICE, TEXT(invalid_utf8), utf8},
};

#define OPTIONS (sizeof options / sizeof options[0])

/* The shortest of 15 and 17 digits that keeps the value, with a point in any locale. */
static void format_real(double value, char out[VALUE])
{
    double back;
    for (int digits = 15; digits <= 17; digits += 2) {
        snprintf(out, VALUE, "%.*g", digits, value);
        for (char *c = out; *c; c++) {
            if (!strchr("0123456789+-e", *c)) {
                *c = '.';
            }
        }
        if (num_parse_double(out, strlen(out), &back) && back == value) {
            return;
        }
    }
}

static void format(const saved *o, const void *field, char out[VALUE])
{
    switch (o->kind) {
    case WHOLE_32:
        snprintf(out, VALUE, "%" PRIu32, *(const uint32_t *)field);
        return;
    case WHOLE_64:
        snprintf(out, VALUE, "%" PRIu64, *(const uint64_t *)field);
        return;
    case REAL:
        format_real(*(const double *)field, out);
        return;
    case CHOICE:
        snprintf(out, VALUE, "%s", o->choices[*(const int *)field]);
        return;
    case FLAG:
    case LINES:
        snprintf(out, VALUE, "%s", o->choices[*(const bool *)field]);
        return;
    }
}

static bool parse(const saved *o, const char *text, void *field)
{
    const size_t n = strlen(text);
    uint64_t whole;
    switch (o->kind) {
    case WHOLE_32:
        if (!num_parse_u64(text, n, &whole) || whole > UINT32_MAX) {
            return false;
        }
        *(uint32_t *)field = (uint32_t)whole;
        return true;
    case WHOLE_64:
        return num_parse_u64(text, n, field);
    case REAL:
        return num_parse_double(text, n, field);
    case CHOICE:
    case FLAG:
    case LINES:
        break;
    }
    for (int i = 0; o->choices[i]; i++) {
        if (strcmp(o->choices[i], text) == 0) {
            if (o->kind == CHOICE) {
                memcpy(field, &i, sizeof i);
            } else {
                *(bool *)field = i != 0;
            }
            return true;
        }
    }
    return false;
}

static const void *field_of(const saved *o, const w2v_train_options *train,
                            const w2v_text_options *text)
{
    return (o->of_text ? (const char *)text : (const char *)train) + o->offset;
}

bool checkpoint_put_options(buf *metadata, const w2v_train_options *train,
                            const w2v_text_options *text)
{
    for (size_t i = 0; i < OPTIONS; i++) {
        char value[VALUE];
        format(&options[i], field_of(&options[i], train, text), value);
        if (!buf_printf(metadata, ",\"%s\":\"%s\"", options[i].name, value)) {
            return false;
        }
    }
    return true;
}

const char *checkpoint_take_options(const json_t *metadata, w2v_train_options *train,
                                    w2v_text_options *text)
{
    for (size_t i = 0; i < OPTIONS; i++) {
        const saved *o = &options[i];
        const char *value = json_string_value(json_object_get(metadata, o->name));
        char *base = o->of_text ? (char *)text : (char *)train;
        if (!value || !parse(o, value, base + o->offset)) {
            return o->name;
        }
    }
    if (train_values_check(train, NULL) != W2V_OK) {
        return "training";
    }
    return text->min_count < 1 ? "min-count" : NULL;
}

static w2v_status name_difference(const saved *o, const char *was, const char *is, w2v_error *err)
{
    if (o->kind == FLAG) {
        return error_set(err, W2V_ERR_ARGUMENT, "the checkpoint was made %s --%s",
                         strcmp(was, flags[1]) == 0 ? "with" : "without", o->name);
    }
    return error_set(err, W2V_ERR_ARGUMENT, "the checkpoint was made with --%s %s, not %s", o->name,
                     was, is);
}

w2v_status checkpoint_compare_options(const w2v_checkpoint_info *was,
                                      const w2v_train_options *train, const w2v_text_options *text,
                                      w2v_error *err)
{
    for (size_t i = 0; i < OPTIONS; i++) {
        const saved *o = &options[i];
        char before[VALUE], now[VALUE];
        if (o->of_text ? !text : !train) {
            continue;
        }
        format(o, field_of(o, &was->train, &was->text), before);
        format(o, field_of(o, train, text), now);
        if (strcmp(before, now) != 0) {
            return name_difference(o, before, now, err);
        }
    }
    return W2V_OK;
}
