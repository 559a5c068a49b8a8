/*
 * Rows whose words are the same, or the same but for letter case, as classes.
 * A class is named by its first row, which is the row that the word means.
 */
#ifndef W2V_VEC_CLASSES_H
#define W2V_VEC_CLASSES_H

#include "text/fold.h"
#include "vec/vectors.h"

#define CLASS_NONE UINT32_MAX

/** Zero-initialise. */
typedef struct vec_classes {
    const words *names; /* of the rows, folded where case is ignored */
    uint32_t *of;       /* of each row: its class */
    uint32_t *next;     /* of each row: another row of its class, or CLASS_NONE after the last */
    uint32_t *slots;    /* first row + 1, 0 = empty */
    size_t slot_mask;
    words folded;
    fold *fold; /* NULL: case counts */
    char *word; /* room for a folded word */
} vec_classes;

/** Of a loaded table, whose names must outlive it. `longest`: bytes of the longest word that will
    be looked up. Errors: W2V_ERR_UNSUPPORTED (case without ICU), W2V_ERR_MEMORY. */
w2v_status vec_classes_build(vec_classes *c, const w2v_vectors *vectors, bool ignore_case,
                             size_t longest, w2v_error *err);
void vec_classes_clear(vec_classes *c);
/** The class of a word, or CLASS_NONE. From one thread at a time. Errors: W2V_ERR_MEMORY. */
w2v_status vec_classes_find(vec_classes *c, const char *word, size_t length, uint32_t *class,
                            w2v_error *err);

#endif
