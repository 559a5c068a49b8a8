/*
 * A vector file that is open: what it was recognised as, and the readers of
 * each kind. Readers fill the table of a w2v_vectors row by row.
 */
#ifndef W2V_VEC_FILE_H
#define W2V_VEC_FILE_H

#include "base/shown.h"
#include "vec/input.h"
#include "vec/number.h"
#include "vec/vectors.h"

#define VEC_DIM_MAX ((uint64_t)1 << 24) /* longer rows are nobody's vectors */
#define VEC_WORD_MAX ((size_t)1 << 16)  /* bytes of a word in a binary file; longer is damage */

/** Which file it was, whatever name it has now. */
typedef struct vec_origin {
    bool known;
    uint64_t device, inode;
} vec_origin;

struct vec_file {
    char *path, *name; /* `name` is for errors */
    w2v_load_options options;
    char *labels, *tensor; /* copies behind the options */
    input in;
    bool plain_file;  /* a regular file, not compressed: can be read from any place */
    uint64_t size;    /* of the whole text, when it is known; else 0 */
    int64_t modified; /* when a plain file was, to see whether it changes */
    w2v_format format;
    uint64_t rows;      /* that the header promises; 0 without one */
    uint64_t data_at;   /* offset of the first row */
    number_type number; /* of arrays */
    vec_origin words;   /* the file that named the rows of an array */
    bool own_words;     /* a checkpoint of ours: the words stand in the file, before the rows, */
    uint64_t offsets_at, letters_at, letters; /* cut by 64-bit offsets; number of letters */
};

/* ------------------------------------------------------------- opening (open.c, recognise.c) */

/** As w2v_vectors_open(), from memory that outlives the object. */
w2v_status vec_open_memory(const void *bytes, size_t n, const char *name,
                           const w2v_load_options *options, w2v_vectors **out, w2v_error *err);

/** Looks into the head of the file: fills format, rows, dim, data_at; or says what it is instead.
 */
w2v_status vec_recognise(w2v_vectors *v, w2v_error *err);

/** What the bytes are when they are certainly no vectors ("a Python pickle"), or NULL; *hint tells
    the way out. */
const char *vec_foreign(const char *head, size_t n, const char **hint);

/** Whole numbers "V D" in the first line. */
typedef enum header_kind { HEADER_NONE, HEADER_FOUND, HEADER_BAD } header_kind;
typedef struct text_header {
    uint64_t rows, dim;
    size_t length; /* of the line with its end, and of a byte order mark before it */
} text_header;
header_kind vec_text_header(const char *head, size_t n, text_header *header);

/** Floats of binary rows: would they make more sense in the other byte order? */
bool vec_looks_big_endian(const char *rows, size_t n, size_t dim);

/* Heads of arrays, with their own errors. */
w2v_status vec_npy_head(w2v_vectors *v, w2v_error *err);
w2v_status vec_safetensors_head(w2v_vectors *v, w2v_error *err);
/** rows x dim elements of f->number from f->data_at on: checks them against the file's size. */
w2v_status vec_take_shape(w2v_vectors *v, uint64_t rows, uint64_t dim, w2v_error *err);

/* ------------------------------------------------------------------------ readers */

w2v_status vec_read_binary(w2v_vectors *v, w2v_error *err); /* as a stream; lenient or not */
w2v_status vec_load_scan(w2v_vectors *v, w2v_error *err);   /* a plain file, in parallel, strict */
w2v_status vec_read_text(w2v_vectors *v, w2v_error *err);   /* with a header, or GloVe's */
w2v_status vec_read_array(w2v_vectors *v, w2v_error *err);  /* npy and safetensors, with labels */

/** Streams the rows of a plain binary file; see vec_scan(). */
w2v_status vec_scan_file(w2v_vectors *v, int threads, const vec_scan_calls *calls, w2v_error *err);

/** Words of the rows of an array: row i's is words_get(names, i); `known[i]` is false where a JSON
    vocabulary has no word for it. */
typedef struct vec_labels {
    words names;
    bool *known; /* NULL: all are known */
} vec_labels;
w2v_status vec_read_labels(w2v_vectors *v, vec_labels *out, w2v_error *err);
/** Those that stand in the file itself; the input comes to rest behind them. */
w2v_status vec_own_labels(w2v_vectors *v, words *out, w2v_error *err);
void vec_labels_clear(vec_labels *labels);
/** Where words are looked for, and written, beside an array: FILE.labels.txt, ".gz" of FILE taken
    off. NULL without memory; mem_free() it. */
char *vec_labels_path(const char *path);

/** Bytes behind UTF-8 text in which each byte stands as one printable character (GPT-2); false
    when there is a character of no byte, or NUL would come out. */
bool vec_byte_level(const char *text, size_t n, char *out, size_t *length);
/** Fills `out` with the words of a JSON vocabulary, by row. `json` begins with '{' or '['.
 *is_json is false, and nothing is done, when it is no JSON. */
w2v_status vec_json_labels(const char *json, size_t n, uint64_t rows, const w2v_vectors *v,
                           const char *path, vec_labels *out, bool *is_json, w2v_error *err);
/** All text of a file; mem_free(*text). */
w2v_status vec_read_whole(const char *path, char **text, size_t *n, w2v_error *err);
/** Appends the lines of a text; `blank` keeps empty lines (but the one after the last line end). */
bool vec_split_lines(const char *text, size_t n, bool blank, words *out);

/* ---------------------------------------------------------------- the table (build.c) */

/** Rows that are to be loaded: what the header promises, or the limit. UINT64_MAX: all there are.
 */
uint64_t vec_rows_wanted(const w2v_vectors *v);
/** Room for `rows` rows in all, within the memory limit; grows by at least a half. */
w2v_status vec_reserve(w2v_vectors *v, uint64_t rows, w2v_error *err);
/** Room for exactly `rows` rows, when they are known. */
w2v_status vec_reserve_exactly(w2v_vectors *v, uint64_t rows, w2v_error *err);
/** Appends a row, counting zero rows and words that are not UTF-8. Finite values only. */
w2v_status vec_append(w2v_vectors *v, const char *word, size_t n, const float *values,
                      w2v_error *err);
/** As input_peek(); but under `lenient` a damaged end of the stream is its end, and noted. */
w2v_status vec_peek(w2v_vectors *v, size_t n, w2v_error *err);
/** As input_read(), likewise. */
w2v_status vec_read(w2v_vectors *v, void *buffer, size_t n, size_t *got, w2v_error *err);
/** Notes what was left out, for the report; the first note stays. */
void vec_note(w2v_vectors *v, const char *format, ...) W2V_PRINTF(2, 3);
/** Fills an error that has a byte offset and, for text, a line. */
w2v_status vec_error_at(w2v_error *err, uint64_t line, uint64_t offset, const char *format, ...)
    W2V_PRINTF(4, 5);
/** After the last row: too few of them is an error, or a note under `lenient`. `end` is the offset
    where the file ended. */
w2v_status vec_check_count(w2v_vectors *v, uint64_t end, w2v_error *err);

#endif
