#include "support.h"

#include "base/mem.h"
#include "cli/question.h"

#include <math.h>

/* Parses, and tells terms as "+1 king|-1 man", or the error's text. */
static void check(const char *formula, const char *want)
{
    question q = {0};
    w2v_error err = {0};
    char got[2048] = "";
    if (question_parse(&q, formula, strlen(formula), &err)) {
        assert_int_equal(err.code, W2V_ERR_ARGUMENT);
        snprintf(got, sizeof got, "%s", err.text);
    }
    for (size_t i = 0; !err.code && i < q.count; i++) {
        const size_t used = strlen(got);
        assert_int_equal(strlen(q.terms[i].word), q.terms[i].length);
        snprintf(got + used, sizeof got - used, "%s%+g %s", used ? "|" : "", q.terms[i].weight,
                 q.terms[i].word);
    }
    assert_string_equal(got, want);
    question_clear(&q);
}

static void test_question_parse_values(void **state)
{
    (void)state;
    check("king - man + woman", "+1 king|-1 man|+1 woman");
    check("king \xe2\x88\x92 man", "+1 king|-1 man"); /* the minus sign U+2212 */
    check("king\xe2\x88\x92man", "+1 king|-1 man");
    check("-france +paris", "-1 france|+1 paris");
    check("  cat  ", "+1 cat");
    check("0.5*paris - 2 * rome", "+0.5 paris|-2 rome");
    check("1.5*\"new york\"\t+ b", "+1.5 new york|+1 b");
    check("\"a\\\"b\\\\c\" + d", "+1 a\"b\\c|+1 d");
    check("state-of-the-art + c++", "+1 state-of-the-art|+1 c++");
    check("f*ck + *", "+1 f*ck|+1 *");
    check("2 + 3", "+1 2|+1 3");
    check("don't - 'tis", "+1 don't|-1 'tis");
    check("caf\xc3\xa9 + \xe7\x8c\xab", "+1 caf\xc3\xa9|+1 \xe7\x8c\xab");
}

static void test_question_parse_refuses(void **state)
{
    (void)state;
    check("", "the formula is empty");
    check("  ", "the formula is empty");
    check("king -", "a word is missing in the formula");
    check("+", "a word is missing in the formula");
    check("a + \"\"", "a word is missing in the formula");
    check("a + \"b c", "a double quote is not closed in the formula");
    check("new york - city", "'york - city' in the formula stands without + or - before it");
}

/* What a formula is called is read back as the same formula. */
static void test_question_call_formula_reads_back(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"king - man + woman", "king \xe2\x88\x92 man + woman"},
        {"-france + 0.5*paris", "\xe2\x88\x92"
                                "france + 0.5*paris"},
        {"\"new york\" - a", "\"new york\" \xe2\x88\x92 a"},
        {"\"-1\" + \"2*b\" + \"a\\\"b\"", "\"-1\" + \"2*b\" + a\"b"},
        {"\"\\\"\"", "\"\\\"\""},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        question first = {0}, second = {0};
        assert_int_equal(question_parse(&first, cases[i][0], strlen(cases[i][0]), NULL), W2V_OK);
        assert_true(question_call_formula(&first));
        assert_string_equal(first.name, cases[i][1]);
        assert_int_equal(first.name_length, strlen(cases[i][1]));
        assert_int_equal(question_parse(&second, first.name, first.name_length, NULL), W2V_OK);
        assert_int_equal(first.count, second.count);
        for (size_t k = 0; k < first.count; k++) {
            assert_string_equal(first.terms[k].word, second.terms[k].word);
            assert_true(fabs(first.terms[k].weight - second.terms[k].weight) < 1e-12);
        }
        question_clear(&first);
        question_clear(&second);
    }
}

static void test_question_parse_without_memory(void **state)
{
    (void)state;
    static const char formula[] = "a - \"b c\" + 2*d";
    uint64_t failed = 0;
    for (uint64_t i = 1;; i++) {
        question q = {0};
        w2v_error err = {0};
        mem_fail_at(i, false);
        const w2v_status status = question_parse(&q, formula, strlen(formula), &err);
        const bool called = !status && question_call_formula(&q);
        mem_fail_at(0, false);
        if (status) {
            assert_int_equal(status, W2V_ERR_MEMORY);
        }
        question_clear(&q);
        if (called) {
            break;
        }
        failed++;
    }
    assert_true(failed >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_question_parse_values),
        cmocka_unit_test(test_question_parse_refuses),
        cmocka_unit_test(test_question_call_formula_reads_back),
        cmocka_unit_test(test_question_parse_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
