/* Lists of words in JSON: an object whose members are arrays of words. */
#include "base/json_read.h"
#include "base/mem.h"
#include "base/shown.h"
#include "query/question_file.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

static const char byte_order_mark[] = "\xef\xbb\xbf";

/* Number of bytes before the text proper. */
static size_t mark_length(const char *text, size_t n)
{
    const size_t mark = sizeof byte_order_mark - 1;
    return n >= mark && memcmp(text, byte_order_mark, mark) == 0 ? mark : 0;
}

bool word_lists_begin(const char *text, size_t n)
{
    size_t at = mark_length(text, n);
    while (at < n && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))) {
        at++;
    }
    return at < n && text[at] == '{';
}

const char *w2v_question_file_list(const w2v_question_file *file, size_t i)
{
    return words_get(&file->names, file->lists[i].name, NULL);
}

const file_list *word_lists_find(const w2v_question_file *f, const char *name)
{
    for (size_t i = 0; i < f->list_count; i++) {
        if (strcmp(w2v_question_file_list(f, i), name) == 0) {
            return &f->lists[i];
        }
    }
    return NULL;
}

static w2v_status add_list(w2v_question_file *f, const char *name, const json_t *array,
                           const char *path, w2v_error *err)
{
    file_list *list = &f->lists[f->list_count];
    *list = (file_list){.name = f->names.count, .first = f->member_count};
    if (!words_append(&f->names, name, strlen(name))) {
        return error_memory(err, "the lists of words");
    }
    f->list_count++;
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *entry = json_array_get(array, i);
        const size_t n = json_string_length(entry); /* 0 for what is no text */
        if (n == 0) {
            char shown[SHOWN_WORD];
            return error_set(err, W2V_ERR_INPUT, "'%s': entry %zu of list '%s' is no word", path,
                             i + 1, shown_word(name, strlen(name), shown));
        }
        const uint32_t word = word_set_add(&f->words, json_string_value(entry), n);
        if (word == WORD_SET_NONE) {
            return error_memory(err, "the lists of words");
        }
        f->members[f->member_count++] = word;
        list->count++;
        f->longest = n > f->longest ? n : f->longest;
    }
    return W2V_OK;
}

static w2v_status add_lists(w2v_question_file *f, json_t *root, const char *path, w2v_error *err)
{
    size_t lists = 0, members = 0;
    const char *name;
    json_t *value;
    json_object_foreach(root, name, value)
    {
        lists += json_is_array(value);
        members += json_array_size(value);
    }
    if (lists == 0) {
        return error_set(err, W2V_ERR_INPUT, "'%s' is JSON without a list of words", path);
    }
    f->facts.kind = W2V_LISTS;
    f->facts.questions = lists;
    f->lists = mem_calloc(lists, sizeof *f->lists);
    f->members = mem_calloc(members + 1, sizeof *f->members);
    if (!f->lists || !f->members) {
        return error_memory(err, "the lists of words");
    }
    w2v_status status = W2V_OK;
    json_object_foreach(root, name, value)
    {
        if (json_is_array(value) && status == W2V_OK) {
            status = add_list(f, name, value, path, err);
        }
    }
    return status;
}

w2v_status word_lists_parse(w2v_question_file *f, const char *text, size_t n, const char *path,
                            w2v_error *err)
{
    const size_t mark = mark_length(text, n);
    json_error_t fault;
    bool no_memory;
    json_t *root = json_read(text + mark, n - mark, &fault, &no_memory);
    if (no_memory) {
        return error_memory(err, "the lists of words");
    }
    if (!root) {
        if (err && err->code == W2V_OK) {
            err->line = (uint64_t)fault.line;
        }
        return error_set(err, W2V_ERR_INPUT, "'%s' line %d: this is no JSON: %s", path, fault.line,
                         fault.text);
    }
    const w2v_status status = add_lists(f, root, path, err);
    json_decref(root);
    return status;
}
