#include "query/tables.h"

static const char words[] = "12 1\nthe 1\nCat 1\ncats 1\ncut 1\n/en/dog 1\nnew_york 1\nCAT 1\n"
                            "caf\xc3\xa9 1\nDog 1\ncut 1\ncat\xff 1\nreally_long_word 1\n";

/* The offers for a word, with commas between. */
static void assert_near(w2v_vectors *v, const char *word, size_t most, const char *expected)
{
    w2v_term near[16];
    size_t count = 99;
    w2v_error err = {0};
    assert_int_equal(w2v_near_spellings(v, word, strlen(word), most, near, &count, &err), W2V_OK);
    assert_true(count <= most);
    char text[256] = "";
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(near[i].length, strlen(near[i].word));
        strcat(strcat(text, i ? "," : ""), near[i].word);
    }
    assert_string_equal(text, expected);
}

static void check_offers(const char *path, bool load)
{
    w2v_vectors *v = open_file(path, load, 2);
    assert_near(v, "cat", 16, "Cat,CAT,cats,cut,cat\xff"); /* case, then a letter; by row */
    assert_near(v, "cat", 2, "Cat,CAT");
    assert_near(v, "cat", 0, "");
    assert_near(v, "dog", 16, "Dog,/en/dog");
    assert_near(v, "new york", 16, "new_york");
    assert_near(v, "newyork", 16, "new_york");
    assert_near(v, "really long wrod", 16, "really_long_word");
    assert_near(v, "Cat", 16, "CAT,cats,cut,cat\xff"); /* never the word itself */
    assert_near(v, "elephant", 16, "");
    assert_near(v, "", 16, "");
    w2v_vectors_free(v);
}

static void test_near_spellings_of_a_table(void **state)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(*state, "table.txt", path), words);
    check_offers(path, true);
}

static void test_near_spellings_of_a_stream(void **state)
{
    char path[SUPPORT_PATH], binary[SUPPORT_PATH];
    support_write_text(support_path(*state, "table.txt", path), words);
    w2v_vectors *v = open_file(path, true, 1);
    w2v_error err = {0};
    assert_int_equal(
        w2v_vectors_save(v, support_path(*state, "table.bin", binary), NULL, NULL, &err), W2V_OK);
    w2v_vectors_free(v);
    check_offers(binary, false);
}

/* The composed letter and the letter with its accent after it are one, where ICU knows. */
static void test_near_spellings_unicode_form(void **state)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(*state, "table.txt", path), words);
    w2v_vectors *v = open_file(path, true, 1);
    assert_near(v, "cafe\xcc\x81", 1, "caf\xc3\xa9");
    if (strstr(w2v_build_info(), "icu")) {
        assert_near(v, "CAFE\xcc\x81", 1, "caf\xc3\xa9");
    }
    w2v_vectors_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_near_spellings_of_a_table, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_near_spellings_of_a_stream, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_near_spellings_unicode_form, support_setup,
                                        support_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
