#include "support.h"

#include "cli/talk.h"

/* What `talk` says of an error, a warning and a fact. */
static char *say(talk_progress kind, bool quiet, bool colour)
{
    FILE *f = tmpfile();
    assert_non_null(f);
    const talk t = {.stream = f, .progress = kind, .quiet = quiet, .colour = colour};
    const w2v_error err = {.code = W2V_ERR_IO, .text = "bad 'a\nb\x1b[31m'", .hint = "try"};
    talk_fact(&t, "label", "a fact of %d", 5);
    talk_warning(&t, "do this", "beware of '%s'", "\x1b[2J");
    talk_error(&t, &err);
    rewind(f);
    char *text = support_read_stream(f, NULL);
    fclose(f);
    return text;
}

static void test_talk_plain(void **state)
{
    (void)state;
    char *text = say(TALK_PLAIN, false, false);
    assert_string_equal(text, "label     a fact of 5\n"
                              "w2v: warning: beware of '\\x1b[2J'\n"
                              "w2v: hint: do this\n"
                              "w2v: error: bad 'a\\nb\\x1b[31m'\n"
                              "w2v: hint: try\n");
    free(text);
}

static void test_talk_quiet_says_errors_only(void **state)
{
    (void)state;
    static const talk_progress kinds[] = {TALK_PLAIN, TALK_LINE, TALK_JSON, TALK_NONE};
    for (size_t i = 0; i < SUPPORT_COUNT(kinds); i++) {
        char *text = say(kinds[i], true, false);
        assert_string_equal(
            text,
            kinds[i] == TALK_JSON
                ? "{\"event\":\"error\",\"text\":\"bad 'a\\nb\\u001B[31m'\",\"hint\":\"try\"}\n"
                : "w2v: error: bad 'a\\nb\\x1b[31m'\nw2v: hint: try\n");
        free(text);
    }
}

static void test_talk_colour_on_request(void **state)
{
    (void)state;
    char *text = say(TALK_LINE, true, true);
    assert_non_null(strstr(text, "w2v: \x1b[1;31merror:\x1b[0m bad"));
    free(text);
}

static void test_talk_json_warning(void **state)
{
    (void)state;
    char *text = say(TALK_JSON, false, false);
    *strchr(text, '\n') = '\0';
    json_t *object = json_loads(text, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(object, "event")), "warning");
    assert_string_equal(json_string_value(json_object_get(object, "text")), "beware of '\x1b[2J'");
    assert_string_equal(json_string_value(json_object_get(object, "hint")), "do this");
    json_decref(object);
    free(text);
}

static void test_talk_json_line_is_safe(void **state)
{
    (void)state;
    buf out = {0};
    json_t *object =
        json_pack("{s:s}", "w", "\x1b\x7f \xc2\x9b \xe2\x80\xae caf\xc3\xa9 \xe6\x97\xa5 \\");
    assert_true(talk_json_line(&out, object, 9));
    assert_true(buf_append(&out, "", 1));
    assert_string_equal(out.data,
                        "{\"w\":\"\\u001B\\u007F \\u009B \\u202E caf\xc3\xa9 \xe6\x97\xa5 "
                        "\\\\\"}\n");
    json_t *back = json_loads(out.data, 0, NULL);
    assert_true(json_equal(object, back));
    json_decref(back);
    json_decref(object);
    buf_clear(&out);
}

static void test_talk_json_bytes_keeps_every_byte(void **state)
{
    (void)state;
    json_t *plain = talk_json_bytes("caf\xc3\xa9\\x", 7);
    assert_string_equal(json_string_value(plain), "caf\xc3\xa9\\x");
    json_decref(plain);
    json_t *escaped = talk_json_bytes("caf\xe9\\x", 6);
    assert_string_equal(json_string_value(json_object_get(escaped, "escaped")), "caf\\xe9\\\\x");
    json_decref(escaped);
}

static void test_talk_exit_status_of_each_error(void **state)
{
    (void)state;
    assert_int_equal(talk_exit_status(W2V_OK, 0), 0);
    assert_int_equal(talk_exit_status(W2V_ERR_IO, 0), 1);
    assert_int_equal(talk_exit_status(W2V_ERR_MEMORY, 0), 1);
    assert_int_equal(talk_exit_status(W2V_ERR_DIVERGED, 0), 1);
    assert_int_equal(talk_exit_status(W2V_ERR_ARGUMENT, 0), 2);
    assert_int_equal(talk_exit_status(W2V_ERR_UNSUPPORTED, 0), 2);
    assert_int_equal(talk_exit_status(W2V_ERR_INPUT, 0), 3);
    assert_int_equal(talk_exit_status(W2V_ERR_INTERRUPTED, 2), 130);
    assert_int_equal(talk_exit_status(W2V_ERR_INTERRUPTED, 15), 143);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_talk_plain),
        cmocka_unit_test(test_talk_quiet_says_errors_only),
        cmocka_unit_test(test_talk_colour_on_request),
        cmocka_unit_test(test_talk_json_warning),
        cmocka_unit_test(test_talk_json_line_is_safe),
        cmocka_unit_test(test_talk_json_bytes_keeps_every_byte),
        cmocka_unit_test(test_talk_exit_status_of_each_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
