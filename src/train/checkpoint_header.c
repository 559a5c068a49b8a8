/* Reading the header of a checkpoint: options, and where everything lies. */
#include "base/json_read.h"
#include "base/mem.h"
#include "base/shown.h"
#include "train/checkpoint.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HEADER_MAX ((uint64_t)1 << 16) /* ours is of 2,000 bytes and the name of a file */
#define WORD_BYTES_MAX ((uint64_t)1 << 46)

static bool shape_of(const json_t *root, const char *name, size_t axes, uint64_t most[2],
                     uint64_t shape[2])
{
    const json_t *list = json_object_get(json_object_get(root, name), "shape");
    for (size_t i = 0; i < axes; i++) {
        const json_t *n = json_array_get(list, i);
        const json_int_t value = json_integer_value(n);
        if (!json_is_integer(n) || value < 0 || (uint64_t)value > most[i]) {
            return false;
        }
        shape[i] = (uint64_t)value;
    }
    return json_array_size(list) == axes;
}

static bool read_shape(const json_t *root, checkpoint_shape *s)
{
    uint64_t table[2], base[2], epochs[2], letters[2], frozen[2];
    if (!shape_of(root, "word", 2, (uint64_t[]){UINT32_MAX - 1, 65536}, table) ||
        !shape_of(root, "base_counts", 1, (uint64_t[]){table[0], 0}, base) ||
        !shape_of(root, "losses", 1, (uint64_t[]){1000000, 0}, epochs) ||
        !shape_of(root, "words", 1, (uint64_t[]){WORD_BYTES_MAX, 0}, letters) ||
        !shape_of(root, "frozen", 1, (uint64_t[]){table[0], 0}, frozen)) {
        return false;
    }
    *s = (checkpoint_shape){.words = (uint32_t)table[0],
                            .base_words = (uint32_t)base[0],
                            .dim = (uint32_t)table[1],
                            .epochs = (uint32_t)epochs[0],
                            .word_bytes = letters[0],
                            .frozen = frozen[0] > 0};
    return s->words > 0 && s->dim > 0 && (frozen[0] == 0 || frozen[0] == table[0]);
}

/* Is the tensor described just as the layout has it? */
static bool as_laid_out(const json_t *root, const checkpoint_tensor *t)
{
    const json_t *entry = json_object_get(root, t->name);
    const json_t *offsets = json_object_get(entry, "data_offsets");
    const char *type = json_string_value(json_object_get(entry, "dtype"));
    uint64_t shape[2];
    return type && strcmp(type, t->type) == 0 &&
           shape_of(root, t->name, t->axes, (uint64_t[]){INT64_MAX, INT64_MAX}, shape) &&
           shape[0] == t->shape[0] && (t->axes == 1 || shape[1] == t->shape[1]) &&
           json_array_size(offsets) == 2 && json_is_integer(json_array_get(offsets, 0)) &&
           json_is_integer(json_array_get(offsets, 1)) &&
           (uint64_t)json_integer_value(json_array_get(offsets, 0)) == t->begin &&
           (uint64_t)json_integer_value(json_array_get(offsets, 1)) == t->begin + t->bytes;
}

static w2v_status check_layout(w2v_checkpoint *c, const json_t *root, w2v_error *err)
{
    checkpoint_tensor tensors[TENSOR_COUNT];
    if (!read_shape(root, &c->shape)) {
        return checkpoint_damaged(c, err, "its header names no sound tables");
    }
    checkpoint_layout(&c->shape, tensors);
    for (size_t i = 0; i < TENSOR_COUNT; i++) {
        if (!as_laid_out(root, &tensors[i])) {
            error_set(err, W2V_ERR_INPUT,
                      "'%s' is a damaged checkpoint: tensor '%s' is not as it was written", c->name,
                      tensors[i].name);
            error_hint(err, "a checkpoint that another program has saved cannot be resumed");
            return W2V_ERR_INPUT;
        }
    }
    const checkpoint_tensor *last = &tensors[TENSOR_COUNT - 1];
    const uint64_t end = c->at + last->begin + last->bytes;
    if (c->size && c->size != end && !source_is_gzip(c->src)) {
        return error_set(err, W2V_ERR_INPUT,
                         c->size < end ? "'%s' ends early at byte %" PRIu64 " of %" PRIu64
                                       : "'%s' has %" PRIu64
                                         " bytes, but should end after %" PRIu64,
                         c->name, c->size, end);
    }
    return W2V_OK;
}

static w2v_status no_checkpoint(const w2v_checkpoint *c, w2v_error *err)
{
    error_set(err, W2V_ERR_INPUT, "'%s' is no checkpoint", c->name);
    error_hint(err, "vectors alone cannot be resumed: the second table, counts and place are "
                    "missing; --init begins with them");
    return W2V_ERR_INPUT;
}

static w2v_status read_metadata(w2v_checkpoint *c, const json_t *metadata, w2v_error *err)
{
    const char *version = json_string_value(json_object_get(metadata, "version"));
    char known[16];
    snprintf(known, sizeof known, "%d", CHECKPOINT_VERSION);
    if (!version || strcmp(version, known) != 0) {
        char shown[SHOWN_WORD];
        version = version ? version : "?";
        return error_set(err, W2V_ERR_INPUT,
                         "'%s' is a checkpoint of version '%s', and this program knows %s", c->name,
                         shown_word(version, strlen(version), shown), known);
    }
    c->info.train = w2v_train_options_default();
    c->info.text = w2v_text_options_default();
    const char *bad = checkpoint_take_options(metadata, &c->info.train, &c->info.text);
    if (bad) {
        return error_set(err, W2V_ERR_INPUT,
                         "'%s' is a damaged checkpoint: it has no sound value of option '%s'",
                         c->name, bad);
    }
    const char *read_vocab = json_string_value(json_object_get(metadata, "read-vocab"));
    if (read_vocab) {
        c->read_vocab = mem_strndup(read_vocab, strlen(read_vocab));
        if (!c->read_vocab) {
            return error_memory(err, "the checkpoint");
        }
    }
    c->info.text.read_vocab = c->read_vocab;
    return W2V_OK;
}

w2v_status checkpoint_read_head(w2v_checkpoint *c, w2v_error *err)
{
    unsigned char bytes[8];
    void *text = NULL;
    w2v_status status = checkpoint_take(c, bytes, sizeof bytes, err);
    const uint64_t length = checkpoint_take_u64(bytes);
    if (status == W2V_OK && (length < 2 || length > HEADER_MAX)) {
        return no_checkpoint(c, err);
    }
    status = status ? status : checkpoint_take_new(c, length, &text, err);
    if (status != W2V_OK) {
        return status;
    }
    json_error_t fault;
    bool no_memory;
    json_t *root = json_read(text, (size_t)length, &fault, &no_memory);
    const json_t *metadata = json_object_get(root, "__metadata__");
    const char *format = json_string_value(json_object_get(metadata, "format"));
    if (no_memory) {
        status = error_memory(err, "the checkpoint");
    } else if (!format || strcmp(format, CHECKPOINT_FORMAT) != 0) {
        status = no_checkpoint(c, err);
    } else {
        status = read_metadata(c, metadata, err);
        status = status ? status : check_layout(c, root, err);
    }
    if (status == W2V_OK && c->shape.dim != c->info.train.dim) {
        status = checkpoint_damaged(c, err, "its tables are not of the dimension it names");
    }
    json_decref(root);
    mem_free(text);
    return status;
}
