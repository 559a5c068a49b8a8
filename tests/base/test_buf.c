#include "support.h"

#include "base/buf.h"
#include "base/mem.h"

static void test_buf_append_grows_and_keeps(void **state)
{
    (void)state;
    buf b = {0};
    for (int i = 0; i < 10000; i++) {
        const unsigned char byte = (unsigned char)(i * 7);
        assert_true(buf_append(&b, &byte, 1));
    }
    assert_int_equal(b.size, 10000);
    for (int i = 0; i < 10000; i++) {
        assert_int_equal((unsigned char)b.data[i], (unsigned char)(i * 7));
    }
    buf_clear(&b);
    assert_null(b.data);
    assert_int_equal(b.size, 0);
    assert_true(buf_append(&b, NULL, 0));
    assert_int_equal(b.size, 0);
    buf_clear(&b);
}

static void test_buf_printf_is_terminated_and_not_counted(void **state)
{
    (void)state;
    buf b = {0};
    assert_true(buf_append_string(&b, "a="));
    assert_true(buf_printf(&b, "%d", 12));
    assert_true(buf_printf(&b, "%200s|", "x"));
    assert_int_equal(b.size, 2 + 2 + 201);
    assert_int_equal(strlen(b.data), b.size);
    assert_memory_equal(b.data, "a=12   ", 7);
    assert_memory_equal(b.data + b.size - 2, "x|", 2);
    buf_clear(&b);
}

static void test_buf_reserve_overflow_and_failure_leave_it(void **state)
{
    (void)state;
    buf b = {0};
    assert_true(buf_append_string(&b, "abc"));
    assert_false(buf_reserve(&b, SIZE_MAX));
    mem_fail_at(1, true);
    const bool reserved = buf_reserve(&b, 1000);
    const bool printed = buf_printf(&b, "%500d", 1);
    mem_fail_at(0, false);
    assert_false(reserved);
    assert_false(printed);
    assert_int_equal(b.size, 3);
    assert_memory_equal(b.data, "abc", 3);
    buf_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buf_append_grows_and_keeps),
        cmocka_unit_test(test_buf_printf_is_terminated_and_not_counted),
        cmocka_unit_test(test_buf_reserve_overflow_and_failure_leave_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
