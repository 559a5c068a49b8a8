/*
 * Any bytes as a file of vectors, taken for what they look like and for each format, strictly and
 * leniently: recognition, gzip and all readers. What was loaded is looked at, and must be what a
 * file on disk gives, where binary has a reader of its own.
 */
#include "fuzz_file.h"

#include "vec/file.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LABELS, INPUT }; /* files */

static void look(w2v_vectors *v)
{
    const w2v_load_report *report = w2v_vectors_report(v);
    const uint32_t rows = w2v_vectors_size(v);
    if (rows == 0 || report->rows != rows) {
        abort();
    }
    for (uint32_t i = 0; i < rows; i++) {
        size_t n;
        const char *word = w2v_vectors_word(v, i, &n);
        if (strlen(word) != n || w2v_vectors_find(v, word, n) > i ||
            !number_all_finite(w2v_vectors_row(v, i), w2v_vectors_dim(v))) {
            abort();
        }
    }
}

/* What comes of opening and loading; *v is NULL after an error. */
static w2v_status load(w2v_status opened, w2v_vectors **v, w2v_error *err)
{
    w2v_status status = opened;
    if (status == W2V_OK) {
        status = w2v_vectors_load(*v, err);
    }
    if (status == W2V_OK) {
        look(*v);
        return status;
    }
    if (err->code != status || err->text[0] == '\0') {
        abort(); /* an error without words */
    }
    w2v_vectors_free(*v);
    *v = NULL;
    return status;
}

static bool same(const w2v_vectors *a, const w2v_vectors *b)
{
    const uint32_t rows = w2v_vectors_size(a), dim = w2v_vectors_dim(a);
    bool is = rows == w2v_vectors_size(b) && dim == w2v_vectors_dim(b);
    for (uint32_t i = 0; is && i < rows; i++) {
        is = strcmp(w2v_vectors_word(a, i, NULL), w2v_vectors_word(b, i, NULL)) == 0 &&
             memcmp(w2v_vectors_row(a, i), w2v_vectors_row(b, i), dim * sizeof(float)) == 0;
    }
    return is;
}

static void load_both(const uint8_t *data, size_t size, w2v_load_options options)
{
    w2v_vectors *memory = NULL, *disk = NULL;
    w2v_error err = {0}, other = {0};
    const w2v_status status =
        load(vec_open_memory(data, size, "input", &options, &memory, &err), &memory, &err);
    if (status != load(w2v_vectors_open(fuzz_file(INPUT, data, size), &options, &disk, &other),
                       &disk, &other) ||
        (memory && !same(memory, disk))) {
        abort();
    }
    w2v_vectors_free(memory);
    w2v_vectors_free(disk);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const w2v_format formats[] = {W2V_FORMAT_AUTO, W2V_FORMAT_BINARY,
                                         W2V_FORMAT_TEXT, W2V_FORMAT_GLOVE,
                                         W2V_FORMAT_NPY,  W2V_FORMAT_SAFETENSORS};
    static const char list[] = "one\ntwo\nthree\n";
    static const char *labels;
    if (!labels) {
        labels = fuzz_file(LABELS, (const uint8_t *)list, sizeof list - 1);
    }
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        for (int lenient = 0; lenient < 2; lenient++) {
            w2v_load_options options = w2v_load_options_default();
            options.format = formats[i];
            options.lenient = lenient;
            options.max_memory = (uint64_t)1 << 28;
            /* a checkpoint brings its own, which are read where none are given */
            options.labels = formats[i] == W2V_FORMAT_AUTO ? NULL : labels;
            load_both(data, size, options);
        }
    }
    return 0;
}
