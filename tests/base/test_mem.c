#include "support.h"

#include "base/mem.h"
#include "os/pages.h"

static void test_mem_multiply_overflow(void **state)
{
    (void)state;
    size_t product = 0;
    assert_true(mem_multiply(SIZE_MAX / 2, 2, &product));
    assert_true(product == SIZE_MAX - 1);
    assert_true(mem_multiply(0, SIZE_MAX, &product));
    assert_true(product == 0);
    assert_true(mem_multiply(SIZE_MAX, 0, &product));
    assert_false(mem_multiply(SIZE_MAX / 2 + 1, 2, &product));
    assert_false(mem_multiply(SIZE_MAX, SIZE_MAX, &product));
}

static void test_mem_alloc_of_nothing_can_be_freed(void **state)
{
    (void)state;
    void *p[] = {mem_alloc(0), mem_calloc(0, 8), mem_calloc(8, 0), mem_realloc(NULL, 0, 4),
                 mem_alloc_aligned(0)};
    for (size_t i = 0; i < SUPPORT_COUNT(p); i++) {
        assert_non_null(p[i]);
        mem_free(p[i]);
    }
    mem_free(NULL);
}

static void test_mem_calloc_zeroes_and_refuses_overflow(void **state)
{
    (void)state;
    unsigned char *p = mem_calloc(1000, 3);
    assert_non_null(p);
    for (size_t i = 0; i < 3000; i++) {
        assert_int_equal(p[i], 0);
    }
    mem_free(p);
    assert_null(mem_calloc(SIZE_MAX / 2, 3));
}

static void test_mem_realloc_keeps_content_and_survives_overflow(void **state)
{
    (void)state;
    char *p = mem_alloc(4);
    memcpy(p, "abc", 4);
    assert_null(mem_realloc(p, SIZE_MAX / 2, 3));
    assert_string_equal(p, "abc");
    p = mem_realloc(p, 1000, 2);
    assert_non_null(p);
    assert_string_equal(p, "abc");
    mem_free(p);
}

static void test_mem_strndup_adds_a_nul(void **state)
{
    (void)state;
    char *p = mem_strndup("abcdef", 3);
    assert_string_equal(p, "abc");
    mem_free(p);
    p = mem_strndup(NULL, 0);
    assert_string_equal(p, "");
    mem_free(p);
    assert_null(mem_strndup("x", SIZE_MAX));
}

static void test_mem_alloc_aligned_is_aligned_and_zero(void **state)
{
    (void)state;
    for (size_t n = 1; n < 300; n += 7) {
        unsigned char *p = mem_alloc_aligned(n);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % MEM_ALIGN, 0);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(p[i], 0);
        }
        memset(p, 0xff, n);
        mem_free(p);
    }
    assert_null(mem_alloc_aligned(SIZE_MAX - 3));
    assert_null(mem_calloc_aligned(SIZE_MAX / 4 + 2, 4)); /* the product would be 4 */
    unsigned char *p = mem_calloc_aligned(3, 5);
    assert_non_null(p);
    assert_int_equal((uintptr_t)p % MEM_ALIGN, 0);
    for (size_t i = 0; i < 3 * 5; i++) {
        assert_int_equal(p[i], 0);
    }
    mem_free(p);
}

static void test_mem_fail_at_once(void **state)
{
    (void)state;
    mem_fail_at(2, false);
    void *p[4] = {mem_alloc(1), mem_alloc(1), mem_calloc(1, 1), mem_realloc(NULL, 1, 1)};
    assert_int_equal(mem_tries(), 4);
    mem_fail_at(0, false);
    assert_non_null(p[0]);
    assert_null(p[1]);
    assert_non_null(p[2]);
    assert_non_null(p[3]);
    for (size_t i = 0; i < 4; i++) {
        mem_free(p[i]);
    }
}

static void test_mem_fail_at_forever(void **state)
{
    (void)state;
    mem_fail_at(2, true);
    void *first = mem_strndup("a", 1);
    void *rest[] = {mem_alloc_aligned(1), mem_alloc(1), mem_strndup("b", 1), pages_alloc(1)};
    assert_int_equal(mem_tries(), 5);
    mem_fail_at(0, false);
    assert_non_null(first);
    mem_free(first);
    for (size_t i = 0; i < SUPPORT_COUNT(rest); i++) {
        assert_null(rest[i]);
    }
    void *after = mem_alloc(1);
    assert_non_null(after);
    mem_free(after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mem_multiply_overflow),
        cmocka_unit_test(test_mem_alloc_of_nothing_can_be_freed),
        cmocka_unit_test(test_mem_calloc_zeroes_and_refuses_overflow),
        cmocka_unit_test(test_mem_realloc_keeps_content_and_survives_overflow),
        cmocka_unit_test(test_mem_strndup_adds_a_nul),
        cmocka_unit_test(test_mem_alloc_aligned_is_aligned_and_zero),
        cmocka_unit_test(test_mem_fail_at_once),
        cmocka_unit_test(test_mem_fail_at_forever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
