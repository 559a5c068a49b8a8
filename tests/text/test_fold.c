#include "support.h"

#include "text/fold.h"

static void assert_folds(w2v_invalid_utf8 policy, bool lowercase, const char *word,
                         const char *expected)
{
    fold *f = NULL;
    char out[FOLD_BYTES(64)];
    size_t n = 0;
    assert_int_equal(fold_create(policy, lowercase, 64, &f, NULL), W2V_OK);
    assert_int_equal(fold_word(f, word, strlen(word), out, &n, NULL), W2V_OK);
    out[n] = '\0';
    assert_string_equal(out, expected);
    fold_free(f);
}

static void test_fold_word_policies(void **state)
{
    (void)state;
    static const char word[] = "a\xff\xc3(\xf0\x9f\x90z\xc3\xa9\xed\xa0\x80";
    assert_folds(W2V_UTF8_KEEP, false, word, word);
    assert_folds(W2V_UTF8_DROP, false, word, "a(z\xc3\xa9");
    assert_folds(W2V_UTF8_REPLACE, false, word,
                 "a\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbdz\xc3\xa9"
                 "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    assert_folds(W2V_UTF8_DROP, false, "\xff\xfe", "");
}

static void need_case(void)
{
    if (!fold_has_case()) {
        print_message("skipped: built without ICU\n");
        skip();
    }
}

static void test_fold_word_lowercase(void **state)
{
    (void)state;
    need_case();
    assert_folds(W2V_UTF8_KEEP, true, "STRASSE", "strasse");
    assert_folds(W2V_UTF8_KEEP, true, "\xc3\x84\xc3\x96\xc3\x9c\xe1\xba\x9e",
                 "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f");
    /* A sigma is small in another way at the end of a word. */
    assert_folds(W2V_UTF8_KEEP, true, "\xce\x9f\xce\xa3\xce\x9f\xce\xa3",
                 "\xce\xbf\xcf\x83\xce\xbf\xcf\x82");
    assert_folds(W2V_UTF8_KEEP, true, "\xc4\xb0", "i\xcc\x87"); /* no Turkish: root locale */
    assert_folds(W2V_UTF8_KEEP, true, "I\xc3\xa9", "i\xc3\xa9");
    assert_folds(W2V_UTF8_KEEP, true, "\xd0\x9c\xd0\x98\xd0\xa0", "\xd0\xbc\xd0\xb8\xd1\x80");
    assert_folds(W2V_UTF8_KEEP, true, "\xf0\x90\x90\x80", "\xf0\x90\x90\xa8"); /* beyond 16 bits */
    assert_folds(W2V_UTF8_KEEP, true, "\xe7\x8c\xab\xe0\xb8\xa1", "\xe7\x8c\xab\xe0\xb8\xa1");
    assert_folds(W2V_UTF8_KEEP, true, "\xc8\xba\xc8\xba\xc8\xba", /* grows by half */
                 "\xe2\xb1\xa5\xe2\xb1\xa5\xe2\xb1\xa5");
}

static void test_fold_word_lowercase_invalid(void **state)
{
    (void)state;
    need_case();
    static const char word[] = "\xff\xce\x9f\xce\xa3\xfe\xce\x9f\xce\xa3\xf0\x9f";
    assert_folds(W2V_UTF8_KEEP, true, word, "\xff\xce\xbf\xcf\x82\xfe\xce\xbf\xcf\x82\xf0\x9f");
    assert_folds(W2V_UTF8_DROP, true, word, "\xce\xbf\xcf\x83\xce\xbf\xcf\x82");
    assert_folds(W2V_UTF8_REPLACE, true, "\xffX", "\xef\xbf\xbdx");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fold_word_policies),
        cmocka_unit_test(test_fold_word_lowercase),
        cmocka_unit_test(test_fold_word_lowercase_invalid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
