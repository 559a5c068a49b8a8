#include "support.h"

#include "cli/reply.h"

#include <math.h>

static void test_reply_open_takes_one_form(void **state)
{
    (void)state;
    const struct {
        reply_args args;
        reply_form form;
    } good[] = {
        {{.json = true}, REPLY_JSON}, {{.tsv = true}, REPLY_TSV}, {{.table = true}, REPLY_TABLE}};
    for (size_t i = 0; i < SUPPORT_COUNT(good); i++) {
        reply r;
        assert_int_equal(reply_open(&good[i].args, &r, NULL), W2V_OK);
        assert_int_equal(r.form, good[i].form);
    }
    const struct {
        reply_args args;
        const char *text;
    } wrong[] = {{{.json = true, .tsv = true}, "'--json' and '--tsv' exclude each other"},
                 {{.json = true, .table = true}, "'--json' and '--table' exclude each other"},
                 {{.tsv = true, .table = true}, "'--tsv' and '--table' exclude each other"}};
    for (size_t i = 0; i < SUPPORT_COUNT(wrong); i++) {
        reply r;
        w2v_error err = {0};
        assert_int_equal(reply_open(&wrong[i].args, &r, &err), W2V_ERR_ARGUMENT);
        assert_string_equal(err.text, wrong[i].text);
    }
}

static void test_reply_json_shows_six_decimals(void **state)
{
    (void)state;
    reply r = {.form = REPLY_JSON};
    static const double values[] = {0.96, 0.1234567, -1e-9, 123456789.1234567};
    json_t *list = json_array();
    for (size_t i = 0; i < SUPPORT_COUNT(values); i++) {
        json_array_append_new(list, reply_score(values[i]));
    }
    json_array_append_new(list, reply_score((double)NAN));
    assert_int_equal(reply_json(&r, list, NULL), W2V_OK);
    assert_true(buf_append(&r.out, "", 1));
    assert_string_equal(r.out.data, "[0.96,0.123457,0.0,123456789.123457,null]\n");
    assert_int_equal(reply_json(&r, NULL, NULL), W2V_ERR_MEMORY);
    reply_close(&r);
}

static void test_reply_end_separates_tables(void **state)
{
    (void)state;
    reply r = {.form = REPLY_TABLE};
    for (int i = 0; i < 2; i++) {
        reply_begin(&r, 1, 0);
        assert_int_equal(reply_title(&r, "c\x1b", 2, NULL), W2V_OK);
        grid_string(&r.grid, "dog");
        assert_int_equal(reply_end(&r, NULL), W2V_OK);
    }
    assert_true(buf_append(&r.out, "", 1));
    assert_string_equal(r.out.data, "c\\x1b\n  dog\n\nc\\x1b\n  dog\n");
    reply_close(&r);
    r = (reply){.form = REPLY_TSV};
    reply_begin(&r, 1, 0);
    assert_int_equal(reply_title(&r, "cat", 3, NULL), W2V_OK);
    assert_int_equal(reply_end(&r, NULL), W2V_OK);
    assert_int_equal(r.out.size, 0);
    reply_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reply_open_takes_one_form),
        cmocka_unit_test(test_reply_json_shows_six_decimals),
        cmocka_unit_test(test_reply_end_separates_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
