#include "train/worker.h"

#include "base/mem.h"

#include <string.h>

w2v_status worker_init(worker *w, const worker_rules *rules, w2v_model *model, uint32_t hot,
                       replica_locks *locks, w2v_error *err)
{
    const uint32_t window = rules->passages.window;
    memset(w, 0, sizeof *w);
    w->rules = rules;
    w2v_status status = passage_init(&w->passage, &rules->passages, err);
    if (status == W2V_OK) {
        status = plan_init(&w->plan, rules->noise, window, rules->negative, rules->share, err);
    }
    for (int i = 0; status == W2V_OK && i < WORKER_GROUPS; i++) {
        status = plan_group_init(&w->groups[i], err);
    }
    if (status == W2V_OK) {
        status = replica_init(&w->word, model->word, model->stride, hot, locks, err);
    }
    if (status == W2V_OK) {
        status = replica_init(&w->context, model->context, model->stride, hot, locks, err);
    }
    if (status == W2V_OK) {
        const size_t floats = kernel_scratch_size(PLAN_ROWS + 1, PLAN_OUTS);
        w->scratch = mem_alloc_aligned(floats * sizeof *w->scratch);
        w->held = mem_calloc_aligned(model->stride, sizeof *w->held);
        w->moved = mem_calloc_aligned(model->stride, sizeof *w->moved);
        status = w->scratch && w->held && w->moved ? W2V_OK : error_memory(err, "the kernel");
    }
    if (status == W2V_OK && rules->frozen) {
        const size_t floats = WORKER_GROUPS * PLAN_ROWS * rules->stride;
        w->fixed = mem_alloc_aligned(floats * sizeof *w->fixed);
        status = w->fixed ? W2V_OK : error_memory(err, "the rows that stay fixed");
    }
    if (status != W2V_OK) {
        worker_clear(w);
    }
    return status;
}

void worker_clear(worker *w)
{
    passage_clear(&w->passage);
    plan_clear(&w->plan);
    for (int i = 0; i < WORKER_GROUPS; i++) {
        plan_group_clear(&w->groups[i]);
    }
    replica_clear(&w->word);
    replica_clear(&w->context);
    mem_free(w->scratch);
    mem_free(w->held);
    mem_free(w->moved);
    mem_free(w->fixed);
    memset(w, 0, sizeof *w);
}

/* Frozen rows give the kernel a copy to move, which nobody looks at again. The row itself must not
   count as used either: bringing a copy home would turn -0 into 0. */
static void hold_frozen(worker *w, plan_group *g)
{
    const size_t stride = w->rules->stride;
    float *fixed = w->fixed + (size_t)(g - w->groups) * PLAN_ROWS * stride;
    for (size_t i = 0; i < g->group.rows; i++, fixed += stride) {
        const uint32_t id = g->row_id[i];
        if (w->rules->frozen[id]) {
            kernel_read_row(w->word.shared + (size_t)id * stride, fixed, stride);
            g->group.row[i] = fixed;
            if (id < w->word.hot) {
                w->word.uses[id] = 0;
            }
        }
    }
}

/* Finds the rows of a planned group and notes what to ask memory for: the context rows that were
   not used just before, and the word rows that come into reach. */
static void locate(worker *w, plan_group *g)
{
    const size_t rows = g->group.rows, outs = g->group.outs;
    replica_use(&w->word, g->row_id, rows, w->use_limit);
    replica_use(&w->context, g->out_id, outs, w->use_limit);
    float **row = g->group.row, **out = g->group.out;
    replica_rows(&w->word, g->row_id, rows, row);
    if (w->fixed) {
        hold_frozen(w, g);
    }
    row[rows] = row[rows - 1];
    replica_rows(&w->context, g->out_id, outs, out);
    const size_t strange = g->fresh ? outs : g->group.positive;
    size_t fetches = w->fetches;
    for (size_t j = 0; j < strange && fetches < WORKER_FETCHES; j++) {
        w->fetch[fetches++] = out[j];
    }
    for (size_t i = 0; i < g->ahead_count && fetches < WORKER_FETCHES; i++) {
        w->fetch[fetches++] = replica_row(&w->word, g->ahead[i]);
    }
    w->fetches = fetches;
}

/* The first part of a step. A pair trained alone meets its true neighbour's row as it was before
   the position, too. */
static inline void begin_step(worker *w, plan_group *g, float rate, explain *e, double *loss)
{
    w->target = NULL;
    if (!w->rules->share && g->group.positive) {
        w->target = g->group.out[0];
        if (g->opens) {
            kernel_read_row(w->target, w->held, w->rules->stride);
        }
        memcpy(w->moved, w->held, w->rules->stride * sizeof *w->moved);
        g->group.out[0] = w->moved;
    }
    if (e) {
        explain_begin(e, g, w->target, rate);
    }
    w->rules->kernel.gradients(&g->group, w->rules->stride, rate, w->scratch, loss);
}

/* The second, during which the rows noted so far are asked from memory. */
static inline void end_step(worker *w, plan_group *g, explain *e)
{
    g->group.fetch = w->fetch;
    g->group.fetches = w->fetches;
    w->fetches = 0;
    w->rules->kernel.update(&g->group, w->rules->stride, w->scratch);
    if (w->target) {
        kernel_move_row(w->target, w->held, w->moved, w->rules->stride);
    }
    if (e) {
        explain_end(e, g, w->target);
    }
}

/* Always inlined, so that without `e` nothing is left of it in the loop. */
static inline __attribute__((always_inline)) w2v_status make_steps(worker *w, uint32_t epoch,
                                                                   uint64_t block, float rate,
                                                                   explain *e, worker_sum *sum,
                                                                   w2v_error *err)
{
    const worker_rules *rules = w->rules;
    double loss[KERNEL_LANES] = {0};
    const w2v_status status = passage_draw(&w->passage, &rules->passages, epoch, block, err);
    if (status != W2V_OK) {
        return status;
    }
    plan_begin(&w->plan, &w->passage, rng_stream(rules->passages.seed, RNG_NEGATIVE, epoch, block));
    sum->pairs = 0;
    uint64_t planned = 0, trained = 0;
    for (bool more = true; more || trained < planned;) {
        const bool step = !more || planned - trained > WORKER_AHEAD;
        plan_group *now = &w->groups[trained % WORKER_GROUPS];
        plan_group *next = &w->groups[planned % WORKER_GROUPS];
        if (step) {
            begin_step(w, now, rate, e, loss);
        }
        more = more && plan_next(&w->plan, next);
        if (step) {
            end_step(w, now, e);
            sum->pairs += now->pairs;
            trained++;
        }
        if (more) {
            locate(w, next);
            planned++;
        }
    }
    sum->loss = 0.0;
    for (int l = 0; l < KERNEL_LANES; l++) {
        sum->loss += loss[l];
    }
    return W2V_OK;
}

w2v_status worker_train(worker *w, uint32_t epoch, uint64_t block, float rate, worker_sum *sum,
                        w2v_error *err)
{
    return make_steps(w, epoch, block, rate, NULL, sum, err);
}

w2v_status worker_explain(worker *w, uint32_t epoch, uint64_t block, float rate, explain *e,
                          worker_sum *sum, w2v_error *err)
{
    return make_steps(w, epoch, block, rate, e, sum, err);
}
