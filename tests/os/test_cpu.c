#include "support.h"

#include "os/cpu.h"

#include <sched.h>

static void test_cpu_usable_follows_the_affinity(void **state)
{
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_in_range(cpu_usable(), 1, CPU_COUNT(&before));
    size_t cpu = 0;
    while (!CPU_ISSET(cpu, &before)) {
        cpu++;
    }
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(cpu_usable(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

/* What the kernel says of the processor. */
static void test_cpu_detect_agrees_with_the_system(void **state)
{
    (void)state;
    const cpu_features f = cpu_detect();
#if defined(__x86_64__)
    static const char *const flags[] = {"avx512f", "avx512bw", "avx512dq", "avx512vl"};
    char *text = support_read("/proc/cpuinfo", NULL);
    assert_int_equal(f.avx2_fma, strstr(text, " avx2 ") && strstr(text, " fma "));
    bool all = f.avx2_fma;
    for (size_t i = 0; i < SUPPORT_COUNT(flags); i++) {
        all = all && strstr(text, flags[i]);
    }
    assert_int_equal(f.avx512, all);
    assert_false(f.neon);
    free(text);
#elif defined(__aarch64__)
    assert_true(f.neon);
    assert_false(f.avx2_fma || f.avx512);
#else
    assert_false(f.neon || f.avx2_fma || f.avx512);
#endif
}

static void test_cpu_runs_asks_for_the_set_of_that_name(void **state)
{
    (void)state;
    const cpu_features f = cpu_detect();
    assert_int_equal(cpu_runs("avx512"), f.avx512);
    assert_int_equal(cpu_runs("avx2"), f.avx2_fma);
    assert_int_equal(cpu_runs("neon"), f.neon);
    assert_true(cpu_runs("plain"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cpu_usable_follows_the_affinity),
        cmocka_unit_test(test_cpu_detect_agrees_with_the_system),
        cmocka_unit_test(test_cpu_runs_asks_for_the_set_of_that_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
