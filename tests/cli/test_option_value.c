/* One value after the other, at the ends of ranges and beyond them. */
#include "support.h"

#include "cli/options.h"

#include <math.h>

static void assert_set(const option *o, void *field, const char *text, const char *shown)
{
    w2v_error err = {0};
    char out[OPTION_VALUE];
    assert_int_equal(option_set(o, field, "--x", text, &err), W2V_OK);
    assert_true(option_format(o, field, out));
    assert_string_equal(out, shown);
}

static void assert_refused(const option *o, void *field, const char *text, const char *message,
                           const char *hint)
{
    w2v_error err = {0};
    assert_int_equal(option_set(o, field, "--x", text, &err), W2V_ERR_ARGUMENT);
    assert_string_equal(err.text, message);
    assert_string_equal(err.hint, hint);
}

static void test_option_set_whole_numbers(void **state)
{
    (void)state;
    int i = 7;
    uint32_t u = 7;
    uint64_t w = 7;
    const option small = {.type = OPTION_INT, .low = 1, .high = 4096, .fraction_hint = "whole!"};
    assert_set(&small, &i, "1", "1");
    assert_set(&small, &i, "4096", "4096");
    assert_refused(&small, &i, "0", "'--x 0' is out of range: 1 to 4096", "");
    assert_refused(&small, &i, "4097", "'--x 4097' is out of range: 1 to 4096", "");
    assert_refused(&small, &i, "0.5", "'--x 0.5' is not a whole number (1 to 4096)", "whole!");
    assert_refused(&small, &i, "x", "'--x x' is not a whole number (1 to 4096)", "");
    assert_int_equal(i, 4096); /* what is refused changes nothing */
    const option ids = {.type = OPTION_U32, .low = 2, .high = UINT32_MAX, .low_hint = "two!"};
    assert_set(&ids, &u, "4294967295", "4294967295");
    assert_refused(&ids, &u, "4294967296", "'--x 4294967296' is out of range: 2 to 4294967295", "");
    assert_refused(&ids, &u, "1", "'--x 1' is out of range: 2 to 4294967295", "two!");
    const option all = {.type = OPTION_U64, .low = 0, .high = UINT64_MAX};
    assert_set(&all, &w, "18446744073709551615", "18446744073709551615");
    assert_set(&all, &w, "0", "0");
    assert_refused(&all, &w, "18446744073709551616",
                   "'--x 18446744073709551616' is out of range: 0 or more", "");
    assert_refused(&all, &w, "-1", "'--x -1' is out of range: 0 or more", "");
}

static void test_option_set_sizes(void **state)
{
    (void)state;
    uint64_t bytes = 0;
    const option o = {.type = OPTION_SIZE, .low = 1, .high = UINT64_MAX};
    assert_set(&o, &bytes, "1.5K", "1536");
    assert_set(&o, &bytes, "2G", "2147483648");
    assert_refused(&o, &bytes, "0", "'--x 0' is out of range: 1 or more", "");
    assert_refused(&o, &bytes, "2X",
                   "'--x 2X' is not a size (bytes, 1 or more; or with K, M, G or T)", "");
}

static void test_option_set_doubles(void **state)
{
    (void)state;
    double x = 7;
    const option share = {.type = OPTION_DOUBLE, .min = 0, .max = 1};
    assert_set(&share, &x, "0", "0");
    assert_set(&share, &x, "1", "1");
    assert_set(&share, &x, "1e-3", "0.001");
    assert_refused(&share, &x, "1.0000001", "'--x 1.0000001' is out of range: 0 to 1", "");
    assert_refused(&share, &x, "-1e-9", "'--x -1e-9' is out of range: 0 to 1", "");
    assert_refused(&share, &x, "nan", "'--x nan' is not a number (0 to 1)", "");
    const option rate = {.type = OPTION_DOUBLE, .min = 0, .max = HUGE_VAL, .above_min = true};
    assert_refused(&rate, &x, "0", "'--x 0' is out of range: above 0", "");
    assert_set(&rate, &x, "1e300", "1e+300");
    assert_refused(&rate, &x, "1e400", "'--x 1e400' is not a number (above 0)", "");
}

static void test_option_set_choices(void **state)
{
    (void)state;
    static const option_choice metrics[] = {
        {"cosine", W2V_COSINE}, {"euclidean", W2V_EUCLIDEAN}, {NULL, 0}};
    static const option_choice ends[] = {{"line", 1}, {"none", 0}, {NULL, 0}};
    w2v_metric metric = W2V_DOT;
    bool lines = true;
    const option o = {.type = OPTION_CHOICE, .choices = metrics};
    char out[OPTION_VALUE];
    assert_false(option_format(&o, &metric, out)); /* none of the choices */
    assert_set(&o, &metric, "euclidean", "euclidean");
    assert_int_equal(metric, W2V_EUCLIDEAN);
    assert_refused(&o, &metric, "cosin", "'--x cosin' is not one of cosine, euclidean",
                   "did you mean 'cosine'?");
    assert_refused(&o, &metric, "", "'--x ' is not one of cosine, euclidean", "");
    const option b = {.type = OPTION_CHOICE_BOOL, .choices = ends};
    assert_set(&b, &lines, "none", "none");
    assert_false(lines);
}

static void test_option_set_texts_and_what_has_no_field(void **state)
{
    (void)state;
    const char *name = NULL;
    const option file = {.type = OPTION_TEXT};
    char out[OPTION_VALUE];
    assert_false(option_format(&file, &name, out));
    assert_set(&file, &name, "a b", "a b");
    assert_refused(&file, &name, "", "'--x' is given an empty name", "");
    assert_string_equal(name, "a b");
    w2v_error err = {0};
    const option ignored = {.type = OPTION_IGNORED, .high = UINT64_MAX};
    assert_int_equal(option_set(&ignored, NULL, "--x", "2", &err), W2V_OK);
    assert_refused(&ignored, NULL, "two", "'--x two' is not a whole number (0 or more)", "");
    const option zero = {.type = OPTION_ZERO, .high = UINT64_MAX, .help = "no such thing"};
    assert_int_equal(option_set(&zero, NULL, "--x", "0", &err), W2V_OK);
    assert_refused(&zero, NULL, "1", "'--x 1' is refused: no such thing", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_option_set_whole_numbers),
        cmocka_unit_test(test_option_set_sizes),
        cmocka_unit_test(test_option_set_doubles),
        cmocka_unit_test(test_option_set_choices),
        cmocka_unit_test(test_option_set_texts_and_what_has_no_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
