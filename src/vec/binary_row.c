#include "vec/binary_row.h"

#include <inttypes.h>

w2v_status binary_row_error(const w2v_vectors *v, binary_fault fault, uint64_t row, uint64_t at,
                            uint64_t end, w2v_error *err)
{
    const char *name = vec_name(v);
    row++;
    switch (fault) {
    case BINARY_SHORT:
        vec_error_at(err, 0, end,
                     "'%s' ends at byte %" PRIu64 ", inside row %" PRIu64 " of %" PRIu64, name, end,
                     row, v->file->rows);
        break;
    case BINARY_ENDLESS:
        vec_error_at(err, 0, at,
                     "'%s' row %" PRIu64 " at byte %" PRIu64 ": no word ends within %zu bytes",
                     name, row, at, VEC_WORD_MAX);
        break;
    case BINARY_NO_NEWLINE:
        vec_error_at(err, 0, at,
                     "'%s' row %" PRIu64 " at byte %" PRIu64
                     ": it does not begin on a new line, as the rows before it do",
                     name, row, at);
        break;
    case BINARY_NUL:
        vec_error_at(err, 0, at, "'%s' row %" PRIu64 " at byte %" PRIu64 ": a NUL byte in the word",
                     name, row, at);
        break;
    case BINARY_FINE:
        break;
    }
    error_hint(err, "--lenient takes the rows before it");
    return W2V_ERR_INPUT;
}

w2v_status binary_nonfinite_error(const w2v_vectors *v, uint64_t row, const char *word,
                                  size_t length, w2v_error *err)
{
    char text[SHOWN_WORD];
    error_set(err, W2V_ERR_INPUT,
              "'%s' row %" PRIu64 ": the vector of '%s' holds a number that is not finite",
              vec_name(v), row + 1, shown_word(word, length, text));
    error_hint(err, "--lenient leaves such rows out");
    return W2V_ERR_INPUT;
}
