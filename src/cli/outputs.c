#include "cli/outputs.h"

#include "base/buf.h"
#include "base/mem.h"
#include "os/file.h"

#include <errno.h>
#include <string.h>

/* Do two names of files that may not exist yet stand for one place in one folder? */
static bool same_place(char *a, char *b)
{
    char *names[2] = {a, b};
    file_facts folders[2];
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(names[i], '/');
        const char *folder = !slash ? "." : slash == names[i] ? "/" : names[i];
        if (slash) {
            *slash = '\0';
            names[i] = slash + 1;
        }
        if (file_stat(folder, &folders[i]) || folders[i].kind != FILE_FOLDER) {
            return false;
        }
    }
    return strcmp(names[0], names[1]) == 0 && folders[0].device == folders[1].device &&
           folders[0].inode == folders[1].inode;
}

/* Do both paths lead to the same file? Streams may be shared, standard output may not. */
static bool same_file(const char *a, const char *b)
{
    if (strcmp(a, b) == 0) {
        return strcmp(a, "-") == 0 || !output_is_stream(a);
    }
    if (output_is_stream(a) || output_is_stream(b)) {
        return false;
    }
    file_facts x, y;
    if (!file_stat(a, &x) && !file_stat(b, &y) && x.kind != FILE_NONE && y.kind != FILE_NONE) {
        return x.device == y.device && x.inode == y.inode;
    }
    char first[FILE_PATH_MAX], second[FILE_PATH_MAX];
    return !file_resolve(a, first, sizeof first) && !file_resolve(b, second, sizeof second) &&
           same_place(first, second);
}

w2v_status output_beside(const output *o, w2v_format format, output *beside, w2v_error *err)
{
    *beside = (output){.option = o->option, .what = "list of words"};
    if (!o->path || output_is_stream(o->path)) {
        return W2V_OK; /* a pair to a stream is refused when it is written */
    }
    const w2v_status status = w2v_format_beside(o->path, format, &beside->stored, err);
    beside->path = beside->stored;
    return status;
}

w2v_status outputs_check(const output *outputs, size_t n, const w2v_inputs *inputs, w2v_error *err)
{
    for (size_t i = 0; i < n; i++) {
        if (!outputs[i].path) {
            continue;
        }
        for (size_t k = 0; k < i; k++) {
            if (outputs[k].path && same_file(outputs[k].path, outputs[i].path)) {
                return error_set(err, W2V_ERR_ARGUMENT, "%s and %s both name '%s'",
                                 outputs[k].option, outputs[i].option, outputs[i].path);
            }
        }
        const w2v_status status = w2v_output_check(outputs[i].path, inputs, err);
        if (status) {
            return status;
        }
    }
    return W2V_OK;
}

w2v_status outputs_spare(const output *outputs, size_t n, const char *option, const char *input,
                         w2v_error *err)
{
    file_facts in, out;
    if (!input || (strcmp(input, "-") == 0 ? file_fstat(FILE_STDIN, &in) : file_stat(input, &in)) ||
        in.kind != FILE_REGULAR) {
        return W2V_OK; /* what is not there is for its reader to tell */
    }
    for (size_t i = 0; i < n; i++) {
        const char *path = outputs[i].path;
        if (path && strcmp(path, "-") != 0 && !file_stat(path, &out) && out.kind == FILE_REGULAR &&
            out.device == in.device && out.inode == in.inode) {
            return error_set(err, W2V_ERR_ARGUMENT,
                             "output '%s' would overwrite '%s', which %s reads", path, input,
                             option);
        }
    }
    return W2V_OK;
}

bool output_is_stream(const char *path)
{
    file_facts facts;
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0 ||
        strncmp(path, "/dev/fd/", 8) == 0) {
        return true; /* what is open already, even where that is a regular file */
    }
    return (!file_stat(path, &facts) && facts.kind == FILE_OTHER);
}

static bool ends_with(const char *text, size_t n, const char *end)
{
    const size_t m = strlen(end);
    return n > m && memcmp(text + n - m, end, m) == 0;
}

char *output_partial_name(const char *path)
{
    const size_t length = strlen(path);
    if (output_is_stream(path)) {
        return mem_strndup(path, length);
    }
    const char *slash = strrchr(path, '/');
    const size_t name = slash ? (size_t)(slash - path) + 1 : 0;
    /* Where the mark goes: before ".gz", and before one more extension. */
    size_t at = length;
    if (ends_with(path + name, at - name, ".gz")) {
        at -= 3;
    }
    for (size_t i = at; i > name + 1; i--) {
        if (path[i - 1] == '.') {
            at = i - 1;
            break;
        }
    }
    /* A name is 255 bytes at most: a long one gives way to the mark, at a character's border. */
    const size_t mark = strlen(".partial"), most = 255;
    size_t keep = at;
    while (keep > name + 1 && keep - name + mark + (length - at) > most) {
        keep--;
        while (keep > name + 1 && ((unsigned char)path[keep] & 0xc0) == 0x80) {
            keep--;
        }
    }
    buf result = {0};
    char *copy = NULL;
    if (buf_append(&result, path, keep) && buf_append_string(&result, ".partial") &&
        buf_append_string(&result, path + at)) {
        copy = mem_strndup(result.data, result.size);
    }
    buf_clear(&result);
    return copy;
}

char *output_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash || output_is_stream(path)) {
        return mem_strndup(".", 1);
    }
    return mem_strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

uint64_t output_size(const char *path)
{
    file_facts facts;
    if (output_is_stream(path) || file_stat(path, &facts)) {
        return 0;
    }
    return facts.size;
}

bool output_pipe_closed(const char *path, const w2v_error *err)
{
    return err->code == W2V_ERR_IO && err->sys_errno == EPIPE && strcmp(path, "-") == 0;
}
