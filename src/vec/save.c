/* w2v_vectors_save(): which rows, and how, go to the writers. */
#include "base/mem.h"
#include "os/file.h"
#include "vec/file.h"
#include "vec/write.h"
#include "vec/write_parts.h"

#include <inttypes.h>
#include <stdlib.h>

w2v_convert_options w2v_convert_options_default(void)
{
    return (w2v_convert_options){.format = W2V_FORMAT_AUTO};
}

static int by_row(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Rows of the words in the list, in the order of the table, each once. */
static w2v_status pick_rows(w2v_vectors *v, const char *path, uint32_t **pick, size_t *count,
                            w2v_error *err)
{
    words list;
    w2v_status status = vec_read_list(path, &list, err);
    if (status == W2V_OK) {
        status = vec_build_index(v, err);
    }
    if (status == W2V_OK) {
        *pick = mem_calloc(list.count, sizeof **pick);
        status = *pick ? W2V_OK : error_memory(err, "a list of words");
    }
    size_t found = 0;
    for (uint32_t i = 0; status == W2V_OK && i < list.count; i++) {
        size_t n;
        const char *word = words_get(&list, i, &n);
        const uint32_t row = vec_find(v, word, n);
        if (row != UINT32_MAX) {
            (*pick)[found++] = row;
        }
    }
    words_clear(&list);
    if (status != W2V_OK) {
        return status;
    }
    qsort(*pick, found, sizeof **pick, by_row);
    *count = 0;
    for (size_t i = 0; i < found; i++) {
        if (i == 0 || (*pick)[i] != (*pick)[i - 1]) {
            (*pick)[(*count)++] = (*pick)[i];
        }
    }
    if (*count == 0) {
        return error_set(err, W2V_ERR_INPUT, "no word of '%s' is in '%s'", path, vec_name(v));
    }
    return W2V_OK;
}

/* Is `path` the list that named the rows? Then one of two tables would lose its words. */
static w2v_status check_not_labels(const w2v_vectors *v, const char *path, const char *output,
                                   w2v_error *err)
{
    const vec_origin *named_by = &v->file->words;
    file_facts facts;
    if (!named_by->known || file_stat(path, &facts) != 0 || facts.kind != FILE_REGULAR ||
        facts.device != named_by->device || facts.inode != named_by->inode) {
        return W2V_OK;
    }
    error_set(err, W2V_ERR_ARGUMENT, "output '%s' would overwrite '%s', the words of '%s'", output,
              path, vec_name(v));
    error_hint(err, "give the output a name or a folder of its own");
    return W2V_ERR_ARGUMENT;
}

w2v_status w2v_format_beside(const char *path, w2v_format format, char **beside, w2v_error *err)
{
    format = format == W2V_FORMAT_AUTO ? vec_format_of_name(path) : format;
    *beside = NULL;
    if (!write_is_pair(format)) {
        return W2V_OK;
    }
    *beside = write_pair_name(path, format);
    return *beside ? W2V_OK : error_memory(err, "a file name");
}

static w2v_status check_files(const w2v_vectors *v, const char *path, w2v_format format,
                              w2v_error *err)
{
    char *second;
    w2v_status status = w2v_format_beside(path, format, &second, err);
    if (status == W2V_OK) {
        status = check_not_labels(v, path, path, err);
    }
    if (status == W2V_OK && second) {
        status = check_not_labels(v, second, path, err);
    }
    mem_free(second);
    return status;
}

w2v_status w2v_vectors_save(w2v_vectors *vectors, const char *path,
                            const w2v_convert_options *options, uint64_t *bytes, w2v_error *err)
{
    const w2v_convert_options chosen = options ? *options : w2v_convert_options_default();
    w2v_status status = w2v_vectors_load(vectors, err);
    if (status == W2V_OK) {
        status = check_files(vectors, path, chosen.format, err);
    }
    if (status != W2V_OK) {
        return status;
    }
    table_view table = vec_table(vectors);
    table.unit = chosen.normalize;
    uint32_t *pick = NULL;
    if (chosen.words) {
        status = pick_rows(vectors, chosen.words, &pick, &table.rows, err);
        table.pick = pick;
    }
    if (status == W2V_OK) {
        status = vec_write(&table, path, chosen.format, chosen.precision, bytes, err);
    }
    mem_free(pick);
    return status;
}
