/* The files that a map is written to. */
#ifndef W2V_CLI_MAP_OUTPUT_H
#define W2V_CLI_MAP_OUTPUT_H

#include "cli/map_words.h"

typedef enum map_form { MAP_BY_NAME, MAP_SVG, MAP_HTML, MAP_TSV, MAP_JSON } map_form;

/** A map that is ready to be written. */
typedef struct map_sheet {
    w2v_vectors *vectors; /* loaded */
    const char *path;     /* of the vectors */
    const map_words *words;
    const w2v_map *map;   /* of the method asked for; in a page, t-SNE */
    const w2v_map *plain; /* PCA of the same rows; a page has both */
    const w2v_map_options *options;
    int threads;
} map_sheet;

/** The form that a name stands for, by its extension, perhaps with .gz; MAP_BY_NAME: none. */
map_form map_form_of(const char *path);

/** Writes it; a regular file is replaced as a whole. Errors: W2V_ERR_IO, W2V_ERR_MEMORY,
    W2V_ERR_INTERRUPTED. */
w2v_status map_write(const map_sheet *sheet, map_form form, const char *path, uint64_t *bytes,
                     w2v_error *err);

#endif
