#include "cli/talk.h"

#include "base/shown.h"
#include "base/utf8.h"
#include "cli/json_tree.h"
#include "os/term.h"
#include "render/text.h"

#include <stdarg.h>
#include <string.h>

#define STDERR_DESCRIPTOR 2
/* Facts begin here, so that their labels stand in a column of their own. */
#define FACT_COLUMN 10
#define FACT_WIDTH 96

static const option_choice progress_choices[] = {{"auto", TALK_AUTO},
                                                 {"plain", TALK_PLAIN},
                                                 {"json", TALK_JSON},
                                                 {"none", TALK_NONE},
                                                 {NULL, 0}};

const option talk_options[] = {
    {.name = "progress",
     .type = OPTION_CHOICE,
     .offset = offsetof(talk_args, progress),
     .choices = progress_choices,
     .help = "how progress is shown: a rewritten line on a terminal, plain lines elsewhere; json: "
             "one object a line on standard error"},
    {.name = "quiet",
     .letter = 'q',
     .type = OPTION_FLAG,
     .offset = offsetof(talk_args, quiet),
     .help = "say nothing but errors"},
    {.name = "verbose",
     .letter = 'v',
     .type = OPTION_FLAG,
     .offset = offsetof(talk_args, verbose),
     .help = "say more"},
    {.name = "help", .letter = 'h', .type = OPTION_HELP, .help = "show this help"},
    {.name = NULL},
};

talk talk_open(const talk_args *args)
{
    const bool terminal = term_is_terminal(STDERR_DESCRIPTOR);
    const char *kind = term_env("TERM");
    const bool dumb = kind && strcmp(kind, "dumb") == 0;
    talk t = {.stream = stderr, .progress = TALK_PLAIN, .columns = 80};
    t.colour = terminal && !dumb && !term_env("NO_COLOR");
    if (terminal) {
        t.columns = term_columns(STDERR_DESCRIPTOR);
    }
    if (args) {
        t.quiet = args->quiet;
        t.verbose = args->verbose;
        t.progress = args->progress;
    }
    if (t.progress == TALK_AUTO) {
        t.progress = terminal && !dumb ? TALK_LINE : TALK_PLAIN;
    }
    return t;
}

bool talk_facts(const talk *t)
{
    return !t->quiet && t->progress != TALK_JSON;
}

/* A line "w2v: KIND: text", made safe. Without memory it is said unescaped rather than not at all.
 */
static void say_line(const talk *t, const char *colour, const char *kind, const char *text)
{
    buf safe = {0};
    const bool ok = render_escape(&safe, text, strlen(text));
    fprintf(t->stream, "w2v: %s%s:%s %s\n", t->colour ? colour : "", kind,
            t->colour ? "\x1b[0m" : "", ok ? safe.data : text);
    buf_clear(&safe);
}

/* False without memory: then nothing is written. */
static bool write_event(const talk *t, const json_t *object)
{
    buf line = {0};
    const bool ok = object && talk_json_line(&line, object, 9);
    if (ok) {
        fwrite(line.data, 1, line.size, t->stream);
        fflush(t->stream);
    }
    buf_clear(&line);
    return ok;
}

/* {"event":KIND,"text":…,"hint":…}; NULL without memory. */
static json_t *message(const char *kind, const char *text, const char *hint)
{
    json_t *object =
        json_pack("{s:s, s:o}", "event", kind, "text", talk_json_bytes(text, strlen(text)));
    if (hint && hint[0]) {
        json_tree_put(&object, "hint", talk_json_bytes(hint, strlen(hint)));
    }
    return object;
}

void talk_error(const talk *t, const w2v_error *err)
{
    fflush(stdout); /* so that a mixed log has things in their order */
    json_t *object = t->progress == TALK_JSON ? message("error", err->text, err->hint) : NULL;
    const bool told = write_event(t, object);
    json_decref(object);
    if (told) {
        return;
    }
    say_line(t, "\x1b[1;31m", "error", err->text);
    if (err->hint[0]) {
        say_line(t, "\x1b[1m", "hint", err->hint);
    }
    fflush(t->stream);
}

void talk_warning(const talk *t, const char *hint, const char *format, ...)
{
    if (t->quiet) {
        return;
    }
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (t->progress == TALK_JSON) {
        talk_event(t, message("warning", text, hint));
        return;
    }
    say_line(t, "\x1b[1;33m", "warning", text);
    if (hint) {
        say_line(t, "\x1b[1m", "hint", hint);
    }
}

void talk_fact(const talk *t, const char *label, const char *format, ...)
{
    if (!talk_facts(t)) {
        return;
    }
    char text[4096];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    buf safe = {0}, line = {0};
    if (buf_printf(&line, "%-*s", FACT_COLUMN, label) && render_escape(&safe, text, strlen(text)) &&
        render_wrap(&line, safe.data, FACT_COLUMN, FACT_COLUMN, FACT_WIDTH)) {
        fprintf(t->stream, "%s\n", line.data);
    }
    buf_clear(&safe);
    buf_clear(&line);
}

void talk_event(const talk *t, json_t *object)
{
    if (object && !t->quiet && t->progress == TALK_JSON) {
        write_event(t, object);
    }
    json_decref(object);
}

int talk_exit_status(w2v_status status, int signal)
{
    switch (status) {
    case W2V_OK:
        return 0;
    case W2V_ERR_ARGUMENT:
    case W2V_ERR_UNSUPPORTED:
        return 2;
    case W2V_ERR_INPUT:
        return 3;
    case W2V_ERR_INTERRUPTED:
        return signal ? 128 + signal : 1;
    case W2V_ERR_IO:
    case W2V_ERR_MEMORY:
    case W2V_ERR_DIVERGED:
        break;
    }
    return 1;
}

int talk_fail(const talk *t, const w2v_error *err)
{
    talk_error(t, err);
    return talk_exit_status(err->code, 0);
}

json_t *talk_json_bytes(const char *bytes, size_t n)
{
    if (utf8_valid(bytes, n)) {
        return json_stringn(bytes, n);
    }
    buf escaped = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < n;) {
        uint32_t code;
        const size_t length = utf8_decode(bytes + i, n - i, &code);
        if (code == UTF8_INVALID) {
            for (size_t k = 0; ok && k < length; k++) {
                ok = buf_printf(&escaped, "\\x%02x", (unsigned)(unsigned char)bytes[i + k]);
            }
        } else {
            ok = (code != '\\' || buf_append(&escaped, "\\", 1)) &&
                 buf_append(&escaped, bytes + i, length);
        }
        i += length;
    }
    json_t *object =
        ok ? json_pack("{s:o}", "escaped", json_stringn(escaped.data, escaped.size)) : NULL;
    buf_clear(&escaped);
    return object;
}

bool talk_json_line(buf *out, const json_t *object, size_t digits)
{
    buf plain = {0};
    bool ok = json_tree_write(&plain, object, JSON_COMPACT | JSON_REAL_PRECISION(digits));
    for (size_t i = 0; ok && i < plain.size;) {
        char shown[SHOWN_CHAR];
        size_t length;
        uint32_t code;
        const char *at = plain.data + i;
        const size_t n = shown_char(at, plain.size - i, shown, &length);
        utf8_decode(at, plain.size - i, &code);
        ok = n == length && memcmp(shown, at, n) == 0 ? buf_append(out, at, n)
                                                      : buf_printf(out, "\\u%04X", (unsigned)code);
        i += length;
    }
    buf_clear(&plain);
    return ok && buf_append(out, "\n", 1);
}
