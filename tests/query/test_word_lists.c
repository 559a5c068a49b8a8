/* Lists of words in JSON: what is taken, what is refused and where. */
#include "support.h"

#include "base/mem.h"
#include "query/question_file.h"

static w2v_status read_text(const char *folder, const char *text, w2v_question_file **f,
                            w2v_error *err)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(folder, "lists.json", path), text);
    return w2v_question_file_read(path, f, err);
}

static void test_word_lists_parse_lists(void **state)
{
    w2v_question_file *f;
    w2v_error err = {0};
    if (read_text(*state,
                  "\xef\xbb\xbf \r\n{\"about\": \"two lists\", \"b, c\": [\"new york\", \"x\", "
                  "\"caf\\u00e9\", \"x\"], \"none\": [], \"year\": 2017}",
                  &f, &err) != W2V_OK) {
        fail_msg("%s", err.text);
    }
    const w2v_question_facts *facts = w2v_question_file_facts(f);
    assert_int_equal(facts->kind, W2V_LISTS);
    assert_int_equal(facts->questions, 2);
    assert_int_equal(facts->odd_lines, 0);
    assert_string_equal(w2v_question_file_list(f, 0), "b, c");
    assert_string_equal(w2v_question_file_list(f, 1), "none");
    assert_int_equal(f->lists[0].count, 4);
    assert_int_equal(f->lists[1].count, 0);
    static const char *const expected[] = {"new york", "x", "caf\xc3\xa9", "x"};
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(words_get(&f->words.list, f->members[f->lists[0].first + i], NULL),
                            expected[i]);
    }
    assert_int_equal(f->longest, 8);
    assert_ptr_equal(word_lists_find(f, "none"), &f->lists[1]);
    assert_null(word_lists_find(f, "about"));
    w2v_question_file_free(f);
}

static void test_word_lists_parse_refused(void **state)
{
    static const struct {
        const char *text, *error;
        uint64_t line;
    } refused[] = {
        {"{\n\"a\": [\"x\",\n}", "lists.json' line 3: this is no JSON: ", 3},
        {"{\"a\": [\"x\"]\n", "lists.json' line 2: this is no JSON: ", 2},
        {"{}\ntail", "lists.json' line 2: this is no JSON: ", 2},
        {"{flowers", "lists.json' line 1: this is no JSON: ", 1},
        {"{\"a\": [\"\\u0000\"]}", "lists.json' line 1: this is no JSON: ", 1},
        {"{\"a\": [\"x\"],\n\"a\": []}", "lists.json' line 2: this is no JSON: duplicate", 2},
        {"{}", "lists.json' is JSON without a list of words", 0},
        {"{\"a\": {\"b\": [\"x\"]}}", "lists.json' is JSON without a list of words", 0},
        {"{\"a\": [\"x\", 2]}", "lists.json': entry 2 of list 'a' is no word", 0},
        {"{\"a\": [\"\"]}", "lists.json': entry 1 of list 'a' is no word", 0},
        {"{\"b\": [null]}", "lists.json': entry 1 of list 'b' is no word", 0},
        {"[\"x\"]", "lists.json' is neither a file of vectors nor one of analogy", 0},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(refused); i++) {
        w2v_question_file *f;
        w2v_error err = {0};
        assert_int_equal(read_text(*state, refused[i].text, &f, &err), W2V_ERR_INPUT);
        assert_null(f);
        if (!strstr(err.text, refused[i].error)) {
            fail_msg("'%s' instead of '%s'", err.text, refused[i].error);
        }
        assert_int_equal(err.line, refused[i].line);
    }
}

static void test_word_lists_parse_without_memory(void **state)
{
    w2v_status status = W2V_ERR_MEMORY;
    uint64_t n = 1;
    for (; status != W2V_OK && n < 200; n++) {
        w2v_question_file *f;
        char path[SUPPORT_PATH];
        support_write_text(support_path(*state, "lists.json", path), "{\"a\": [\"x\", \"y\"]}");
        mem_fail_at(n, false);
        status = w2v_question_file_read(path, &f, NULL);
        mem_fail_at(0, false);
        assert_true(status == W2V_OK || status == W2V_ERR_MEMORY);
        w2v_question_file_free(f);
    }
    assert_int_equal(status, W2V_OK);
    assert_true(n > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_word_lists_parse_lists, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_word_lists_parse_refused, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_word_lists_parse_without_memory, support_setup,
                                        support_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
