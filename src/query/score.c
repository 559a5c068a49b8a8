/* A table scored with a file of questions: words found, then analogies or pairs. */
#include "base/mem.h"
#include "query/analogies.h"
#include "query/correlation.h"
#include "query/exact.h"

#include <math.h>
#include <string.h>

w2v_score_options w2v_score_options_default(void)
{
    return (w2v_score_options){
        .method = W2V_ADD, .top = 1, .permutations = 100000, .seed = 1, .threads = 1};
}

void w2v_score_clear(w2v_score *score)
{
    if (score) {
        mem_free(score->sections);
        mem_free(score->unknown);
        *score = (w2v_score){0};
    }
}

static w2v_status check(const w2v_score_options *options, const w2v_question_file *file,
                        w2v_error *err)
{
    if (file->facts.kind == W2V_LISTS) {
        return error_set(err, W2V_ERR_ARGUMENT, "lists of words hold no questions");
    }
    if (options->top == 0 || options->threads < 1) {
        return error_set(err, W2V_ERR_ARGUMENT, "%s; at least 1 is needed",
                         options->top == 0 ? "0 answers may be right" : "there are no threads");
    }
    return W2V_OK;
}

/* The class of each word of the file. */
static w2v_status find_words(const w2v_question_file *f, vec_classes *classes, uint32_t *class_of,
                             w2v_error *err)
{
    w2v_status status = W2V_OK;
    for (uint32_t w = 0; w < f->words.list.count && status == W2V_OK; w++) {
        size_t n;
        const char *word = words_get(&f->words.list, w, &n);
        status = vec_classes_find(classes, word, n, &class_of[w], err);
    }
    return status;
}

/* ------------------------------------------------------------------- analogies */

static void add_tally(w2v_tally *to, const w2v_tally *from)
{
    to->asked += from->asked;
    to->skipped += from->skipped;
    to->right += from->right;
    to->right_kept += from->right_kept;
    to->right_near += from->right_near;
}

static w2v_status score_analogies(w2v_vectors *vectors, const w2v_question_file *f,
                                  const vec_classes *classes, const uint32_t *class_of,
                                  const w2v_score_options *options, w2v_score *out, w2v_error *err)
{
    out->sections = mem_calloc(f->section_count + 1, sizeof *out->sections);
    if (!out->sections) {
        return error_memory(err, "the scores");
    }
    out->section_count = f->section_count;
    const w2v_status status =
        analogies_score(vectors, f, classes, class_of, options, out->sections, err);
    out->total.section = "total";
    out->semantic.section = "semantic";
    out->syntactic.section = "syntactic";
    for (size_t i = 0; i < f->section_count && status == W2V_OK; i++) {
        w2v_tally *section = &out->sections[i];
        section->section = words_get(&f->names, f->sections[i].name, NULL);
        const bool syntactic = strncmp(section->section, "gram", 4) == 0;
        out->classic |= syntactic;
        add_tally(&out->total, section);
        add_tally(syntactic ? &out->syntactic : &out->semantic, section);
    }
    return status;
}

/* ----------------------------------------------------------------------- pairs */

static double cosine_of(const w2v_vectors *v, uint32_t a, uint32_t b, double *unit)
{
    const float *x = v->values + (size_t)a * v->stride, *y = v->values + (size_t)b * v->stride;
    const double xx = exact_square(x, v->dim), yy = exact_square(y, v->dim);
    if (!(xx > 0.0 && yy > 0.0)) {
        return NAN;
    }
    for (size_t c = 0; c < v->dim; c++) {
        unit[c] = (double)x[c];
    }
    return exact_cosine(unit, sqrt(xx), y, yy, v->dim);
}

static w2v_status score_pairs(const w2v_vectors *v, const w2v_question_file *f,
                              const uint32_t *class_of, w2v_score *out, w2v_error *err)
{
    double *cosine = mem_calloc(f->pair_count + 1, sizeof *cosine);
    double *score = mem_calloc(f->pair_count + 1, sizeof *score);
    double *scratch = mem_calloc((size_t)v->dim + 1, sizeof *scratch);
    w2v_status status = W2V_OK;
    if (cosine && score && scratch) {
        for (size_t i = 0; i < f->pair_count; i++) {
            const file_pair *p = &f->pairs[i];
            const uint32_t a = class_of[p->word[0]], b = class_of[p->word[1]];
            const double c = a == CLASS_NONE || b == CLASS_NONE ? NAN : cosine_of(v, a, b, scratch);
            if (isnan(c)) {
                out->missing++;
            } else {
                cosine[out->used] = c;
                score[out->used++] = p->score;
            }
        }
        out->pearson = correlation_pearson(cosine, score, out->used);
        status = correlation_spearman(cosine, score, out->used, &out->spearman, err);
    } else {
        status = error_memory(err, "the scores");
    }
    mem_free(cosine);
    mem_free(score);
    mem_free(scratch);
    return status;
}

/* --------------------------------------------------------------- unknown words */

/* Marks what made a question be skipped. Of "a/b" the parts are words that were missed. */
static void mark_unknown(const w2v_question_file *f, const uint32_t *class_of, bool *unknown)
{
    for (size_t i = 0; i < f->question_count; i++) {
        const file_question *q = &f->questions[i];
        const uint32_t *answers = f->answers + q->answer;
        bool answered = false;
        for (size_t k = 0; k < 3; k++) {
            unknown[q->word[k]] |= class_of[q->word[k]] == CLASS_NONE;
        }
        for (uint32_t k = 0; k < q->answer_count; k++) {
            answered |= class_of[answers[k]] != CLASS_NONE;
        }
        for (uint32_t k = q->answer_count > 1; k < q->answer_count && !answered; k++) {
            unknown[answers[k]] = true;
        }
    }
    for (size_t i = 0; i < f->pair_count; i++) {
        for (size_t k = 0; k < 2; k++) {
            const uint32_t word = f->pairs[i].word[k];
            unknown[word] |= class_of[word] == CLASS_NONE;
        }
    }
}

static w2v_status list_unknown(const w2v_question_file *f, const uint32_t *class_of, w2v_score *out,
                               w2v_error *err)
{
    const uint32_t count = f->words.list.count;
    bool *unknown = mem_calloc((size_t)count + 1, sizeof *unknown);
    out->unknown = mem_calloc((size_t)count + 1, sizeof *out->unknown);
    w2v_status status = W2V_OK;
    if (unknown && out->unknown) {
        mark_unknown(f, class_of, unknown);
        for (uint32_t w = 0; w < count; w++) {
            if (unknown[w]) {
                out->unknown[out->unknown_count++] = words_get(&f->words.list, w, NULL);
            }
        }
    } else {
        status = error_memory(err, "the unknown words");
    }
    mem_free(unknown);
    return status;
}

/* ------------------------------------------------------------------- the whole */

static w2v_status score_words(w2v_vectors *vectors, const w2v_question_file *f,
                              vec_classes *classes, const w2v_score_options *options,
                              w2v_score *out, w2v_error *err)
{
    uint32_t *class_of = mem_calloc((size_t)f->words.list.count + 1, sizeof *class_of);
    w2v_status status =
        class_of ? find_words(f, classes, class_of, err) : error_memory(err, "the questions");
    if (status == W2V_OK && f->facts.kind == W2V_ANALOGIES) {
        status = score_analogies(vectors, f, classes, class_of, options, out, err);
    } else if (status == W2V_OK) {
        status = score_pairs(vectors, f, class_of, out, err);
    }
    if (status == W2V_OK) {
        status = list_unknown(f, class_of, out, err);
    }
    mem_free(class_of);
    return status;
}

w2v_status w2v_score_vectors(w2v_vectors *vectors, const w2v_question_file *file,
                             const w2v_score_options *options, w2v_score *out, w2v_error *err)
{
    const w2v_score_options chosen = options ? *options : w2v_score_options_default();
    *out = (w2v_score){0};
    vec_classes classes = {0};
    w2v_status status = check(&chosen, file, err);
    status = status ? status : w2v_vectors_load(vectors, err);
    status = status ? status
                    : vec_classes_build(&classes, vectors, chosen.ignore_case, file->longest, err);
    status = status ? status : score_words(vectors, file, &classes, &chosen, out, err);
    vec_classes_clear(&classes);
    if (status != W2V_OK) {
        w2v_score_clear(out);
    }
    return status;
}
