/* When a run of w2v train keeps a checkpoint. */
#include "base/mem.h"
#include "cli/train_run.h"
#include "os/clock.h"

#include <string.h>

/* Seconds between checkpoints at epochs' ends: what a power cut may cost, when saving a large model
   takes a while. */
#define USUAL_INTERVAL 300.0

/* Has the time come? At an epoch's end the first one is always kept. */
static bool due(const train_run *run, double now)
{
    const double every = run->args->checkpoint_every;
    const double since = now - run->checkpoint_time;
    return every >= 0 ? since >= every : !run->checkpoint_made || since >= USUAL_INTERVAL;
}

static w2v_status save(train_run *run, const w2v_model *model, uint64_t *bytes, w2v_error *err)
{
    const w2v_status status = w2v_checkpoint_save(model, run->corpus, &run->args->reading.text,
                                                  run->args->checkpoint, bytes, err);
    run->checkpoint_time = clock_wall();
    return status;
}

/* In the middle of a run. One that fails is no reason to lose the run: the next may do better. */
static int keep(train_run *run, const w2v_train_progress *at)
{
    w2v_error err = {0};
    uint64_t bytes = 0;
    const w2v_status status = save(run, at->model, &bytes, &err);
    if (status == W2V_ERR_DIVERGED) {
        return 1; /* the older one stays, and the library says why training stops */
    }
    if (status) {
        progress_clear(&run->shown);
        talk_warning(&run->talk, "training goes on", "no checkpoint was made: %s", err.text);
        return 0;
    }
    run->checkpoint_made = true;
    talk_event(&run->talk, json_pack("{s:s, s:I, s:I}", "event", "checkpoint", "tokens",
                                     (json_int_t)at->tokens, "bytes", (json_int_t)bytes));
    return 0;
}

int checkpoint_step(train_run *run, const w2v_train_progress *at)
{
    if (!run->args->checkpoint || (at->epoch_end && at->epoch == at->epochs)) {
        return 0; /* the last one comes when training is over */
    }
    if (at->epoch_end || at->paused) {
        return due(run, clock_wall()) ? keep(run, at) : 0;
    }
    return run->args->checkpoint_every >= 0 && due(run, clock_wall()) ? W2V_TRAIN_PAUSE : 0;
}

w2v_status checkpoint_last(train_run *run, w2v_error *err)
{
    output *o = &run->outputs[OUT_CHECKPOINT];
    if (!o->path) {
        return W2V_OK;
    }
    const w2v_status status = save(run, run->model, &o->bytes, err);
    if (status) {
        mem_free(o->stored); /* nothing new stands there */
        o->stored = NULL;
    }
    return status;
}
