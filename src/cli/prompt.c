#include "cli/prompt.h"

#include "base/buf.h"
#include "base/mem.h"

#include <stdio.h>
#include <string.h>

#if defined(W2V_HAVE_LIBEDIT)

#include <histedit.h>
#include <locale.h>

#define HISTORY_LINES 500

struct prompt {
    const char *text;
    EditLine *editor;
    History *history;
};

static char *prompt_text(EditLine *editor)
{
    void *data = NULL;
    el_get(editor, EL_CLIENTDATA, &data);
    const prompt *p = data;
    /* libedit asks for `char *` and only reads it. */
    union {
        const char *given;
        char *wanted;
    } text = {.given = p->text};
    return text.wanted;
}

prompt *prompt_open(const char *text)
{
    prompt *p = mem_calloc(1, sizeof *p);
    if (!p) {
        return NULL;
    }
    p->text = text;
    setlocale(LC_CTYPE, ""); /* so that the editor knows what a character is; numbers keep theirs */
    p->editor = el_init("w2v", stdin, stdout, stderr);
    p->history = history_init();
    if (!p->editor || !p->history) {
        prompt_close(p);
        return NULL;
    }
    HistEvent event;
    history(p->history, &event, H_SETSIZE, HISTORY_LINES);
    history(p->history, &event, H_SETUNIQUE, 1);
    el_set(p->editor, EL_CLIENTDATA, p);
    el_set(p->editor, EL_PROMPT, prompt_text);
    el_set(p->editor, EL_EDITOR, "emacs");
    el_set(p->editor, EL_SIGNAL, 1); /* the terminal is put right before a signal ends us */
    el_set(p->editor, EL_HIST, history, p->history);
    el_source(p->editor, NULL);
    return p;
}

w2v_status prompt_next(prompt *p, const char **line, size_t *n, bool *end, w2v_error *err)
{
    (void)err;
    int count = 0;
    const char *text = el_gets(p->editor, &count);
    *end = !text || count <= 0;
    if (*end) {
        putchar('\n'); /* what follows begins on a line of its own */
        return W2V_OK;
    }
    *line = text;
    *n = (size_t)count;
    if (*n && text[*n - 1] == '\n') {
        --*n;
    }
    if (*n) {
        HistEvent event;
        history(p->history, &event, H_ENTER, text);
    }
    return W2V_OK;
}

void prompt_close(prompt *p)
{
    if (p && p->history) {
        history_end(p->history);
    }
    if (p && p->editor) {
        el_end(p->editor);
    }
    mem_free(p);
}

const char *prompt_build_info(void)
{
    return ", libedit";
}

#else

struct prompt {
    const char *text;
    buf line;
};

prompt *prompt_open(const char *text)
{
    prompt *p = mem_calloc(1, sizeof *p);
    if (p) {
        p->text = text;
    }
    return p;
}

w2v_status prompt_next(prompt *p, const char **line, size_t *n, bool *end, w2v_error *err)
{
    fputs(p->text, stdout);
    fflush(stdout);
    p->line.size = 0;
    int c;
    while ((c = getchar()) != EOF && c != '\n') {
        const char byte = (char)c;
        if (!buf_append(&p->line, &byte, 1)) {
            return error_memory(err, "a line");
        }
    }
    *end = c == EOF && p->line.size == 0;
    if (*end) {
        putchar('\n'); /* what follows begins on a line of its own */
    }
    *line = p->line.data ? p->line.data : "";
    *n = p->line.size;
    return W2V_OK;
}

void prompt_close(prompt *p)
{
    if (p) {
        buf_clear(&p->line);
    }
    mem_free(p);
}

const char *prompt_build_info(void)
{
    return ", no libedit";
}

#endif
