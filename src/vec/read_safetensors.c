/*
 * The head of a safetensors file: eight bytes of length, a JSON object that
 * names the tensors, and their bytes.
 */
#include "base/json_read.h"
#include "vec/file.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define HEADER_MAX ((uint64_t)100000000) /* the format's own limit */
#define NAMES_SHOWN 6

typedef struct tensor {
    const char *name, *type;
    uint64_t rows, dim, begin, end;
    size_t axes;
} tensor;

static bool take_unsigned(const json_t *value, uint64_t *out)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0) {
        return false;
    }
    *out = (uint64_t)json_integer_value(value);
    return true;
}

static bool read_tensor(const char *name, const json_t *entry, tensor *t)
{
    const json_t *shape = json_object_get(entry, "shape");
    const json_t *offsets = json_object_get(entry, "data_offsets");
    *t = (tensor){.name = name, .type = json_string_value(json_object_get(entry, "dtype"))};
    if (!t->type || !json_is_array(shape) || !json_is_array(offsets) ||
        json_array_size(offsets) != 2 || !take_unsigned(json_array_get(offsets, 0), &t->begin) ||
        !take_unsigned(json_array_get(offsets, 1), &t->end) || t->end < t->begin) {
        return false;
    }
    t->axes = json_array_size(shape);
    return t->axes != 2 || (take_unsigned(json_array_get(shape, 0), &t->rows) &&
                            take_unsigned(json_array_get(shape, 1), &t->dim));
}

static bool known_type(const char *type, number_type *number)
{
    static const struct {
        const char *name;
        number_type number;
    } types[] = {
        {"F32", NUMBER_F32}, {"F64", NUMBER_F64}, {"F16", NUMBER_F16}, {"BF16", NUMBER_BF16}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(type, types[i].name) == 0) {
            *number = types[i].number;
            return true;
        }
    }
    return false;
}

/* A checkpoint of ours says so in its metadata. */
static bool is_checkpoint(const json_t *root)
{
    const json_t *metadata = json_object_get(root, "__metadata__");
    const char *format = json_string_value(json_object_get(metadata, "format"));
    return format && strcmp(format, "w2v-checkpoint") == 0;
}

/* Where its words stand: behind the header, and before its tables. */
static w2v_status find_words(w2v_vectors *v, const json_t *root, uint64_t data, w2v_error *err)
{
    vec_file *f = v->file;
    tensor offsets, letters;
    if (!read_tensor("offsets", json_object_get(root, "offsets"), &offsets) ||
        !read_tensor("words", json_object_get(root, "words"), &letters) ||
        offsets.end > letters.begin || letters.end > f->data_at - data ||
        (offsets.end - offsets.begin) / 8 != f->rows + 1) {
        return error_set(err, W2V_ERR_INPUT,
                         "'%s' is a damaged checkpoint: its words are not where they should be",
                         vec_name(v));
    }
    f->own_words = true;
    f->offsets_at = data + offsets.begin;
    f->letters_at = data + letters.begin;
    f->letters = letters.end - letters.begin;
    return W2V_OK;
}

/* The tensor asked for, or the only one of two dimensions. */
static w2v_status choose(const w2v_vectors *v, json_t *root, tensor *chosen, w2v_error *err)
{
    const char *wanted = v->file->options.tensor;
    if (!wanted && is_checkpoint(root)) {
        wanted = "word";
    }
    char names[400] = "";
    size_t used = 0, tables = 0;
    bool found = false;
    const char *name;
    json_t *entry;
    json_object_foreach(root, name, entry)
    {
        tensor t;
        char shown[SHOWN_WORD];
        if (strcmp(name, "__metadata__") == 0) {
            continue;
        }
        if (!read_tensor(name, entry, &t)) {
            return error_set(err, W2V_ERR_INPUT,
                             "'%s' is damaged: its header says nothing sound about tensor '%s'",
                             vec_name(v), shown_word(name, strlen(name), shown));
        }
        if (wanted ? strcmp(name, wanted) == 0 : t.axes == 2) {
            *chosen = t;
            found = true;
        }
        if (t.axes == 2 && ++tables <= NAMES_SHOWN && used < 300) {
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.40s", used ? ", " : "",
                                     shown_word(name, strlen(name), shown));
        }
    }
    if (found && (wanted || tables == 1)) {
        return W2V_OK;
    }
    if (wanted) {
        error_set(err, W2V_ERR_INPUT, "'%s' has no tensor '%s'", vec_name(v), wanted);
    } else {
        error_set(err, W2V_ERR_INPUT, "'%s' has %zu tensors of two dimensions; choose one",
                  vec_name(v), tables);
    }
    if (tables > 0) {
        error_hint(err, "--tensor NAME, with one of: %s%s", names,
                   tables > NAMES_SHOWN ? ", …" : "");
    }
    return W2V_ERR_INPUT;
}

static w2v_status check_tensor(w2v_vectors *v, const tensor *t, uint64_t data, w2v_error *err)
{
    vec_file *f = v->file;
    char name[SHOWN_WORD];
    shown_word(t->name, strlen(t->name), name);
    if (t->axes != 2) {
        return error_set(err, W2V_ERR_INPUT, "'%s': tensor '%s' has %zu dimension%s, not 2",
                         vec_name(v), name, t->axes, t->axes == 1 ? "" : "s");
    }
    if (!known_type(t->type, &f->number)) {
        char type[SHOWN_WORD];
        return error_set(err, W2V_ERR_INPUT,
                         "'%s': tensor '%s' is of type '%s', not F64, F32, F16 or BF16",
                         vec_name(v), name, shown_word(t->type, strlen(t->type), type));
    }
    const uint64_t size = number_size(f->number);
    const uint64_t bytes = t->end - t->begin;
    const bool empty = t->rows == 0 || t->dim == 0;
    if (empty ? bytes != 0
              : (t->dim > UINT64_MAX / size || bytes / (t->dim * size) != t->rows ||
                 bytes % (t->dim * size) != 0)) {
        return error_set(err, W2V_ERR_INPUT,
                         "'%s' is damaged: tensor '%s' of %" PRIu64 " x %" PRIu64
                         " numbers has %" PRIu64 " bytes",
                         vec_name(v), name, t->rows, t->dim, bytes);
    }
    if (t->begin > UINT64_MAX - data) {
        return error_set(err, W2V_ERR_INPUT, "'%s' is damaged: tensor '%s' lies outside the file",
                         vec_name(v), name);
    }
    f->data_at = data + t->begin;
    return vec_take_shape(v, t->rows, t->dim, err);
}

static w2v_status read_header(w2v_vectors *v, uint64_t length, w2v_error *err)
{
    vec_file *f = v->file;
    const w2v_status status = input_peek(&f->in, 8 + (size_t)length, err);
    if (status != W2V_OK) {
        return status;
    }
    if (input_size(&f->in) < 8 + length) {
        return vec_error_at(err, 0, input_size(&f->in), "'%s' ends inside its header, at byte %zu",
                            vec_name(v), input_size(&f->in));
    }
    json_error_t fault;
    bool no_memory;
    json_t *root = json_read(input_data(&f->in) + 8, (size_t)length, &fault, &no_memory);
    if (no_memory) {
        return error_memory(err, "the header of a safetensors file");
    }
    if (!json_is_object(root)) {
        json_decref(root);
        const uint64_t at = 8 + (uint64_t)(fault.position > 0 ? fault.position : 0);
        return vec_error_at(err, 0, at,
                            "'%s' is damaged at byte %" PRIu64 " (its header is no JSON)",
                            vec_name(v), at);
    }
    tensor t = {0};
    w2v_status chosen = choose(v, root, &t, err);
    if (chosen == W2V_OK) {
        chosen = check_tensor(v, &t, 8 + length, err);
    }
    if (chosen == W2V_OK && is_checkpoint(root)) {
        chosen = find_words(v, root, 8 + length, err);
    }
    json_decref(root);
    return chosen;
}

w2v_status vec_safetensors_head(w2v_vectors *v, w2v_error *err)
{
    vec_file *f = v->file;
    const unsigned char *head = (const unsigned char *)input_data(&f->in);
    uint64_t length = 0;
    for (unsigned k = 0; k < 8 && input_size(&f->in) >= 8; k++) {
        length |= (uint64_t)head[k] << (8 * k);
    }
    if (length < 2 || length > HEADER_MAX || (f->size && length > f->size - 8)) {
        return vec_error_at(err, 0, 0,
                            "'%s': a header of %" PRIu64 " bytes is not that of a safetensors file",
                            vec_name(v), length);
    }
    f->format = W2V_FORMAT_SAFETENSORS;
    return read_header(v, length, err);
}
