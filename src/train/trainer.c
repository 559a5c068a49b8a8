/* w2v_train(): the schedule, the team of workers, progress, and when to stop. */
#include "base/mem.h"
#include "os/thread.h"
#include "train/options.h"
#include "train/start.h"
#include "train/worker.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* A mean loss this many times that of random guessing is divergence, though still a number. */
#define LOSS_LIMIT 100.0

/* The words that a worker starts at a time. */
#define START_ROWS 1024

typedef struct run {
    const w2v_corpus *corpus;
    const w2v_train_options *options;
    const w2v_train_start *start; /* or NULL */
    w2v_train_callback *callback;
    void *user;
    w2v_model *model;

    blocks blocks;
    subsample subsample;
    alias_table noise;
    worker_rules rules;
    replica_locks *locks;
    worker *workers; /* options->threads of them */
    explain explain;

    atomic_uint_fast64_t next; /* block, or word to start */
    atomic_bool stopped;
    uint32_t epoch;

    mutex *lock; /* guards what follows while workers run */
    uint64_t tokens, pairs;
    double epoch_loss;
    uint64_t epoch_pairs;
    double rate;  /* of the block finished last */
    bool pausing; /* the callback asked for it */
    int team;
    w2v_status status;
    w2v_error error;
} run;

/* ------------------------------------------------------------ setting up */

static w2v_status prepare_tables(run *r, w2v_error *err)
{
    const w2v_vocab *vocab = r->corpus->vocab;
    const w2v_train_options *o = r->options;
    w2v_status status = blocks_init(&r->blocks, r->corpus, o->max_sentence, err);
    if (status == W2V_OK) {
        status = subsample_init(&r->subsample, vocab->counts, vocab->names.count, vocab->total,
                                o->sample, err);
    }
    double *weights = mem_calloc(vocab->names.count, sizeof *weights);
    if (!weights) {
        return error_memory(err, "the table of negative samples");
    }
    if (status == W2V_OK) {
        noise_weights(vocab->counts, vocab->names.count, o->ns_exponent, weights);
        status = alias_init(&r->noise, weights, vocab->names.count, err);
    }
    mem_free(weights);
    return status;
}

static w2v_status prepare_workers(run *r, w2v_error *err)
{
    const w2v_train_options *o = r->options;
    r->rules = (worker_rules){
        .passages = {.corpus = r->corpus,
                     .blocks = &r->blocks,
                     .subsample = &r->subsample,
                     .window = o->window,
                     .max_sentence = o->max_sentence,
                     .fixed_window = o->window_mode == W2V_WINDOW_FIXED,
                     .seed = o->seed},
        .noise = &r->noise,
        .negative = o->negative,
        .share = o->share == W2V_SHARE_WINDOW,
        .kernel = kernel_best(),
        .stride = r->model->stride,
        .frozen = r->model->frozen,
    };
    r->lock = mutex_create();
    r->locks = replica_locks_create();
    r->workers = mem_calloc_aligned((size_t)o->threads, sizeof *r->workers);
    if (!r->lock || !r->locks || !r->workers) {
        return error_memory(err, "the threads");
    }
    const size_t row_bytes = r->model->stride * sizeof(float);
    const uint32_t hot = replica_hot_rows(r->model->rows, row_bytes, o->threads);
    w2v_status status = W2V_OK;
    for (int i = 0; status == W2V_OK && i < o->threads; i++) {
        status = worker_init(&r->workers[i], &r->rules, r->model, hot, r->locks, err);
    }
    return status ? status : explain_init(&r->explain, o, r->model, err);
}

static void finish(run *r)
{
    for (int i = 0; r->workers && i < r->options->threads; i++) {
        worker_clear(&r->workers[i]);
    }
    mem_free(r->workers);
    explain_clear(&r->explain);
    replica_locks_free(r->locks);
    mutex_free(r->lock);
    alias_clear(&r->noise);
    subsample_clear(&r->subsample);
    blocks_clear(&r->blocks);
}

static void start_rows(void *arg, int thread, int team)
{
    run *r = arg;
    (void)thread;
    (void)team;
    for (;;) {
        const uint64_t begin = atomic_fetch_add(&r->next, START_ROWS);
        if (begin >= r->model->rows) {
            return;
        }
        const uint64_t end = begin + START_ROWS;
        model_start_rows(r->model, r->corpus->vocab, r->options->seed, (uint32_t)begin,
                         end < r->model->rows ? (uint32_t)end : r->model->rows);
    }
}

/* --------------------------------------------------------------- training */

/* Keeps the first reason to stop; but numbers that are no use are worse than an interrupt. The lock
   is held. */
static void stop(run *r, w2v_status status)
{
    if (r->status == W2V_OK || (r->status == W2V_ERR_INTERRUPTED && status == W2V_ERR_DIVERGED)) {
        r->status = status;
    }
    atomic_store(&r->stopped, true);
}

static double mean_loss(const run *r)
{
    return r->epoch_pairs ? r->epoch_loss / (double)r->epoch_pairs : (double)NAN;
}

/* Why the callback is called. */
typedef enum moment { START, WITHIN, PAUSE, EPOCH_END } moment;

static void report(run *r, moment at)
{
    if (!r->callback || (at != EPOCH_END && r->status != W2V_OK)) {
        return;
    }
    const w2v_train_progress progress = {
        .epoch = r->epoch,
        .epochs = r->options->epochs,
        .tokens = r->tokens,
        .tokens_total = r->blocks.before[r->blocks.count] * r->options->epochs,
        .pairs = r->pairs,
        .loss = mean_loss(r),
        .lr = r->rate,
        .start = at == START,
        .epoch_end = at == EPOCH_END,
        .paused = at == PAUSE,
        .model = at == WITHIN ? NULL : r->model,
    };
    const int answer = r->callback(r->user, &progress);
    if (answer == W2V_TRAIN_PAUSE) {
        r->pausing = at == WITHIN;
        atomic_store(&r->stopped, r->pausing);
    } else if (answer != 0) {
        stop(r, W2V_ERR_INTERRUPTED);
    }
}

static bool diverged(const run *r, const worker_sum *sum)
{
    const double guess = (1.0 + r->options->negative) * log(2.0);
    return !isfinite(sum->loss) ||
           (sum->pairs > 0 && sum->loss / (double)sum->pairs > LOSS_LIMIT * guess);
}

/* Adds a finished block to the totals. */
static void account(run *r, uint64_t block, double rate, const worker_sum *sum)
{
    mutex_lock(r->lock);
    r->tokens += r->blocks.before[block + 1] - r->blocks.before[block];
    r->pairs += sum->pairs;
    r->epoch_pairs += sum->pairs;
    r->epoch_loss += sum->loss;
    r->rate = rate;
    if (diverged(r, sum)) {
        error_set(
            &r->error, W2V_ERR_DIVERGED,
            "training diverged in epoch %u at learning rate %g: the numbers grew beyond bounds",
            (unsigned)r->epoch + 1, rate);
        error_hint(&r->error, "a lower learning rate helps; 0.025 is usual");
        stop(r, W2V_ERR_DIVERGED);
    }
    report(r, WITHIN);
    mutex_unlock(r->lock);
}

/* Trains a block, and shows its steps where `e` is given; false when that failed. */
static bool train_block(run *r, worker *w, uint64_t block, explain *e)
{
    const double rate =
        blocks_rate(&r->blocks, r->options->lr, r->epoch, r->options->epochs, block);
    worker_sum sum;
    w2v_error error = {0};
    const w2v_status status = e ? worker_explain(w, r->epoch, block, (float)rate, e, &sum, &error)
                                : worker_train(w, r->epoch, block, (float)rate, &sum, &error);
    if (status != W2V_OK) {
        mutex_lock(r->lock);
        r->error = r->status == W2V_OK ? error : r->error;
        stop(r, status);
        mutex_unlock(r->lock);
        return false;
    }
    account(r, block, rate, &sum);
    return true;
}

static void train_blocks(void *arg, int thread, int team)
{
    run *r = arg;
    worker *w = &r->workers[thread];
    w->use_limit = replica_use_limit(team, r->options->lr);
    const bool copies = team > 1 && w->use_limit > 0;
    replica_take(&w->word, copies);
    replica_take(&w->context, copies);
    if (thread == 0) {
        mutex_lock(r->lock);
        r->team = team;
        mutex_unlock(r->lock);
    }
    while (!atomic_load(&r->stopped)) {
        const uint64_t block = atomic_fetch_add(&r->next, 1);
        if (block >= r->blocks.count || !train_block(r, w, block, NULL)) {
            break;
        }
    }
    replica_merge_all(&w->word);
    replica_merge_all(&w->context);
}

/* The blocks of an epoch whose steps are to be shown, on one thread and without copies of rows, so
   that what is shown is what happens. */
static void explain_blocks(run *r)
{
    worker *w = &r->workers[0];
    replica_take(&w->word, false);
    replica_take(&w->context, false);
    r->explain.epoch = r->epoch;
    uint64_t block = atomic_load(&r->next);
    while (r->explain.left > 0 && block < r->blocks.count && !atomic_load(&r->stopped)) {
        train_block(r, w, block++, &r->explain);
    }
    atomic_store(&r->next, block);
}

/* Keeps where training stands, when no thread trains. */
static void note_place(run *r)
{
    const uint64_t next = atomic_load(&r->next);
    r->model->place = (train_place){
        .epoch = r->epoch,
        .block =
            next < r->blocks.count ? next : r->blocks.count, /* blocks under way were finished */
        .tokens = r->tokens,
        .pairs = r->pairs,
        .epoch_pairs = r->epoch_pairs,
        .epoch_loss = r->epoch_loss,
    };
}

/* The other way round: fresh tables have a place of zeros. */
static void take_place(run *r)
{
    const train_place *place = &r->model->place;
    w2v_train_result *result = &r->model->result;
    r->epoch = place->epoch;
    r->tokens = place->tokens;
    r->pairs = place->pairs;
    r->epoch_pairs = place->epoch_pairs;
    r->epoch_loss = place->epoch_loss;
    r->team = 1;
    atomic_store(&r->next, place->block);
    result->epochs = r->epoch;
    result->loss = r->epoch > 0 ? r->model->epoch_loss[r->epoch - 1] : (double)NAN;
    result->threads = r->team;
}

/* The blocks of an epoch that are left, with the pauses that the callback asks for. */
static void train_epoch(run *r)
{
    bool paused;
    do {
        explain_blocks(r);
        thread_team(r->options->threads, train_blocks, r);
        note_place(r);
        paused = r->pausing && r->status == W2V_OK;
        if (paused) {
            r->pausing = false;
            atomic_store(&r->stopped, false);
            report(r, PAUSE);
        }
    } while (paused && r->status == W2V_OK);
}

static void end_epoch(run *r)
{
    w2v_train_result *result = &r->model->result;
    const uint64_t last = r->blocks.count - 1;
    r->rate = blocks_rate(&r->blocks, r->options->lr, r->epoch, r->options->epochs, last);
    r->model->epoch_loss[r->epoch] = result->loss;
    result->epochs = ++r->epoch;
    r->model->place = (train_place){.epoch = r->epoch, .tokens = r->tokens, .pairs = r->pairs};
    report(r, EPOCH_END);
    r->epoch_loss = 0.0;
    r->epoch_pairs = 0;
    atomic_store(&r->next, 0);
}

static void train_epochs(run *r)
{
    w2v_train_result *result = &r->model->result;
    take_place(r);
    r->rate = r->options->lr;
    report(r, START);
    while (r->epoch < r->options->epochs && r->status == W2V_OK) {
        train_epoch(r);
        result->loss = mean_loss(r);
        result->threads = r->team;
        if (r->status == W2V_OK) {
            end_epoch(r);
        }
    }
    result->tokens = r->tokens;
    result->pairs = r->pairs;
    result->cuts = r->blocks.cuts;
    result->kernel = r->rules.kernel.name;
}

/* Every epoch must have seen every token; and nothing but numbers may leave. */
static w2v_status check_result(run *r)
{
    const uint64_t expected = r->corpus->stats.tokens_kept * r->options->epochs;
    if (r->status == W2V_OK && r->tokens != expected) {
        return error_set(&r->error, W2V_ERR_IO, "trained %llu tokens where %llu were counted",
                         (unsigned long long)r->tokens, (unsigned long long)expected);
    }
    if ((r->status == W2V_OK || r->status == W2V_ERR_INTERRUPTED) && !model_is_finite(r->model)) {
        error_set(&r->error, W2V_ERR_DIVERGED, "training diverged: a vector is not finite");
        error_hint(&r->error, "a lower learning rate helps; 0.025 is usual");
        return W2V_ERR_DIVERGED;
    }
    if (r->status == W2V_ERR_INTERRUPTED) {
        error_set(&r->error, W2V_ERR_INTERRUPTED, "training was stopped in epoch %u of %u",
                  (unsigned)r->model->result.epochs + 1, (unsigned)r->options->epochs);
    }
    return r->status;
}

/* Tables with their first rows: drawn, and those that the start has. */
static w2v_status prepare_model(run *r, w2v_error *err)
{
    const w2v_train_options *o = r->options;
    w2v_status status =
        model_create(r->corpus->vocab->names.count, o->dim, o->epochs, &r->model, err);
    if (status == W2V_OK) {
        r->model->options = *o;
        status = prepare_tables(r, err);
    }
    if (status == W2V_OK) {
        atomic_store(&r->next, start_rows_known(r->start));
        thread_team(o->threads, start_rows, r);
        status = start_fill(r->start, r->model, r->corpus, &r->blocks, err);
    }
    return status;
}

w2v_status w2v_train_from(const w2v_corpus *corpus, const w2v_train_options *options,
                          const w2v_train_start *start, w2v_train_callback *callback, void *user,
                          w2v_model **out, w2v_error *err)
{
    w2v_train_options chosen = options ? *options : w2v_train_options_default();
    run r = {
        .corpus = corpus, .options = &chosen, .start = start, .callback = callback, .user = user};
    *out = NULL;
    w2v_status status = w2v_train_check(corpus, &chosen, err);
    if (status == W2V_OK) {
        status = start_check(start, corpus, &chosen, err);
    }
    if (status == W2V_OK) {
        chosen.threads = train_threads(&chosen, corpus);
        status = prepare_model(&r, err);
    }
    if (status == W2V_OK) {
        status = prepare_workers(&r, err);
    }
    if (status == W2V_OK) {
        train_epochs(&r);
        status = check_result(&r);
        if (status != W2V_OK && err && err->code == W2V_OK) {
            *err = r.error;
            err->code = status;
        }
    }
    finish(&r);
    if (status != W2V_OK && status != W2V_ERR_INTERRUPTED) {
        w2v_model_free(r.model);
        r.model = NULL;
    }
    *out = r.model;
    return status;
}

w2v_status w2v_train(const w2v_corpus *corpus, const w2v_train_options *options,
                     w2v_train_callback *callback, void *user, w2v_model **out, w2v_error *err)
{
    return w2v_train_from(corpus, options, NULL, callback, user, out, err);
}
