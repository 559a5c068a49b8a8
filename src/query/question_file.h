/* A file of analogy questions or of scored word pairs, read: what stands behind
   w2v_question_file. */
#ifndef W2V_QUERY_QUESTION_FILE_H
#define W2V_QUERY_QUESTION_FILE_H

#include "query/word_set.h"

/** A question's words are numbers in the file's set. */
typedef struct file_question {
    uint32_t word[3];      /* A, B, C */
    uint32_t answer_count; /* of `answers`, from `answer` on: any of them is right */
    size_t answer;
} file_question;

typedef struct file_pair {
    uint32_t word[2];
    double score;
} file_pair;

typedef struct file_section {
    uint32_t name; /* in `names` */
    size_t first;  /* question */
} file_section;

struct w2v_question_file {
    w2v_question_facts facts;
    word_set words; /* all words, each once */
    size_t longest; /* bytes of the longest of them */
    words names;    /* of sections */
    file_section *sections;
    file_question *questions;
    uint32_t *answers;
    file_pair *pairs;
    size_t section_count, question_count, answer_count, pair_count;
    size_t section_room, question_room, answer_room, pair_room;
};

/** Number of the question after the section's last. */
static inline size_t section_end(const w2v_question_file *f, size_t section)
{
    return section + 1 < f->section_count ? f->sections[section + 1].first : f->question_count;
}

#endif
