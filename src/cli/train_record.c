/* The record of a run: --save-run, and the events of --progress json. */
#include "cli/commands.h"
#include "cli/json_tree.h"
#include "cli/train_run.h"
#include "io/sink.h"
#include "os/clock.h"

#include <math.h>
#include <string.h>

/* Digits that a double needs so that what a person typed comes back as typed. */
#define RECORD_DIGITS 15

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *text(const char *bytes)
{
    return bytes ? talk_json_bytes(bytes, strlen(bytes)) : json_null();
}

static json_t *text_list(const option_texts *texts)
{
    json_t *list = json_array();
    for (size_t i = 0; i < texts->count; i++) {
        json_tree_add(&list, text(texts->items[i]));
    }
    return list;
}

static json_t *option_value(const option *o, const void *field)
{
    char value[OPTION_VALUE];
    switch (o->type) {
    case OPTION_FLAG:
        return json_boolean(*(const bool *)field);
    case OPTION_TEXT:
        return text(*(const char *const *)field);
    case OPTION_TEXTS:
        return text_list(field);
    case OPTION_INT:
        return option_format(o, field, value) ? json_integer(*(const int *)field) : json_null();
    case OPTION_U32:
        return json_integer(*(const uint32_t *)field);
    case OPTION_U64:
    case OPTION_SIZE:
        return option_format(o, field, value) ? json_tree_whole(*(const uint64_t *)field)
                                              : json_null();
    case OPTION_DOUBLE:
        return real(*(const double *)field);
    case OPTION_DURATION:
        return *(const double *)field >= 0 ? real(*(const double *)field) : json_null();
    case OPTION_CHOICE:
    case OPTION_CHOICE_BOOL:
        return option_format(o, field, value) ? json_string(value) : json_string("auto");
    case OPTION_POSITIONAL:
    case OPTION_IGNORED:
    case OPTION_ZERO:
    case OPTION_HELP:
        break;
    }
    return NULL;
}

json_t *record_options(const command *c, const void *args)
{
    json_t *object = json_object();
    for (size_t g = 0; object && g < c->group_count; g++) {
        const option_group *group = &c->groups[g];
        for (const option *o = group->rows; o->name; o++) {
            const void *field = (const char *)args + group->base + o->offset;
            if (!o->hidden && o->type != OPTION_HELP) {
                json_tree_put(&object, o->name, option_value(o, field));
            }
        }
    }
    return object;
}

static json_t *record_inputs(const train_run *run)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < w2v_inputs_count(run->inputs); i++) {
        const char *hash = w2v_corpus_input_hash(run->corpus, i);
        json_tree_add(
            &list,
            json_pack("{s:o, s:o, s:o}", "path", text(w2v_inputs_path(run->inputs, i)), "bytes",
                      run->input_sizes[i] ? json_tree_whole(run->input_sizes[i]) : json_null(),
                      "sha256", hash ? json_string(hash) : json_null()));
    }
    return list;
}

static json_t *record_text(const w2v_text_stats *s)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "bytes",
                     json_tree_whole(s->bytes), "lines", json_tree_whole(s->lines), "tokens",
                     json_tree_whole(s->tokens), "types", json_tree_whole(s->types), "top_count",
                     json_tree_whole(s->top_count), "tokens_kept", json_tree_whole(s->tokens_kept),
                     "types_kept", json_tree_whole(s->types_kept), "sentences",
                     json_tree_whole(s->sentences), "long_tokens_skipped",
                     json_tree_whole(s->long_tokens), "invalid_utf8",
                     json_tree_whole(s->invalid_utf8), "nul_bytes", json_tree_whole(s->nul_bytes),
                     "spilled_bytes", json_tree_whole(s->spilled));
}

static json_t *record_training(const train_run *run)
{
    const w2v_train_result *r = w2v_model_result(run->model);
    json_t *losses = json_array();
    for (uint32_t e = 0; losses && e < r->epochs; e++) {
        json_tree_add(&losses, real(w2v_model_epoch_loss(run->model, e)));
    }
    return json_pack("{s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "complete",
                     !run->partial, "epochs", json_tree_whole(r->epochs), "tokens",
                     json_tree_whole(r->tokens), "pairs", json_tree_whole(r->pairs), "cuts",
                     json_tree_whole(r->cuts), "loss", real(r->loss), "loss_by_epoch", losses,
                     "watch", watch_record(&run->watch), "threads",
                     json_tree_whole((uint64_t)r->threads), "kernel", r->kernel);
}

static json_t *record_outputs(const train_run *run)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < OUT_COUNT; i++) {
        const output *o = &run->outputs[i];
        if (o->stored && i != OUT_RECORD) {
            json_tree_add(&list, json_pack("{s:s, s:o, s:o}", "what", o->what, "path",
                                           text(o->stored), "bytes", json_tree_whole(o->bytes)));
        }
    }
    return list;
}

static json_t *record_seconds(const train_run *run)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "read", real(run->read_seconds), "train",
                     real(run->train_seconds), "save", real(run->save_seconds), "wall",
                     real(clock_wall() - run->start));
}

static json_t *record(const train_run *run, const command *c)
{
    char now[32];
    clock_utc(now, sizeof now);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "program",
                     "w2v", "version", W2V_VERSION_STRING, "build", w2v_build_info(), "command",
                     c->name, "started", run->started, "finished", now, "options",
                     record_options(c, run->args), "inputs", record_inputs(run), "text",
                     record_text(w2v_corpus_stats(run->corpus)), "training", record_training(run),
                     "seconds", record_seconds(run), "peak_memory_bytes",
                     json_tree_whole(clock_peak_memory()), "outputs", record_outputs(run));
}

w2v_status record_save(train_run *run, const command *c, w2v_error *err)
{
    output *o = &run->outputs[OUT_RECORD];
    json_t *object = record(run, c);
    buf json = {0};
    const bool ok = object &&
                    json_tree_write(&json, object,
                                    JSON_INDENT(2) | JSON_REAL_PRECISION(RECORD_DIGITS)) &&
                    buf_append(&json, "\n", 1);
    json_decref(object);
    if (!ok) {
        buf_clear(&json);
        return error_memory(err, "the record of the run");
    }
    sink *s = NULL;
    w2v_status status = sink_open(o->stored, sink_name_is_gzip(o->stored), &s, err);
    if (!status) {
        status = sink_write(s, json.data, json.size, err);
        if (status) {
            sink_abort(s);
        } else {
            status = sink_commit(s, &o->bytes, err);
        }
    }
    buf_clear(&json);
    return status;
}

void record_start_event(const train_run *run, const command *c)
{
    const w2v_estimate *e = &run->estimate;
    talk_event(&run->talk,
               json_pack("{s:s, s:s, s:o, s:o, s:o, s:f, s:f, s:o, s:o, s:o, s:s, s:i}", "event",
                         "start", "version", W2V_VERSION_STRING, "options",
                         record_options(c, run->args), "inputs", record_inputs(run), "text",
                         record_text(w2v_corpus_stats(run->corpus)), "kept_share", e->kept_share,
                         "pairs_expected", e->pairs, "table_bytes", json_tree_whole(e->table_bytes),
                         "corpus_bytes", json_tree_whole(e->corpus_bytes), "other_bytes",
                         json_tree_whole(e->other_bytes), "kernel", w2v_kernel_name(), "threads",
                         e->threads));
}

void record_end_event(const train_run *run)
{
    talk_event(&run->talk,
               json_pack("{s:s, s:o, s:o, s:o}", "event", run->partial ? "stopped" : "done",
                         "training", record_training(run), "seconds", record_seconds(run),
                         "outputs", record_outputs(run)));
}
