/* Writers of formats that keep words and numbers in two files. */
#include "base/mem.h"
#include "os/file.h"
#include "vec/file.h"
#include "vec/write_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ----------------------------------------------------------------- headers */

/* Version 1 of the format: data begins at a multiple of 64 bytes. */
static w2v_status write_npy_header(sink *s, const table_view *table, w2v_error *err)
{
    char text[128];
    const int n = snprintf(text, sizeof text,
                           "{'descr': '<f4', 'fortran_order': False, 'shape': (%zu, %zu), }",
                           table->rows, table->dim);
    const int fixed = 10; /* magic, version and length */
    const int total = (fixed + n + 1 + 63) / 64 * 64;
    const unsigned length = (unsigned)(total - fixed);
    const char head[] = {
        '\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, (char)(length & 0xff), (char)(length >> 8)};
    sink_write(s, head, sizeof head, err);
    return sink_printf(s, err, "%s%*s\n", text, total - fixed - n - 1, "");
}

/* The metadata is what the transformers library asks for. */
static w2v_status write_safetensors_header(sink *s, const table_view *table, w2v_error *err)
{
    char text[256];
    const uint64_t bytes = 4 * (uint64_t)table->rows * table->dim;
    const int n = snprintf(text, sizeof text,
                           "{\"__metadata__\":{\"format\":\"pt\"},\"vectors\":{\"dtype\":\"F32\","
                           "\"shape\":[%zu,%zu],\"data_offsets\":[0,%" PRIu64 "]}}",
                           table->rows, table->dim, bytes);
    const int total = (n + 7) / 8 * 8; /* data begins at a multiple of 8 */
    const char head[8] = {(char)(total & 0xff), (char)(total >> 8)};
    sink_write(s, head, sizeof head, err);
    return sink_printf(s, err, "%s%*s", text, total - n, "");
}

/* ------------------------------------------------------------------- words */

/* The projector's page cuts lines and columns at more than LF and TAB. */
static w2v_status write_escaped(sink *s, const char *word, size_t n, w2v_error *err)
{
    if (n == 0) {
        return sink_write(s, "\"\"", 2, err);
    }
    w2v_status status = W2V_OK;
    for (size_t i = 0; i < n && status == W2V_OK;) {
        char text[SHOWN_CHAR];
        size_t length;
        const size_t m = shown_char(word + i, n - i, text, &length);
        status = sink_write(s, text, m, err);
        i += length;
    }
    return status;
}

static w2v_status write_words(sink *s, const table_view *table, bool escape, w2v_error *err)
{
    w2v_status status = W2V_OK;
    for (size_t row = 0; row < table->rows && status == W2V_OK; row++) {
        size_t n;
        const char *word = table_word(table, row, &n);
        if (escape) {
            write_escaped(s, word, n, err); /* a failure stays in the sink */
        } else {
            sink_write(s, word, n, err);
        }
        status = sink_write(s, "\n", 1, err);
    }
    return status;
}

/* ------------------------------------------------------------------- files */

char *write_pair_name(const char *path, w2v_format format)
{
    if (format != W2V_FORMAT_TSV) {
        return vec_labels_path(path);
    }
    size_t n = strlen(path);
    const bool gzip = sink_name_is_gzip(path);
    n -= gzip ? 3 : 0;
    n -= n >= 4 && memcmp(path + n - 4, ".tsv", 4) == 0 ? 4 : 0;
    const size_t room = n + sizeof ".metadata.tsv.gz";
    char *name = mem_alloc(room);
    if (name) {
        memcpy(name, path, n);
        snprintf(name + n, room - n, ".metadata.tsv%s", gzip ? ".gz" : "");
    }
    return name;
}

static w2v_status write_values(sink *s, const table_view *table, w2v_format format, int precision,
                               float *scratch, w2v_error *err)
{
    w2v_status status = W2V_OK;
    if (format == W2V_FORMAT_NPY) {
        status = write_npy_header(s, table, err);
    } else if (format == W2V_FORMAT_SAFETENSORS) {
        status = write_safetensors_header(s, table, err);
    }
    for (size_t row = 0; row < table->rows && status == W2V_OK; row++) {
        const float *values = write_row(table, row, scratch);
        status = format == W2V_FORMAT_TSV
                     ? write_numbers(s, values, table->dim, '\t', false, precision, err)
                     : write_floats(s, values, table->dim, err);
    }
    return status;
}

static bool is_other(const char *path) /* a FIFO or device, which would be written to directly */
{
    file_facts facts;
    return file_stat(path, &facts) == 0 && facts.kind == FILE_OTHER;
}

static w2v_status check_paths(const char *path, const char *list_name, w2v_error *err)
{
    if (strcmp(path, "-") == 0 || is_other(path)) {
        error_set(err, W2V_ERR_ARGUMENT,
                  "'%s': this format is two files, so it needs the name of a regular file", path);
        error_hint(err, "the words are written beside the numbers");
        return W2V_ERR_ARGUMENT;
    }
    if (is_other(list_name)) {
        return error_set(err, W2V_ERR_ARGUMENT,
                         "'%s' is no regular file, and the words of '%s' belong there", list_name,
                         path);
    }
    return W2V_OK;
}

w2v_status write_pair(const table_view *table, const char *path, w2v_format format, int precision,
                      float *scratch, uint64_t *bytes, w2v_error *err)
{
    char *list_name = write_pair_name(path, format);
    if (!list_name) {
        return error_memory(err, "a file name");
    }
    sink *values = NULL, *list = NULL;
    w2v_status status = check_paths(path, list_name, err);
    if (status == W2V_OK) {
        status = sink_open(path, sink_name_is_gzip(path), &values, err);
    }
    if (status == W2V_OK) {
        status = sink_open(list_name, sink_name_is_gzip(list_name), &list, err);
    }
    if (status == W2V_OK) {
        status = write_values(values, table, format, precision, scratch, err);
    }
    if (status == W2V_OK) {
        status = write_words(list, table, format == W2V_FORMAT_TSV, err);
    }
    if (status == W2V_OK) {
        status = sink_commit(list, NULL, err);
        list = NULL;
    }
    if (status == W2V_OK) {
        status = sink_commit(values, bytes, err);
        values = NULL;
    }
    sink_abort(list);
    sink_abort(values);
    mem_free(list_name);
    return status;
}
