/* A run of w2v train: what its parts share, what is said of it, what is recorded. */
#ifndef W2V_CLI_TRAIN_RUN_H
#define W2V_CLI_TRAIN_RUN_H

#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/reading.h"
#include "cli/train_watch.h"

typedef struct train_args {
    reading_args reading;
    w2v_train_options train;
    w2v_save_options save;
    talk_args talk;
    const char *output, *save_context, *save_vocab, *save_run;
    option_texts watch;
    const char *checkpoint, *resume, *init, *update;
    double checkpoint_every; /* seconds; below 0: at epochs' ends */
    bool freeze;
    bool dry_run;
} train_args;

enum { OUT_VECTORS, OUT_CONTEXT, OUT_VOCAB, OUT_CHECKPOINT, OUT_RECORD, OUT_COUNT };

typedef struct train_run {
    train_args *args;
    talk talk;
    w2v_inputs *inputs;
    uint64_t *input_sizes; /* stored bytes before reading; 0 where unknown */
    w2v_corpus *corpus;
    w2v_estimate estimate;
    progress shown; /* of training */
    double lr;      /* newest learning rate */
    watch watch;
    w2v_checkpoint *from; /* --resume or --update */
    w2v_vectors *init;
    double checkpoint_time; /* of the last one, or of the start */
    bool checkpoint_made;
    w2v_model *model;
    output outputs[OUT_COUNT];
    char *tmp_dir;
    bool partial; /* stopped by a signal: outputs have marked names */
    char started[32];
    double start, read_seconds, train_seconds, save_seconds; /* wall time */
} train_run;

/** Its options: rows over a train_args. */
#define TRAIN_GROUPS 7
extern const option_group train_groups[TRAIN_GROUPS];
void train_defaults(void *args);

/**
 * Settles the inputs, outputs and folders, and refuses what can be refused
 * before the text is read. Errors: as of reading_inputs() and outputs_check(),
 * W2V_ERR_IO where no temporary file can be made.
 */
w2v_status train_prepare(train_run *run, const arguments *words, w2v_error *err);

/**
 * Checks that none of these outputs is a file that the run reads besides the text; only
 * --checkpoint may name what --resume does. Errors: W2V_ERR_ARGUMENT.
 */
w2v_status train_spare(const train_args *args, const output *outputs, size_t n, w2v_error *err);

/* What a run begins with, and what it leaves for another to go on with. */
/**
 * Opens what --resume, --update and --init name, takes from a checkpoint every option that `words`
 * did not give, and refuses what does not fit. Errors: W2V_ERR_ARGUMENT, W2V_ERR_INPUT,
 * W2V_ERR_MEMORY.
 */
w2v_status train_begin(train_run *run, const arguments *words, w2v_error *err);
/** For w2v_train_from(). */
w2v_train_start train_start(const train_run *run);
/** Tokens that were visited before this run began. */
uint64_t train_tokens_before(const train_run *run);
/** What the callback of training does about checkpoints, and returns. */
int checkpoint_step(train_run *run, const w2v_train_progress *at);
/** The last one, of a run that is over, if there is one to be made. Errors: of
 * w2v_checkpoint_save(). */
w2v_status checkpoint_last(train_run *run, w2v_error *err);

/* Room on the disk, once the words are known. */
/** Bytes that a table of vectors will take as a file, about; lower than it will be when gzipped. */
uint64_t space_of_vectors(const w2v_vocab *vocab, uint32_t dim, const w2v_save_options *save,
                          const char *path);
/** Bytes of a checkpoint, about. */
uint64_t space_of_checkpoint(const w2v_vocab *vocab, uint32_t dim, const char *path);
/** Bytes that the vocabulary will take as a file. */
uint64_t space_of_vocab(const w2v_vocab *vocab, const char *path);
/** Warns when a file system has less room than the outputs on it will take. */
void space_warnings(const train_run *run);

/* What is said: before training, for --dry-run, and at the end. */
void report_start(const train_run *run);
/** What the run began with; `started` is that of its first result. */
void report_begin(const train_run *run, uint32_t started);
void report_warnings(const train_run *run);
void report_dry_run(const train_run *run);
void report_end(const train_run *run);

/** What --explain shows: a w2v_update_callback for a train_run. */
void explain_update(void *run, const w2v_update *update);

/* What is recorded. */
/** All options of the command with their values, by long name. */
json_t *record_options(const command *c, const void *args);
/** Writes the JSON record of the run to its output. */
w2v_status record_save(train_run *run, const command *c, w2v_error *err);
/** The same facts as events of --progress json. */
void record_start_event(const train_run *run, const command *c);
void record_end_event(const train_run *run);

/** Pairs a second that one thread trains at 100 dimensions and 5 negatives: an order of magnitude,
   as measured on a machine with AVX-512; machines differ. */
double report_pace(w2v_share share, const char *kernel);
/** Seconds that training may take: the expected pairs at that pace, on the threads that will run.
 */
double report_seconds(const w2v_estimate *estimate, const w2v_train_options *options,
                      const char *kernel);

/** A loss for people; "n/a" where no pair was trained. */
#define REPORT_LOSS 32
const char *report_loss(double loss, char out[REPORT_LOSS]);

#endif
