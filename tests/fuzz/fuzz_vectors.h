/*
 * What the fuzz targets of the readers share: any bytes are opened from
 * memory, strictly and leniently, and what was loaded is looked at.
 */
#ifndef W2V_TESTS_FUZZ_VECTORS_H
#define W2V_TESTS_FUZZ_VECTORS_H

#include "vec/file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_look(w2v_vectors *v)
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

static inline void fuzz_load(const uint8_t *data, size_t size, w2v_format format)
{
    for (int lenient = 0; lenient < 2; lenient++) {
        w2v_load_options options = w2v_load_options_default();
        options.format = format;
        options.lenient = lenient;
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
            abort(); /* an error without words */
        }
        w2v_vectors_free(v);
    }
}

#endif
