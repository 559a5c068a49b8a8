/* Opening, loading and the facts of a table; see w2v.h. */
#include "vec/vectors.h"

#include "base/mem.h"
#include "os/file.h"
#include "os/pages.h"
#include "vec/file.h"

#include <string.h>

w2v_load_options w2v_load_options_default(void)
{
    return (w2v_load_options){.format = W2V_FORMAT_AUTO, .threads = 1};
}

const char *vec_name(const w2v_vectors *vectors)
{
    return vectors->file->name;
}

/* ----------------------------------------------------------------- opening */

static char *copy_text(const char *text)
{
    return mem_strndup(text, strlen(text));
}

static w2v_status create(const char *path, const char *name, const w2v_load_options *options,
                         w2v_vectors **out, w2v_error *err)
{
    w2v_vectors *v = mem_calloc(1, sizeof *v);
    vec_file *f = v ? mem_calloc(1, sizeof *f) : NULL;
    if (!f) {
        mem_free(v);
        return error_memory(err, "the vectors");
    }
    *out = v;
    v->file = f;
    f->options = options ? *options : w2v_load_options_default();
    f->path = copy_text(path);
    f->name = copy_text(name);
    f->labels = f->options.labels ? copy_text(f->options.labels) : NULL;
    f->tensor = f->options.tensor ? copy_text(f->options.tensor) : NULL;
    if (!f->path || !f->name || (f->options.labels && !f->labels) ||
        (f->options.tensor && !f->tensor)) {
        return error_memory(err, "the vectors");
    }
    f->options.labels = f->labels;
    f->options.tensor = f->tensor;
    if (f->options.threads < 1) {
        return error_set(err, W2V_ERR_ARGUMENT, "threads '%d' is not at least 1",
                         f->options.threads);
    }
    return W2V_OK;
}

/* What is known of the file itself, once its first bytes told whether it is compressed. */
static void look_at_file(w2v_vectors *v)
{
    vec_file *f = v->file;
    v->report.gzip = source_is_gzip(f->in.src);
    file_facts facts;
    if (strcmp(f->path, "-") == 0 || file_stat(f->path, &facts) != 0 ||
        facts.kind != FILE_REGULAR || v->report.gzip ||
        facts.size < input_size(&f->in)) { /* the size of files in /proc is 0 */
        return;
    }
    f->plain_file = true;
    f->size = facts.size;
    f->modified = facts.mtime_ns;
}

static w2v_status recognise(w2v_vectors *v, w2v_error *err)
{
    vec_file *f = v->file;
    w2v_status status = vec_peek(v, 1, err); /* tells gzip from plain */
    if (status == W2V_OK && f->path[0] != '\0') {
        look_at_file(v);
    }
    if (status == W2V_OK) {
        status = vec_recognise(v, err);
    }
    v->report.format = f->format;
    v->report.rows_declared = f->rows;
    return status;
}

static w2v_status finish(w2v_vectors *v, w2v_status status, w2v_vectors **out)
{
    if (status != W2V_OK) {
        w2v_vectors_free(v);
        v = NULL;
    }
    *out = v;
    return status;
}

w2v_status w2v_vectors_open(const char *path, const w2v_load_options *options, w2v_vectors **out,
                            w2v_error *err)
{
    *out = NULL;
    w2v_vectors *v = NULL;
    w2v_status status =
        create(path, strcmp(path, "-") == 0 ? "standard input" : path, options, &v, err);
    if (status == W2V_OK) {
        source *src;
        status = source_open(path, NULL, &src, err);
        if (status == W2V_OK) {
            input_open(&v->file->in, src);
            status = recognise(v, err);
        }
    }
    return finish(v, status, out);
}

w2v_status vec_open_memory(const void *bytes, size_t n, const char *name,
                           const w2v_load_options *options, w2v_vectors **out, w2v_error *err)
{
    *out = NULL;
    w2v_vectors *v = NULL;
    w2v_status status = create("", name, options, &v, err);
    if (status == W2V_OK) {
        source *src;
        status = source_open_memory(bytes, n, name, &src, err);
        if (status == W2V_OK) {
            input_open(&v->file->in, src);
            v->file->size = n >= 2 && memcmp(bytes, "\x1f\x8b", 2) == 0 ? 0 : n;
            status = recognise(v, err);
        }
    }
    return finish(v, status, out);
}

w2v_status w2v_is_vector_file(const char *path, bool *is, w2v_error *err)
{
    *is = false;
    file_facts facts;
    const int e = file_stat(path, &facts);
    if (e) {
        return error_sys(err, W2V_ERR_IO, e, "cannot read '%s'", path);
    }
    if (facts.kind != FILE_REGULAR) {
        return W2V_OK;
    }
    const w2v_load_options options = w2v_load_options_default();
    w2v_vectors *v;
    w2v_error why = {0};
    const w2v_status status = w2v_vectors_open(path, &options, &v, &why);
    w2v_vectors_free(v);
    *is = status == W2V_OK;
    if (status != W2V_ERR_MEMORY && status != W2V_ERR_IO && why.sys_errno == 0) {
        return W2V_OK;
    }
    return error_pass(err, &why);
}

/* ----------------------------------------------------------------- loading */

static void forget_rows(w2v_vectors *v)
{
    words_clear(&v->names);
    pages_free(v->values, v->room * v->stride * sizeof *v->values);
    v->values = NULL;
    v->rows = 0;
    v->room = 0;
    mem_free(v->index.slots);
    v->index = (word_index){0};
}

static w2v_status read_rows(w2v_vectors *v, w2v_error *err)
{
    switch (v->file->format) {
    case W2V_FORMAT_BINARY:
        return vec_can_scan(v) ? vec_load_scan(v, err) : vec_read_binary(v, err);
    case W2V_FORMAT_NPY:
    case W2V_FORMAT_SAFETENSORS:
        return vec_read_array(v, err);
    default:
        return vec_read_text(v, err);
    }
}

/* A compressed file is read to its end, also behind the last row that is wanted of it: only the
   checksum there tells whether what came before was right. */
static w2v_status check_end(w2v_vectors *v, w2v_error *err)
{
    vec_file *f = v->file;
    const bool part = f->options.limit && v->rows >= f->options.limit;
    if (!v->report.gzip || part) {
        return W2V_OK;
    }
    w2v_status status;
    while ((status = vec_peek(v, 1, err)) == W2V_OK && input_size(&f->in) > 0) {
        input_skip(&f->in, input_size(&f->in));
    }
    return status;
}

w2v_status w2v_vectors_load(w2v_vectors *vectors, w2v_error *err)
{
    if (vectors->loaded) {
        return W2V_OK;
    }
    if (!vectors->file->in.src) {
        return error_set(err, W2V_ERR_INPUT, "'%s' cannot be read again after an error",
                         vec_name(vectors));
    }
    w2v_status status = read_rows(vectors, err);
    status = status ? status : check_end(vectors, err);
    input_close(
        &vectors->file->in); /* the rows are here, or what is left of the stream is no use */
    vectors->report.rows = vectors->rows;
    vectors->loaded = status == W2V_OK;
    if (status != W2V_OK) {
        forget_rows(vectors);
    }
    return status;
}

void w2v_vectors_free(w2v_vectors *vectors)
{
    if (vectors) {
        vec_file *f = vectors->file;
        input_close(&f->in);
        mem_free(f->path);
        mem_free(f->name);
        mem_free(f->labels);
        mem_free(f->tensor);
        mem_free(f);
        forget_rows(vectors);
        words_clear(&vectors->offered);
        mem_free(vectors);
    }
}

void w2v_free(void *memory)
{
    mem_free(memory);
}

/* ------------------------------------------------------------------- facts */

table_view vec_table(const w2v_vectors *vectors)
{
    return (table_view){.names = &vectors->names,
                        .values = vectors->values,
                        .rows = vectors->rows,
                        .dim = vectors->dim,
                        .stride = vectors->stride};
}

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

bool vec_can_scan(const w2v_vectors *vectors)
{
    const vec_file *f = vectors->file;
    return !vectors->loaded && f->plain_file && f->format == W2V_FORMAT_BINARY &&
           !f->options.lenient && f->size > 0 && is_little_endian();
}

uint64_t vec_rows_expected(const w2v_vectors *vectors)
{
    if (vectors->loaded) {
        return vectors->rows;
    }
    return vectors->file->rows ? vec_rows_wanted(vectors) : 0;
}

const w2v_load_report *w2v_vectors_report(const w2v_vectors *vectors)
{
    return &vectors->report;
}

uint32_t w2v_vectors_size(const w2v_vectors *vectors)
{
    return vectors->rows;
}

uint32_t w2v_vectors_dim(const w2v_vectors *vectors)
{
    return vectors->dim;
}

const char *w2v_vectors_word(const w2v_vectors *vectors, uint32_t id, size_t *length)
{
    return words_get(&vectors->names, id, length);
}

const float *w2v_vectors_row(const w2v_vectors *vectors, uint32_t id)
{
    return vectors->values + (size_t)id * vectors->stride;
}
