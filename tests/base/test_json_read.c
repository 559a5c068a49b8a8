#include "support.h"

#include "base/json_read.h"
#include "base/mem.h"

static const char text[] =
    "{\"words\": [\"one\", \"two\", \"a\\u00e9\", \"a string of more than sixteen letters\"],"
    " \"n\": 12345678901, \"x\": 0.5}";

/* Without room for the tree it is want of memory and never damage; an allocation that fails later
   is made up for, since Jansson would write beyond its buffer. */
static void test_json_read_without_memory(void **state)
{
    (void)state;
    json_set_alloc_funcs(json_memory, mem_free);
    json_error_t fault;
    bool no_memory = true;
    mem_fail_at(0, false);
    json_t *whole = json_read(text, sizeof text - 1, &fault, &no_memory);
    const uint64_t n = mem_tries();
    assert_non_null(whole);
    assert_false(no_memory);
    assert_true(n > 10);
    for (uint64_t at = 1; at <= n; at++) {
        for (int forever = 0; forever < 2; forever++) {
            mem_fail_at(at, forever);
            json_t *root = json_read(text, sizeof text - 1, &fault, &no_memory);
            mem_fail_at(0, false);
            assert_int_equal(no_memory, at == 1);
            assert_true(at == 1 ? root == NULL : json_equal(root, whole));
            json_decref(root);
        }
    }
    json_decref(whole);
    json_set_alloc_funcs(malloc, free);
}

/* The library alone: its allocations are not the program's. */
static void test_json_read_tells_want_of_memory(void **state)
{
    (void)state;
    json_error_t fault;
    bool no_memory = false;
    mem_fail_at(1, false);
    assert_null(json_read(text, sizeof text - 1, &fault, &no_memory));
    mem_fail_at(0, false);
    assert_true(no_memory);
}

static void test_json_read_tells_damage(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "{",
                                      "{\"a\": }",
                                      "[1, 2",
                                      "\"\\ud800\"",
                                      "{\"a\":1,\"a\":2}",
                                      "[1e999]",
                                      "[99999999999999999999]",
                                      "nil",
                                      "\"\xff\""};
    for (size_t i = 0; i < SUPPORT_COUNT(bad); i++) {
        json_error_t fault;
        bool no_memory = true;
        assert_null(json_read(bad[i], strlen(bad[i]), &fault, &no_memory));
        assert_false(no_memory);
        assert_true(fault.text[0] != '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_read_without_memory),
        cmocka_unit_test(test_json_read_tells_want_of_memory),
        cmocka_unit_test(test_json_read_tells_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
