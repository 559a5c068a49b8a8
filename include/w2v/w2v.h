/*
 * w2v: skip-gram word vectors, from text to table, and the questions asked of
 * them. This header is the whole public interface of libw2v and its manual.
 *
 * Conventions
 *   - A fallible function returns a w2v_status (W2V_OK is 0) and, where the
 *     caller gives a w2v_error, fills it. The first error wins: a filled
 *     w2v_error is not overwritten. `err` may be NULL everywhere.
 *   - `_create` makes a heap object that the caller frees with `_free`;
 *     `_free(NULL)` does nothing. On failure `*out` is set to NULL.
 *   - The library never prints, never exits, never reads the environment and
 *     keeps no state between calls (but for a counter that lets tests make
 *     allocations fail). Different objects may be used from different threads;
 *     one object may not, unless a function says so.
 *   - Words are bytes (normally UTF-8), given as pointer and length; they are
 *     also NUL-terminated for convenience and never contain a NUL themselves.
 *   - Ids are uint32_t, 0 is the most frequent word. Counts and byte offsets
 *     are uint64_t. Sizes of memory are in bytes.
 */
#ifndef W2V_W2V_H
#define W2V_W2V_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version is written here once; the build reads it from this file. */
#define W2V_VERSION_MAJOR 0
#define W2V_VERSION_MINOR 1
#define W2V_VERSION_PATCH 0
#define W2V_VERSION_STRING "0.1.0"

#if defined(__GNUC__)
#define W2V_API __attribute__((visibility("default")))
#else
#define W2V_API
#endif

/* ------------------------------------------------------------------ errors */

/** What went wrong, by kind. The program maps kinds to exit statuses. */
typedef enum w2v_status {
    W2V_OK = 0,
    W2V_ERR_ARGUMENT,    /**< a value is outside its documented range */
    W2V_ERR_INPUT,       /**< an input is missing, damaged, empty or of the wrong kind */
    W2V_ERR_IO,          /**< the system refused to write (or to read a file that was fine) */
    W2V_ERR_MEMORY,      /**< out of memory, or over the limit that was set */
    W2V_ERR_DIVERGED,    /**< training produced infinite or undefined numbers */
    W2V_ERR_INTERRUPTED, /**< a callback asked to stop; what there is remains usable */
    W2V_ERR_UNSUPPORTED, /**< this build lacks an optional library */
} w2v_status;

/**
 * A filled error. `text` is one line, lower case, without a full stop, with
 * its subject in single quotes; `hint` is empty or one more line that says
 * what to do. Zero-initialise before use.
 */
typedef struct w2v_error {
    w2v_status code;
    int sys_errno;   /**< errno where the system gave a reason, else 0 */
    uint64_t line;   /**< 1-based line of a text file, 0 where it does not apply */
    uint64_t offset; /**< byte offset (after decompression), where it applies */
    char text[1024];
    char hint[256];
} w2v_error;

/* ------------------------------------------------------------------ inputs */

/** An ordered list of text inputs: files, `-` (standard input), FIFOs. */
typedef struct w2v_inputs w2v_inputs;

/**
 * Lists the inputs named by paths[0..n-1], in that order. A folder stands for
 * the files in it and below it, in sorted byte order, hidden ones left out,
 * when `recursive`; without `recursive` a folder is an error. Every file is
 * checked for being readable. `-` is standard input and may be given once.
 *
 * Errors: W2V_ERR_INPUT (missing, unreadable, a folder, nothing in a folder),
 * W2V_ERR_ARGUMENT (`-` given twice, n == 0), W2V_ERR_MEMORY.
 */
W2V_API w2v_status w2v_inputs_create(const char *const *paths, size_t n, bool recursive,
                                     w2v_inputs **out, w2v_error *err);
W2V_API void w2v_inputs_free(w2v_inputs *inputs);
/** Number of inputs after folders were opened up; at least 1. */
W2V_API size_t w2v_inputs_count(const w2v_inputs *inputs);
/** Path of input i < count (`-` for standard input); owned by `inputs`. */
W2V_API const char *w2v_inputs_path(const w2v_inputs *inputs, size_t i);

/**
 * Checks, before hours of work, that `path` can be written and is not one of
 * the inputs (the same file by any name). `-`, FIFOs and devices pass. Nothing
 * is left behind, not even the temporaries beside `path` of runs that were killed. `inputs` may
 * be NULL.
 * Errors: W2V_ERR_IO (unwritable, a folder), W2V_ERR_ARGUMENT (is an input).
 */
W2V_API w2v_status w2v_output_check(const char *path, const w2v_inputs *inputs, w2v_error *err);

/* ------------------------------------------------------ vocabulary and text */

/** What becomes of bytes that are not UTF-8. */
typedef enum w2v_invalid_utf8 {
    W2V_UTF8_KEEP,    /**< they stay as they are (a word is bytes) */
    W2V_UTF8_REPLACE, /**< each maximal invalid part becomes U+FFFD */
    W2V_UTF8_DROP,    /**< they are removed from the word */
    W2V_UTF8_FAIL,    /**< the first one is an error (W2V_ERR_INPUT) */
} w2v_invalid_utf8;

/** In which form letters with marks are counted: a letter with an accent can be written as one
    character or as two. */
typedef enum w2v_normal_form {
    W2V_FORM_AS_IS, /**< as they are: two forms are two words */
    W2V_FORM_NFC,   /**< composed (Unicode's normal form C); needs ICU */
} w2v_normal_form;

/** Words with their counts, most frequent first (ties: first seen first), but for the words of a
    `base`, which stand before all others in its own order. */
typedef struct w2v_vocab w2v_vocab;

/** How text becomes words. Start from w2v_text_options_default(). */
typedef struct w2v_text_options {
    bool lowercase;                /**< fold case, Unicode-aware; needs ICU (default false) */
    w2v_normal_form normal_form;   /**< default W2V_FORM_AS_IS */
    w2v_invalid_utf8 invalid_utf8; /**< default W2V_UTF8_KEEP */
    bool lines_are_sentences;      /**< a line end breaks windows (default true) */
    uint64_t min_count;            /**< rarer words are dropped, >= 1 (default 5) */
    uint64_t vocab_size;           /**< keep exactly the N most frequent, 0 = no limit */
    const char *read_vocab;        /**< a vocabulary file that decides the words, or NULL */
    const w2v_vocab *base;         /**< words that are kept with their ids, in the text or not, or
                                        NULL: their counts are added to those of the text, and other
                                        words that are frequent enough follow them, most frequent
                                        first; vocab_size counts them, read_vocab must be NULL */
    int threads;                   /**< >= 1 (default 1) */
    uint64_t max_memory;           /**< bytes; the encoded text spills to a file beyond it, and when
                                        the words met take more (and more than 16 MB) counting ends
                                        with W2V_ERR_MEMORY; 0 = what the machine has */
    uint64_t memory_per_word;      /**< of max_memory, bytes to leave free for each word kept: what
                                        training will need, see w2v_train_bytes_per_word() (default 0) */
    const char *tmp_dir;           /**< folder for that file; NULL = "." */
    bool hash_inputs;              /**< compute SHA-256 of every input as read (default false) */
    bool fingerprint;              /**< hash the encoded text once, which w2v_checkpoint_save() else
                                        does at every call (default false) */
} w2v_text_options;

W2V_API w2v_text_options w2v_text_options_default(void);

/** What was met in the text; totals over all inputs. */
typedef struct w2v_text_stats {
    uint64_t bytes;          /**< of text, after decompression */
    uint64_t tokens;         /**< words met (long ones that were skipped not counted) */
    uint64_t types;          /**< distinct words met */
    uint64_t top_count;      /**< count of the most frequent word met */
    uint64_t lines;          /**< line ends met (a last line without one counts) */
    uint64_t tokens_kept;    /**< tokens whose word is in the vocabulary */
    uint64_t types_kept;     /**< size of the vocabulary */
    uint64_t sentences;      /**< runs of kept tokens between breaks, empty ones not counted; 0 when
                                  the text was only counted */
    uint64_t long_tokens;    /**< tokens over 4,096 bytes, skipped */
    uint64_t invalid_utf8;   /**< maximal invalid parts met */
    size_t invalid_input;    /**< input of the first of them */
    uint64_t invalid_offset; /**< and its byte offset there */
    uint64_t nul_bytes;      /**< NUL bytes met; each is taken for white space */
    size_t gzip_trailing;    /**< inputs with bytes after the last gzip member that were ignored */
    bool looks_latin1;       /**< invalid bytes look like Latin-1 text */
    uint64_t unseen;         /**< words of read_vocab never met in the text */
    uint64_t spilled;        /**< bytes of the encoded text on disk, 0 = in memory */
} w2v_text_stats;

W2V_API uint32_t w2v_vocab_size(const w2v_vocab *vocab);
/** Word `id` < size; `*length` (may be NULL) receives its bytes. Owned by `vocab`. */
W2V_API const char *w2v_vocab_word(const w2v_vocab *vocab, uint32_t id, size_t *length);
/** Count of word `id`: in the text, or as a vocabulary file says that was given instead. */
W2V_API uint64_t w2v_vocab_count(const w2v_vocab *vocab, uint32_t id);
/** Sum of all counts. */
W2V_API uint64_t w2v_vocab_total(const w2v_vocab *vocab);
/** Id of a word, or UINT32_MAX when it is not there. Safe from many threads. */
W2V_API uint32_t w2v_vocab_find(const w2v_vocab *vocab, const char *word, size_t length);
/** Writes `word count` lines, most frequent first; `path` as in w2v_model_save(). */
W2V_API w2v_status w2v_vocab_save(const w2v_vocab *vocab, const char *path, w2v_error *err);

/** A text as ids, with its vocabulary: all that training needs of it. */
typedef struct w2v_corpus w2v_corpus;

/**
 * Told now and then how far reading has come. `done` and `total` are bytes of
 * the files as stored; total is 0 where it is unknown (a pipe). Called from
 * one thread at a time. A value other than 0 stops the work.
 */
typedef int w2v_read_progress(void *user, uint64_t done, uint64_t total, uint64_t tokens);

/**
 * Reads the inputs once, counts the words and encodes the text as ids.
 *
 * Text is cut into words at Unicode white space and NUL. The same inputs give
 * the same corpus for any number of threads and for plain or gzip files.
 * `options` may be NULL for the defaults; `progress` may be NULL.
 *
 * Errors: W2V_ERR_INPUT (damaged, changed while read, no bytes, no words, no
 * word frequent enough, bad vocabulary file), W2V_ERR_IO, W2V_ERR_MEMORY,
 * W2V_ERR_ARGUMENT, W2V_ERR_UNSUPPORTED (lowercase or NFC without ICU),
 * W2V_ERR_INTERRUPTED (progress said so).
 */
W2V_API w2v_status w2v_corpus_create(const w2v_inputs *inputs, const w2v_text_options *options,
                                     w2v_read_progress *progress, void *user, w2v_corpus **out,
                                     w2v_error *err);
/** Counts only: as w2v_corpus_create(), but no encoded text is kept. Cannot be trained on. */
W2V_API w2v_status w2v_corpus_count(const w2v_inputs *inputs, const w2v_text_options *options,
                                    w2v_read_progress *progress, void *user, w2v_corpus **out,
                                    w2v_error *err);
W2V_API void w2v_corpus_free(w2v_corpus *corpus);
W2V_API const w2v_vocab *w2v_corpus_vocab(const w2v_corpus *corpus);
W2V_API const w2v_text_stats *w2v_corpus_stats(const w2v_corpus *corpus);
/** SHA-256 of input i as 64 hex digits, or NULL when it was not asked for. */
W2V_API const char *w2v_corpus_input_hash(const w2v_corpus *corpus, size_t i);

/* ---------------------------------------------------------------- training */

typedef enum w2v_window_mode {
    W2V_WINDOW_SHRINK, /**< each centre word draws its radius from 1..window */
    W2V_WINDOW_FIXED,  /**< the radius is always the window */
} w2v_window_mode;

typedef enum w2v_share {
    W2V_SHARE_WINDOW, /**< one set of negatives for all pairs of a position; the set is used again at
                           seven more positions, each 2 * window + 1 after the one before (fast) */
    W2V_SHARE_NONE,   /**< fresh negatives for each pair (the textbook algorithm); the row of a
                           position's word moves for up to 32 of its pairs from the same old values */
} w2v_share;

/** Row of a table in an update. */
typedef struct w2v_update_row {
    uint32_t id;
    uint32_t times;      /**< how often the word stands there: such a row moves once, by the sum */
    bool frozen;         /**< it does not move: `after` is `before` */
    const float *before; /**< dim numbers */
    const float *after;
    const float *met;    /**< what the update calculated with: `before`, but for the true neighbour
                              with W2V_SHARE_NONE, which all pairs of a position meet as it was
                              before the position */
} w2v_update_row;

/** A centre and an output in an update. */
typedef struct w2v_update_dot {
    float dot;   /**< of the two rows as met */
    float sigma; /**< 1 / (1 + exp(-dot)): the chance, as the model sees it, of a true pair */
    float error; /**< sigma - label: the derivative of the loss by the dot */
} w2v_update_dot;

/**
 * One update in numbers: rows of the word table, the centres, against rows of
 * the context table, the outputs. With W2V_SHARE_NONE there is one centre; with
 * W2V_SHARE_WINDOW the centres around a position, 32 at most, share the outputs. All rows
 * move at once, by what they met:
 *     centre i += -rate * sum over outputs j of times(i) * times(j) * error(i,j) * output j
 *     output j += -rate * sum over centres i of times(i) * times(j) * error(i,j) * centre i
 * (Mikolov et al. 2013, the gradient of equation 4.) Dots and sigmas are those
 * that the kernel used, to the bit where there is fused multiply-add, else but
 * for rounding. Everything is borrowed for the time of the call.
 */
typedef struct w2v_update {
    uint64_t number;      /**< of this update, from 1 */
    uint64_t first_pair;  /**< number of its first pair, from 1 */
    uint64_t pairs;       /**< that it trains; 0: it is the pairs of the update before that meet
                               more negatives, since one update takes 32 outputs at most */
    uint32_t epoch;       /**< 0-based */
    float rate;
    uint32_t dim;
    uint32_t neighbour;   /**< id of the true neighbour of these centres */
    bool with_neighbour;  /**< outputs[0] is its row, label 1; all other outputs are noise, label 0 */
    uint32_t left_out;    /**< negatives that were the neighbour itself, and so were dropped */
    size_t centre_count, output_count; /**< each >= 1 */
    const w2v_update_row *centres, *outputs;
    const w2v_update_dot *dots; /**< of centre i and output j: [i * output_count + j] */
} w2v_update;

typedef void w2v_update_callback(void *user, const w2v_update *update);

/** Options of training. Start from w2v_train_options_default(). */
typedef struct w2v_train_options {
    uint32_t dim;                /**< length of a vector, 1..65536 (default 100) */
    uint32_t window;             /**< neighbours each side, 1..1000 (default 5) */
    w2v_window_mode window_mode; /**< default W2V_WINDOW_SHRINK */
    uint32_t negative;           /**< negatives for each pair, 1..1000 (default 5) */
    double ns_exponent;          /**< negatives in proportion to count^X, -10..10 (default 0.75); other
                                      than 0, 0.5, 0.75 and 1, the same bytes need the same C library */
    w2v_share share;             /**< default W2V_SHARE_WINDOW */
    double sample;               /**< subsampling threshold, 0 = keep all, 0..1 (default 1e-3) */
    uint32_t epochs;             /**< passes, 1..1000000 (default 5) */
    double lr;                   /**< learning rate at the start, > 0 (default 0.025) */
    uint32_t max_sentence;       /**< longer sentences are cut into pieces, 2..1000000000 (default 1000) */
    uint64_t seed;               /**< default 1 */
    int threads;                 /**< 1..4096 (default 1); never more than one for 256 tokens are used */
    uint64_t max_memory;         /**< bytes for tables, vocabulary and threads, 0 = none; the encoded
                                      text is w2v_text_options' matter */
    uint64_t explain;            /**< show the first N pairs to on_update; updates are shown whole, so
                                      a few more pairs where they share negatives (default 0) */
    w2v_update_callback *on_update; /**< told of each, in order, by one thread that trains alone until
                                      all are shown: they are the same for any number of threads. NULL:
                                      nothing is shown. Changes no byte of a table on one thread */
    void *update_user;
} w2v_train_options;

W2V_API w2v_train_options w2v_train_options_default(void);

/** What training will need, known after counting. */
typedef struct w2v_estimate {
    uint64_t table_bytes;  /**< both tables, rows padded to 64 bytes */
    uint64_t corpus_bytes; /**< encoded text in memory */
    uint64_t other_bytes;  /**< sampling tables and buffers of the threads */
    double kept_share;     /**< expected share of kept tokens that survive subsampling */
    double pairs;          /**< expected (centre, neighbour) pairs over all epochs */
    int threads;           /**< that will be used: never more than have something to do */
} w2v_estimate;

/** Bytes that one word of the vocabulary takes in both tables and the sampling tables. */
W2V_API uint64_t w2v_train_bytes_per_word(const w2v_train_options *options);
/** All that w2v_train() would refuse before it begins: options, corpus, memory. Errors: the same. */
W2V_API w2v_status w2v_train_check(const w2v_corpus *corpus, const w2v_train_options *options,
                                   w2v_error *err);
W2V_API void w2v_train_estimate(const w2v_corpus *corpus, const w2v_train_options *options,
                                w2v_estimate *out);

/** Two trained tables: word rows and context rows, in the order of the vocabulary. */
typedef struct w2v_model w2v_model;

/** Where training stands; given to the callback. */
typedef struct w2v_train_progress {
    uint32_t epoch;        /**< of this moment, 0-based; == epochs at the end */
    uint32_t epochs;
    uint64_t tokens;       /**< kept tokens visited so far, before subsampling, all epochs */
    uint64_t tokens_total; /**< tokens kept x epochs */
    uint64_t pairs;        /**< pairs trained so far */
    double loss;           /**< mean loss of a pair with its negatives, this epoch so far; nats */
    double lr;             /**< rate of the newest block */
    bool start;            /**< true once, before the first update; loss is then NaN */
    bool epoch_end;        /**< true once at the end of each epoch */
    bool paused;           /**< the callback asked for a pause, and this is it */
    const w2v_model *model; /**< the tables, at the start, at the end of each epoch and in a pause,
                              when nothing moves them; else NULL. Its rows, its dimension and its
                              result's `started` may be asked for, and it may be saved, until the
                              callback returns */
} w2v_train_progress;

/** What the callback returns to pause: blocks under way are finished, no thread trains, and it is
    called again with `paused` set (a value other than 0 and this one still stops then); after that
    training goes on with the next block. With one thread a pause changes not a byte. */
#define W2V_TRAIN_PAUSE (-1)

/**
 * Told before the first update, after blocks of training, from one thread at a
 * time, and at each epoch's end when no other thread trains. Returns 0 to go on, or
 * W2V_TRAIN_PAUSE (which counts as 0 at the start, at an epoch's end and in a pause). Another
 * value stops: blocks under way are finished and w2v_train() returns
 * W2V_ERR_INTERRUPTED with a usable model.
 */
typedef int w2v_train_callback(void *user, const w2v_train_progress *progress);

/**
 * Trains skip-gram with negative sampling (Mikolov et al. 2013, "Distributed
 * Representations of Words and Phrases and their Compositionality") on all
 * epochs. One thread and one seed give the same bytes on every run and on
 * every machine with fused multiply-add; many threads share the tables
 * without locks (Recht et al. 2011, "Hogwild!") and do not repeat exactly.
 *
 * On W2V_OK and on W2V_ERR_INTERRUPTED `*out` is a model; otherwise NULL.
 * Errors: W2V_ERR_ARGUMENT, W2V_ERR_INPUT (fewer than two word types),
 * W2V_ERR_MEMORY, W2V_ERR_IO (reading the spilled text), W2V_ERR_DIVERGED.
 */
W2V_API w2v_status w2v_train(const w2v_corpus *corpus, const w2v_train_options *options,
                             w2v_train_callback *callback, void *user, w2v_model **out,
                             w2v_error *err);
W2V_API void w2v_model_free(w2v_model *model);

/** Facts of a finished (or stopped) run. */
typedef struct w2v_train_result {
    uint64_t tokens;      /**< kept tokens visited */
    uint64_t pairs;       /**< pairs trained */
    uint64_t cuts;        /**< places where a sentence longer than max_sentence was cut; nothing is
                               lost there but the pairs across it */
    uint32_t epochs;      /**< epochs finished */
    double loss;          /**< mean loss of the last epoch trained, NaN if there was no pair */
    int threads;          /**< threads really used */
    uint32_t started;     /**< words whose first rows came from a w2v_train_start; known from the
                               first call of the callback on */
    const char *kernel;   /**< "avx512", "avx2", "neon", "plain" … */
} w2v_train_result;

W2V_API const w2v_train_result *w2v_model_result(const w2v_model *model);
/** Mean loss of epoch e < result->epochs. */
W2V_API double w2v_model_epoch_loss(const w2v_model *model, uint32_t e);
W2V_API uint32_t w2v_model_dim(const w2v_model *model);
/** `dim` floats of the word table (context == false) or of the context table; borrowed. */
W2V_API const float *w2v_model_row(const w2v_model *model, bool context, uint32_t id);

/** Name of the kernel this machine would use ("avx512", "avx2", …). */
W2V_API const char *w2v_kernel_name(void);
/** CPUs this process may use: affinity and cgroup quota, at least 1. */
W2V_API int w2v_cpu_count(void);
/** Optional parts in this build, e.g. "zlib 1.2.13, openmp, icu"; static storage. */
W2V_API const char *w2v_build_info(void);

/**
 * Streams the (centre, neighbour) pairs of one epoch exactly as training sees
 * them: the same subsampling, sentence cuts and window radii, in the order of
 * the neighbour's position. `corpus` must outlive the iterator.
 */
typedef struct w2v_pairs w2v_pairs;

typedef struct w2v_pair {
    uint32_t centre;    /**< id of the word whose word-table row moves */
    uint32_t neighbour; /**< id of the positive row of the context table */
    int32_t distance;   /**< place of the centre minus that of the neighbour, among the tokens that
                             survive subsampling; never 0 */
    uint64_t sentence;  /**< 0-based number of the sentence piece in this epoch */
} w2v_pair;

W2V_API w2v_status w2v_pairs_create(const w2v_corpus *corpus, const w2v_train_options *options,
                                    uint32_t epoch, w2v_pairs **out, w2v_error *err);
/** Next pair into *pair; `*done` becomes true, and *pair is untouched, after the last. */
W2V_API w2v_status w2v_pairs_next(w2v_pairs *pairs, w2v_pair *pair, bool *done, w2v_error *err);
W2V_API void w2v_pairs_free(w2v_pairs *pairs);

/* ------------------------------------------------------------------ output */

typedef enum w2v_format {
    W2V_FORMAT_AUTO,   /**< writing: by the name, .txt .vec text, .glove GloVe, .npy, .safetensors, .tsv,
                            else binary, and .gz behind it; reading: by content */
    W2V_FORMAT_BINARY, /**< word2vec binary: "V D\n", then word, space, D little-endian floats, "\n" */
    W2V_FORMAT_TEXT,   /**< word2vec text: "V D\n", then a row a line */
    W2V_FORMAT_GLOVE,  /**< GloVe text: rows without header. AUTO takes rows of one number for
                            a list of counts, and they are not written */
    W2V_FORMAT_NPY,    /**< NumPy array; words in a list beside it */
    W2V_FORMAT_SAFETENSORS, /**< a tensor; words in a list or a JSON vocabulary beside it */
    W2V_FORMAT_TSV,    /**< TensorFlow projector: vectors, and metadata beside them */
} w2v_format;

typedef struct w2v_save_options {
    w2v_format format; /**< default AUTO */
    int precision;     /**< significant digits of text formats, 1..9; 0 = shortest that keeps every bit */
    bool context;      /**< write the context table instead of the word table */
} w2v_save_options;

W2V_API w2v_save_options w2v_save_options_default(void);

/**
 * Writes a table. A regular file is written to a temporary beside it and
 * renamed when it is complete; symbolic links are followed, the mode of an
 * existing file is kept. `-` (standard output), FIFOs and devices are written
 * directly. A name that ends in .gz is compressed, whatever the format.
 *
 * Errors: W2V_ERR_ARGUMENT (a word that the format's reader could not read
 * back, named), W2V_ERR_IO, W2V_ERR_MEMORY. On error nothing new stands under
 * the final name. `*bytes` (may be NULL) receives the size written.
 */
W2V_API w2v_status w2v_model_save(const w2v_model *model, const w2v_vocab *vocab, const char *path,
                                  const w2v_save_options *options, uint64_t *bytes, w2v_error *err);
/** What w2v_model_save() would refuse whatever training makes of the numbers: known before it. */
W2V_API w2v_status w2v_save_check(const w2v_vocab *vocab, uint32_t dim, const char *path,
                                  const w2v_save_options *options, w2v_error *err);

/* ---------------------------------------------------------- vectors in files */

typedef struct w2v_load_options {
    w2v_format format;     /**< what to read it as; AUTO (default) looks into the file */
    uint64_t limit;        /**< only the first N rows; 0 = all */
    bool lenient;          /**< load what can be loaded of a damaged file; see the report */
    const char *labels;    /**< words of .npy and safetensors rows: a list, or a JSON object word -> row;
                                a checkpoint has its own */
    const char *tensor;    /**< which tensor of a safetensors file; NULL = the only two-dimensional one,
                                of a checkpoint "word" */
    int threads;           /**< >= 1 (default 1) */
    uint64_t max_memory;   /**< bytes the table may take; 0 = what the machine has */
} w2v_load_options;

W2V_API w2v_load_options w2v_load_options_default(void);

/** What was met while a file was read. */
typedef struct w2v_load_report {
    w2v_format format;       /**< as recognised */
    bool gzip;
    uint64_t rows_declared;  /**< by the header; 0 where there is none */
    uint64_t rows;           /**< loaded */
    uint64_t rows_left_out;  /**< damaged rows, and rows after damage, under `lenient` */
    uint64_t zero_rows;      /**< rows without direction */
    uint64_t nonfinite_rows; /**< rows with an infinite or undefined number; left out under `lenient` */
    uint64_t invalid_utf8;   /**< words that are not UTF-8 */
    uint64_t extra_rows;     /**< rows beyond what the header promised, left out with a warning */
    char note[256];          /**< empty, or one line on what was left out */
} w2v_load_report;

/**
 * Words with their rows, from a file. Opening recognises the kind and checks
 * the head of the file; rows are read when they are needed. A question on an
 * uncompressed word2vec binary is answered by a scan of the file; all else
 * loads the table once, on first need or with w2v_vectors_load().
 */
typedef struct w2v_vectors w2v_vectors;

/**
 * Opens a vector file ("-" reads standard input). `options` may be NULL.
 * Errors: W2V_ERR_INPUT (missing, damaged, or another kind of file, named:
 * fastText model, pickle, LFS pointer, HTML page, archive, merge conflict,
 * GloVe's raw doubles …), W2V_ERR_MEMORY, W2V_ERR_ARGUMENT.
 */
W2V_API w2v_status w2v_vectors_open(const char *path, const w2v_load_options *options,
                                    w2v_vectors **out, w2v_error *err);
/** Reads all rows into memory (once; later calls do nothing). Errors: as open; file, row and byte are
    in the text. */
W2V_API w2v_status w2v_vectors_load(w2v_vectors *vectors, w2v_error *err);
W2V_API void w2v_vectors_free(w2v_vectors *vectors);
/** Known when the table is loaded (format and gzip already when it is open). */
W2V_API const w2v_load_report *w2v_vectors_report(const w2v_vectors *vectors);
/** Does a regular file of this name look like vectors? Reads its head only. What is damaged or no
    file is none: *is is false. Errors: W2V_ERR_IO, W2V_ERR_MEMORY. */
W2V_API w2v_status w2v_is_vector_file(const char *path, bool *is, w2v_error *err);

/* Of a loaded table. */
W2V_API uint32_t w2v_vectors_size(const w2v_vectors *vectors);
W2V_API uint32_t w2v_vectors_dim(const w2v_vectors *vectors);
W2V_API const char *w2v_vectors_word(const w2v_vectors *vectors, uint32_t id, size_t *length);
W2V_API const float *w2v_vectors_row(const w2v_vectors *vectors, uint32_t id);
/** Makes the index of words that the next two need: they make it themselves where it is not there
    (not for many threads at once), and take want of memory for words that are not there. Errors:
    W2V_ERR_MEMORY. */
W2V_API w2v_status w2v_vectors_index(w2v_vectors *vectors, w2v_error *err);
/** First row with this word, or UINT32_MAX. */
W2V_API uint32_t w2v_vectors_find(w2v_vectors *vectors, const char *word, size_t length);
/** Words that stand more than once (their later rows). */
W2V_API uint64_t w2v_vectors_duplicates(w2v_vectors *vectors);

typedef struct w2v_convert_options {
    w2v_format format;   /**< AUTO: by the name of the output */
    int precision;       /**< as in w2v_save_options */
    bool normalize;      /**< rows of length 1 (zero rows stay) */
    const char *words;   /**< a file of words, one a line: only these, in the table's order; NULL = all */
} w2v_convert_options;

/** Name of the second file that a format (AUTO: by the name) writes beside `path`, for the words of
    an array or a projector table. *beside is NULL where there is none; else free it with w2v_free().
    Errors: W2V_ERR_MEMORY. */
W2V_API w2v_status w2v_format_beside(const char *path, w2v_format format, char **beside,
                                     w2v_error *err);

W2V_API w2v_convert_options w2v_convert_options_default(void);
/** Writes a loaded table in any format; paths, errors and `bytes` as in w2v_model_save(). */
W2V_API w2v_status w2v_vectors_save(w2v_vectors *vectors, const char *path,
                                    const w2v_convert_options *options, uint64_t *bytes,
                                    w2v_error *err);

/* ------------------------------------------------- checkpoints, and other starts */

/**
 * All of a run, in a file: both tables, words and counts, options, what the
 * text was (a fingerprint), and how far it has come. Training is random by
 * (seed, epoch, block) alone, so no generator has a state to be kept.
 *
 * The file is safetensors: "word" and "context" (F32, a row a word), "words" (U8) with "offsets"
 * (I64), "counts" (I64), "state", "losses" and others for w2v itself; options stand in the header's
 * metadata. w2v_vectors_open() reads it as the vectors it holds.
 */
typedef struct w2v_checkpoint w2v_checkpoint;

typedef struct w2v_checkpoint_info {
    w2v_train_options train; /**< of the run; threads and max_memory are not kept */
    w2v_text_options text;   /**< likewise. For going on: `read_vocab` as it was named then, and
                                  `base`, when the run was an update itself; both belong to it */
    uint32_t words;
    uint32_t frozen;         /**< words whose rows are kept fixed */
    uint32_t epochs;         /**< finished */
    uint64_t tokens;         /**< visited, of all epochs */
    uint64_t tokens_total;
    uint64_t pairs;          /**< trained */
    double loss;             /**< mean of the last epoch begun; NaN without a pair */
    bool complete;           /**< nothing is left to be trained */
} w2v_checkpoint_info;

/**
 * Saves a model that is at rest: finished, stopped, or in a callback with
 * epoch_end or paused. `corpus` and `text` are what it is trained on and how
 * that was read. `path` as in w2v_model_save(); the older file stays whole
 * until the new one is complete and on the disk. `*bytes` may be NULL.
 * Errors: W2V_ERR_DIVERGED (a number is not finite; nothing is written),
 * W2V_ERR_IO, W2V_ERR_MEMORY, W2V_ERR_ARGUMENT (the corpus is not the model's).
 */
W2V_API w2v_status w2v_checkpoint_save(const w2v_model *model, const w2v_corpus *corpus,
                                       const w2v_text_options *text, const char *path,
                                       uint64_t *bytes, w2v_error *err);

/**
 * Opens a checkpoint and reads all but its tables, which are read once, when
 * training begins. Errors: W2V_ERR_INPUT (no checkpoint, damaged, of a later
 * version), W2V_ERR_MEMORY.
 */
W2V_API w2v_status w2v_checkpoint_open(const char *path, w2v_checkpoint **out, w2v_error *err);
W2V_API void w2v_checkpoint_free(w2v_checkpoint *checkpoint);
W2V_API const w2v_checkpoint_info *w2v_checkpoint_facts(const w2v_checkpoint *checkpoint);
W2V_API const w2v_vocab *w2v_checkpoint_vocab(const w2v_checkpoint *checkpoint);

/**
 * May the run be resumed with these? Names the first difference: in an option that decides what is
 * learnt (W2V_ERR_ARGUMENT; threads, memory and files may differ), or in the text (W2V_ERR_INPUT).
 * Each may be NULL, and is then not looked at.
 */
W2V_API w2v_status w2v_checkpoint_check(const w2v_checkpoint *checkpoint,
                                        const w2v_train_options *train,
                                        const w2v_text_options *text, const w2v_corpus *corpus,
                                        w2v_error *err);

/** What training begins with instead of fresh tables: one of the first three. */
typedef struct w2v_train_start {
    w2v_checkpoint *resume; /**< go on with its run; with one thread the end is byte for byte that of
                                 a run that was never interrupted */
    w2v_checkpoint *update; /**< begin with both of its rows of each word. The corpus was read with
                                 its vocabulary as `base` */
    w2v_vectors *init;      /**< begin with these rows of the words it has */
    bool freeze;            /**< with init: these rows of the word table stay as they are */
} w2v_train_start;

/**
 * As w2v_train(), from a start. Errors besides: those of w2v_checkpoint_check(); W2V_ERR_ARGUMENT
 * (several starts, another dimension, a vocabulary without the checkpoint's words at its front),
 * W2V_ERR_INPUT (damaged tables, no word in common, an error of w2v_vectors_load()).
 */
W2V_API w2v_status w2v_train_from(const w2v_corpus *corpus, const w2v_train_options *options,
                                  const w2v_train_start *start, w2v_train_callback *callback,
                                  void *user, w2v_model **out, w2v_error *err);

/* ------------------------------------------------------------------ questions */

typedef enum w2v_metric { W2V_COSINE, W2V_DOT, W2V_EUCLIDEAN } w2v_metric;
typedef enum w2v_method {
    W2V_ADD, /**< 3CosAdd: nearest to the weighted sum (Mikolov et al. 2013) */
    W2V_MUL, /**< 3CosMul: product of cosines shifted to 0..1, of positive words over negative ones plus
                  1e-6 as in gensim (Levy and Goldberg 2014); weights are exponents; cosine only */
} w2v_method;

/**
 * One word of a query with its weight: king - man + woman has weights 1, -1, 1.
 * A weight is 0 or of a size from 1 / W2V_WEIGHT_MAX to W2V_WEIGHT_MAX, so that
 * squares of weighted rows neither overflow nor vanish as doubles.
 */
#define W2V_WEIGHT_MAX 1e30
typedef struct w2v_term {
    const char *word;
    size_t length;
    double weight;
} w2v_term;

typedef struct w2v_query {
    const w2v_term *terms;
    size_t term_count; /* >= 1 */
} w2v_query;

typedef struct w2v_ask_options {
    w2v_metric metric;         /**< default W2V_COSINE */
    w2v_method method;         /**< default W2V_ADD */
    bool raw;                  /**< add rows as stored; else unit rows for cosine and 3CosMul */
    bool exclude_inputs;       /**< leave the terms' words out of the answers; k answers remain */
    uint64_t k;                /**< answers, >= 1; more than the table has gives all (default 10) */
    const char *candidates;    /**< file of words, one a line: only these are ranked, others in it do no
                                    harm; NULL = all */
    bool ranks;                /**< fill best_rank and best_cosine too, by one more pass where a query
                                    has several words (default true) */
    int threads;               /**< >= 1 (default 1) */
} w2v_ask_options;

W2V_API w2v_ask_options w2v_ask_options_default(void);

typedef struct w2v_answer {
    uint32_t id;       /**< row */
    const char *word;  /**< owned by the answers */
    size_t length;
    double score;      /**< cosine, dot product, 3CosMul (larger is nearer) or distance (smaller is nearer) */
    bool input;        /**< one of the query's words */
} w2v_answer;

/** How a term stood before any arithmetic: honest about what an analogy adds. */
typedef struct w2v_answers {
    w2v_answer *items; /**< best first; ties by row */
    size_t count;
    bool *unknown;     /**< of each term: not in the table; then there are no items */
    bool no_direction; /**< under cosine: the query is a zero vector (or what rounding leaves of words
                            that cancel), or a word of 3CosMul has a zero row; then there are no items */
    uint64_t *best_rank;  /**< for an ADD/MUL query of several terms: 1-based rank of the best non-input
                               answer among the plain neighbours, by cosine, of each term with
                               positive weight, the term's own word left out, */
    double *best_cosine;  /**< and its cosine with it; arrays of term_count, rank 0 = not computed */
} w2v_answers;

/**
 * Answers n queries in one pass over the table. Order and scores are the same
 * for any number of threads, on any machine, in a batch or alone: fast float
 * products only choose candidates, one routine in double precision decides.
 * answers[0..n-1] are filled; free each with w2v_answers_clear(). An unknown
 * word is no error. Of a word that stands more than once the first row is meant, and every
 * row with that word is an input. Rows of zeros have no cosine and are no answer under it.
 * Errors: W2V_ERR_ARGUMENT, W2V_ERR_INPUT (the file is damaged further on), W2V_ERR_IO,
 * W2V_ERR_MEMORY.
 */
W2V_API w2v_status w2v_ask(w2v_vectors *vectors, const w2v_query *queries, size_t n,
                           const w2v_ask_options *options, w2v_answers *answers, w2v_error *err);
W2V_API void w2v_answers_clear(w2v_answers *answers);

typedef struct w2v_similarity {
    double cosine; /**< NaN when a row is zero */
    double dot;
    double euclidean;
    bool unknown[2];
} w2v_similarity;

/** Dot product, cosine and distance of pairs of words, in double precision, over one pass. */
W2V_API w2v_status w2v_compare(w2v_vectors *vectors, const w2v_term (*pairs)[2], size_t n,
                               w2v_similarity *out, w2v_error *err);

/** Rows of words as stored: rows[i * dim] onwards for words[i]; known[i] tells whether it is there.
    *dim receives the dimension, *size the number of rows, ids[i] the row. Caller frees *rows with
    w2v_free(). One scan at most. */
W2V_API w2v_status w2v_lookup(w2v_vectors *vectors, const w2v_term *words, size_t n, float **rows,
                              uint32_t *ids, bool *known, uint32_t *dim, uint64_t *size,
                              w2v_error *err);

/** Words of the table that are spelt like `word`: other case, underscore or space, Unicode form,
    a common prefix, one or two letters different. Nearest first, then by row, at most `most`: one
    scan. The words belong to `vectors` and hold until the next call or its end. */
W2V_API w2v_status w2v_near_spellings(w2v_vectors *vectors, const char *word, size_t length,
                                      size_t most, w2v_term *out, size_t *count, w2v_error *err);

/** Frees what the library handed over. */
W2V_API void w2v_free(void *memory);

/* -------------------------------------------------------------------- scoring */

typedef enum w2v_question_kind {
    W2V_ANALOGIES, /**< lines of four words "A B C D", A is to B as C is to D, and ": section" lines */
    W2V_PAIRS,     /**< two words and a number for how alike people find them, on each line */
    W2V_LISTS,     /**< named lists of words, a JSON object of arrays, for w2v_weat() */
} w2v_question_kind;

/** A file of questions that a table is scored with. */
typedef struct w2v_question_file w2v_question_file;

typedef struct w2v_question_facts {
    w2v_question_kind kind;
    uint64_t questions;      /**< or pairs, or lists */
    uint64_t sections;       /**< of analogies */
    uint64_t odd_lines;      /**< lines that are none of the kind, left out */
    uint64_t first_odd_line; /**< number of the first of them, from 1; 0 where there is none */
} w2v_question_facts;

/**
 * Reads a file, plain or gzip ("-": standard input). The kind is told by its lines: one with a
 * ": section" line, or with more lines of four words than scored pairs, holds analogies. The last
 * word of a question may name several right answers, "a/b". Fields of a pair stand between tabs,
 * commas or blanks; the first number after two words is the score, and a first line without one
 * is a heading. Lines that begin with '#' are comments. A file that begins with '{' is JSON, an
 * object of lists of words; members that are no lists are passed over.
 * Errors: W2V_ERR_INPUT (no kind, or damaged), W2V_ERR_IO, W2V_ERR_MEMORY.
 */
W2V_API w2v_status w2v_question_file_read(const char *path, w2v_question_file **out,
                                          w2v_error *err);
W2V_API void w2v_question_file_free(w2v_question_file *file);
W2V_API const w2v_question_facts *w2v_question_file_facts(const w2v_question_file *file);
/** Name of list i < facts->questions of W2V_LISTS, in the file's order; owned by `file`. */
W2V_API const char *w2v_question_file_list(const w2v_question_file *file, size_t i);

/** Told now and then how many of a file's questions are done, from one thread at a time. A value
    other than 0 stops. */
typedef int w2v_score_progress(void *user, uint64_t done, uint64_t total);

typedef struct w2v_score_options {
    w2v_method method; /**< of analogies: W2V_ADD (default) or W2V_MUL, over rows of length 1 */
    bool ignore_case;  /**< words that differ in case only are one; its first row is meant. Needs ICU */
    uint64_t top;      /**< an answer among the best `top` is right (default 1) */
    uint64_t permutations; /**< of w2v_weat(): partitions looked at at most, >= 1 (default 100000) */
    uint64_t seed;     /**< of the partitions that are drawn (default 1) */
    int threads;       /**< >= 1 (default 1) */
    w2v_score_progress *progress; /**< of analogies, or NULL */
    void *progress_user;
} w2v_score_options;

W2V_API w2v_score_options w2v_score_options_default(void);

/** Counts of some questions. A question is asked when the table has A, B, C and a right answer. */
typedef struct w2v_tally {
    const char *section; /**< belongs to the question file; "" for questions before any section */
    uint64_t asked;
    uint64_t skipped;     /**< a word is not in the table */
    uint64_t right;       /**< with rows of A, B and C left out of the ranking */
    uint64_t right_kept;  /**< with these rows kept in it */
    uint64_t right_near;  /**< a right answer is, before any arithmetic, the nearest neighbour by
                               cosine of A, B or C (that word itself left out) */
} w2v_tally;

/** A correlation and its 95 % interval by Fisher's transformation, atanh(r) +- 1.96 / sqrt(n - 3).
    NaN where it is undefined: too few pairs (2; 4 for the interval) or constant values. */
typedef struct w2v_correlation {
    double value, low, high;
} w2v_correlation;

typedef struct w2v_score {
    /* Analogies. */
    w2v_tally *sections; /**< in the order of the file */
    size_t section_count;
    w2v_tally total;
    bool classic;                  /**< some section's name begins with "gram" */
    w2v_tally semantic, syntactic; /**< then: totals of the other sections, and of those */
    /* Pairs. */
    w2v_correlation spearman, pearson; /**< cosine against score; ties have the mean of their ranks */
    uint64_t used;
    uint64_t missing; /**< pairs with a word that is not in the table or has a row of zeros */
    /* Both. */
    const char **unknown; /**< words that were missed, each once; they belong to the question file */
    size_t unknown_count;
} w2v_score;

/**
 * Scores a table, which is loaded first when it has to be. Analogies are answered over all rows by
 * one pass of matrix products for all questions (or for each part of many); near ties are decided
 * in double precision, then by row, so that counts are the same for any number of threads.
 * The counts without A, B and C are those of gensim's evaluate_word_analogies().
 * Errors: W2V_ERR_ARGUMENT (W2V_LISTS, too), W2V_ERR_UNSUPPORTED (ignore_case without ICU),
 * W2V_ERR_MEMORY, W2V_ERR_INTERRUPTED (progress said so), and of w2v_vectors_load(). Free with
 * w2v_score_clear().
 */
W2V_API w2v_status w2v_score_vectors(w2v_vectors *vectors, const w2v_question_file *file,
                                     const w2v_score_options *options, w2v_score *out,
                                     w2v_error *err);
W2V_API void w2v_score_clear(w2v_score *score);

/** Which lists a word embedding association test compares, by name: targets X and Y, attributes A
    and B. */
typedef struct w2v_weat_test {
    const char *list[4];
} w2v_weat_test;

typedef struct w2v_weat_result {
    double effect; /**< (mean of s over X - mean over Y) / standard deviation of s over both, n - 1
                        in its denominator; NaN where a list is empty or s is constant */
    double p;      /**< share of partitions that set X and Y apart at least as much, this way round,
                        ties counted; NaN where a list is empty */
    bool exact;    /**< all partitions were looked at; else some were drawn */
    uint64_t partitions;  /**< that were looked at; 0 without a p */
    uint64_t used[4];     /**< distinct words of X, Y, A, B that the table has */
    uint64_t missing[4];  /**< words it has not, or with a row of zeros */
    uint64_t repeated[4]; /**< words that stood in the list before; each counts once */
    const char **unknown; /**< words that were missed, each once; they belong to the file */
    size_t unknown_count;
} w2v_weat_result;

/**
 * Word embedding association tests (Caliskan, Bryson and Narayanan 2017, "Semantics derived
 * automatically from language corpora contain human-like biases"): with s(w) = mean cosine of w
 * with A - mean cosine with B, are words of X nearer to A, relative to B, than words of Y are?
 *
 * The partitions of all words of X and Y into sets as large as these are equally likely when there
 * is no difference. Where they are no more than options->permutations each is looked at, and p is
 * the share whose difference of means is not below the one found (which is one of them). Else that
 * many are drawn, and p = (hits + 1) / (draws + 1) (Phipson and Smyth 2010). Sets of unequal size,
 * as missing words leave them, keep their sizes. The same values for any number of threads.
 * Errors: W2V_ERR_ARGUMENT (no such list, not W2V_LISTS, options), and as w2v_score_vectors().
 * Clear each result with w2v_weat_clear().
 */
W2V_API w2v_status w2v_weat(w2v_vectors *vectors, const w2v_question_file *file,
                            const w2v_weat_test *tests, size_t n, const w2v_score_options *options,
                            w2v_weat_result *out, w2v_error *err);
/** Only what w2v_weat() would refuse of file and tests, without any vectors. */
W2V_API w2v_status w2v_weat_check(const w2v_question_file *file, const w2v_weat_test *tests,
                                  size_t n, w2v_error *err);
W2V_API void w2v_weat_clear(w2v_weat_result *result);

/** The nearest neighbours that a table gives the words of a question file. */
typedef struct w2v_neighbourhoods w2v_neighbourhoods;

/** The k >= 1 nearest of each word of the file that the table has. Errors: as w2v_score_vectors(). */
W2V_API w2v_status w2v_neighbourhoods_create(w2v_vectors *vectors, const w2v_question_file *file,
                                             const w2v_score_options *options, uint64_t k,
                                             w2v_neighbourhoods **out, w2v_error *err);
W2V_API void w2v_neighbourhoods_free(w2v_neighbourhoods *n);
/** Mean share of the neighbours that two tables have in common, over the words that both have, of
    the same question file; NaN without any. `*words` receives their number. */
W2V_API double w2v_neighbourhoods_overlap(const w2v_neighbourhoods *a, const w2v_neighbourhoods *b,
                                          uint64_t *words);

/* ------------------------------------------------------------------- geometry */

typedef struct w2v_stats_options {
    uint64_t pairs;  /**< pairs of rows whose cosines are taken, 1..10000000 (default 100000); all there
                          are where they are no more than that */
    uint64_t sample; /**< rows whose nearest are counted, >= 1 (default 2000); all there are where they
                          are no more than that */
    uint64_t hubs;   /**< words listed at most, 1..1000 (default 10) */
    uint64_t seed;   /**< of pairs and sample (default 1) */
    int threads;     /**< >= 1 (default 1); numbers are the same for any */
} w2v_stats_options;

W2V_API w2v_stats_options w2v_stats_options_default(void);

/** Rows of a table between two ranks, and their mean norm. */
typedef struct w2v_norm_band {
    uint64_t first, last; /**< counted from 1, both within; last = 10, 100, 1000, … or the last row */
    double mean;
} w2v_norm_band;

#define W2V_NORM_BANDS 10 /* that 2^32 rows have */

/** A word, and how often it is among the nearest of other words. */
typedef struct w2v_hub {
    uint32_t id;
    const char *word; /**< belongs to the vectors */
    size_t length;
    uint64_t times;
} w2v_hub;

/** Rows that stand in each list of nearest words that hubs are counted in. */
#define W2V_HUB_NEAREST 10

/** Columns beyond which no spectrum is computed: the work grows with their third power. */
#define W2V_SPECTRUM_MOST 4096

/**
 * What a table looks like as geometry. What has no value, as the spread of one number, is NaN.
 * Rows of zeros have no direction: cosines, nearest words and hubs are about the other rows.
 */
typedef struct w2v_stats {
    uint64_t rows;
    uint32_t dim;
    uint64_t zero_rows;
    uint64_t duplicate_rows;  /**< rows with the numbers of an earlier one, rows of zeros apart */
    uint32_t duplicate_id[2]; /**< where there are any: the first of them, and the row it repeats */
    uint64_t duplicate_words; /**< later rows of words that stand more than once */

    /* Euclidean norms of rows, against the number of the row. Writers like word2vec put the most
       frequent word first, so that this number is the rank by frequency; a table in another order
       has another meaning of it. */
    double norm_min, norm_median, norm_max, norm_mean;
    double norm_rank;    /**< Spearman's correlation of norm and rank: above 0 where rarer words are
                              longer; NaN where norms are equal but for a millionth */
    w2v_norm_band bands[W2V_NORM_BANDS];
    size_t band_count;

    /* Cosines of two different rows, drawn at random. */
    uint64_t pairs;      /**< used */
    bool pairs_all;      /**< every pair there is, and none drawn */
    double cosine_mean, cosine_sd; /**< sd: of a sample, with pairs - 1 */
    double cosine_median;
    double cosine_99, cosine_999;  /**< 99 % and 99.9 % of pairs are not above it; NaN below 100 and
                                        1,000 pairs */

    /* Spectrum of the covariance of the rows as stored (mean row taken off, divided by rows). */
    double *variance;      /**< `dim` eigenvalues, largest first; NULL for over W2V_SPECTRUM_MOST
                                columns */
    double total_variance; /**< their sum; NaN without them */
    double effective_dim;  /**< participation ratio (sum)^2 / sum of squares, 1..dim: as many equal
                                directions would spread alike. NaN where all rows are equal */

    /* Hubs (Radovanovic, Nanopoulos and Ivanovic 2010, "Hubs in Space"): how often a row is among
       the W2V_HUB_NEAREST nearest by cosine of the sampled rows, itself left out. */
    uint64_t sampled;   /**< rows asked: each with a direction, and the first of its word */
    double hub_mean;    /**< mean of these numbers over all rows with a direction */
    double hub_skewness; /**< third central moment over the third power of the standard deviation:
                              0 for an even spread, large where few rows are near to many */
    double hub_chance;   /**< 1 / sqrt(hub_mean), the skewness were rows met by chance alone (Poisson's
                              distribution): what a small sample of a large table gives anyway */
    w2v_hub *hubs;      /**< most often first, ties by row */
    size_t hub_count;
} w2v_stats;

/**
 * Describes a table, which is loaded first when it has to be. All sums are in double precision
 * and in an order that does not depend on threads. Beside the table it takes about 80 bytes for each
 * row and 16 for each pair of columns. Free with w2v_stats_clear().
 * Errors: W2V_ERR_ARGUMENT, W2V_ERR_MEMORY, and of w2v_vectors_load().
 */
W2V_API w2v_status w2v_stats_of(w2v_vectors *vectors, const w2v_stats_options *options,
                                w2v_stats *out, w2v_error *err);
W2V_API void w2v_stats_clear(w2v_stats *stats);

/* ----------------------------------------------------------------- prediction */

typedef struct w2v_predict_options {
    uint64_t k;             /**< answers to each question, >= 1 (default 10) */
    const uint64_t *counts; /**< of each row of the context table: how often its word stood in the
                                 text, 0 where that is not known; NULL (default): no expectation */
    double ns_exponent;     /**< negatives were drawn in proportion to count^X, -10..10 (default 0.75) */
    int threads;            /**< >= 1 (default 1); answers are the same for any */
} w2v_predict_options;

W2V_API w2v_predict_options w2v_predict_options_default(void);

typedef struct w2v_prediction {
    uint32_t id;      /**< row of the context table */
    const char *word; /**< belongs to the context table */
    size_t length;
    double dot;         /**< word row . context row */
    double real;        /**< 1 / (1 + exp(-dot)), 0..1 */
    double expectation; /**< 0..1; NaN without a count */
} w2v_prediction;

/** What a model says of the words near one word. */
typedef struct w2v_predictions {
    bool unknown;           /**< the word table does not have it; then there is nothing else */
    w2v_prediction *real;   /**< best first by dot product, ties by row */
    size_t real_count;
    w2v_prediction *expected; /**< best first by expectation, ties by row; none without counts */
    size_t expected_count;
} w2v_predictions;

/**
 * Asks both tables of a model what stands near n words. Two questions have two answers:
 *
 *   real         s(w.c), s the logistic function: were a pair (w, c) seen, was it a pair of the text
 *                rather than one with a negative? This is what training fits. As the objective
 *                approaches w.c = PMI(w, c) - log(negatives) (Levy and Goldberg 2014, "Neural Word
 *                Embedding as Implicit Matrix Factorization"), it favours rare words, which are
 *                seldom met as noise.
 *   expectation  which word is met near w? exp(w.c) n(c) over its sum for all context words, n the
 *                share of c among negatives, in proportion to count^ns_exponent: a pair's odds
 *                against noise times how common that noise is. "Met" as training met it: after
 *                subsampling, which thins out frequent words. Words without a count are left out.
 *
 * Words are matched by name, the tables may differ in order and words; of a word that stands more
 * than once the first row is meant. out[0..n-1] are filled; free each with w2v_predictions_clear().
 * The context table is loaded first when it has to be; 17 bytes are taken for each of its rows.
 * Errors: W2V_ERR_ARGUMENT, W2V_ERR_INPUT (tables of different dimension, no word with a count),
 * W2V_ERR_IO, W2V_ERR_MEMORY.
 */
W2V_API w2v_status w2v_predict(w2v_vectors *vectors, w2v_vectors *context, const w2v_term *asked,
                               size_t n, const w2v_predict_options *options, w2v_predictions *out,
                               w2v_error *err);
W2V_API void w2v_predictions_clear(w2v_predictions *predictions);

/* ------------------------------------------------------------------------ maps */

typedef enum w2v_map_method {
    W2V_PCA,  /**< principal components: the plane in which the rows spread most */
    W2V_TSNE, /**< t-SNE (van der Maaten and Hinton 2008): near rows stay near, distances do not count */
} w2v_map_method;

typedef struct w2v_map_options {
    w2v_map_method method; /**< default W2V_TSNE */
    w2v_metric metric;     /**< W2V_COSINE (default): rows are brought to length 1 first;
                                W2V_EUCLIDEAN: as they are */
    double perplexity;     /**< of t-SNE, about how many neighbours count, 1..1e6 (default 30); brought
                                below (count - 1) / 3 where points are few */
    uint32_t iterations;   /**< of t-SNE, >= 1 (default 1000) */
    uint64_t seed;         /**< of t-SNE (default 1) */
    int threads;           /**< >= 1 (default 1) */
} w2v_map_options;

W2V_API w2v_map_options w2v_map_options_default(void);

/** Where t-SNE stands: first neighbours are found, then places are moved. */
typedef struct w2v_map_progress {
    uint64_t points, points_total; /**< whose neighbours are known */
    uint32_t iteration, iterations;
} w2v_map_progress;

/** Told before each iteration, from the calling thread. A value other than 0 stops. */
typedef int w2v_map_callback(void *user, const w2v_map_progress *progress);

typedef struct w2v_map {
    double *places;        /**< x and y of each row, 2 * count numbers */
    size_t count;
    w2v_map_method method; /**< the one used: fewer than 5 rows have no t-SNE, and get PCA */
    double variance[2];    /**< along both principal axes, divisor count - 1 */
    double share[2];       /**< of the variance over all dimensions, 0..1; 0 where rows are all equal */
    double perplexity;     /**< used by t-SNE, else 0 */
    double divergence;     /**< of t-SNE: Kullback-Leibler, nats; smaller is truer */
} w2v_map;

/**
 * Places `count` rows of `dim` numbers in the plane. The same rows, options and seed give the same
 * places for any number of threads. PCA gives places in the rows' units; an axis points to where
 * its farthest place is. t-SNE computes all pairs up to 2,000 rows, and beyond approximates
 * repulsion as Barnes and Hut do (van der Maaten 2014).
 * Errors: W2V_ERR_ARGUMENT, W2V_ERR_INPUT (a number is infinite or undefined), W2V_ERR_INTERRUPTED,
 * W2V_ERR_MEMORY; then `out` is empty. Free with w2v_map_clear().
 */
W2V_API w2v_status w2v_map_rows(const float *rows, size_t count, uint32_t dim,
                                const w2v_map_options *options, w2v_map_callback *callback,
                                void *user, w2v_map *out, w2v_error *err);
W2V_API void w2v_map_clear(w2v_map *map);

#ifdef __cplusplus
}
#endif

#endif
