/* Any bytes as a formula, "paris - france + germany"; its name is a formula of the same terms. */
#include "cli/question.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same(const question *a, const question *b)
{
    if (a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        const w2v_term *x = &a->terms[i], *y = &b->terms[i];
        if (x->length != y->length || memcmp(x->word, y->word, x->length) != 0 ||
            (x->weight < 0) != (y->weight < 0)) {
            return false;
        }
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    question q = {0}, again = {0};
    w2v_error err = {0};
    const w2v_status status = question_parse(&q, (const char *)data, size, &err);
    if (status != err.code || (status != W2V_OK) != (err.text[0] != '\0')) {
        abort();
    }
    if (status == W2V_OK) {
        if (q.count == 0 || !question_call_formula(&q) ||
            question_parse(&again, q.name, q.name_length, &err) != W2V_OK || !same(&q, &again)) {
            abort();
        }
    }
    question_clear(&q);
    question_clear(&again);
    return 0;
}
