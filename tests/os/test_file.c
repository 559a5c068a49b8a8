#include "support.h"

#include "os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/statvfs.h>

static char *at(void **state, const char *name)
{
    static char paths[4][SUPPORT_PATH];
    static int turn;
    turn = (turn + 1) % 4;
    return support_path(*state, name, paths[turn]);
}

/* ------------------------------------------------------------------- facts */

static void test_file_stat_kinds(void **state)
{
    file_facts f;
    support_write_text(at(state, "a"), "12345");
    assert_int_equal(file_stat(at(state, "a"), &f), 0);
    assert_int_equal(f.kind, FILE_REGULAR);
    assert_int_equal(f.size, 5);
    assert_int_equal(file_stat(*state, &f), 0);
    assert_int_equal(f.kind, FILE_FOLDER);
    assert_int_equal(file_stat("/dev/null", &f), 0);
    assert_int_equal(f.kind, FILE_OTHER);
    assert_int_equal(f.size, 0);
    assert_int_equal(file_stat(at(state, "none"), &f), 0);
    assert_int_equal(f.kind, FILE_NONE);
    assert_int_equal(file_stat(at(state, "a/below"), &f), ENOTDIR);
    assert_int_equal(symlink("nowhere", at(state, "broken")), 0);
    assert_int_equal(file_stat(at(state, "broken"), &f), 0);
    assert_int_equal(f.kind, FILE_NONE);
}

static void test_file_stat_same_file_by_two_names(void **state)
{
    file_facts a, b, c;
    support_write_text(at(state, "a"), "x");
    support_write_text(at(state, "c"), "x");
    assert_int_equal(link(at(state, "a"), at(state, "b")), 0);
    assert_int_equal(file_stat(at(state, "a"), &a), 0);
    assert_int_equal(file_stat(at(state, "b"), &b), 0);
    assert_int_equal(file_stat(at(state, "c"), &c), 0);
    assert_true(a.device == b.device && a.inode == b.inode);
    assert_true(a.inode != c.inode);
}

static int count_names(void *user, const char *name)
{
    int *seen = user;
    *seen += strcmp(name, ".hidden") == 0 ? 10 : strcmp(name, "plain") == 0 ? 1 : 1000;
    return 0;
}

static int stop_at_once(void *user, const char *name)
{
    (void)name;
    ++*(int *)user;
    return 77;
}

static void test_file_list_visits_each_entry(void **state)
{
    int seen = 0;
    support_write_text(at(state, ".hidden"), "");
    support_write_text(at(state, "plain"), "");
    assert_int_equal(file_list(*state, count_names, &seen), 0);
    assert_int_equal(seen, 11);
    seen = 0;
    assert_int_equal(file_list(*state, stop_at_once, &seen), 77);
    assert_int_equal(seen, 1);
    assert_int_equal(file_list(at(state, "none"), count_names, &seen), ENOENT);
    assert_int_equal(file_list(at(state, "plain"), count_names, &seen), ENOTDIR);
}

/* ------------------------------------------------------------------- paths */

static void assert_resolves(void **state, const char *from, const char *to)
{
    char out[FILE_PATH_MAX];
    assert_int_equal(file_resolve(at(state, from), out, sizeof out), 0);
    assert_string_equal(out, at(state, to));
}

static void test_file_resolve_follows_links(void **state)
{
    support_write_text(at(state, "real"), "");
    assert_int_equal(mkdir(at(state, "sub"), 0755), 0);
    assert_int_equal(symlink("real", at(state, "one")), 0);
    assert_int_equal(symlink("one", at(state, "two")), 0);
    assert_int_equal(symlink("../real", at(state, "sub/up")), 0);
    assert_int_equal(symlink(at(state, "real"), at(state, "absolute")), 0);
    assert_int_equal(symlink("not-yet", at(state, "dangling")), 0);
    assert_resolves(state, "real", "real");
    assert_resolves(state, "two", "real");
    assert_resolves(state, "sub/up", "sub/../real");
    assert_resolves(state, "absolute", "real");
    assert_resolves(state, "dangling", "not-yet");
    assert_resolves(state, "none", "none");
}

static void test_file_resolve_loop_and_room(void **state)
{
    char out[FILE_PATH_MAX];
    assert_int_equal(symlink("b", at(state, "a")), 0);
    assert_int_equal(symlink("a", at(state, "b")), 0);
    assert_int_equal(file_resolve(at(state, "a"), out, sizeof out), ELOOP);
    assert_int_equal(file_resolve("four", out, 4), ENAMETOOLONG);
    assert_int_equal(symlink("a-longer-name-than-the-link-has", at(state, "l")), 0);
    assert_int_equal(file_resolve(at(state, "l"), out, strlen(at(state, "l")) + 1), ENAMETOOLONG);
}

/* ------------------------------------------------------- reading and writing */

static void test_file_pwrite_and_pread_far_out(void **state)
{
    char text[4];
    size_t got;
    int fd;
    const uint64_t far = ((uint64_t)5 << 30) + 3; /* a hole of 5 GB: offsets are 64 bits */
    assert_int_equal(file_create_unlinked(*state, &fd), 0);
    assert_int_equal(file_pwrite(fd, "end", 3, far), 0);
    assert_int_equal(file_pread(fd, text, 4, far, &got), 0);
    assert_int_equal(got, 3);
    assert_memory_equal(text, "end", 3);
    assert_int_equal(file_pread(fd, text, 4, far + 3, &got), 0);
    assert_int_equal(got, 0);
    file_facts facts;
    assert_int_equal(file_fstat(fd, &facts), 0);
    assert_int_equal(facts.size, far + 3);
    assert_int_equal(file_sync(fd), 0);
    assert_int_equal(file_close(fd), 0);
}

static void test_file_open_read_and_read(void **state)
{
    int fd;
    size_t got;
    char text[16];
    support_write_text(at(state, "a"), "abc");
    assert_int_equal(file_open_read(at(state, "none"), &fd), ENOENT);
    assert_int_equal(file_open_read(at(state, "a"), &fd), 0);
    file_advise_sequential(fd);
    assert_int_equal(file_read(fd, text, sizeof text, &got), 0);
    assert_int_equal(got, 3);
    assert_int_equal(file_read(fd, text, sizeof text, &got), 0);
    assert_int_equal(got, 0);
    assert_int_equal(file_write(fd, "x", 1), EBADF);
    assert_int_equal(file_close(fd), 0);
    assert_int_equal(file_read(fd, text, sizeof text, &got), EBADF);
    assert_int_equal(file_close(fd), EBADF);
}

static void test_file_write_to_a_full_device(void **state)
{
    (void)state;
    int fd;
    assert_int_equal(file_open_write("/dev/full", &fd), 0);
    assert_int_equal(file_write(fd, "x", 1), ENOSPC);
    assert_int_equal(file_write(fd, "", 0), 0);
    assert_int_equal(file_sync(fd), 0); /* a device has nothing to sync: no error */
    assert_int_equal(file_close(fd), 0);
}

/* A pipe that does not block, as some parents hand on: every byte still passes. */
static void test_file_read_and_write_wait_for_a_pipe(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20 };
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(fcntl(fds[0], F_SETFL, O_NONBLOCK), 0);
    assert_int_equal(fcntl(fds[1], F_SETFL, O_NONBLOCK), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        static char bytes[SIZE];
        memset(bytes, 'p', sizeof bytes);
        close(fds[0]);
        _exit(file_write(fds[1], bytes, sizeof bytes) == 0 ? 0 : 1);
    }
    close(fds[1]);
    size_t total = 0, got;
    do {
        char bytes[5000];
        assert_int_equal(file_read(fds[0], bytes, sizeof bytes, &got), 0);
        for (size_t i = 0; i < got; i++) {
            assert_int_equal(bytes[i], 'p');
        }
        total += got;
    } while (got > 0);
    assert_int_equal(total, SIZE);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    close(fds[0]);
}

/* --------------------------------------------------------------- finishing */

static void test_file_rename_and_remove(void **state)
{
    support_write_text(at(state, "a"), "new");
    support_write_text(at(state, "b"), "old");
    assert_int_equal(file_rename(at(state, "a"), at(state, "b")), 0);
    char *text = support_read(at(state, "b"), NULL);
    assert_string_equal(text, "new");
    free(text);
    assert_int_equal(file_sync_folder(at(state, "b")), 0);
    assert_int_equal(file_sync_folder("bare-name"), 0);
    assert_int_equal(file_sync_folder(at(state, "none/b")), ENOENT);
    assert_int_equal(file_rename(at(state, "a"), at(state, "b")), ENOENT);
    assert_int_equal(file_remove(at(state, "b")), 0);
    assert_int_equal(file_remove(at(state, "b")), ENOENT);
}

static void test_file_readable_and_writable(void **state)
{
    int e;
    support_write_text(at(state, "a"), "");
    assert_true(file_readable(at(state, "a"), &e));
    assert_true(file_writable(at(state, "a"), &e));
    assert_int_equal(e, 0);
    assert_false(file_readable(at(state, "none"), &e));
    assert_int_equal(e, ENOENT);
    if (geteuid() == 0) {
        return; /* nothing is forbidden to root */
    }
    assert_int_equal(chmod(at(state, "a"), 0), 0);
    assert_false(file_readable(at(state, "a"), &e));
    assert_int_equal(e, EACCES);
    assert_false(file_writable(at(state, "a"), &e));
}

static void test_file_free_space_of_a_folder(void **state)
{
    struct statvfs facts;
    uint64_t here = 0, linked = 0, bytes = 7;
    assert_int_equal(statvfs(*state, &facts), 0);
    const uint64_t size = (uint64_t)facts.f_blocks * facts.f_frsize;
    assert_int_equal(file_free_space(at(state, "not-yet"), &here), 0);
    assert_in_range(here, 1, size);
    assert_int_equal(symlink(at(state, "not-yet"), at(state, "link")), 0);
    assert_int_equal(file_free_space(at(state, "link"), &linked), 0);
    assert_in_range(linked, 1, size);
    assert_int_equal(file_free_space("bare-name", &linked), 0);
    assert_int_equal(file_free_space(at(state, "none/file"), &bytes), ENOENT);
    assert_int_equal(bytes, 7);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_file_stat_kinds),
        TEST(test_file_stat_same_file_by_two_names),
        TEST(test_file_list_visits_each_entry),
        TEST(test_file_resolve_follows_links),
        TEST(test_file_resolve_loop_and_room),
        TEST(test_file_pwrite_and_pread_far_out),
        TEST(test_file_open_read_and_read),
        TEST(test_file_write_to_a_full_device),
        TEST(test_file_read_and_write_wait_for_a_pipe),
        TEST(test_file_rename_and_remove),
        TEST(test_file_readable_and_writable),
        TEST(test_file_free_space_of_a_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
