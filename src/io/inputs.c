#include "io/inputs.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/words.h"
#include "io/sink.h"
#include "os/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------- lists */

static w2v_status no_memory(w2v_error *err)
{
    return error_memory(err, "the list of inputs");
}

static w2v_status add(w2v_inputs *in, const char *path, const file_facts *facts, w2v_error *err)
{
    char **paths = mem_realloc(in->paths, in->count + 1, sizeof *paths);
    if (paths) {
        in->paths = paths;
    }
    uint64_t *sizes = mem_realloc(in->sizes, in->count + 1, sizeof *sizes);
    if (sizes) {
        in->sizes = sizes;
    }
    char *copy = mem_strndup(path, strlen(path));
    if (!paths || !sizes || !copy) {
        mem_free(copy);
        return no_memory(err);
    }
    in->paths[in->count] = copy;
    in->sizes[in->count] = facts->size;
    in->count++;
    in->size_unknown = in->size_unknown || facts->kind != FILE_REGULAR;
    return W2V_OK;
}

static w2v_status add_file(w2v_inputs *in, const char *path, const file_facts *facts,
                           w2v_error *err)
{
    int e;
    if (!file_readable(path, &e)) {
        return error_sys(err, W2V_ERR_INPUT, e, "cannot read '%s'", path);
    }
    return add(in, path, facts, err);
}

/* ----------------------------------------------------------------- folders */

/* The folders that we are inside of, innermost first: a link back to one of them is not followed.
 */
typedef struct level {
    uint64_t device, inode;
    const struct level *outer;
} level;

static bool is_inside(const level *l, const file_facts *facts)
{
    while (l && (l->device != facts->device || l->inode != facts->inode)) {
        l = l->outer;
    }
    return l != NULL;
}

static int take_name(void *user, const char *name)
{
    if (name[0] == '.') {
        return 0; /* hidden */
    }
    return words_append(user, name, strlen(name)) ? 0 : ENOMEM;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Pointers to the names, in byte order; NULL without memory. */
static const char **sorted_names(const words *names)
{
    const char **order = mem_calloc((size_t)names->count + 1, sizeof *order);
    if (order) {
        for (uint32_t i = 0; i < names->count; i++) {
            order[i] = words_get(names, i, NULL);
        }
        qsort(order, names->count, sizeof *order, compare_names);
    }
    return order;
}

static w2v_status walk(w2v_inputs *in, buf *path, const level *here, w2v_error *err);

/* The entry whose path is in `path`: a file is added, a folder walked, anything else passed over.
 */
static w2v_status take_entry(w2v_inputs *in, buf *path, const level *here, w2v_error *err)
{
    file_facts facts;
    int e = file_stat(path->data, &facts);
    if (e == 0 && facts.kind == FILE_NONE) {
        e = ENOENT; /* a broken link */
    }
    if (e) {
        return error_sys(err, W2V_ERR_INPUT, e, "cannot read '%s'", path->data);
    }
    if (facts.kind == FILE_FOLDER) {
        const level next = {facts.device, facts.inode, here};
        return is_inside(here, &facts) ? W2V_OK : walk(in, path, &next, err);
    }
    /* A FIFO or device that merely lies in a folder was not asked for, and might never end. */
    return facts.kind == FILE_REGULAR ? add_file(in, path->data, &facts, err) : W2V_OK;
}

static w2v_status take_entries(w2v_inputs *in, buf *path, const words *names, const level *here,
                               w2v_error *err)
{
    const char **order = sorted_names(names);
    if (!order) {
        return no_memory(err);
    }
    const size_t folder = path->size;
    const bool slash = folder > 0 && path->data[folder - 1] != '/';
    w2v_status status = W2V_OK;
    for (uint32_t i = 0; i < names->count && status == W2V_OK; i++) {
        status = buf_printf(path, "%s%s", slash ? "/" : "", order[i])
                     ? take_entry(in, path, here, err)
                     : no_memory(err);
        path->size = folder;
        path->data[folder] = '\0';
    }
    mem_free(order);
    return status;
}

/* All files below the folder in `path`, entries in byte order, folders opened where they stand. */
static w2v_status walk(w2v_inputs *in, buf *path, const level *here, w2v_error *err)
{
    words names = {0};
    const int e = file_list(path->data, take_name, &names);
    w2v_status status = W2V_OK;
    if (e == ENOMEM) {
        status = no_memory(err);
    } else if (e) {
        status = error_sys(err, W2V_ERR_INPUT, e, "cannot read '%s'", path->data);
    } else {
        status = take_entries(in, path, &names, here, err);
    }
    words_clear(&names);
    return status;
}

static w2v_status add_folder(w2v_inputs *in, const char *path, const file_facts *facts,
                             w2v_error *err)
{
    const level here = {facts->device, facts->inode, NULL};
    const size_t before = in->count;
    buf name = {0};
    const w2v_status status =
        buf_printf(&name, "%s", path) ? walk(in, &name, &here, err) : no_memory(err);
    buf_clear(&name);
    if (status == W2V_OK && in->count == before) {
        return error_set(err, W2V_ERR_INPUT, "'%s' holds no files", path);
    }
    return status;
}

/* -------------------------------------------------------------- the public */

static int stat_input(const char *path, file_facts *facts)
{
    return strcmp(path, "-") == 0 ? file_fstat(FILE_STDIN, facts) : file_stat(path, facts);
}

bool inputs_same_stream(const char *a, const char *b)
{
    file_facts x, y;
    if (strcmp(a, "-") == 0 && strcmp(b, "-") == 0) {
        return true;
    }
    return stat_input(a, &x) == 0 && stat_input(b, &y) == 0 && x.kind == FILE_OTHER &&
           y.kind == FILE_OTHER && x.device == y.device && x.inode == y.inode;
}

/* A stream that is given twice would be empty the second time. */
static w2v_status check_once(const w2v_inputs *in, const char *path, w2v_error *err)
{
    for (size_t i = 0; i < in->count; i++) {
        if (inputs_same_stream(in->paths[i], path)) {
            return error_set(err, W2V_ERR_ARGUMENT, "'%s'%s is given twice", path,
                             strcmp(path, "-") == 0 ? " (standard input)" : "");
        }
    }
    return W2V_OK;
}

static w2v_status add_stdin(w2v_inputs *in, w2v_error *err)
{
    if (check_once(in, "-", err) != W2V_OK) {
        return W2V_ERR_ARGUMENT;
    }
    file_facts facts;
    const int e = file_fstat(FILE_STDIN, &facts);
    if (e) {
        return error_sys(err, W2V_ERR_INPUT, e, "cannot read 'standard input'");
    }
    return add(in, "-", &facts, err);
}

static w2v_status add_path(w2v_inputs *in, const char *path, bool recursive, w2v_error *err)
{
    if (strcmp(path, "-") == 0) {
        return add_stdin(in, err);
    }
    file_facts facts;
    int e = file_stat(path, &facts);
    if (e == 0 && facts.kind == FILE_NONE) {
        e = ENOENT;
    }
    if (e) {
        return error_sys(err, W2V_ERR_INPUT, e, "cannot read '%s'", path);
    }
    if (facts.kind == FILE_OTHER && check_once(in, path, err) != W2V_OK) {
        return W2V_ERR_ARGUMENT;
    }
    if (facts.kind != FILE_FOLDER) {
        return add_file(in, path, &facts, err);
    }
    if (recursive) {
        return add_folder(in, path, &facts, err);
    }
    error_set(err, W2V_ERR_INPUT, "'%s' is a folder", path);
    error_hint(err, "--recursive reads all files in it and below it");
    return W2V_ERR_INPUT;
}

w2v_status w2v_inputs_create(const char *const *paths, size_t n, bool recursive, w2v_inputs **out,
                             w2v_error *err)
{
    *out = NULL;
    if (n == 0) {
        return error_set(err, W2V_ERR_ARGUMENT, "no input is given");
    }
    w2v_inputs *in = mem_calloc(1, sizeof *in);
    w2v_status status = in ? W2V_OK : no_memory(err);
    for (size_t i = 0; i < n && status == W2V_OK; i++) {
        status = add_path(in, paths[i], recursive, err);
    }
    if (status != W2V_OK) {
        w2v_inputs_free(in);
        return status;
    }
    *out = in;
    return W2V_OK;
}

void w2v_inputs_free(w2v_inputs *inputs)
{
    if (inputs) {
        for (size_t i = 0; i < inputs->count; i++) {
            mem_free(inputs->paths[i]);
        }
        mem_free(inputs->paths);
        mem_free(inputs->sizes);
        mem_free(inputs);
    }
}

size_t w2v_inputs_count(const w2v_inputs *inputs)
{
    return inputs->count;
}

const char *w2v_inputs_path(const w2v_inputs *inputs, size_t i)
{
    return inputs->paths[i];
}

uint64_t inputs_total_size(const w2v_inputs *inputs)
{
    uint64_t total = 0;
    for (size_t i = 0; i < inputs->count; i++) {
        total += inputs->sizes[i];
    }
    return inputs->size_unknown ? 0 : total;
}

/* Is `output` the file of one of the inputs, by whatever names? */
static w2v_status check_not_input(const char *path, const file_facts *output,
                                  const w2v_inputs *inputs, w2v_error *err)
{
    for (size_t i = 0; i < inputs->count; i++) {
        const char *input = inputs->paths[i];
        file_facts facts;
        const int e = stat_input(input, &facts);
        if (e == 0 && facts.kind == FILE_REGULAR && facts.device == output->device &&
            facts.inode == output->inode) {
            return error_set(err, W2V_ERR_ARGUMENT, "output '%s' would overwrite the input '%s'",
                             path, input);
        }
    }
    return W2V_OK;
}

w2v_status w2v_output_check(const char *path, const w2v_inputs *inputs, w2v_error *err)
{
    file_facts facts;
    const bool to_stdout = strcmp(path, "-") == 0;
    int e = to_stdout ? file_fstat(FILE_STDOUT, &facts) : file_stat(path, &facts);
    if (to_stdout) { /* the shell has opened it, perhaps to go on at its end */
        return e == 0 && facts.kind == FILE_REGULAR && inputs
                   ? check_not_input(path, &facts, inputs, err)
                   : W2V_OK;
    }
    if (e == 0 && facts.kind == FILE_OTHER) {
        /* Not opened: a FIFO would wait for its reader, or tell it that all is over. */
        return file_writable(path, &e) ? W2V_OK
                                       : error_sys(err, W2V_ERR_IO, e, "cannot write '%s'", path);
    }
    if (e == 0 && facts.kind == FILE_REGULAR && inputs) {
        const w2v_status status = check_not_input(path, &facts, inputs, err);
        if (status != W2V_OK) {
            return status;
        }
    }
    char target[FILE_PATH_MAX];
    if (e == 0 && !file_resolve(path, target, sizeof target)) {
        file_clear_beside(target);
    }
    /* The best test is to begin as the real writing does; giving up leaves nothing behind. */
    sink *s;
    const w2v_status status = sink_open(path, false, &s, err);
    if (status == W2V_OK) {
        sink_abort(s);
    }
    return status;
}
