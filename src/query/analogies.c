#include "query/analogies.h"

#include "base/mem.h"
#include "query/exact.h"
#include "query/ranking.h"

#include <math.h>
#include <string.h>

/* Words and questions of one pass: the words' rows then fit the second cache, and what each thread
   keeps of the questions stays near a megabyte. */
#define LANES_MOST ((size_t)1024)
#define PART_MOST ((size_t)32768)

/* A target this much shorter than the rows it is made of is what rounding left of nothing. */
#define CANCELLED 1e-12

typedef struct scoring {
    analogy_part part;
    const w2v_vectors *vectors;
    const uint32_t *class_of;
    uint32_t *lane_of; /* of each word of the file, in this part; NONE */
    double *target;
} scoring;

#define NONE UINT32_MAX

/* -------------------------------------------------------------------- the part */

static bool is_asked(const w2v_question_file *f, const uint32_t *class_of, const file_question *q)
{
    bool known = true, answer = false;
    for (size_t i = 0; i < 3; i++) {
        known &= class_of[q->word[i]] != CLASS_NONE;
    }
    for (uint32_t i = 0; i < q->answer_count; i++) {
        answer |= class_of[f->answers[q->answer + i]] != CLASS_NONE;
    }
    return known && answer;
}

static bool is_input(const scoring *s, const analogy *item, uint32_t class)
{
    const file_question *q = &s->part.file->questions[item->number];
    return class == s->class_of[q->word[0]] || class == s->class_of[q->word[1]] ||
           class == s->class_of[q->word[2]];
}

/* Takes questions from `*at` on, as many as share a pass, and numbers their words. */
static size_t choose(scoring *s, size_t *at, uint32_t *lane_word)
{
    analogy_part *p = &s->part;
    const w2v_question_file *f = p->file;
    size_t lane_count = 0;
    p->count = 0;
    p->first = *at;
    for (; *at < f->question_count && p->count < PART_MOST; (*at)++) {
        const file_question *q = &f->questions[*at];
        if (!is_asked(f, s->class_of, q)) {
            continue;
        }
        if (lane_count + 3 > LANES_MOST) {
            break;
        }
        analogy *item = &p->items[p->count++];
        item->number = *at;
        for (size_t i = 0; i < 3; i++) {
            if (s->lane_of[q->word[i]] == NONE) {
                lane_word[lane_count] = q->word[i];
                s->lane_of[q->word[i]] = (uint32_t)lane_count++;
            }
            item->lane[i] = s->lane_of[q->word[i]];
        }
    }
    p->end = *at;
    return lane_count;
}

static const float *row_of(const scoring *s, uint32_t id)
{
    return s->vectors->values + (size_t)id * s->vectors->stride;
}

static void fill_lane(scoring *s, size_t lane, uint32_t word)
{
    lanes *l = &s->part.lanes;
    const uint32_t class = s->class_of[word];
    const float *row = row_of(s, class);
    const double norm = sqrt(exact_square(row, l->dim));
    for (size_t c = 0; c < l->dim && norm > 0.0; c++) {
        lanes_target(l, lane)[c] = (double)row[c] / norm;
    }
    lanes_seal(l, lane);
    s->part.lane_class[lane] = class;
}

/* ------------------------------------------------------------------- the tasks */

/* Has the question no direction? Under 3CosMul every word needs one. */
static bool is_lost(const scoring *s, const analogy *item)
{
    const analogy_part *p = &s->part;
    bool zero = false;
    for (size_t i = 0; i < 3; i++) {
        zero |= !(p->lanes.norm[item->lane[i]] > 0.0);
    }
    if (p->method == W2V_MUL) {
        return zero;
    }
    analogy_sum(p, item, s->target);
    return sqrt(exact_square_of_doubles(s->target, p->lanes.dim)) <= CANCELLED * 3.0;
}

/* The best right row; with `inputs`, words of the question may be right. False: there is none. */
static bool best_right(const scoring *s, const analogy *item, bool inputs, analogy_task *task)
{
    const w2v_question_file *f = s->part.file;
    const file_question *q = &f->questions[item->number];
    bool found = false;
    for (uint32_t i = 0; i < q->answer_count; i++) {
        const uint32_t class = s->class_of[f->answers[q->answer + i]];
        if (class == CLASS_NONE || (!inputs && is_input(s, item, class))) {
            continue;
        }
        for (uint32_t id = class; id != CLASS_NONE; id = s->part.classes->next[id]) {
            const double score = analogy_score(&s->part, item, row_of(s, id), s->target);
            if (isfinite(score) && (!found || ranking_before(score, id, task->least, task->id))) {
                task->least = score;
                task->id = id;
                found = true;
            }
        }
    }
    return found;
}

static void add_tasks(scoring *s, size_t number)
{
    analogy_part *p = &s->part;
    const analogy *item = &p->items[number];
    if (is_lost(s, item)) {
        return;
    }
    analogy_task with = {.analogy = number, .kept = true};
    analogy_task without = {.analogy = number, .excluded = true};
    const bool has_with = best_right(s, item, true, &with);
    const bool has_without = best_right(s, item, false, &without);
    if (has_with && has_without && with.id == without.id) {
        with.excluded = true;
        p->tasks[p->task_count++] = with;
        return;
    }
    if (has_with) {
        p->tasks[p->task_count++] = with;
    }
    if (has_without) {
        p->tasks[p->task_count++] = without;
    }
}

/* ----------------------------------------------------------------- the tallies */

static bool is_near(const scoring *s, const analogy *item)
{
    const w2v_question_file *f = s->part.file;
    const file_question *q = &f->questions[item->number];
    for (size_t i = 0; i < 3; i++) {
        const uint32_t nearest = s->part.nearest[item->lane[i]];
        for (uint32_t k = 0; k < q->answer_count && nearest != CLASS_NONE; k++) {
            if (s->class_of[f->answers[q->answer + k]] == nearest) {
                return true;
            }
        }
    }
    return false;
}

static w2v_tally *tally_of(const scoring *s, w2v_tally *sections, size_t number, size_t *section)
{
    while (number >= section_end(s->part.file, *section)) {
        (*section)++;
    }
    return &sections[*section];
}

static void add_up(const scoring *s, w2v_tally *sections)
{
    const analogy_part *p = &s->part;
    size_t section = 0;
    for (size_t i = 0; i < p->count; i++) {
        w2v_tally *to = tally_of(s, sections, p->items[i].number, &section);
        to->asked++;
        to->right_near += is_near(s, &p->items[i]);
    }
    section = 0;
    for (size_t i = 0; i < p->task_count; i++) {
        const analogy_task *task = &p->tasks[i];
        w2v_tally *to = tally_of(s, sections, p->items[task->analogy].number, &section);
        to->right += task->excluded && p->before[i] < p->top;
        to->right_kept += task->kept && p->before[i] + p->inputs_before[i] < p->top;
    }
}

static w2v_status score_part(scoring *s, w2v_vectors *vectors, const uint32_t *lane_word,
                             size_t lane_count, int threads, w2v_tally *sections, w2v_error *err)
{
    analogy_part *p = &s->part;
    w2v_status status = lanes_init(&p->lanes, lane_count, vectors->dim, err);
    for (size_t l = 0; l < lane_count && status == W2V_OK; l++) {
        fill_lane(s, l, lane_word[l]);
    }
    p->task_count = 0;
    for (size_t i = 0; i < p->count && status == W2V_OK; i++) {
        add_tasks(s, i);
    }
    if (status == W2V_OK) {
        memset(p->before, 0, p->task_count * sizeof *p->before);
        memset(p->inputs_before, 0, p->task_count * sizeof *p->inputs_before);
        status = analogy_count(p, vectors, threads, err);
    }
    if (status == W2V_OK) {
        add_up(s, sections);
    }
    lanes_clear(&p->lanes);
    for (size_t l = 0; l < lane_count; l++) {
        s->lane_of[lane_word[l]] = NONE;
    }
    return status;
}

static w2v_status score_parts(scoring *s, w2v_vectors *vectors, int threads, w2v_tally *sections,
                              w2v_error *err)
{
    w2v_status status = W2V_OK;
    for (size_t at = 0; at < s->part.file->question_count && status == W2V_OK;) {
        uint32_t lane_word[LANES_MOST];
        const size_t lane_count = choose(s, &at, lane_word);
        if (s->part.count > 0) {
            status = score_part(s, vectors, lane_word, lane_count, threads, sections, err);
        }
    }
    return status;
}

w2v_status analogies_score(w2v_vectors *vectors, const w2v_question_file *file,
                           const vec_classes *classes, const uint32_t *class_of,
                           const w2v_score_options *options, w2v_tally *sections, w2v_error *err)
{
    const size_t most = file->question_count < PART_MOST ? file->question_count : PART_MOST;
    const size_t word_count = file->words.list.count;
    scoring s = {.part = {.file = file,
                          .classes = classes,
                          .method = options->method,
                          .top = options->top < UINT32_MAX ? (uint32_t)options->top : UINT32_MAX,
                          .progress = options->progress,
                          .progress_user = options->progress_user},
                 .vectors = vectors,
                 .class_of = class_of};
    analogy_part *p = &s.part;
    p->lane_class = mem_calloc(LANES_MOST, sizeof *p->lane_class);
    p->nearest = mem_calloc(LANES_MOST, sizeof *p->nearest);
    p->items = mem_calloc(most + 1, sizeof *p->items);
    p->tasks = mem_calloc(2 * most + 1, sizeof *p->tasks);
    p->before = mem_calloc(2 * most + 1, sizeof *p->before);
    p->inputs_before = mem_calloc(2 * most + 1, sizeof *p->inputs_before);
    s.lane_of = mem_calloc(word_count + 1, sizeof *s.lane_of);
    s.target = mem_calloc((size_t)vectors->dim + 1, sizeof *s.target);
    w2v_status status = W2V_OK;
    if (p->lane_class && p->nearest && p->items && p->tasks && p->before && p->inputs_before &&
        s.lane_of && s.target) {
        memset(s.lane_of, 0xff, word_count * sizeof *s.lane_of);
        status = score_parts(&s, vectors, options->threads, sections, err);
    } else {
        status = error_memory(err, "the questions");
    }
    mem_free(p->lane_class);
    mem_free(p->nearest);
    mem_free(p->items);
    mem_free(p->tasks);
    mem_free(p->before);
    mem_free(p->inputs_before);
    mem_free(s.lane_of);
    mem_free(s.target);
    for (size_t i = 0; i < file->section_count && status == W2V_OK; i++) {
        sections[i].skipped = section_end(file, i) - file->sections[i].first - sections[i].asked;
    }
    return status;
}
