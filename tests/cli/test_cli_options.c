#include "support.h"

#include "base/error.h"
#include "cli/commands.h"
#include "cli/train_run.h"

#include <math.h>

#define WORDS_MAX 32

/* Parses one command line of blanks-separated words for `w2v train`. */
typedef struct parsed {
    char line[512];
    char *argv[WORDS_MAX];
    int argc;
    train_args args;
    const char *items[WORDS_MAX + 1];
    arguments words;
    bool help;
    w2v_error err;
    w2v_status status;
} parsed;

static void parse(parsed *p, const char *line)
{
    memset(p, 0, sizeof *p);
    snprintf(p->line, sizeof p->line, "%s", line);
    for (char *word = strtok(p->line, " "); word; word = strtok(NULL, " ")) {
        assert_true(p->argc < WORDS_MAX);
        p->argv[p->argc++] = word;
    }
    p->words.items = p->items;
    command_train.defaults(&p->args);
    p->status =
        options_parse(&command_train, p->argc, p->argv, &p->args, &p->words, &p->help, &p->err);
}

static void test_options_parse_spellings(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "c --dim 7",
        "c --dim=7",
        "c -dim 7",
        "c -dim=7",
        "c -d 7",
        "c -d7",
        "c -d=7",
        "c --size 7",
        "c -size 7",
        "c -size=7",
        "c --dims 7",
        "c --vector-size 7",
        "--dim 7 c",
        "c -vector_size 7",
        "-d 7 c",
        "--dim 7 -- c",
        "-train c -dim 7",
        "-input c -d7",
        "-train=c --dim=07",
        "c --dim 9 --dim 7",
    };
    for (size_t i = 0; i < SUPPORT_COUNT(lines); i++) {
        parsed p;
        parse(&p, lines[i]);
        if (p.status || p.args.train.dim != 7 || p.words.count != 1 ||
            strcmp(p.items[0], "c") != 0) {
            fail_msg("'%s': status %d, dim %u: %s", lines[i], (int)p.status, p.args.train.dim,
                     p.err.text);
        }
    }
}

static void test_options_parse_original_line(void **state)
{
    (void)state;
    parsed p;
    parse(&p, "-train text8 -output v.txt -cbow 0 -size 200 -window 8 -negative 25 -hs 0 "
              "-sample 1e-4 -threads 20 -binary 1 -iter 15 -alpha 0.05 -min-count 3 -debug 2");
    assert_int_equal(p.status, W2V_OK);
    assert_string_equal(p.items[0], "text8");
    assert_string_equal(p.args.output, "v.txt");
    assert_int_equal(p.args.train.dim, 200);
    assert_int_equal(p.args.train.window, 8);
    assert_int_equal(p.args.train.negative, 25);
    assert_true(p.args.train.sample == 1e-4);
    assert_int_equal(p.args.reading.text.threads, 20);
    assert_int_equal(p.args.save.format, W2V_FORMAT_BINARY);
    assert_int_equal(p.args.train.epochs, 15);
    assert_true(p.args.train.lr == 0.05);
    assert_int_equal(p.args.reading.text.min_count, 3);
}

static void test_options_parse_fasttext_line(void **state)
{
    (void)state;
    parsed p;
    parse(&p, "-input a -input b -output v -minCount 2 -ws 4 -epoch 3 -neg 6 -thread 2 -lr 0.1");
    assert_int_equal(p.status, W2V_OK);
    assert_int_equal(p.words.count, 2);
    assert_string_equal(p.items[1], "b");
    assert_int_equal(p.args.reading.text.min_count, 2);
    assert_int_equal(p.args.train.window, 4);
    assert_int_equal(p.args.train.epochs, 3);
    assert_int_equal(p.args.train.negative, 6);
    assert_int_equal(p.args.reading.text.threads, 2);
}

static void test_options_parse_values(void **state)
{
    (void)state;
    parsed p;
    parse(&p, "- --ns-exponent -0.5 --max-memory 2G --sentence none --window-mode fixed "
              "--share_negatives none --invalid-utf8=fail --format glove --precision 6 "
              "--seed 18446744073709551615 -r -q --lowercase -- --dim");
    assert_int_equal(p.status, W2V_OK);
    assert_int_equal(p.words.count, 2);
    assert_string_equal(p.items[0], "-");
    assert_string_equal(p.items[1], "--dim");
    assert_true(p.args.train.ns_exponent == -0.5);
    assert_true(p.args.reading.text.max_memory == (uint64_t)2 << 30);
    assert_false(p.args.reading.text.lines_are_sentences);
    assert_int_equal(p.args.train.window_mode, W2V_WINDOW_FIXED);
    assert_int_equal(p.args.train.share, W2V_SHARE_NONE);
    assert_int_equal(p.args.reading.text.invalid_utf8, W2V_UTF8_FAIL);
    assert_int_equal(p.args.save.format, W2V_FORMAT_GLOVE);
    assert_int_equal(p.args.save.precision, 6);
    assert_true(p.args.train.seed == UINT64_MAX);
    assert_true(p.args.reading.recursive && p.args.talk.quiet && p.args.reading.text.lowercase);
}

static void test_options_parse_output_dash(void **state)
{
    (void)state;
    parsed p;
    parse(&p, "c -o -");
    assert_int_equal(p.status, W2V_OK);
    assert_string_equal(p.args.output, "-");
    assert_int_equal(p.words.count, 1);
    parse(&p, "c -overts.bin");
    assert_int_equal(p.status, W2V_OK);
    assert_string_equal(p.args.output, "verts.bin");
}

static void test_options_parse_refused(void **state)
{
    (void)state;
    /* Command line, what the error says, what the hint says. */
    static const char *const cases[][3] = {
        {"c --dmi 5", "unknown option '--dmi'", "'--dim'"},
        {"c --itr 5", "unknown option '--itr'", "'--epochs'"},
        {"c --epochs5 3", "unknown option '--epochs5'", "'--epochs'"},
        {"c --window-m fixed", "unknown option '--window-m'", "'--window-mode'"},
        {"c --dry", "unknown option '--dry'", "'--dry-run'"},
        {"c --xyzzy", "unknown option '--xyzzy'", "--help"},
        {"c -x", "unknown option '-x'", "--help"},
        {"c -dimm 5", "unknown option '-dimm'", "'--dim'"},
        {"c -ouput v", "unknown option '-ouput'", "'--output'"},
        {"c -rq", "unknown option '-rq'", "'-r -q'"},
        {"c --retrain x", "unknown option '--retrain'", ""},
        {"c --dim", "option '--dim' needs a value", ""},
        {"c -d", "option '-d' needs a value", ""},
        {"c -o --dim 5", "option '-o' needs a value", "'--output=--dim'"},
        {"c -o -q", "option '-o' needs a value", "'-q'"},
        {"c --output=", "'--output' is given an empty name", ""},
        {"c --lowercase=1", "option '--lowercase' takes no value ('1')", ""},
        {"c --dim 100x", "'--dim 100x' is not a whole number (1 to 65536)", ""},
        {"c --dim=", "'--dim ' is not a whole number (1 to 65536)", ""},
        {"c --dim +5", "'--dim +5' is not a whole number", ""},
        {"c --dim 0x10", "'--dim 0x10' is not a whole number", ""},
        {"c --dim 0", "'--dim 0' is out of range: 1 to 65536", ""},
        {"c --dim -5", "'--dim -5' is out of range: 1 to 65536", ""},
        {"c --dim 65537", "'--dim 65537' is out of range: 1 to 65536", ""},
        {"c --dim 4294967297", "'--dim 4294967297' is out of range", ""},
        {"c --dim 99999999999999999999", "is out of range: 1 to 65536", ""},
        {"c -size 0", "'-size 0' is out of range: 1 to 65536", ""},
        {"c --window 1001", "out of range: 1 to 1000", ""},
        {"c --negative 0", "'--negative 0' is out of range: 1 to 1000", "nothing to learn"},
        {"c --epochs 0", "out of range: 1 to 1000000", ""},
        {"c --min-count 0", "'--min-count 0' is out of range: 1 or more", ""},
        {"c --vocab-size 0", "out of range: 1 to 4294967294", ""},
        {"c --max-sentence 1", "out of range: 2 to", ""},
        {"c --precision 10", "out of range: 1 to 9", ""},
        {"c --threads 0", "out of range: 1 to 4096", ""},
        {"c -t 1e-3", "'-t 1e-3' is not a whole number (1 to 4096)", "--sample"},
        {"c --threads 0.5", "'--threads 0.5' is not a whole number", "--sample"},
        {"c --seed -1", "'--seed -1' is out of range: 0 or more", ""},
        {"c --lr 0", "'--lr 0' is out of range: above 0", ""},
        {"c --lr nan", "'--lr nan' is not a number (above 0)", ""},
        {"c --lr inf", "'--lr inf' is not a number", ""},
        {"c --lr 0.1x", "'--lr 0.1x' is not a number", ""},
        {"c --sample 1.5", "'--sample 1.5' is out of range: 0 to 1", ""},
        {"c --sample -1e-3", "'--sample -1e-3' is out of range: 0 to 1", ""},
        {"c --ns-exponent 11", "out of range: -10 to 10", ""},
        {"c --max-memory 2X", "'--max-memory 2X' is not a size", ""},
        {"c --max-memory 0", "'--max-memory 0' is out of range", ""},
        {"c --format npz", "'--format npz' is not one of bin, text, glove, npy, safetensors, tsv",
         ""},
        {"c --format tex", "'--format tex' is not one of bin, text, glove, npy, safetensors, tsv",
         "'text'"},
        {"c --binary 2", "'--binary 2' is not one of 0, 1", ""},
        {"c --cbow 1", "'--cbow 1' is refused: w2v trains skip-gram only", ""},
        {"c -cbow 1", "'-cbow 1' is refused", ""},
        {"c --hs 1", "'--hs 1' is refused: w2v trains with negative sampling", ""},
        {"c --explain 0", "'--explain 0' is out of range: 1 or more", ""},
        {"c --explain all", "'--explain all' is not a whole number", ""},
        {"c --watch", "option '--watch' needs a value", ""},
        {"c -debug x", "'-debug x' is not a whole number", ""},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        parsed p;
        parse(&p, cases[i][0]);
        if (p.status != W2V_ERR_ARGUMENT || p.err.code != W2V_ERR_ARGUMENT ||
            !strstr(p.err.text, cases[i][1]) || !strstr(p.err.hint, cases[i][2])) {
            fail_msg("'%s' gives %d '%s' / '%s'", cases[i][0], (int)p.status, p.err.text,
                     p.err.hint);
        }
    }
}

/* An option that is given again adds to its list, up to the room there is. */
static void test_options_parse_list(void **state)
{
    (void)state;
    parsed p;
    parse(&p, "c --watch a:b -watch=c:d --explain 3");
    assert_int_equal(p.status, W2V_OK);
    assert_int_equal(p.args.watch.count, 2);
    assert_string_equal(p.args.watch.items[0], "a:b");
    assert_string_equal(p.args.watch.items[1], "c:d");
    assert_int_equal(p.args.train.explain, 3);

    const option *o = options_find(&command_train, "watch", 5, NULL);
    option_texts list = {.count = 0};
    w2v_error err = {0};
    for (int i = 0; i < OPTION_TEXTS_MOST; i++) {
        assert_int_equal(option_set(o, &list, "--watch", "a:b", &err), W2V_OK);
    }
    assert_int_equal(option_set(o, &list, "--watch", "a:b", &err), W2V_ERR_ARGUMENT);
    assert_string_equal(err.text, "'--watch' is given more than 64 times");
    assert_int_equal(list.count, OPTION_TEXTS_MOST);
}

static void test_options_parse_help(void **state)
{
    (void)state;
    static const char *const lines[] = {"--help", "-h", "-help", "c --dim 5 -h --bogus"};
    for (size_t i = 0; i < SUPPORT_COUNT(lines); i++) {
        parsed p;
        parse(&p, lines[i]);
        assert_int_equal(p.status, W2V_OK);
        assert_true(p.help);
    }
}

static void test_options_parse_nothing_keeps_defaults(void **state)
{
    (void)state;
    parsed p;
    parse(&p, "");
    const w2v_train_options d = w2v_train_options_default();
    const w2v_text_options t = w2v_text_options_default();
    assert_int_equal(p.status, W2V_OK);
    assert_int_equal(p.words.count, 0);
    assert_int_equal(p.args.train.dim, d.dim);
    assert_true(p.args.train.sample == d.sample);
    assert_int_equal(p.args.reading.text.min_count, t.min_count);
    assert_int_equal(p.args.reading.text.threads, w2v_cpu_count());
    assert_string_equal(p.args.output, "vectors.bin");
}

/* No name, alias or letter belongs to two rows of a command. */
static void test_options_find_names_are_unique(void **state)
{
    (void)state;
    for (size_t k = 0; k < command_count; k++) {
        const command *c = commands[k];
        bool letters[256] = {false};
        for (size_t g = 0; g < c->group_count; g++) {
            for (const option *o = c->groups[g].rows; o->name; o++) {
                char names[256];
                snprintf(names, sizeof names, "%s %s", o->name, o->aliases ? o->aliases : "");
                for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) {
                    assert_ptr_equal(options_find(c, name, strlen(name), NULL), o);
                }
                assert_false(o->letter && letters[(unsigned char)o->letter]);
                letters[(unsigned char)o->letter] = true;
            }
        }
    }
}

/* Every default lies in the range that its row allows. */
static void test_option_set_takes_every_default(void **state)
{
    (void)state;
    train_args args, copy;
    memset(&args, 0, sizeof args);
    command_train.defaults(&args);
    copy = args;
    size_t tried = 0;
    for (size_t g = 0; g < command_train.group_count; g++) {
        const option_group *group = &command_train.groups[g];
        for (const option *o = group->rows; o->name; o++) {
            char value[OPTION_VALUE];
            if (o->type == OPTION_TEXT || !option_takes_value(o) ||
                !option_format(o, option_field(group, o, &args), value)) {
                continue;
            }
            w2v_error err = {0};
            assert_int_equal(option_set(o, option_field(group, o, &copy), o->name, value, &err), 0);
            tried++;
        }
    }
    assert_memory_equal(&args, &copy, sizeof args);
    assert_in_range(tried, 10, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options_parse_spellings),
        cmocka_unit_test(test_options_parse_original_line),
        cmocka_unit_test(test_options_parse_fasttext_line),
        cmocka_unit_test(test_options_parse_values),
        cmocka_unit_test(test_options_parse_output_dash),
        cmocka_unit_test(test_options_parse_refused),
        cmocka_unit_test(test_options_parse_list),
        cmocka_unit_test(test_options_parse_help),
        cmocka_unit_test(test_options_parse_nothing_keeps_defaults),
        cmocka_unit_test(test_options_find_names_are_unique),
        cmocka_unit_test(test_option_set_takes_every_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
