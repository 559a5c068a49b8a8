/*
 * Analogy questions answered together.
 *
 * To know whether an answer is among the best few, nothing has to be ranked:
 * it is enough to count rows that are nearer than the best right one, up to
 * that few. All targets are sums (or products of cosines) of a few hundred
 * words, so one matrix product of the table with the rows of these words
 * serves all questions: the product of a row with b - a + c is the sum of its
 * products with b, -a and c.
 */
#ifndef W2V_QUERY_ANALOGIES_H
#define W2V_QUERY_ANALOGIES_H

#include "query/lanes.h"
#include "query/question_file.h"
#include "vec/classes.h"

/** A question whose words are all there. */
typedef struct analogy {
    size_t number;    /* in the file */
    uint32_t lane[3]; /* of A, B, C */
} analogy;

/** The rows nearer than the best right one are counted for this task of a question. */
typedef struct analogy_task {
    size_t analogy;      /* in the part */
    double least;        /* score of the best right row */
    uint32_t id;         /* that row */
    bool excluded, kept; /* what is counted by it; both, unless a right answer is also an input */
    float limit;         /* floats below it are surely worse */
} analogy_task;

/** Questions that share one pass. Zero-initialise. */
typedef struct analogy_part {
    const w2v_question_file *file;
    const vec_classes *classes;
    w2v_method method;
    uint32_t top;
    lanes lanes;          /* rows of length 1 of the words A, B, C */
    uint32_t *lane_class; /* of each lane */
    uint32_t *nearest; /* of each lane: class of the nearest row of another class, or CLASS_NONE */
    analogy *items;
    analogy_task *tasks;
    size_t count, task_count;
    uint64_t *before;             /* of each task: rows before the right one, inputs left out, */
    uint64_t *inputs_before;      /* and inputs; both stop to matter at `top` */
    size_t first, end;            /* numbers of the questions that it answers or passes over */
    w2v_score_progress *progress; /* or NULL */
    void *progress_user;
} analogy_part;

/** Score of a row under a question; -HUGE_VAL for a row without one. `target`: dim doubles. */
double analogy_score(const analogy_part *p, const analogy *item, const void *row, double *target);
/** The sum b - a + c into `target`. */
void analogy_sum(const analogy_part *p, const analogy *item, double *target);

/** Fills `nearest`, `before` and `inputs_before`: one pass. Errors: W2V_ERR_MEMORY,
    W2V_ERR_INTERRUPTED. */
w2v_status analogy_count(analogy_part *p, w2v_vectors *vectors, int threads, w2v_error *err);

/** Adds all questions to the tallies of their sections. class_of: of each word of the file. */
w2v_status analogies_score(w2v_vectors *vectors, const w2v_question_file *file,
                           const vec_classes *classes, const uint32_t *class_of,
                           const w2v_score_options *options, w2v_tally *sections, w2v_error *err);

#endif
