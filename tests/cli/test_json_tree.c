#include "support.h"

#include "base/mem.h"
#include "cli/json_tree.h"

#define ROWS 40 /* more than lists and objects have room for at first */

static json_t *build(void)
{
    json_t *list = json_array();
    for (int i = 0; list && i < ROWS; i++) {
        json_t *row = json_pack("{s:i}", "id", i);
        json_tree_put(&row, "word", json_string("cat"));
        json_tree_add(&list, row);
    }
    json_t *object = json_object();
    json_tree_put(&object, "rows", list);
    for (int i = 0; i < ROWS; i++) {
        char key[16];
        snprintf(key, sizeof key, "key %d", i);
        json_tree_put(&object, key, json_integer(i));
    }
    return object;
}

static void assert_whole(const json_t *object)
{
    const json_t *list = json_object_get(object, "rows");
    assert_int_equal(json_object_size(object), 1 + ROWS);
    assert_int_equal(json_array_size(list), ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        assert_int_equal(json_object_size(json_array_get(list, i)), 2);
    }
}

/* Whichever allocation fails, no tree comes out that lacks a leaf. */
static void test_json_tree_is_whole_or_null(void **state)
{
    (void)state;
    bool done = false;
    uint64_t n = 0;
    while (!done) {
        mem_fail_at(++n, false);
        json_t *object = build();
        done = mem_tries() < n;
        mem_fail_at(0, false);
        if (done) {
            assert_whole(object);
        } else {
            assert_null(object);
        }
        json_decref(object);
    }
    assert_in_range(n, 2 * ROWS, 100 * ROWS);
}

/* Whichever allocation fails, no text comes out as if it were whole. */
static void test_json_tree_write_without_memory(void **state)
{
    (void)state;
    json_t *object = build();
    buf usual = {0};
    mem_fail_at(0, false);
    assert_true(json_tree_write(&usual, object, JSON_COMPACT));
    const uint64_t tries = mem_tries();
    for (uint64_t n = 1; n <= tries; n++) {
        buf text = {0};
        mem_fail_at(n, false);
        const bool ok = json_tree_write(&text, object, JSON_COMPACT);
        mem_fail_at(0, false);
        assert_false(ok);
        buf_clear(&text);
    }
    json_t *back = json_loadb(usual.data, usual.size, 0, NULL);
    assert_true(json_equal(back, object));
    json_decref(back);
    json_decref(object);
    buf_clear(&usual);
}

static void test_json_tree_of_nothing_is_nothing(void **state)
{
    (void)state;
    json_t *none = NULL;
    json_tree_put(&none, "key", json_true());
    json_tree_add(&none, json_true());
    assert_null(none);
    json_t *object = json_object();
    json_tree_put(&object, "key", NULL);
    assert_null(object);
}

static void test_json_tree_whole_beyond_an_integer(void **state)
{
    (void)state;
    json_t *most = json_tree_whole(INT64_MAX), *more = json_tree_whole(UINT64_MAX);
    assert_true(json_integer_value(most) == INT64_MAX);
    assert_string_equal(json_string_value(more), "18446744073709551615");
    json_decref(most);
    json_decref(more);
}

int main(void)
{
    json_set_alloc_funcs(mem_alloc, mem_free);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_tree_is_whole_or_null),
        cmocka_unit_test(test_json_tree_write_without_memory),
        cmocka_unit_test(test_json_tree_of_nothing_is_nothing),
        cmocka_unit_test(test_json_tree_whole_beyond_an_integer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
