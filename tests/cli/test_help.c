#include "support.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/help.h"

/* The text about one option: from its name to the next line that begins an option. */
static void option_text(const char *help, const char *name, char *out, size_t size)
{
    char mark[64];
    snprintf(mark, sizeof mark, "--%s ", name);
    const char *p = strstr(strstr(help, "\noutput:"), mark); /* past the examples */
    size_t used = 0;
    if (!p) {
        fail_msg("the help does not mention --%s", name);
    }
    /* Joined to one line, single blanks. */
    for (const char *line = p; *line && (line == p || strncmp(line, "        ", 8) == 0);) {
        const size_t n = strcspn(line, "\n");
        for (size_t i = 0; i < n && used + 2 < size; i++) {
            if (line[i] != ' ' || (used && out[used - 1] != ' ')) {
                out[used++] = line[i];
            }
        }
        out[used++] = ' ';
        line += n + (line[n] == '\n');
    }
    out[used] = '\0';
}

static void test_help_command_tells_real_defaults(void **state)
{
    (void)state;
    const w2v_train_options d = w2v_train_options_default();
    const w2v_text_options t = w2v_text_options_default();
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"dim", d.dim},
        {"window", d.window},
        {"negative", d.negative},
        {"ns-exponent", d.ns_exponent},
        {"sample", d.sample},
        {"epochs", d.epochs},
        {"lr", d.lr},
        {"max-sentence", d.max_sentence},
        {"seed", (double)d.seed},
        {"min-count", (double)t.min_count},
    };
    buf help = {0};
    char text[1024];
    assert_true(help_command(&help, &command_train));
    for (size_t i = 0; i < SUPPORT_COUNT(numbers); i++) {
        option_text(help.data, numbers[i].name, text, sizeof text);
        const char *p = strstr(text, "(default ");
        assert_non_null(p);
        assert_true(strtod(p + strlen("(default "), NULL) == numbers[i].value);
    }
    option_text(help.data, "output", text, sizeof text);
    assert_non_null(strstr(text, "(default vectors.bin)"));
    option_text(help.data, "invalid-utf8", text, sizeof text);
    assert_non_null(strstr(text, "(default keep)"));
    buf_clear(&help);
}

static void test_help_command_shows_every_row(void **state)
{
    (void)state;
    for (size_t k = 0; k < command_count; k++) {
        buf help = {0};
        assert_true(help_command(&help, commands[k]));
        for (size_t g = 0; g < commands[k]->group_count; g++) {
            for (const option *o = commands[k]->groups[g].rows; o->name; o++) {
                char mark[64];
                snprintf(mark, sizeof mark, "--%s", o->name);
                assert_int_equal(strstr(help.data, mark) != NULL, !o->hidden);
            }
        }
        buf_clear(&help);
    }
}

static void assert_narrow(const char *text)
{
    for (const char *line = text; *line;) {
        const size_t n = strcspn(line, "\n");
        if (utf8_width(line, n) > HELP_COLUMNS) {
            fail_msg("too wide: %.*s", (int)n, line);
        }
        assert_true(n == 0 || line[n - 1] != ' ');
        line += n + 1;
    }
}

static void test_help_lines_are_narrow(void **state)
{
    (void)state;
    buf help = {0};
    assert_true(help_program(&help, commands, command_count));
    assert_narrow(help.data);
    buf_clear(&help);
    for (size_t k = 0; k < command_count; k++) {
        assert_true(help_command(&help, commands[k]));
        assert_true(help.data[help.size - 1] == '\n');
        assert_narrow(help.data);
        buf_clear(&help);
    }
}

/* Without memory at any point: no help, nothing lost. */
static void test_help_command_without_memory(void **state)
{
    (void)state;
    buf help = {0};
    uint64_t n = 0;
    for (bool ok = false; !ok; n++) {
        mem_fail_at(n + 1, true);
        ok = help_command(&help, &command_train);
        mem_fail_at(0, false);
        buf_clear(&help);
    }
    assert_in_range(n, 10, 100000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help_command_without_memory),
        cmocka_unit_test(test_help_command_tells_real_defaults),
        cmocka_unit_test(test_help_command_shows_every_row),
        cmocka_unit_test(test_help_lines_are_narrow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
