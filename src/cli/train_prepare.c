/* What w2v train settles, and what it refuses, before it reads the text. */
#include "base/mem.h"
#include "cli/train_run.h"
#include "os/file.h"
#include "os/term.h"

#include <string.h>

static void name_outputs(train_run *run)
{
    const train_args *a = run->args;
    run->outputs[OUT_VECTORS] =
        (output){.option = "--output", .what = "word vectors", .path = a->output};
    run->outputs[OUT_CONTEXT] =
        (output){.option = "--save-context", .what = "context vectors", .path = a->save_context};
    run->outputs[OUT_VOCAB] = (output){
        .option = "--save-vocab", .what = "words with their counts", .path = a->save_vocab};
    run->outputs[OUT_CHECKPOINT] =
        (output){.option = "--checkpoint", .what = "checkpoint", .path = a->checkpoint};
    run->outputs[OUT_RECORD] =
        (output){.option = "--save-run", .what = "record of the run", .path = a->save_run};
}

/* Binary bytes on a screen help nobody and upset the terminal. */
static w2v_status refuse_terminal(const train_args *a, w2v_error *err)
{
    const bool is_text = a->save.format == W2V_FORMAT_TEXT || a->save.format == W2V_FORMAT_GLOVE;
    const bool shown =
        strcmp(a->output, "-") == 0 || (a->save_context && strcmp(a->save_context, "-") == 0);
    if (!shown || is_text || !term_is_terminal(FILE_STDOUT)) {
        return W2V_OK;
    }
    error_set(err, W2V_ERR_ARGUMENT, "binary vectors are not written to a terminal");
    error_hint(err, "--format text shows them");
    return W2V_ERR_ARGUMENT;
}

static w2v_status input_sizes(train_run *run, w2v_error *err)
{
    const size_t n = w2v_inputs_count(run->inputs);
    run->input_sizes = mem_calloc(n, sizeof *run->input_sizes);
    if (!run->input_sizes) {
        return error_memory(err, "the list of inputs");
    }
    for (size_t i = 0; i < n; i++) {
        run->input_sizes[i] = output_size(w2v_inputs_path(run->inputs, i));
    }
    return W2V_OK;
}

/* Where the text will go if it does not fit: found out now, not when it is half read. */
static w2v_status check_tmp_dir(const char *folder, w2v_error *err)
{
    int fd;
    const int failed = file_create_unlinked(folder, &fd);
    if (failed) {
        error_sys(err, W2V_ERR_IO, failed, "cannot write a temporary file in folder '%s'", folder);
        error_hint(err, "--tmp-dir names another");
        return W2V_ERR_IO;
    }
    file_close(fd);
    return W2V_OK;
}

static w2v_status settle_tmp_dir(train_run *run, w2v_error *err)
{
    w2v_text_options *text = &run->args->reading.text;
    const bool wanted = text->tmp_dir || text->max_memory;
    if (!text->tmp_dir) {
        run->tmp_dir = output_folder(run->args->output);
        if (!run->tmp_dir) {
            return error_memory(err, "the name of a folder");
        }
        text->tmp_dir = run->tmp_dir;
    }
    return wanted ? check_tmp_dir(text->tmp_dir, err) : W2V_OK;
}

w2v_status train_spare(const train_args *a, const output *outputs, size_t n, w2v_error *err)
{
    w2v_status status = outputs_spare(outputs, n, "--read-vocab", a->reading.text.read_vocab, err);
    status = status ? status : outputs_spare(outputs, n, "--init", a->init, err);
    status = status ? status : outputs_spare(outputs, n, "--update", a->update, err);
    for (size_t i = 0; i < n && status == W2V_OK; i++) {
        /* the checkpoint that is gone on with is the one to be replaced */
        if (outputs[i].path != a->checkpoint) {
            status = outputs_spare(&outputs[i], 1, "--resume", a->resume, err);
        }
    }
    return status;
}

/* No output, nor the list of words beside one, is another output or anything that is read. */
static w2v_status check_outputs(const train_run *run, w2v_error *err)
{
    enum { TABLES = 2 }; /* the vectors and their context */
    const w2v_format format = run->args->save.format;
    output all[OUT_COUNT + TABLES] = {{.option = NULL}};
    memcpy(all, run->outputs, sizeof run->outputs);
    w2v_status status = output_beside(&all[OUT_VECTORS], format, &all[OUT_COUNT], err);
    if (!status) {
        status = output_beside(&all[OUT_CONTEXT], format, &all[OUT_COUNT + 1], err);
    }
    if (!status) {
        status = outputs_check(all, OUT_COUNT + TABLES, run->inputs, err);
    }
    if (!status) {
        status = train_spare(run->args, all, OUT_COUNT + TABLES, err);
    }
    w2v_free(all[OUT_COUNT].stored);
    w2v_free(all[OUT_COUNT + 1].stored);
    return status;
}

w2v_status train_prepare(train_run *run, const arguments *words, w2v_error *err)
{
    train_args *a = run->args;
    name_outputs(run);
    const w2v_status begun = train_begin(run, words, err);
    if (begun) {
        return begun;
    }
    a->train.threads = a->reading.text.threads;
    a->train.max_memory = a->reading.text.max_memory;
    a->reading.text.memory_per_word = w2v_train_bytes_per_word(&a->train);
    a->reading.text.hash_inputs = a->save_run != NULL;
    a->reading.text.fingerprint = a->checkpoint || a->resume;
    a->train.on_update = explain_update;
    a->train.update_user = run;
    w2v_status status = watch_check(&a->watch, err);
    if (status) {
        return status;
    }
    status = reading_inputs(&a->reading, words, &run->inputs, err);
    if (!status) {
        status = check_outputs(run, err);
    }
    if (!status) {
        status = refuse_terminal(a, err);
    }
    if (!status) {
        status = input_sizes(run, err);
    }
    return status ? status : settle_tmp_dir(run, err);
}
