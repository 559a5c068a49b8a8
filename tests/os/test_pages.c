#include "support.h"

#include "base/mem.h"
#include "os/pages.h"

#define MB ((size_t)1 << 20)

static void test_pages_alloc_is_zeroed_and_aligned(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 4096, 4097, 3 * MB, 4 * MB, 4 * MB + 1, 9 * MB - 5};
    for (size_t i = 0; i < SUPPORT_COUNT(sizes); i++) {
        const size_t n = sizes[i];
        unsigned char *p = pages_alloc(n);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % (n >= 4 * MB ? 2 * MB : 4096), 0);
        for (size_t at = 0; at < n; at += 1021) {
            assert_int_equal(p[at], 0);
        }
        memset(p, 0xa5, n);
        pages_free(p, n);
    }
    pages_free(NULL, 123);
}

/* Pages of address space in use. */
static unsigned long mapped(void)
{
    char *text = support_read("/proc/self/statm", NULL);
    const unsigned long pages = strtoul(text, NULL, 10);
    free(text);
    return pages;
}

/* What is trimmed around an aligned piece goes back too. */
static void test_pages_free_gives_all_back(void **state)
{
    (void)state;
    const unsigned long before = mapped();
    for (int i = 0; i < 200; i++) {
        const size_t n = 5 * MB + (size_t)i * 4096;
        void *p = pages_alloc(n);
        assert_non_null(p);
        pages_free(p, n);
    }
    assert_in_range(mapped(), 0, before + 200); /* 200 leaks of 2 MB would be 100,000 */
}

static void test_pages_alloc_impossible_sizes(void **state)
{
    (void)state;
    assert_null(pages_alloc(SIZE_MAX));
    assert_null(pages_alloc(SIZE_MAX - 3 * MB));
    assert_null(pages_alloc((size_t)1 << 50));
}

static void test_pages_alloc_fails_with_the_hook(void **state)
{
    (void)state;
    mem_fail_at(2, false);
    void *first = pages_alloc(10), *second = pages_alloc(10), *third = pages_alloc(10);
    assert_int_equal(mem_tries(), 3);
    mem_fail_at(0, false);
    assert_non_null(first);
    assert_null(second);
    assert_non_null(third);
    pages_free(first, 10);
    pages_free(third, 10);
}

static void test_pages_available_is_plausible(void **state)
{
    (void)state;
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    const uint64_t available = pages_available();
    assert_true(available > 0);
    assert_true(available <= (uint64_t)pages * (uint64_t)size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pages_alloc_is_zeroed_and_aligned),
        cmocka_unit_test(test_pages_free_gives_all_back),
        cmocka_unit_test(test_pages_alloc_impossible_sizes),
        cmocka_unit_test(test_pages_alloc_fails_with_the_hook),
        cmocka_unit_test(test_pages_available_is_plausible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
