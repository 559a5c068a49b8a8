/*
 * Heads of .npy and safetensors files, and their rows. The words come from a
 * list that is written once, since labels are always a file.
 */
#include "fuzz_vectors.h"

#include <stdio.h>

static char labels[L_tmpnam + 16];

static void remove_labels(void)
{
    remove(labels);
}

static void make_labels(void)
{
    snprintf(labels, sizeof labels, "fuzz-labels-%p", (void *)labels);
    FILE *f = fopen(labels, "wb");
    if (!f) {
        abort();
    }
    fputs("one\ntwo\nthree\n", f);
    fclose(f);
    atexit(remove_labels);
}

static void load(const uint8_t *data, size_t size, w2v_format format)
{
    w2v_load_options options = w2v_load_options_default();
    options.format = format;
    options.labels = labels;
    options.lenient = true;
    options.max_memory = (uint64_t)1 << 28;
    w2v_vectors *v;
    w2v_error err = {0};
    w2v_status status = vec_open_memory(data, size, "input", &options, &v, &err);
    if (status == W2V_OK) {
        status = w2v_vectors_load(v, &err);
    }
    if (status == W2V_OK) {
        fuzz_look(v);
    } else if (err.code != status || err.text[0] == '\0') {
        abort();
    }
    w2v_vectors_free(v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!labels[0]) {
        make_labels();
    }
    load(data, size, W2V_FORMAT_NPY);
    load(data, size, W2V_FORMAT_SAFETENSORS);
    return 0;
}
