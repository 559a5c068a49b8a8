#include "support.h"

#include "render/markup.h"

typedef bool escape(buf *out, const char *bytes, size_t n);

static void check(escape *way, const char *bytes, size_t n, const char *wanted)
{
    buf out = {0};
    assert_true(way(&out, bytes, n));
    assert_int_equal(out.size, strlen(wanted));
    assert_memory_equal(out.data, wanted, out.size);
    buf_clear(&out);
}

static void test_markup_text_specials(void **state)
{
    (void)state;
    check(markup_text, "<b a=\"1\" c='2'>&", 16, "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;");
    check(markup_text, "\xd7\xa9\xd7\x9c e\xcc\x81 \xf0\x9f\x98\x80", 13,
          "\xd7\xa9\xd7\x9c e\xcc\x81 \xf0\x9f\x98\x80");
}

/* What XML has no place for: controls, bytes that are no UTF-8, non-characters. */
static void test_markup_text_no_characters(void **state)
{
    (void)state;
    check(markup_text, "a\0b\x1b\xff", 5, "a\\x00b\\x1b\\xff");
    check(markup_text, "\xef\xbf\xbe\xef\xbf\xbf\xe2\x80\xae", 9,
          "\xef\xbf\xbd\xef\xbf\xbd\\u202e");
}

static void test_markup_json_script(void **state)
{
    (void)state;
    check(markup_json, "</script><!--&", 14, "\"\\u003c/script\\u003e\\u003c!--\\u0026\"");
    check(markup_json, "say \"x\\y\"\n", 10, "\"say \\\"x\\\\y\\\"\\\\n\"");
    check(markup_json, "\xff\xe2\x80\xa8", 4, "\"\\\\xff\\\\u2028\"");
}

static void test_markup_number_round_trip(void **state)
{
    (void)state;
    buf out = {0};
    assert_true(markup_number(&out, 0.1f));
    assert_memory_equal(out.data, "0.1", 3);
    out.size = 0;
    assert_true(markup_number(&out, -0.0));
    assert_true(markup_number(&out, -1e-300));
    assert_int_equal(out.size, 2);
    assert_memory_equal(out.data, "00", 2);
    buf_clear(&out);
}

static bool base64(buf *out, const char *bytes, size_t n)
{
    return markup_base64(out, bytes, n);
}

static void test_markup_base64_rfc4648(void **state)
{
    (void)state;
    check(base64, "", 0, "");
    check(base64, "f", 1, "Zg==");
    check(base64, "fo", 2, "Zm8=");
    check(base64, "foo", 3, "Zm9v");
    check(base64, "foobar", 6, "Zm9vYmFy");
    check(base64, "\xff\xfe\xfd", 3, "//79");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_markup_text_specials),
        cmocka_unit_test(test_markup_text_no_characters),
        cmocka_unit_test(test_markup_json_script),
        cmocka_unit_test(test_markup_number_round_trip),
        cmocka_unit_test(test_markup_base64_rfc4648),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
