/* Files of questions: kinds, odd lines, ends of lines. */
#include "support.h"

#include "base/mem.h"
#include "query/question_file.h"

static w2v_status read_text(const char *folder, const char *text, w2v_question_file **f,
                            w2v_error *err)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(folder, "q.txt", path), text);
    return w2v_question_file_read(path, f, err);
}

static w2v_question_file *read_ok(const char *folder, const char *text)
{
    w2v_question_file *f;
    w2v_error err = {0};
    if (read_text(folder, text, &f, &err) != W2V_OK) {
        fail_msg("%s", err.text);
    }
    return f;
}

static const char *word(const w2v_question_file *f, uint32_t number)
{
    return words_get(&f->words.list, number, NULL);
}

static void test_question_file_read_analogies(void **state)
{
    w2v_question_file *f = read_ok(*state, "\xef\xbb\xbf# a comment of four\r\n:  first part \r\n"
                                           "a\tb  c d/e\r\nodd line\r\n\r\n:\nc d a b");
    const w2v_question_facts *facts = w2v_question_file_facts(f);
    assert_int_equal(facts->kind, W2V_ANALOGIES);
    assert_int_equal(facts->questions, 2);
    assert_int_equal(facts->sections, 2);
    assert_int_equal(facts->odd_lines, 1);
    assert_int_equal(facts->first_odd_line, 4);
    assert_string_equal(words_get(&f->names, f->sections[0].name, NULL), "first part");
    assert_string_equal(words_get(&f->names, f->sections[1].name, NULL), "");
    assert_int_equal(section_end(f, 0), 1);
    assert_int_equal(section_end(f, 1), 2);
    assert_string_equal(word(f, f->questions[0].word[2]), "c");
    assert_int_equal(f->questions[0].answer_count, 3);
    assert_string_equal(word(f, f->answers[0]), "d/e");
    assert_string_equal(word(f, f->answers[1]), "d");
    assert_string_equal(word(f, f->answers[2]), "e");
    assert_int_equal(f->longest, 3);
    w2v_question_file_free(f);
}

static void test_question_file_read_without_section(void **state)
{
    w2v_question_file *f = read_ok(*state, "a b c d\nb a d c\na b 3\n");
    assert_int_equal(w2v_question_file_facts(f)->kind, W2V_ANALOGIES);
    assert_int_equal(f->section_count, 1);
    assert_int_equal(f->question_count, 2);
    assert_int_equal(f->facts.first_odd_line, 3);
    w2v_question_file_free(f);
}

static void assert_pair(const w2v_question_file *f, size_t i, const char *a, const char *b,
                        double score)
{
    assert_string_equal(word(f, f->pairs[i].word[0]), a);
    assert_string_equal(word(f, f->pairs[i].word[1]), b);
    assert_true(f->pairs[i].score == score);
}

static void test_question_file_read_pairs(void **state)
{
    w2v_question_file *f =
        read_ok(*state, "# heading follows\nWord 1,Word 2,Human (mean)\nnew york,paris,7.5\r\n"
                        "cat\tdog\t 9\ncold hot N -1e-1 3\nno score here\n\nx y 2");
    assert_int_equal(f->facts.kind, W2V_PAIRS);
    assert_int_equal(f->pair_count, 4);
    assert_pair(f, 0, "new york", "paris", 7.5);
    assert_pair(f, 1, "cat", "dog", 9.0);
    assert_pair(f, 2, "cold", "hot", -0.1);
    assert_pair(f, 3, "x", "y", 2.0);
    assert_int_equal(f->facts.odd_lines, 1);
    assert_int_equal(f->facts.first_odd_line, 6);
    w2v_question_file_free(f);
}

static void test_question_file_read_other(void **state)
{
    static const char *const texts[] = {"", "\n\n", "# only\n", "a b\nc\n", "a b c nan x\n"};
    for (size_t i = 0; i < SUPPORT_COUNT(texts); i++) {
        w2v_question_file *f;
        w2v_error err = {0};
        assert_int_equal(read_text(*state, texts[i], &f, &err), W2V_ERR_INPUT);
        assert_null(f);
        assert_non_null(strstr(err.text, "q.txt' is neither a file of vectors nor one of"));
    }
}

static void test_question_file_read_nul(void **state)
{
    char path[SUPPORT_PATH];
    FILE *file = fopen(support_path(*state, "nul", path), "wb");
    assert_non_null(file);
    fwrite("a b c d\n\0", 1, 9, file);
    assert_int_equal(fclose(file), 0);
    w2v_question_file *f;
    w2v_error err = {0};
    assert_int_equal(w2v_question_file_read(path, &f, &err), W2V_ERR_INPUT);
    assert_non_null(strstr(err.text, "NUL bytes"));
}

static void test_question_file_read_without_memory(void **state)
{
    static const char *const texts[] = {": s\na b c d/e\n", "a b 1\n"};
    for (size_t i = 0; i < SUPPORT_COUNT(texts); i++) {
        w2v_status status = W2V_ERR_MEMORY;
        uint64_t n = 1;
        for (; status != W2V_OK && n < 200; n++) {
            w2v_question_file *f;
            char path[SUPPORT_PATH];
            support_write_text(support_path(*state, "q.txt", path), texts[i]);
            mem_fail_at(n, false);
            status = w2v_question_file_read(path, &f, NULL);
            mem_fail_at(0, false);
            assert_true(status == W2V_OK || status == W2V_ERR_MEMORY);
            w2v_question_file_free(f);
        }
        assert_int_equal(status, W2V_OK);
        assert_true(n > 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_question_file_read_analogies, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_question_file_read_without_section, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_question_file_read_pairs, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_question_file_read_other, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_question_file_read_nul, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_question_file_read_without_memory, support_setup,
                                        support_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
