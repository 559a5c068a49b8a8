/* Word embedding association tests. */
#include "base/mem.h"
#include "base/shown.h"
#include "query/exact.h"
#include "query/partitions.h"
#include "query/question_file.h"
#include "vec/classes.h"

#include <math.h>
#include <string.h>

/* Equal cosines, computed differently, are this near. */
#define ROUNDING 1e-12
#define LISTS 4

enum { X, Y, A, B };

/* What the tests of one table share. */
typedef struct weat {
    const w2v_vectors *vectors;
    const w2v_question_file *file;
    uint32_t *class_of;   /* of each word of the file */
    uint64_t *seen_row;   /* number of the list, counted over all tests, in which a row */
    uint64_t *seen_word;  /* or an unknown word was met last */
    bool *unknown;        /* of each word of the file, in this test */
    uint64_t list_number; /* from 1 */
    double *direction;    /* mean unit row of A - mean unit row of B */
    double *s;            /* of X, then Y */
    size_t *scratch;
} weat;

void w2v_weat_clear(w2v_weat_result *result)
{
    if (result) {
        mem_free(result->unknown);
        *result = (w2v_weat_result){0};
    }
}

w2v_status w2v_weat_check(const w2v_question_file *file, const w2v_weat_test *tests, size_t n,
                          w2v_error *err)
{
    if (file->facts.kind != W2V_LISTS) {
        return error_set(err, W2V_ERR_ARGUMENT, "the file holds no lists of words");
    }
    for (size_t i = 0; i < n * LISTS; i++) {
        const char *name = tests[i / LISTS].list[i % LISTS];
        if (!word_lists_find(file, name)) {
            char shown[SHOWN_WORD];
            return error_set(err, W2V_ERR_ARGUMENT, "there is no list '%s'",
                             shown_word(name, strlen(name), shown));
        }
    }
    return W2V_OK;
}

static const float *row_of(const weat *w, uint32_t id)
{
    return w->vectors->values + (size_t)id * w->vectors->stride;
}

/* ------------------------------------------------------------------- the words */

/* The row of a member, or CLASS_NONE for one that does not take part; counts it. */
static uint32_t take_member(weat *w, uint32_t word, size_t which, w2v_weat_result *out)
{
    const uint32_t row = w->class_of[word];
    uint64_t *seen = row == CLASS_NONE ? &w->seen_word[word] : &w->seen_row[row];
    if (*seen == w->list_number) {
        out->repeated[which]++;
        return CLASS_NONE;
    }
    *seen = w->list_number;
    w->unknown[word] |= row == CLASS_NONE;
    if (row == CLASS_NONE || !(exact_square(row_of(w, row), w->vectors->dim) > 0.0)) {
        out->missing[which]++;
        return CLASS_NONE;
    }
    out->used[which]++;
    return row;
}

/* Adds the list's unit rows to the direction, their mean with this sign. */
static void add_attribute(weat *w, const file_list *list, size_t which, double sign,
                          w2v_weat_result *out)
{
    const size_t dim = w->vectors->dim;
    double *sum = w->s; /* not in use yet; has room for a row */
    memset(sum, 0, dim * sizeof *sum);
    w->list_number++;
    for (size_t i = 0; i < list->count; i++) {
        const uint32_t id = take_member(w, w->file->members[list->first + i], which, out);
        if (id != CLASS_NONE) {
            const float *row = row_of(w, id);
            const double norm = sqrt(exact_square(row, dim));
            for (size_t c = 0; c < dim; c++) {
                sum[c] += (double)row[c] / norm;
            }
        }
    }
    for (size_t c = 0; c < dim && out->used[which] > 0; c++) {
        w->direction[c] += sign * sum[c] / (double)out->used[which];
    }
}

/* s of the list's words to `s` and on; their number. */
static size_t add_target(weat *w, const file_list *list, size_t which, double *s,
                         w2v_weat_result *out)
{
    const size_t dim = w->vectors->dim;
    size_t count = 0;
    w->list_number++;
    for (size_t i = 0; i < list->count; i++) {
        const uint32_t id = take_member(w, w->file->members[list->first + i], which, out);
        if (id != CLASS_NONE) {
            const float *row = row_of(w, id);
            s[count++] = exact_dot(w->direction, row, dim) / sqrt(exact_square(row, dim));
        }
    }
    return count;
}

/* ----------------------------------------------------------------- the numbers */

static double mean(const double *s, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += s[i];
    }
    return sum / (double)n;
}

static double effect_size(const double *s, size_t x, size_t n)
{
    const double middle = mean(s, n);
    double squares = 0.0, low = s[0], high = s[0];
    for (size_t i = 0; i < n; i++) {
        squares += (s[i] - middle) * (s[i] - middle);
        low = fmin(low, s[i]);
        high = fmax(high, s[i]);
    }
    if (high - low <= ROUNDING) {
        return NAN;
    }
    return (mean(s, x) - mean(s + x, n - x)) / sqrt(squares / (double)(n - 1));
}

/* The difference of means grows with the sum over X, since the sum over both is fixed: partitions
   are compared by that. */
static void permutation_test(const weat *w, size_t x, size_t n, const w2v_score_options *options,
                             w2v_weat_result *out)
{
    const double rounding = ROUNDING * (double)n;
    const uint64_t all = partitions_number(n, x, options->permutations);
    out->exact = all != UINT64_MAX;
    if (out->exact) {
        out->partitions = all;
        out->p = (double)partitions_count(w->s, n, x, rounding, w->scratch) / (double)all;
    } else {
        out->partitions = options->permutations;
        const uint64_t hits =
            partitions_draw(w->s, n, x, rounding, options->seed, options->permutations, w->scratch);
        out->p = ((double)hits + 1.0) / ((double)options->permutations + 1.0);
    }
}

static w2v_status list_unknown(const weat *w, w2v_weat_result *out, w2v_error *err)
{
    const uint32_t count = w->file->words.list.count;
    for (uint32_t i = 0; i < count; i++) {
        out->unknown_count += w->unknown[i];
    }
    out->unknown = mem_calloc(out->unknown_count + 1, sizeof *out->unknown);
    if (!out->unknown) {
        return error_memory(err, "the unknown words");
    }
    out->unknown_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (w->unknown[i]) {
            out->unknown[out->unknown_count++] = words_get(&w->file->words.list, i, NULL);
        }
    }
    return W2V_OK;
}

static w2v_status run_test(weat *w, const w2v_weat_test *test, const w2v_score_options *options,
                           w2v_weat_result *out, w2v_error *err)
{
    const file_list *list[LISTS];
    for (size_t i = 0; i < LISTS; i++) {
        list[i] = word_lists_find(w->file, test->list[i]);
    }
    memset(w->unknown, 0, w->file->words.list.count * sizeof *w->unknown);
    memset(w->direction, 0, w->vectors->dim * sizeof *w->direction);
    *out = (w2v_weat_result){.effect = NAN, .p = NAN};
    add_attribute(w, list[A], A, 1.0, out);
    add_attribute(w, list[B], B, -1.0, out);
    const size_t x = add_target(w, list[X], X, w->s, out);
    const size_t n = x + add_target(w, list[Y], Y, w->s + x, out);
    if (x > 0 && n > x && out->used[A] > 0 && out->used[B] > 0) {
        out->effect = effect_size(w->s, x, n);
        permutation_test(w, x, n, options, out);
    }
    return list_unknown(w, out, err);
}

/* ------------------------------------------------------------------- the whole */

static void free_parts(weat *w)
{
    mem_free(w->class_of);
    mem_free(w->seen_row);
    mem_free(w->seen_word);
    mem_free(w->unknown);
    mem_free(w->direction);
    mem_free(w->s);
    mem_free(w->scratch);
}

static w2v_status make_parts(weat *w, vec_classes *classes, w2v_error *err)
{
    const words *list = &w->file->words.list;
    const size_t count = (size_t)list->count + 1, dim = w->vectors->dim;
    const size_t targets = 2 * w->file->member_count + 1;
    w->class_of = mem_calloc(count, sizeof *w->class_of);
    w->seen_row = mem_calloc((size_t)w->vectors->rows + 1, sizeof *w->seen_row);
    w->seen_word = mem_calloc(count, sizeof *w->seen_word);
    w->unknown = mem_calloc(count, sizeof *w->unknown);
    w->direction = mem_calloc(dim + 1, sizeof *w->direction);
    w->s = mem_calloc(targets > dim ? targets : dim, sizeof *w->s);
    w->scratch = mem_calloc(targets, sizeof *w->scratch);
    if (!w->class_of || !w->seen_row || !w->seen_word || !w->unknown || !w->direction || !w->s ||
        !w->scratch) {
        return error_memory(err, "the lists of words");
    }
    w2v_status status = W2V_OK;
    for (uint32_t i = 0; i < list->count && status == W2V_OK; i++) {
        size_t n;
        const char *word = words_get(list, i, &n);
        status = vec_classes_find(classes, word, n, &w->class_of[i], err);
    }
    return status;
}

static w2v_status run_tests(w2v_vectors *vectors, const w2v_question_file *file,
                            const w2v_weat_test *tests, size_t n, const w2v_score_options *options,
                            w2v_weat_result *out, w2v_error *err)
{
    vec_classes classes = {0};
    w2v_status status =
        vec_classes_build(&classes, vectors, options->ignore_case, file->longest, err);
    if (status == W2V_OK) {
        weat w = {.vectors = vectors, .file = file};
        status = make_parts(&w, &classes, err);
        for (size_t i = 0; i < n && status == W2V_OK; i++) {
            status = run_test(&w, &tests[i], options, &out[i], err);
        }
        free_parts(&w);
    }
    vec_classes_clear(&classes);
    return status;
}

w2v_status w2v_weat(w2v_vectors *vectors, const w2v_question_file *file, const w2v_weat_test *tests,
                    size_t n, const w2v_score_options *options, w2v_weat_result *out,
                    w2v_error *err)
{
    const w2v_score_options chosen = options ? *options : w2v_score_options_default();
    memset(out, 0, n * sizeof *out);
    w2v_status status = w2v_weat_check(file, tests, n, err);
    if (status == W2V_OK && (chosen.permutations == 0 || chosen.threads < 1)) {
        status = error_set(err, W2V_ERR_ARGUMENT, "there are no %s; at least 1 is needed",
                           chosen.threads < 1 ? "threads" : "permutations");
    }
    status = status ? status : w2v_vectors_load(vectors, err);
    status = status ? status : run_tests(vectors, file, tests, n, &chosen, out, err);
    for (size_t i = 0; i < n && status != W2V_OK; i++) {
        w2v_weat_clear(&out[i]);
    }
    return status;
}
