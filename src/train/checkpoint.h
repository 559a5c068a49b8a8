/*
 * A checkpoint as a file: safetensors whose tensors stand in a fixed order, the
 * small ones first, so that a stream can be read from front to end. Two sums
 * (base/hash.h) tell damage: "check" covers the header and all before it, and
 * "table_check" the tables.
 */
#ifndef W2V_TRAIN_CHECKPOINT_H
#define W2V_TRAIN_CHECKPOINT_H

#include "base/buf.h"
#include "base/hash.h"
#include "io/source.h"
#include "train/model.h"

#include <jansson.h>

#define CHECKPOINT_FORMAT "w2v-checkpoint" /* in the metadata, as "format" */
#define CHECKPOINT_VERSION 1

/** Whole numbers in tensor "state", in this order. */
enum {
    STATE_EPOCH,
    STATE_BLOCK,
    STATE_TOKENS,
    STATE_PAIRS,
    STATE_EPOCH_PAIRS,
    STATE_EPOCH_LOSS,  /* the bits of a double */
    STATE_TOKENS_KEPT, /* of the text, each epoch */
    STATE_SENTENCES,
    STATE_FINGERPRINT,
    STATE_COUNT
};

/** The tensors in the order of the file. */
enum {
    TENSOR_STATE,
    TENSOR_LOSSES,      /* of the epochs that are finished */
    TENSOR_COUNTS,      /* of words */
    TENSOR_BASE_COUNTS, /* of the first words, what an update began with */
    TENSOR_OFFSETS,     /* of words in TENSOR_WORDS: word i is [offsets[i], offsets[i + 1]) */
    TENSOR_WORDS,       /* end to end, then up to 7 NULs, so that what follows is aligned */
    TENSOR_FROZEN,      /* 1 for each word whose row is fixed; empty for none */
    TENSOR_CHECK,
    TENSOR_WORD,    /* the word table */
    TENSOR_CONTEXT, /* the context table */
    TENSOR_TABLE_CHECK,
    TENSOR_COUNT
};

/** What decides where everything lies. */
typedef struct checkpoint_shape {
    uint32_t words, base_words, dim, epochs; /* epochs: finished */
    uint64_t word_bytes;                     /* of TENSOR_WORDS, the padding included */
    bool frozen;
} checkpoint_shape;

typedef struct checkpoint_tensor {
    const char *name, *type;
    uint64_t shape[2];
    size_t axes;
    uint64_t begin, bytes;
} checkpoint_tensor;

/** Where the tensors of a sound shape lie. */
void checkpoint_layout(const checkpoint_shape *shape, checkpoint_tensor out[TENSOR_COUNT]);
/**
 * Length (8 bytes) and header of a file, padded so that tensors are aligned; `metadata` is what
 * stands between the braces of __metadata__. Written by hand: where memory ends, Jansson's writer
 * leaves characters out without a word. Errors: W2V_ERR_MEMORY.
 */
w2v_status checkpoint_head(const checkpoint_shape *shape, const buf *metadata, buf *out,
                           w2v_error *err);
/** Appends UTF-8 text as a JSON string. false without memory. */
bool checkpoint_put_string(buf *out, const char *text);

/* Options as strings in the metadata, by their long names. */

/** Appends all, each with a comma before it. false without memory. */
bool checkpoint_put_options(buf *metadata, const w2v_train_options *train,
                            const w2v_text_options *text);
/** Reads all. Returns NULL, or the name of the first that is missing or outside its range. */
const char *checkpoint_take_options(const json_t *metadata, w2v_train_options *train,
                                    w2v_text_options *text);
/** Names the first difference between what was and what is; either pair may be NULL. */
w2v_status checkpoint_compare_options(const w2v_checkpoint_info *was,
                                      const w2v_train_options *train, const w2v_text_options *text,
                                      w2v_error *err);

struct w2v_checkpoint {
    char *name; /* for errors */
    source *src;
    bool checked;  /* its sums must be right: always, but for fuzzing */
    uint64_t size; /* of the file, where it is one; else 0 */
    uint64_t at;   /* bytes read */
    checkpoint_shape shape;
    w2v_checkpoint_info info;
    w2v_vocab *vocab, *base; /* base: NULL where the run was no update */
    char *read_vocab;
    train_place place;
    uint64_t tokens_kept, sentences, fingerprint; /* of the text */
    double *losses;                               /* shape.epochs of them */
    uint8_t *frozen;                              /* of each word, or NULL */
    hash sum;                                     /* of what was read so far */
};

/** As w2v_checkpoint_open(), from a source that is taken over; `size` is that of the file, or 0. */
w2v_status checkpoint_open_source(source *src, const char *name, uint64_t size, bool checked,
                                  w2v_checkpoint **out, w2v_error *err);
/** The parts of it: the header; and bytes, which are added to the sum. Errors: W2V_ERR_INPUT (the
   file ends), W2V_ERR_IO, W2V_ERR_MEMORY. */
w2v_status checkpoint_read_head(w2v_checkpoint *c, w2v_error *err);
w2v_status checkpoint_take(w2v_checkpoint *c, void *out, size_t n, w2v_error *err);
/** n bytes on the heap; room grows only as they come, since a file may promise anything. */
w2v_status checkpoint_take_new(w2v_checkpoint *c, uint64_t n, void **out, w2v_error *err);
/** n whole numbers on the heap. */
w2v_status checkpoint_take_numbers(w2v_checkpoint *c, uint64_t n, uint64_t **out, w2v_error *err);
/** A sum, which must be that of what came since the one before. */
w2v_status checkpoint_take_sum(w2v_checkpoint *c, w2v_error *err);
/** Reads both tables into the first rows of a model of the same dimension. Once only. Errors:
    W2V_ERR_INPUT, W2V_ERR_IO. */
w2v_status checkpoint_read_tables(w2v_checkpoint *c, w2v_model *model, w2v_error *err);
/** "'x' is a damaged checkpoint: " and what. */
w2v_status checkpoint_damaged(const w2v_checkpoint *c, w2v_error *err, const char *what);

/** Little-endian, as they lie in the file. */
static inline void checkpoint_put_u64(uint64_t value, unsigned char out[8])
{
    for (unsigned k = 0; k < 8; k++) {
        out[k] = (unsigned char)(value >> (8 * k));
    }
}

static inline uint64_t checkpoint_take_u64(const unsigned char in[8])
{
    uint64_t value = 0;
    for (unsigned k = 0; k < 8; k++) {
        value |= (uint64_t)in[k] << (8 * k);
    }
    return value;
}

#endif
