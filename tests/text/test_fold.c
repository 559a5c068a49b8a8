#include "support.h"

#include "text/fold.h"

static void assert_rules(const fold_rules *rules, const char *word, const char *expected)
{
    fold *f = NULL;
    char out[FOLD_BYTES(64)];
    size_t n = 0;
    assert_int_equal(fold_create(rules, 64, &f, NULL), W2V_OK);
    assert_int_equal(fold_word(f, word, strlen(word), out, &n, NULL), W2V_OK);
    out[n] = '\0';
    assert_string_equal(out, expected);
    fold_free(f);
}

static void assert_folds(w2v_invalid_utf8 policy, bool lowercase, const char *word,
                         const char *expected)
{
    const fold_rules rules = {policy, lowercase, W2V_FORM_AS_IS};
    assert_rules(&rules, word, expected);
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

/* Unicode's own examples of composing: annex 15, figures 3 to 6, and what grows most (table 11). */
static void test_fold_word_composes(void **state)
{
    (void)state;
    need_case();
    const fold_rules rules = {W2V_UTF8_KEEP, false, W2V_FORM_NFC};
    assert_rules(&rules, "caf\xc3\xa9", "caf\xc3\xa9");
    assert_rules(&rules, "cafe\xcc\x81", "caf\xc3\xa9");
    assert_rules(&rules, "\xe2\x84\xab", "\xc3\x85");                 /* the unit is the letter */
    assert_rules(&rules, "\xef\xac\x81", "\xef\xac\x81");             /* a ligature stays */
    assert_rules(&rules, "s\xcc\x87\xcc\xa3", "\xe1\xb9\xa9");        /* marks in any order */
    assert_rules(&rules, "\xe1\x84\x80\xe1\x85\xa1", "\xea\xb0\x80"); /* Korean syllables */
    assert_rules(&rules, "\xe0\xa5\x98", "\xe0\xa4\x95\xe0\xa4\xbc"); /* never composed */
    assert_rules(&rules, "\xf0\x9d\x85\xa0\xf0\x9d\x85\xa0",
                 "\xf0\x9d\x85\x98\xf0\x9d\x85\xa5\xf0\x9d\x85\xae"
                 "\xf0\x9d\x85\x98\xf0\x9d\x85\xa5\xf0\x9d\x85\xae");
}

/* Bytes that are no UTF-8 stay, and part what is composed. */
static void test_fold_word_composes_between_invalid(void **state)
{
    (void)state;
    need_case();
    const fold_rules keep = {W2V_UTF8_KEEP, false, W2V_FORM_NFC};
    assert_rules(&keep,
                 "\xff"
                 "e\xcc\x81\xfe"
                 "e\xff\xcc\x81\xf0\x9f",
                 "\xff\xc3\xa9\xfe"
                 "e\xff\xcc\x81\xf0\x9f");
    const fold_rules drop = {W2V_UTF8_DROP, true, W2V_FORM_NFC};
    assert_rules(&drop, "E\xff\xcc\x81\xf0\x9f", "\xc3\xa9");
    assert_rules(&drop, "\xc8\xba\xc8\xba\xc8\xba", "\xe2\xb1\xa5\xe2\xb1\xa5\xe2\xb1\xa5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fold_word_policies),
        cmocka_unit_test(test_fold_word_lowercase),
        cmocka_unit_test(test_fold_word_lowercase_invalid),
        cmocka_unit_test(test_fold_word_composes),
        cmocka_unit_test(test_fold_word_composes_between_invalid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
