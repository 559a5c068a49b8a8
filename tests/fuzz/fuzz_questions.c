/* Files of questions of all kinds: analogies, scored pairs, lists of words in JSON. */
#include "query/question_file.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every number of a word is one of the file's. */
static void look(const w2v_question_file *f)
{
    const uint32_t count = f->words.list.count;
    for (size_t i = 0; i < f->question_count; i++) {
        const file_question *q = &f->questions[i];
        if (q->word[0] >= count || q->word[1] >= count || q->word[2] >= count ||
            q->answer_count == 0 || q->answer + q->answer_count > f->answer_count) {
            abort();
        }
    }
    for (size_t i = 0; i < f->pair_count; i++) {
        if (f->pairs[i].word[0] >= count || f->pairs[i].word[1] >= count) {
            abort();
        }
    }
    for (size_t i = 0; i < f->list_count; i++) {
        const char *name = w2v_question_file_list(f, i);
        if (!word_lists_find(f, name) || f->lists[i].first + f->lists[i].count > f->member_count) {
            abort();
        }
    }
    for (size_t i = 0; i < f->member_count; i++) {
        if (f->members[i] >= count) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    w2v_question_file *f;
    w2v_error err = {0};
    const w2v_status status = question_file_parse((const char *)data, size, "input", &f, &err);
    if (status == W2V_OK) {
        look(f);
    } else if (err.code != status || err.text[0] == '\0') {
        abort();
    }
    w2v_question_file_free(f);
    return 0;
}
