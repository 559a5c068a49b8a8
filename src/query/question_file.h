/* A file of analogy questions, of scored word pairs or of lists of words, read: what stands behind
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

typedef struct file_list {
    uint32_t name;       /* in `names` */
    size_t first, count; /* of `members` */
} file_list;

struct w2v_question_file {
    w2v_question_facts facts;
    word_set words; /* all words, each once */
    size_t longest; /* bytes of the longest of them */
    words names;    /* of sections, or of lists */
    file_section *sections;
    file_question *questions;
    uint32_t *answers;
    file_pair *pairs;
    file_list *lists;
    uint32_t *members; /* words of the lists */
    size_t section_count, question_count, answer_count, pair_count, list_count, member_count;
    size_t section_room, question_room, answer_room, pair_room;
};

/** As w2v_question_file_read(), of a text in memory. */
w2v_status question_file_parse(const char *text, size_t n, const char *path,
                               w2v_question_file **out, w2v_error *err);

/** Does the text begin as a JSON object does? */
bool word_lists_begin(const char *text, size_t n);
/** Fills an empty file from JSON. Errors: W2V_ERR_INPUT, W2V_ERR_MEMORY. */
w2v_status word_lists_parse(w2v_question_file *f, const char *text, size_t n, const char *path,
                            w2v_error *err);
/** The list with this name, or NULL. */
const file_list *word_lists_find(const w2v_question_file *f, const char *name);

/** Number of the question after the section's last. */
static inline size_t section_end(const w2v_question_file *f, size_t section)
{
    return section + 1 < f->section_count ? f->sections[section + 1].first : f->question_count;
}

#endif
