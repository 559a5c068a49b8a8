#include "cli/reply.h"

#include "os/file.h"
#include "os/term.h"
#include "render/text.h"

#include <errno.h>
#include <math.h>
#include <string.h>

const option reply_options[] = {
    {.name = "json",
     .type = OPTION_FLAG,
     .offset = offsetof(reply_args, json),
     .help = "answer with one JSON object a line"},
    {.name = "tsv",
     .type = OPTION_FLAG,
     .offset = offsetof(reply_args, tsv),
     .help = "answer with values between tabs, also on a terminal"},
    {.name = "table",
     .type = OPTION_FLAG,
     .offset = offsetof(reply_args, table),
     .help = "answer with an aligned table, also into a pipe"},
    {.name = NULL},
};

w2v_status reply_open(const reply_args *args, reply *r, w2v_error *err)
{
    if (args->json + args->tsv + args->table > 1) {
        return error_set(err, W2V_ERR_ARGUMENT, "'%s' and '%s' exclude each other",
                         args->json ? "--json" : "--tsv", args->table ? "--table" : "--tsv");
    }
    *r = (reply){.form = args->json                      ? REPLY_JSON
                         : args->tsv                     ? REPLY_TSV
                         : args->table                   ? REPLY_TABLE
                         : term_is_terminal(FILE_STDOUT) ? REPLY_TABLE
                                                         : REPLY_TSV};
    return W2V_OK;
}

void reply_close(reply *r)
{
    grid_clear(&r->grid);
    buf_clear(&r->out);
}

static w2v_status no_memory(w2v_error *err)
{
    return error_memory(err, "the answers");
}

void reply_begin(reply *r, size_t columns, unsigned right)
{
    const grid_style style = r->form == REPLY_TABLE          ? GRID_TABLE
                             : term_is_terminal(FILE_STDOUT) ? GRID_SAFE_TSV
                                                             : GRID_TSV;
    grid_begin(&r->grid, style, columns, right);
    if (r->form == REPLY_TABLE && r->started && !buf_append(&r->out, "\n", 1)) {
        r->grid.failed = true;
    }
    r->started = true;
}

w2v_status reply_end(reply *r, w2v_error *err)
{
    return grid_append(&r->grid, &r->out) ? W2V_OK : no_memory(err);
}

w2v_status reply_title(reply *r, const char *text, size_t n, w2v_error *err)
{
    if (r->form != REPLY_TABLE) {
        return W2V_OK;
    }
    return render_escape(&r->out, text, n) && buf_append(&r->out, "\n", 1) ? W2V_OK
                                                                           : no_memory(err);
}

w2v_status reply_json(reply *r, json_t *object, w2v_error *err)
{
    /* Fifteen digits hold six decimals of any score that was rounded to them. */
    const bool ok = object && talk_json_line(&r->out, object, 15);
    json_decref(object);
    r->started = true;
    return ok ? W2V_OK : no_memory(err);
}

w2v_status reply_flush(reply *r, w2v_error *err)
{
    errno = 0;
    const size_t n = r->out.size;
    r->out.size = 0;
    if ((n && fwrite(r->out.data, 1, n, stdout) != n) || fflush(stdout) != 0) {
        return error_sys(err, W2V_ERR_IO, errno ? errno : EIO, "cannot write to standard output");
    }
    return W2V_OK;
}

json_t *reply_score(double value)
{
    if (isnan(value)) {
        return json_null();
    }
    /* Beyond this a double has no six decimals. */
    return json_real(fabs(value) < 1e9 ? round(value * 1e6) / 1e6 + 0.0 : value);
}
