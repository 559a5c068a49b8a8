/* What a run of w2v train begins with: a checkpoint to go on from, or vectors. */
#include "cli/commands.h"
#include "cli/train_run.h"

#include <string.h>

/* Of options that exclude each other, the first two that were given. */
static w2v_status check_together(const train_args *a, w2v_error *err)
{
    const char *const names[] = {"--resume", "--update", "--init"};
    const char *const values[] = {a->resume, a->update, a->init};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (values[i] && first) {
            return error_set(err, W2V_ERR_ARGUMENT, "%s and %s exclude each other", first,
                             names[i]);
        }
        first = values[i] ? names[i] : first;
    }
    if (a->freeze && !a->init) {
        error_set(err, W2V_ERR_ARGUMENT,
                  "--freeze keeps the vectors of --init, which is not given");
        if (a->resume) {
            error_hint(err, "a checkpoint knows which rows are frozen");
        }
        return W2V_ERR_ARGUMENT;
    }
    if (a->checkpoint_every >= 0 && !a->checkpoint) {
        return error_set(err, W2V_ERR_ARGUMENT, "--checkpoint-every needs --checkpoint FILE");
    }
    if (a->checkpoint && (strcmp(a->checkpoint, "-") == 0 || output_is_stream(a->checkpoint))) {
        return error_set(err, W2V_ERR_ARGUMENT,
                         "--checkpoint '%s' is no file, which could be replaced again and again",
                         a->checkpoint);
    }
    if (a->update && a->reading.text.read_vocab) {
        return error_set(err, W2V_ERR_ARGUMENT, "--update and --read-vocab exclude each other");
    }
    return W2V_OK;
}

/* Takes what was not given on the command line from `from`: options of training and of reading. */
static void adopt(train_args *a, const train_args *from, const arguments *words)
{
    for (size_t g = 0; g < command_train.group_count; g++) {
        const option_group *group = &command_train.groups[g];
        for (const option *o = group->rows; group->in_force && o->name; o++) {
            if (!option_is_given(words, o)) {
                const size_t at = group->base + o->offset;
                memcpy((char *)a + at, (const char *)from + at, option_size(o));
            }
        }
    }
}

/* The arguments as they would be with all options of the checkpoint. */
static train_args as_saved(const train_args *a, const w2v_checkpoint_info *info)
{
    train_args saved = *a;
    const w2v_text_options own = a->reading.text;
    saved.train = info->train;
    saved.reading.text = info->text;
    saved.reading.text.threads = own.threads;
    return saved;
}

static w2v_status begin_resume(train_run *run, const arguments *words, w2v_error *err)
{
    train_args *a = run->args;
    const w2v_status status = w2v_checkpoint_open(a->resume, &run->from, err);
    if (status) {
        return status;
    }
    const w2v_checkpoint_info *info = w2v_checkpoint_facts(run->from);
    const train_args saved = as_saved(a, info);
    adopt(a, &saved, words);
    a->reading.text.base = info->text.base;
    return w2v_checkpoint_check(run->from, &a->train, &a->reading.text, NULL, err);
}

static w2v_status begin_update(train_run *run, const arguments *words, w2v_error *err)
{
    train_args *a = run->args;
    const w2v_status status = w2v_checkpoint_open(a->update, &run->from, err);
    if (status) {
        return status;
    }
    const w2v_checkpoint_info *info = w2v_checkpoint_facts(run->from);
    train_args saved = as_saved(a, info);
    saved.reading.text.vocab_size = 0; /* else new words would find no room */
    saved.reading.text.read_vocab = NULL;
    adopt(a, &saved, words);
    a->reading.text.base = w2v_checkpoint_vocab(run->from);
    if (a->train.dim != info->train.dim) {
        return error_set(err, W2V_ERR_ARGUMENT, "the checkpoint was made with --dim %u, not %u",
                         (unsigned)info->train.dim, (unsigned)a->train.dim);
    }
    return W2V_OK;
}

static w2v_status begin_init(train_run *run, const arguments *words, w2v_error *err)
{
    train_args *a = run->args;
    w2v_load_options options = w2v_load_options_default();
    options.threads = a->reading.text.threads;
    const w2v_status status = w2v_vectors_open(a->init, &options, &run->init, err);
    if (status) {
        return status;
    }
    const uint32_t dim = w2v_vectors_dim(run->init);
    if (!option_is_given(words, options_find(&command_train, "dim", 3, NULL))) {
        a->train.dim = dim;
    } else if (a->train.dim != dim) {
        return error_set(err, W2V_ERR_ARGUMENT, "'%s' has vectors of %u numbers, not --dim %u",
                         a->init, (unsigned)dim, (unsigned)a->train.dim);
    }
    return W2V_OK;
}

w2v_status train_begin(train_run *run, const arguments *words, w2v_error *err)
{
    const w2v_status status = check_together(run->args, err);
    return status              ? status
           : run->args->resume ? begin_resume(run, words, err)
           : run->args->update ? begin_update(run, words, err)
           : run->args->init   ? begin_init(run, words, err)
                               : W2V_OK;
}

w2v_train_start train_start(const train_run *run)
{
    return (w2v_train_start){.resume = run->args->resume ? run->from : NULL,
                             .update = run->args->update ? run->from : NULL,
                             .init = run->init,
                             .freeze = run->args->freeze};
}

uint64_t train_tokens_before(const train_run *run)
{
    return run->args->resume && run->from ? w2v_checkpoint_facts(run->from)->tokens : 0;
}
