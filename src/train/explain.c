#include "train/explain.h"

#include "base/mem.h"

#include <string.h>

w2v_status explain_init(explain *e, const w2v_train_options *options, const w2v_model *model,
                        w2v_error *err)
{
    *e = (explain){.callback = options->on_update, .user = options->update_user, .model = model};
    if (!options->on_update || options->explain == 0) {
        return W2V_OK;
    }
    size_t floats, bytes;
    e->centres = mem_calloc(PLAN_ROWS, sizeof *e->centres);
    e->outputs = mem_calloc(PLAN_OUTS, sizeof *e->outputs);
    e->dots = mem_calloc((size_t)PLAN_ROWS * PLAN_OUTS, sizeof *e->dots);
    if (mem_multiply(3 * (PLAN_ROWS + PLAN_OUTS), model->stride, &floats) &&
        mem_multiply(floats, sizeof *e->rows, &bytes)) {
        e->rows = mem_alloc_aligned(bytes);
    }
    if (!e->centres || !e->outputs || !e->dots || !e->rows) {
        explain_clear(e);
        return error_memory(err, "the updates to show");
    }
    e->left = options->explain;
    return W2V_OK;
}

void explain_clear(explain *e)
{
    mem_free(e->centres);
    mem_free(e->outputs);
    mem_free(e->dots);
    mem_free(e->rows);
    *e = (explain){.callback = NULL};
}

/* Is this group to be shown? Counts its pairs. */
static bool due(explain *e, const plan_group *g)
{
    if (g->pairs > 0) {
        e->open = e->left > 0;
        e->left -= g->pairs < e->left ? g->pairs : e->left;
    }
    return e->open;
}

/* Row i of the group's outputs as it lies in the table. */
static const float *output_row(const kernel_group *g, size_t i, const float *target)
{
    return i == 0 && target ? target : g->out[i];
}

/* Told by its place: a group's list of outputs is gone once later groups are planned. */
static uint32_t output_id(const explain *e, const float *row)
{
    return (uint32_t)((size_t)(row - e->model->context) / e->model->stride);
}

/* Copies a row to the next place of three: before, after, and what the step meets. */
static void copy_before(const explain *e, size_t place, uint32_t id, const float *row,
                        const float *met, w2v_update_row *out)
{
    const size_t stride = e->model->stride;
    float *copy = e->rows + 3 * place * stride;
    memcpy(copy, row, stride * sizeof *copy);
    memcpy(copy + 2 * stride, met, stride * sizeof *copy);
    *out = (w2v_update_row){
        .id = id, .before = copy, .after = copy + stride, .met = copy + 2 * stride};
}

static void copy_after(const explain *e, size_t place, const float *row)
{
    const size_t stride = e->model->stride;
    memcpy(e->rows + (3 * place + 1) * stride, row, stride * sizeof *row);
}

static void measure(const explain *e, const kernel_group *g)
{
    for (size_t i = 0; i < g->rows; i++) {
        for (size_t j = 0; j < g->outs; j++) {
            w2v_update_dot *d = &e->dots[i * g->outs + j];
            d->dot = kernel_dot(g->row[i], g->out[j], e->model->stride);
            d->sigma = kernel_logistic(d->dot);
            d->error = d->sigma - (g->positive && j == 0 ? 1.0f : 0.0f);
        }
    }
}

/* All of an update but the rows as they will be. */
static void describe(explain *e, const plan_group *g, const float *target, float rate)
{
    const kernel_group *group = &g->group;
    for (size_t i = 0; i < group->rows; i++) {
        copy_before(e, i, g->row_id[i], group->row[i], group->row[i], &e->centres[i]);
        e->centres[i].times = (uint32_t)group->count[i];
        e->centres[i].frozen = e->model->frozen && e->model->frozen[g->row_id[i]];
    }
    for (size_t j = 0; j < group->outs; j++) {
        const float *row = output_row(group, j, target);
        copy_before(e, group->rows + j, output_id(e, row), row, group->out[j], &e->outputs[j]);
    }
    measure(e, group);
    uint32_t kept = 0;
    for (size_t j = 0; j < group->outs; j++) {
        e->outputs[j].times = (uint32_t)group->times[j];
        kept += e->outputs[j].times;
    }
    const w2v_update before = e->update;
    e->update = (w2v_update){
        .number = before.number + 1,
        .first_pair = g->pairs > 0 ? e->pairs + 1 : before.first_pair,
        .pairs = g->pairs,
        .epoch = e->epoch,
        .rate = rate,
        .dim = e->model->dim,
        .neighbour = group->positive ? e->outputs[0].id : before.neighbour,
        .with_neighbour = group->positive,
        .left_out = g->drawn - kept,
        .centre_count = group->rows,
        .output_count = group->outs,
        .centres = e->centres,
        .outputs = e->outputs,
        .dots = e->dots,
    };
    e->pairs += g->pairs;
}

void explain_begin(explain *e, const plan_group *g, const float *target, float rate)
{
    if (due(e, g)) {
        describe(e, g, target, rate);
    }
}

void explain_end(explain *e, const plan_group *g, const float *target)
{
    const kernel_group *group = &g->group;
    if (!e->open) {
        return;
    }
    for (size_t i = 0; i < group->rows; i++) { /* what moves of a frozen row is a copy */
        copy_after(e, i, e->centres[i].frozen ? e->centres[i].before : group->row[i]);
    }
    for (size_t j = 0; j < group->outs; j++) {
        copy_after(e, group->rows + j, output_row(group, j, target));
    }
    e->callback(e->user, &e->update);
}
