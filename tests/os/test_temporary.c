/* Temporary files: their names, that they leave none, and clearing up after killed runs. */
#include "support.h"

#include "os/file.h"

#include <errno.h>
#include <fcntl.h>

static char *at(void **state, const char *name)
{
    static char paths[4][SUPPORT_PATH];
    static int turn;
    turn = (turn + 1) % 4;
    return support_path(*state, name, paths[turn]);
}

/* ---------------------------------------------------------------- creating */

static void test_file_create_beside_names_and_mode(void **state)
{
    char name[FILE_PATH_MAX], second[FILE_PATH_MAX];
    int fd, other;
    const mode_t mask = umask(022);
    assert_int_equal(file_create_beside(at(state, "out.bin"), 0666, name, sizeof name, &fd), 0);
    assert_int_equal(file_create_beside(at(state, "out.bin"), 0600, second, sizeof second, &other),
                     0);
    umask(mask);
    const char *prefix = at(state, ".out.bin.");
    assert_memory_equal(name, prefix, strlen(prefix));
    assert_string_equal(name + strlen(name) - 4, ".tmp");
    assert_string_not_equal(name, second);
    assert_int_equal(support_mode(name), 0644);
    assert_int_equal(support_mode(second), 0600);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    assert_int_equal(file_chmod(fd, 0640), 0);
    assert_int_equal(support_mode(name), 0640);
    assert_int_equal(file_close(fd), 0);
    assert_int_equal(file_close(other), 0);
}

/* Names of up to 255 bytes, also of characters of three bytes, which must not be cut. */
static void test_file_create_beside_long_names(void **state)
{
    char name[FILE_PATH_MAX], longest[256];
    int fd;
    memset(longest, 'n', 255);
    longest[255] = '\0';
    assert_int_equal(file_create_beside(at(state, longest), 0666, name, sizeof name, &fd), 0);
    file_close(fd);
    longest[0] = 'x';
    for (int i = 1; i + 3 < 255; i += 3) {
        memcpy(longest + i, "\xe1\x9e\x80", 3);
    }
    assert_int_equal(file_create_beside(at(state, longest), 0666, name, sizeof name, &fd), 0);
    file_close(fd);
    const char *base = strrchr(name, '/') + 1;
    const size_t kept = strlen(base) - strlen("..12345678.tmp");
    assert_int_equal((kept - 1) % 3, 0);
    assert_true(kept >= 100);
    assert_int_equal(support_count(*state), 2);
}

static void test_file_create_beside_refusals(void **state)
{
    char name[FILE_PATH_MAX];
    int fd;
    assert_int_equal(file_create_beside(at(state, "no/out"), 0666, name, sizeof name, &fd), ENOENT);
    assert_int_equal(file_create_beside(at(state, "out"), 0666, name, 20, &fd), ENAMETOOLONG);
    assert_int_equal(support_count(*state), 0);
}

static void test_file_create_unlinked_leaves_no_name(void **state)
{
    int fd;
    size_t got;
    char text[8] = {0};
    assert_int_equal(file_create_unlinked(*state, &fd), 0);
    assert_int_equal(support_count(*state), 0);
    assert_int_equal(file_write(fd, "hello", 5), 0);
    assert_int_equal(file_pread(fd, text, sizeof text, 1, &got), 0);
    assert_int_equal(got, 4);
    assert_memory_equal(text, "ello", 4);
    assert_int_equal(file_close(fd), 0);
    assert_int_equal(file_create_unlinked(at(state, "none"), &fd), ENOENT);
}

/* ------------------------------------------------------------- clearing up */

static void test_file_clear_beside_what_nobody_holds(void **state)
{
    char dead[FILE_PATH_MAX], held[FILE_PATH_MAX], alive[FILE_PATH_MAX];
    int fd, other, copy;
    assert_int_equal(file_create_beside(at(state, "out"), 0666, dead, sizeof dead, &fd), 0);
    assert_int_equal(file_create_beside(at(state, "out"), 0666, alive, sizeof alive, &other), 0);
    file_close(fd); /* as the system does for a process that is killed */
    assert_int_equal(file_create_beside(at(state, "out"), 0666, held, sizeof held, &fd), 0);
    assert_int_equal(file_hold(fd, &copy), 0);
    file_close(fd);
    file_clear_beside(at(state, "out"));
    assert_false(support_exists(dead));
    assert_true(support_exists(alive));
    assert_true(support_exists(held));
    file_close(copy);
    file_close(other);
    file_clear_beside(at(state, "out"));
    assert_int_equal(support_count(*state), 0);
}

static void test_file_clear_beside_leaves_other_names(void **state)
{
    static const char *const names[] = {".out.12345678.tmp.",
                                        ".out.1234567.tmp",
                                        ".out.123456789.tmp",
                                        ".out.1234567X.tmp",
                                        "out.12345678.tmp",
                                        ".ou.12345678.tmp",
                                        ".out.12345678.tmq",
                                        ".out2.12345678.tmp",
                                        ".other.12345678.tmp",
                                        ".out",
                                        "out"};
    for (size_t i = 0; i < SUPPORT_COUNT(names); i++) {
        support_write_text(at(state, names[i]), "x");
    }
    support_write_text(at(state, ".out.12345678.tmp"), "x");
    assert_int_equal(mkdir(at(state, ".out.abcdefgh.tmp"), 0777), 0);
    assert_int_equal(symlink(at(state, "out"), at(state, ".out.abcdefg1.tmp")), 0);
    file_clear_beside(at(state, "out"));
    assert_false(support_exists(at(state, ".out.12345678.tmp")));
    assert_int_equal(support_count(*state), SUPPORT_COUNT(names) + 2);
    file_clear_beside(at(state, "none/out")); /* no such folder: nothing to do */
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_file_create_beside_names_and_mode),
        TEST(test_file_create_beside_long_names),
        TEST(test_file_create_beside_refusals),
        TEST(test_file_create_unlinked_leaves_no_name),
        TEST(test_file_clear_beside_what_nobody_holds),
        TEST(test_file_clear_beside_leaves_other_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
