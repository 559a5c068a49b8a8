#include "support.h"

#include "os/clock.h"

#include <time.h>

static void test_clock_wall_never_goes_back(void **state)
{
    (void)state;
    double before = clock_wall();
    assert_true(before > 0);
    for (int i = 0; i < 10000; i++) {
        const double now = clock_wall();
        assert_true(now >= before);
        before = now;
    }
}

static void test_clock_utc_is_now(void **state)
{
    (void)state;
    const time_t before = time(NULL);
    char text[32];
    clock_utc(text, sizeof text);
    const time_t after = time(NULL);
    assert_int_equal(strlen(text), 20);
    struct tm parts = {0};
    const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    assert_non_null(end);
    assert_string_equal(end, "");
    assert_in_range(timegm(&parts), before, after);
}

static void test_clock_utc_without_room(void **state)
{
    (void)state;
    char text[5] = "abcd";
    clock_utc(text, sizeof text);
    assert_string_equal(text, "");
    clock_utc(text, 0);
}

static void test_clock_peak_memory_grows_with_use(void **state)
{
    (void)state;
    const size_t n = (size_t)48 << 20;
    const uint64_t before = clock_peak_memory();
    assert_true(before > 0);
    char *p = malloc(n);
    assert_non_null(p);
    memset(p, 1, n);
    assert_int_equal(p[n / 2], 1);
    free(p);
    assert_true(clock_peak_memory() >= before + n / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clock_wall_never_goes_back),
        cmocka_unit_test(test_clock_utc_is_now),
        cmocka_unit_test(test_clock_utc_without_room),
        cmocka_unit_test(test_clock_peak_memory_grows_with_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
