/* w2v COMMAND [ARGUMENT…] [OPTION…]: finds the command, parses its options, runs it. */
#include "base/buf.h"
#include "base/json_read.h"
#include "base/mem.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/prompt.h"
#include "cli/talk.h"
#include "os/file.h"
#include "os/signals.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

static int fail(const w2v_error *err)
{
    const talk t = talk_open(NULL);
    return talk_fail(&t, err);
}

/* What a failed write to standard output means for the exit status. */
static int cannot_write(int e)
{
    if (e == EPIPE) {
        clearerr(stdout); /* who reads has read enough */
        return 0;
    }
    w2v_error err = {0};
    error_sys(&err, W2V_ERR_IO, e ? e : EIO, "cannot write to standard output");
    return fail(&err);
}

/* Success, if everything reached standard output. */
static int finish(void)
{
    errno = 0;
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : cannot_write(errno);
}

static int print(FILE *stream, buf *text, bool complete)
{
    w2v_error err = {0};
    if (!complete) {
        error_memory(&err, "the help");
        buf_clear(text);
        return fail(&err);
    }
    errno = 0; /* the reason of a failure is known only right after it */
    const bool written =
        fwrite(text->data, 1, text->size, stream) == text->size && fflush(stream) == 0;
    const int e = errno;
    buf_clear(text);
    return written ? 0 : cannot_write(e);
}

static int print_help(const command *c)
{
    buf text = {0};
    const bool complete = c ? help_command(&text, c) : help_program(&text, commands, command_count);
    return print(stdout, &text, complete);
}

static int print_version(void)
{
    printf("w2v %s\n"
           "built with  %s%s\n"
           "kernel      %s\n"
           "compiler    %s\n",
           W2V_VERSION_STRING, w2v_build_info(), prompt_build_info(), w2v_kernel_name(), COMPILER);
    return finish();
}

static int unknown_command(const char *name)
{
    w2v_error err = {0};
    if (name[0] == '-') {
        error_set(&err, W2V_ERR_ARGUMENT, "unknown option '%s'", name);
        error_hint(&err, "options follow a command: w2v train corpus.txt.gz -o vectors.bin");
        return fail(&err);
    }
    error_set(&err, W2V_ERR_ARGUMENT, "unknown command '%s'", name);
    const char *near = commands_suggest(name);
    if (near) {
        error_hint(&err, "did you mean '%s'?", near);
    } else {
        error_hint(&err, "'w2v help' lists the commands");
    }
    return fail(&err);
}

static int run_help(int argc, char *const argv[])
{
    if (argc == 0 || argv[0][0] == '-') {
        return print_help(NULL);
    }
    const command *c = commands_find(argv[0]);
    if (c) {
        return print_help(c);
    }
    return strcmp(argv[0], "help") == 0 ? print_help(NULL) : unknown_command(argv[0]);
}

static int run_command(const command *c, int argc, char *const argv[])
{
    w2v_error err = {0};
    bool help = false;
    int status = 1;
    arguments words = {.items = mem_calloc((size_t)argc + 1, sizeof *words.items),
                       .given = mem_calloc((size_t)argc + 1, sizeof *words.given)};
    void *args = mem_calloc(1, c->args_size);
    if (!args || !words.items || !words.given) {
        error_memory(&err, "the arguments");
        status = fail(&err);
    } else {
        c->defaults(args);
        if (options_parse(c, argc, argv, args, &words, &help, &err)) {
            status = fail(&err);
        } else {
            status = help ? print_help(c) : c->run(args, &words);
        }
    }
    mem_free(args);
    mem_free(words.items);
    mem_free(words.given);
    return status ? status : finish();
}

/* A closed standard descriptor would be taken by the next file, and messages would end up in it. */
static void occupy_standard_descriptors(void)
{
    int fd;
    while (file_open_read("/dev/null", &fd) == 0) {
        if (fd > 2) {
            file_close(fd);
            return;
        }
    }
}

int main(int argc, char *argv[])
{
    occupy_standard_descriptors();
    signals_ignore_pipe();
    json_set_alloc_funcs(json_memory, mem_free);
    if (argc < 2) {
        buf text = {0};
        const bool complete = help_program(&text, commands, command_count);
        const int status = print(stderr, &text, complete);
        return status ? status : 2;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "-help") == 0) {
        return print_help(NULL);
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0 ||
        strcmp(name, "-version") == 0) {
        return print_version();
    }
    if (strcmp(name, "help") == 0) {
        return run_help(argc - 2, argv + 2);
    }
    const command *c = commands_find(name);
    return c ? run_command(c, argc - 2, argv + 2) : unknown_command(name);
}
