#include "support.h"

#include "base/mem.h"
#include "io/zlib_memory.h"

static void test_zlib_alloc_is_counted_like_all_memory(void **state)
{
    (void)state;
    mem_fail_at(2, false);
    void *p = zlib_alloc(NULL, 3, 1000);
    assert_non_null(p);
    memset(p, 1, 3000);
    assert_null(zlib_alloc(NULL, 1, 1));
    assert_int_equal(mem_tries(), 2);
    mem_fail_at(0, false);
    zlib_free(NULL, p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zlib_alloc_is_counted_like_all_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
