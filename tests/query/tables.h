/* Tables for the tests of questions: written to files, random ones of several kinds, and what a
   brute force over them in double precision answers. */
#ifndef W2V_TESTS_QUERY_TABLES_H
#define W2V_TESTS_QUERY_TABLES_H

#include "support.h"

#include "base/rng.h"
#include "w2v/w2v.h"

#include <math.h>

#define TABLE_WORD 24

typedef struct table {
    size_t rows, dim;
    float *values;
    char (*word)[TABLE_WORD];
    char path[SUPPORT_PATH]; /* word2vec binary */
} table;

static inline table table_make(const char *folder, size_t rows, size_t dim)
{
    table t = {.rows = rows, .dim = dim};
    t.values = calloc(rows * dim, sizeof *t.values);
    t.word = calloc(rows, sizeof *t.word);
    assert_non_null(t.values);
    assert_non_null(t.word);
    for (size_t i = 0; i < rows; i++) {
        snprintf(t.word[i], TABLE_WORD, "w%zu", i);
    }
    support_path(folder, "table.bin", t.path);
    return t;
}

static inline float *table_row(const table *t, size_t i)
{
    return t->values + i * t->dim;
}

static inline void table_write(const table *t)
{
    FILE *f = fopen(t->path, "wb");
    assert_non_null(f);
    fprintf(f, "%zu %zu\n", t->rows, t->dim);
    for (size_t i = 0; i < t->rows; i++) {
        fprintf(f, "%s ", t->word[i]);
        fwrite(table_row(t, i), sizeof(float), t->dim, f);
        fputc('\n', f);
    }
    assert_int_equal(fclose(f), 0);
}

static inline void table_free(table *t)
{
    free(t->values);
    free(t->word);
}

static inline double uniform(rng *r) /* -1..1 */
{
    return (double)(rng_next(r) >> 11) * 0x1p-52 - 1.0;
}

typedef enum kind {
    KIND_UNIFORM,
    KIND_WHOLE,    /* small whole numbers: many ties */
    KIND_NEAR,     /* rows that differ by 1e-7 of themselves */
    KIND_LONG,     /* length 1e4 and nearly the same direction */
    KIND_DENORMAL, /* rows below 1e-38 among others */
    KIND_EXTREME,  /* lengths from 1e-30 to 1e30 */
    KINDS
} kind;

static inline void fill_row(kind k, rng *r, const float *base, float *row, size_t dim)
{
    const bool odd =
        rng_below(r, 3) == 0; /* most rows look like vectors, or the reader has doubts */
    const double scale = k == KIND_EXTREME    ? (odd ? pow(10.0, 30.0 * uniform(r)) : 1.0)
                         : k == KIND_DENORMAL ? (odd ? 1e-41 : 1e-3)
                                              : 1.0;
    for (size_t c = 0; c < dim; c++) {
        const double x = uniform(r), b = (double)base[c];
        row[c] = (float)(k == KIND_WHOLE  ? floor(x * 2.0 + 0.5)
                         : k == KIND_NEAR ? b * (1.0 + 1e-7 * x)
                         : k == KIND_LONG ? 1e4 * (b + 0.001 * x)
                                          : scale * x);
    }
}

/* Rows of a kind, with some zero rows, repeated rows and repeated words among them. */
static inline table table_random(const char *folder, kind k, size_t rows, size_t dim, uint64_t seed)
{
    table t = table_make(folder, rows, dim);
    rng r = rng_stream(seed, RNG_INIT, rows, dim);
    float *base = calloc(dim, sizeof *base);
    assert_non_null(base);
    fill_row(KIND_UNIFORM, &r, base, base, dim);
    for (size_t i = 0; i < rows; i++) {
        const uint32_t chance = rng_below(&r, 16);
        fill_row(k, &r, base, table_row(&t, i), dim);
        if (chance == 0) {
            memset(table_row(&t, i), 0, dim * sizeof(float));
        } else if (chance < 3 && i > 0) {
            memcpy(table_row(&t, i), table_row(&t, rng_below(&r, (uint32_t)i)),
                   dim * sizeof(float));
        }
        if (chance == 3 && i > 0) {
            memcpy(t.word[i], t.word[rng_below(&r, (uint32_t)i)], TABLE_WORD);
        }
    }
    free(base);
    table_write(&t);
    return t;
}

/* ------------------------------------------------------------------ asking */

static inline w2v_vectors *open_file(const char *path, bool load, int threads)
{
    w2v_load_options options = w2v_load_options_default();
    options.threads = threads;
    w2v_vectors *v = NULL;
    w2v_error err = {0};
    if (w2v_vectors_open(path, &options, &v, &err) != W2V_OK ||
        (load && w2v_vectors_load(v, &err) != W2V_OK)) {
        fail_msg("%s", err.text);
    }
    return v;
}

#define QUERY_TERMS 4

typedef struct ask_query {
    w2v_term terms[QUERY_TERMS];
    size_t count;
} ask_query;

static inline void ask_all(w2v_vectors *v, const ask_query *queries, size_t n,
                           const w2v_ask_options *options, w2v_answers *answers)
{
    w2v_query *list = calloc(n, sizeof *list);
    assert_non_null(list);
    for (size_t i = 0; i < n; i++) {
        list[i] = (w2v_query){.terms = queries[i].terms, .term_count = queries[i].count};
    }
    w2v_error err = {0};
    if (w2v_ask(v, list, n, options, answers, &err) != W2V_OK) {
        fail_msg("%s", err.text);
    }
    free(list);
}

static inline w2v_term term_of(const char *word, double weight)
{
    return (w2v_term){.word = word, .length = strlen(word), .weight = weight};
}

/* "king - man + woman", with blanks around the signs. */
static inline ask_query query_of(const char *text)
{
    static char kept[64][64];
    static size_t used;
    ask_query q = {.count = 0};
    char *copy = kept[used++ % 64];
    snprintf(copy, sizeof kept[0], "%s", text);
    double weight = 1.0;
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        if (strcmp(word, "-") == 0 || strcmp(word, "+") == 0) {
            weight = word[0] == '-' ? -1.0 : 1.0;
        } else {
            assert_true(q.count < QUERY_TERMS);
            q.terms[q.count++] = term_of(word, weight);
        }
    }
    return q;
}

static inline void assert_same_answers(const w2v_answers *a, const w2v_answers *b, size_t terms)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->no_direction, b->no_direction);
    for (size_t i = 0; i < a->count; i++) {
        assert_int_equal(a->items[i].id, b->items[i].id);
        assert_true(a->items[i].score == b->items[i].score);
        assert_string_equal(a->items[i].word, b->items[i].word);
        assert_int_equal(a->items[i].length, b->items[i].length);
        assert_int_equal(a->items[i].input, b->items[i].input);
    }
    for (size_t t = 0; t < terms; t++) {
        assert_int_equal(a->unknown[t], b->unknown[t]);
        assert_int_equal(a->best_rank[t], b->best_rank[t]);
        assert_true(a->best_cosine[t] == b->best_cosine[t]);
    }
}

/* ------------------------------------------------------------------ oracle */

static inline size_t first_row(const table *t, const char *word)
{
    size_t i = 0;
    while (i < t->rows && strcmp(t->word[i], word) != 0) {
        i++;
    }
    return i;
}

static inline double dot(const double *x, const float *y, size_t dim)
{
    double sum = 0.0;
    for (size_t c = 0; c < dim; c++) {
        sum += x[c] * (double)y[c];
    }
    return sum;
}

static inline double length_of(const float *x, size_t dim)
{
    double sum = 0.0;
    for (size_t c = 0; c < dim; c++) {
        sum += (double)x[c] * (double)x[c];
    }
    return sqrt(sum);
}

static inline double cosine_of(const float *x, const float *y, size_t dim)
{
    double sum = 0.0;
    for (size_t c = 0; c < dim; c++) {
        sum += (double)x[c] * (double)y[c];
    }
    return sum / (length_of(x, dim) * length_of(y, dim));
}

/* The weighted sum of the query's rows. Returns how many times longer its parts are together. */
static inline double oracle_target(const table *t, const ask_query *q,
                                   const w2v_ask_options *options, double *target)
{
    double added = 0.0, own = 0.0;
    memset(target, 0, t->dim * sizeof *target);
    for (size_t i = 0; i < q->count; i++) {
        const float *row = table_row(t, first_row(t, q->terms[i].word));
        const bool unit = options->metric == W2V_COSINE && !options->raw;
        const double length = unit ? length_of(row, t->dim) : 1.0;
        for (size_t c = 0; c < t->dim && length > 0.0; c++) {
            target[c] += q->terms[i].weight * (double)row[c] / length;
        }
        added += fabs(q->terms[i].weight) * (unit ? 1.0 : length_of(row, t->dim));
    }
    for (size_t c = 0; c < t->dim; c++) {
        own += target[c] * target[c];
    }
    return added / sqrt(own);
}

/* More is nearer; NAN: no place. */
static inline double oracle_nearness(const table *t, const ask_query *q,
                                     const w2v_ask_options *options, const double *target, size_t i)
{
    const float *row = table_row(t, i);
    const double length = length_of(row, t->dim);
    if (options->metric == W2V_DOT) {
        return dot(target, row, t->dim);
    }
    if (options->metric == W2V_EUCLIDEAN) {
        double sum = 0.0;
        for (size_t c = 0; c < t->dim; c++) {
            sum += (target[c] - (double)row[c]) * (target[c] - (double)row[c]);
        }
        return -sqrt(sum);
    }
    if (length == 0.0) {
        return NAN;
    }
    if (options->method == W2V_ADD) {
        double own = 0.0;
        for (size_t c = 0; c < t->dim; c++) {
            own += target[c] * target[c];
        }
        return dot(target, row, t->dim) / (sqrt(own) * length);
    }
    double above = 1.0, below = 1.0;
    for (size_t k = 0; k < q->count; k++) {
        const float *term = table_row(t, first_row(t, q->terms[k].word));
        const double cosine = fmax(-1.0, fmin(1.0, cosine_of(term, row, t->dim)));
        const double shifted = pow((1.0 + cosine) / 2.0, fabs(q->terms[k].weight));
        *(q->terms[k].weight > 0.0 ? &above : &below) *= shifted;
    }
    return above / (below + 1e-6);
}

static inline bool oracle_input(const table *t, const ask_query *q, size_t i)
{
    for (size_t k = 0; k < q->count; k++) {
        if (strcmp(t->word[i], q->terms[k].word) == 0) {
            return true;
        }
    }
    return false;
}

/* The answers are the brute force's: where two rows are so near that the order of summation
   decides, either may stand. `near` is scratch for t->rows numbers. */
static inline void assert_oracle(const table *t, const ask_query *q, const w2v_ask_options *options,
                                 const w2v_answers *a, double *near)
{
    double *target = calloc(t->dim, sizeof *target);
    bool *taken = calloc(t->rows, sizeof *taken);
    assert_non_null(target);
    assert_non_null(taken);
    const double cancelled = oracle_target(t, q, options, target);
    size_t expected = 0;
    for (size_t i = 0; i < t->rows; i++) {
        near[i] = oracle_nearness(t, q, options, target, i);
        taken[i] = isnan(near[i]) || (options->exclude_inputs && oracle_input(t, q, i));
        expected += !taken[i];
    }
    expected = expected < options->k ? expected : (size_t)options->k;
    assert_int_equal(a->count, expected);
    for (size_t j = 0; j < a->count; j++) {
        const w2v_answer *item = &a->items[j];
        const double mine = options->metric == W2V_EUCLIDEAN ? -item->score : item->score;
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < t->rows; i++) {
            if (!taken[i] && (best == SIZE_MAX || near[i] > near[best])) {
                best = i;
            }
        }
        double room = 1e-14 * (10.0 + cancelled);
        if (options->method == W2V_MUL) {
            room = 1e-8 * (1.0 + fabs(near[best])); /* a denominator may be small */
        } else if (options->metric != W2V_COSINE) {
            room = 0.0;
            for (size_t c = 0; c < t->dim; c++) {
                const double x = fabs(target[c]), y = fabs((double)table_row(t, best)[c]);
                room += 1e-13 * (options->metric == W2V_DOT ? x * y : x + y);
            }
        }
        assert_false(taken[item->id]);
        assert_true(fabs(near[item->id] - near[best]) <= room);
        assert_true(fabs(mine - near[item->id]) <= room);
        assert_string_equal(item->word, t->word[item->id]);
        assert_int_equal(item->input, oracle_input(t, q, item->id));
        if (j > 0 && item->score == item[-1].score) {
            assert_true(item[-1].id < item->id);
        }
        taken[item->id] = true;
    }
    free(target);
    free(taken);
}

#endif
