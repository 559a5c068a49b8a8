#include "support.h"

#include "os/cgroup.h"

/* A made-up control group tree below *state: "root", and "self" beside it. */
static void put(const char *folder, const char *name, const char *text)
{
    char path[SUPPORT_PATH];
    support_path(folder, name, path);
    for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
    support_write_text(path, text);
}

static double cpus(const char *folder)
{
    char self[SUPPORT_PATH], root[SUPPORT_PATH];
    return cgroup_cpus(support_path(folder, "self", self), support_path(folder, "root", root));
}

static uint64_t memory(const char *folder)
{
    char self[SUPPORT_PATH], root[SUPPORT_PATH];
    return cgroup_memory(support_path(folder, "self", self), support_path(folder, "root", root));
}

static void test_cgroup_nothing_there(void **state)
{
    assert_true(cpus(*state) == 0);
    assert_true(memory(*state) == UINT64_MAX);
    put(*state, "self", "0::/a/b\n");
    assert_true(cpus(*state) == 0);
    put(*state, "self", "no such line\n:\n0:x\n");
    assert_true(cpus(*state) == 0);
}

static void test_cgroup_v2_own_quota(void **state)
{
    put(*state, "self", "0::/a/b\n");
    put(*state, "root/a/b/cpu.max", "150000 100000\n");
    assert_true(cpus(*state) == 1.5);
    put(*state, "root/a/b/cpu.max", "max 100000\n");
    assert_true(cpus(*state) == 0);
}

static void test_cgroup_v2_tightest_of_all_above(void **state)
{
    put(*state, "self", "0::/a/b/c\n");
    put(*state, "root/a/b/c/cpu.max", "400000 100000\n");
    put(*state, "root/a/b/cpu.max", "max 100000\n");
    put(*state, "root/a/cpu.max", "200000 100000\n");
    assert_true(cpus(*state) == 2);
    put(*state, "root/cpu.max", "50000 100000\n"); /* a container sees its own limit here */
    assert_true(cpus(*state) == 0.5);
}

static void test_cgroup_v2_outside_the_root_is_not_read(void **state)
{
    put(*state, "self", "0::/a\n");
    put(*state, "root/a/x", "");
    put(*state, "cpu.max", "100000 100000\n"); /* beside the root, not in it */
    assert_true(cpus(*state) == 0);
}

static void test_cgroup_v1_quota(void **state)
{
    put(*state, "self", "5:cpuset:/q\n4:cpu,cpuacct:/docker/x\n1:name=systemd:/y\n0::/z\n");
    put(*state, "root/cpu/docker/x/cpu.cfs_quota_us", "300000\n");
    put(*state, "root/cpu/docker/x/cpu.cfs_period_us", "100000\n");
    assert_true(cpus(*state) == 3);
    put(*state, "root/cpu/docker/x/cpu.cfs_quota_us", "-1\n");
    assert_true(cpus(*state) == 0);
}

/* Inside a container the path is the host's; the files are at the mount itself. */
static void test_cgroup_v1_path_of_the_host(void **state)
{
    put(*state, "self", "4:cpuacct,cpu:/docker/0123\n3:memory:/docker/0123\n");
    put(*state, "root/cpu/cpu.cfs_quota_us", "250000\n");
    put(*state, "root/cpu/cpu.cfs_period_us", "100000\n");
    put(*state, "root/memory/memory.limit_in_bytes", "1000000\n");
    put(*state, "root/memory/memory.usage_in_bytes", "400000\n");
    put(*state, "root/memory/memory.stat", "cache 1\ntotal_inactive_file 100000\nx 2\n");
    assert_true(cpus(*state) == 2.5);
    assert_int_equal(memory(*state), 700000);
}

static void test_cgroup_v2_memory(void **state)
{
    put(*state, "self", "0::/a/b\n");
    put(*state, "root/a/memory.max", "5000\n");
    put(*state, "root/a/memory.current", "1000\n");
    put(*state, "root/a/b/memory.max", "max\n");
    put(*state, "root/a/b/memory.current", "900\n");
    assert_int_equal(memory(*state), 4000);
    put(*state, "root/a/memory.stat", "anon 7\ninactive_file 600\n");
    assert_int_equal(memory(*state), 4600);
    put(*state, "root/a/memory.current", "9000\n"); /* over the limit */
    assert_int_equal(memory(*state), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_cgroup_nothing_there),
        TEST(test_cgroup_v2_own_quota),
        TEST(test_cgroup_v2_tightest_of_all_above),
        TEST(test_cgroup_v2_outside_the_root_is_not_read),
        TEST(test_cgroup_v1_quota),
        TEST(test_cgroup_v1_path_of_the_host),
        TEST(test_cgroup_v2_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
