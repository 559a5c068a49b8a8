/* Rows of words, and pairs of them compared. */
#include "base/mem.h"
#include "query/exact.h"
#include "query/find.h"
#include "vec/file.h"

#include <math.h>
#include <string.h>

/* Numbers the words, then finds their rows; word[i] is the number of terms[i]. */
static w2v_status find_terms(w2v_vectors *vectors, const w2v_term *terms, size_t n, word_set *set,
                             uint32_t *word, found *f, w2v_error *err)
{
    for (size_t i = 0; i < n; i++) {
        word[i] = word_set_add(set, terms[i].word, terms[i].length);
        if (word[i] == WORD_SET_NONE && terms[i].length > 0) {
            return error_memory(err, "the words");
        }
    }
    return find_rows(vectors, set, vectors->file->options.threads, f, err);
}

static bool has_row(const found *f, uint32_t word)
{
    return word != WORD_SET_NONE && f->id[word] != FIND_NONE;
}

static void compare_rows(const float *x, const float *y, double *wide, size_t dim,
                         w2v_similarity *out)
{
    for (size_t c = 0; c < dim; c++) {
        wide[c] = (double)x[c];
    }
    const double of_x = exact_square(x, dim), of_y = exact_square(y, dim);
    out->dot = exact_dot(wide, y, dim);
    out->euclidean = sqrt(exact_distance_square(wide, y, dim));
    out->cosine = of_x > 0.0 && of_y > 0.0 ? exact_cosine(wide, sqrt(of_x), y, of_y, dim) : NAN;
}

static void compare_pair(const found *f, const uint32_t word[2], double *wide, w2v_similarity *out)
{
    *out = (w2v_similarity){.cosine = NAN, .dot = NAN, .euclidean = NAN};
    out->unknown[0] = !has_row(f, word[0]);
    out->unknown[1] = !has_row(f, word[1]);
    if (!out->unknown[0] && !out->unknown[1]) {
        compare_rows(find_values(f, word[0]), find_values(f, word[1]), wide, f->dim, out);
    }
}

w2v_status w2v_compare(w2v_vectors *vectors, const w2v_term (*pairs)[2], size_t n,
                       w2v_similarity *out, w2v_error *err)
{
    if (n == 0) {
        return W2V_OK;
    }
    word_set *set = mem_calloc(1, sizeof *set);
    found f = {0};
    uint32_t *word = mem_calloc(n, 2 * sizeof *word);
    double *wide = mem_calloc(vectors->dim ? vectors->dim : 1, sizeof *wide);
    w2v_status status = set && word && wide ? W2V_OK : error_memory(err, "the words");
    if (status == W2V_OK) {
        status = find_terms(vectors, pairs[0], 2 * n, set, word, &f, err);
    }
    for (size_t i = 0; status == W2V_OK && i < n; i++) {
        compare_pair(&f, word + 2 * i, wide, &out[i]);
    }
    find_clear(&f);
    if (set) {
        word_set_clear(set);
    }
    mem_free(set);
    mem_free(word);
    mem_free(wide);
    return status;
}
