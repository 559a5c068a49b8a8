#include "support.h"

#include "base/mem.h"
#include "io/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <zlib.h>

static char *at(void **state, const char *name)
{
    static char paths[4][SUPPORT_PATH];
    static int turn;
    turn = (turn + 1) % 4;
    return support_path(*state, name, paths[turn]);
}

static sink *open_well(const char *path, bool gzip)
{
    sink *s = NULL;
    w2v_error err = {0};
    if (sink_open(path, gzip, &s, &err) != W2V_OK) {
        fail_msg("%s", err.text);
    }
    return s;
}

static void commit_well(sink *s, uint64_t expected)
{
    w2v_error err = {0};
    uint64_t bytes = 0;
    if (sink_commit(s, &bytes, &err) != W2V_OK) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(bytes, expected);
}

static void assert_content(const char *path, const void *expected, size_t n)
{
    size_t got;
    char *text = support_read(path, &got);
    assert_int_equal(got, n);
    assert_memory_equal(text, expected, n);
    free(text);
}

static void write_text(const char *path, const char *text)
{
    sink *s = open_well(path, false);
    assert_int_equal(sink_write(s, text, strlen(text), NULL), W2V_OK);
    commit_well(s, strlen(text));
}

/* ----------------------------------------------------------- regular files */

static void test_sink_commit_makes_the_file(void **state)
{
    sink *s = open_well(at(state, "out"), false);
    w2v_error err = {0};
    assert_int_equal(sink_write(s, "one ", 4, &err), W2V_OK);
    assert_int_equal(sink_printf(s, &err, "%d %s", 2, "three"), W2V_OK);
    memcpy(sink_room(s, 5, &err), " four", 5);
    sink_advance(s, 5);
    assert_false(support_exists(at(state, "out"))); /* not before it is complete */
    assert_int_equal(support_count(*state), 1);
    commit_well(s, 16);
    assert_content(at(state, "out"), "one 2 three four", 16);
    assert_int_equal(support_count(*state), 1);
}

static void test_sink_new_file_follows_the_umask(void **state)
{
    const mode_t mask = umask(027);
    write_text(at(state, "out"), "x");
    umask(mask);
    assert_int_equal(support_mode(at(state, "out")), 0640);
}

static void test_sink_existing_mode_is_kept(void **state)
{
    static const mode_t modes[] = {0600, 0664, 0755, 0777, 0640};
    const mode_t mask = umask(077);
    for (size_t i = 0; i < SUPPORT_COUNT(modes); i++) {
        support_write_text(at(state, "out"), "old");
        assert_int_equal(chmod(at(state, "out"), modes[i]), 0);
        write_text(at(state, "out"), "new");
        assert_content(at(state, "out"), "new", 3);
        assert_int_equal(support_mode(at(state, "out")), modes[i]);
    }
    umask(mask);
}

static void test_sink_link_is_kept(void **state)
{
    char target[SUPPORT_PATH];
    assert_int_equal(mkdir(at(state, "sub"), 0755), 0);
    support_write_text(at(state, "sub/real"), "old");
    assert_int_equal(symlink("sub/real", at(state, "link")), 0);
    assert_int_equal(symlink("sub/new", at(state, "dangling")), 0);
    write_text(at(state, "link"), "new");
    write_text(at(state, "dangling"), "made");
    assert_true(readlink(at(state, "link"), target, sizeof target) == 8);
    assert_true(readlink(at(state, "dangling"), target, sizeof target) == 7);
    assert_content(at(state, "sub/real"), "new", 3);
    assert_content(at(state, "sub/new"), "made", 4);
    assert_int_equal(support_count(at(state, "sub")), 2);
    assert_int_equal(support_count(*state), 3);
}

static void test_sink_abort_leaves_the_old_file(void **state)
{
    support_write_text(at(state, "out"), "old");
    sink *s = open_well(at(state, "out"), false);
    char *big = calloc(1, 3 * SINK_BUFFER);
    assert_int_equal(sink_write(s, big, 3 * SINK_BUFFER, NULL), W2V_OK);
    free(big);
    assert_content(at(state, "out"), "old", 3);
    sink_abort(s);
    sink_abort(NULL);
    assert_content(at(state, "out"), "old", 3);
    assert_int_equal(support_count(*state), 1);
}

static void test_sink_empty_file(void **state)
{
    commit_well(open_well(at(state, "out"), false), 0);
    assert_content(at(state, "out"), "", 0);
}

static void test_sink_longest_name(void **state)
{
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    write_text(at(state, name), "x");
    assert_content(at(state, name), "x", 1);
}

static void test_sink_name_in_the_current_folder(void **state)
{
    char before[4096];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(*state), 0);
    write_text("bare", "x");
    assert_int_equal(chdir(before), 0);
    assert_content(at(state, "bare"), "x", 1);
}

/* Every way of writing, in pieces around the size of the buffer, gives the same bytes. */
static void test_sink_write_any_pieces(void **state)
{
    const size_t n = 3 * SINK_BUFFER + 17;
    static const size_t pieces[] = {1000, SINK_BUFFER - 1, SINK_BUFFER, SINK_BUFFER + 1,
                                    2 * SINK_BUFFER + 5};
    char *data = malloc(n);
    for (size_t i = 0; i < n; i++) {
        data[i] = (char)(unsigned char)(i * 2654435761u >> 13);
    }
    for (size_t p = 0; p < SUPPORT_COUNT(pieces); p++) {
        sink *s = open_well(at(state, "out"), false);
        for (size_t i = 0; i < n;) {
            const size_t take = n - i < pieces[p] ? n - i : pieces[p];
            if (take <= SINK_BUFFER && i % 2) {
                memcpy(sink_room(s, SINK_BUFFER, NULL), data + i, take);
                sink_advance(s, take);
            } else {
                assert_int_equal(sink_write(s, data + i, take, NULL), W2V_OK);
            }
            i += take;
        }
        commit_well(s, n);
        assert_content(at(state, "out"), data, n);
    }
    free(data);
}

static void test_sink_printf_longer_than_the_buffer(void **state)
{
    const int width = (int)SINK_BUFFER + 100;
    sink *s = open_well(at(state, "out"), false);
    assert_int_equal(sink_printf(s, NULL, "%*d", 5, 1), W2V_OK);
    assert_int_equal(sink_printf(s, NULL, "%*d", width, 2), W2V_OK);
    assert_int_equal(sink_printf(s, NULL, "%*d", (int)SINK_BUFFER, 3), W2V_OK);
    assert_int_equal(sink_printf(s, NULL, "%*d", (int)SINK_BUFFER - 1, 4), W2V_OK);
    const size_t n = 5 + (size_t)width + 2 * SINK_BUFFER - 1;
    commit_well(s, n);
    size_t got;
    char *text = support_read(at(state, "out"), &got);
    assert_int_equal(got, n);
    assert_int_equal(text[4], '1');
    assert_int_equal(text[4 + width], '2');
    assert_int_equal(text[4 + (size_t)width + SINK_BUFFER], '3');
    assert_int_equal(text[n - 1], '4');
    free(text);
}

/* -------------------------------------------------------------------- gzip */

static void test_sink_gzip_comes_back_and_is_reproducible(void **state)
{
    const size_t n = 2 * SINK_BUFFER + 12345;
    char *data = malloc(n), *back = malloc(n + 1);
    uint32_t x = 1;
    for (size_t i = 0; i < n; i++) {
        x = x * 1664525 + 1013904223;
        data[i] = (char)('a' + (x >> 24) % 26);
    }
    static const char *const names[] = {"a.gz", "b.gz"};
    for (size_t i = 0; i < 2; i++) {
        sink *s = open_well(at(state, names[i]), true);
        assert_int_equal(sink_write(s, data, n, NULL), W2V_OK);
        uint64_t bytes = 0;
        assert_int_equal(sink_commit(s, &bytes, NULL), W2V_OK);
        struct stat facts;
        assert_int_equal(stat(at(state, names[i]), &facts), 0);
        assert_int_equal(bytes, facts.st_size);
        assert_true(bytes < n);
        gzFile f = gzopen(at(state, names[i]), "rb");
        assert_int_equal(gzread(f, back, (unsigned)n + 1), n);
        assert_int_equal(gzclose(f), Z_OK);
        assert_memory_equal(back, data, n);
    }
    size_t size;
    char *first = support_read(at(state, "a.gz"), &size);
    assert_content(at(state, "b.gz"), first, size); /* no time, no name in it */
    assert_memory_equal(first + 4, "\0\0\0\0", 4);
    free(first);
    free(back);
    free(data);
}

static void test_sink_gzip_empty(void **state)
{
    sink *s = open_well(at(state, "a.gz"), true);
    commit_well(s, 20); /* header 10, an empty block 2, checksum and length 8 */
    char byte;
    gzFile f = gzopen(at(state, "a.gz"), "rb");
    assert_int_equal(gzread(f, &byte, 1), 0);
    assert_int_equal(gzclose(f), Z_OK);
}

static void test_sink_name_is_gzip_examples(void **state)
{
    (void)state;
    assert_true(sink_name_is_gzip("a.gz"));
    assert_true(sink_name_is_gzip("dir/a.txt.gz"));
    assert_false(sink_name_is_gzip("a.gzip"));
    assert_false(sink_name_is_gzip("agz"));
    assert_false(sink_name_is_gzip(".gz"));
    assert_false(sink_name_is_gzip(""));
    assert_false(sink_name_is_gzip("-"));
}

/* ---------------------------------------------------------------- refusals */

static void assert_open_fails(const char *path, int sys_errno)
{
    char expected[2 * SUPPORT_PATH];
    sink *s = NULL;
    w2v_error err = {0};
    assert_int_equal(sink_open(path, false, &s, &err), W2V_ERR_IO);
    assert_null(s);
    assert_int_equal(err.sys_errno, sys_errno);
    snprintf(expected, sizeof expected, "cannot write '%s': %s", path, strerror(sys_errno));
    assert_string_equal(err.text, expected);
}

static void test_sink_open_refusals(void **state)
{
    char name[300];
    memset(name, 'n', 256);
    name[256] = '\0';
    support_write_text(at(state, "file"), "");
    assert_int_equal(symlink("loop", at(state, "loop")), 0);
    assert_open_fails(*state, EISDIR);
    assert_open_fails(at(state, "none/out"), ENOENT);
    assert_open_fails(at(state, "none/"), EISDIR);
    assert_open_fails(at(state, "file/out"), ENOTDIR);
    assert_open_fails(at(state, "loop"), ELOOP);
    assert_open_fails(at(state, name), ENAMETOOLONG);
    assert_open_fails("", ENOENT);
    assert_int_equal(support_count(*state), 2);
    if (geteuid() != 0) { /* nothing is forbidden to root */
        assert_int_equal(chmod(at(state, "file"), 0444), 0);
        assert_open_fails(at(state, "file"), EACCES);
        assert_int_equal(chmod(at(state, "file"), 0644), 0);
        assert_int_equal(chmod(*state, 0555), 0);
        assert_open_fails(at(state, "file"), EACCES);
        assert_open_fails(at(state, "new"), EACCES);
        assert_int_equal(chmod(*state, 0755), 0);
    }
}

/* A full disk: the error comes once the buffer is emptied, and stays. */
static void test_sink_full_device(void **state)
{
    (void)state;
    const char *text = "cannot write '/dev/full': No space left on device";
    w2v_error err = {0};
    sink *s = open_well("/dev/full", false);
    assert_int_equal(sink_write(s, "x", 1, &err), W2V_OK); /* held back */
    assert_int_equal(sink_commit(s, NULL, &err), W2V_ERR_IO);
    assert_int_equal(err.sys_errno, ENOSPC);
    assert_string_equal(err.text, text);

    char *big = calloc(2, SINK_BUFFER);
    s = open_well("/dev/full", false);
    err = (w2v_error){0};
    assert_int_equal(sink_write(s, big, 2 * SINK_BUFFER, &err), W2V_ERR_IO);
    assert_string_equal(err.text, text);
    for (int i = 0; i < 3; i++) {
        err = (w2v_error){0};
        assert_int_equal(sink_write(s, "x", 1, &err), W2V_ERR_IO);
        assert_string_equal(err.text, text);
        assert_int_equal(sink_printf(s, NULL, "x"), W2V_ERR_IO);
        assert_null(sink_room(s, 1, NULL));
    }
    err = (w2v_error){0};
    assert_int_equal(sink_commit(s, NULL, &err), W2V_ERR_IO);
    assert_string_equal(err.text, text);

    s = open_well("/dev/full", true);
    err = (w2v_error){0};
    assert_int_equal(sink_commit(s, NULL, &err), W2V_ERR_IO);
    assert_string_equal(err.text, text);
    free(big);
    struct stat facts;
    assert_int_equal(stat("/dev/full", &facts), 0);
    assert_true(S_ISCHR(facts.st_mode)); /* never replaced */
}

/* The disk fills while a regular file is written: the old one stays and nothing else. */
static void test_sink_file_too_large(void **state)
{
    support_write_text(at(state, "out"), "old");
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        /* A limit of the process stands in for a full disk: write() then fails with EFBIG. */
        signal(SIGXFSZ, SIG_IGN);
        char command[SUPPORT_PATH];
        snprintf(command, sizeof command, "%s", at(state, "out"));
        const struct rlimit limit = {SINK_BUFFER, SINK_BUFFER};
        setrlimit(RLIMIT_FSIZE, &limit);
        sink *s;
        w2v_error err = {0};
        if (sink_open(command, false, &s, &err) != W2V_OK) {
            _exit(2);
        }
        static char big[2 * SINK_BUFFER];
        (void)sink_write(s, big, sizeof big, &err);
        const bool failed = sink_commit(s, NULL, &err) == W2V_ERR_IO && err.sys_errno == EFBIG;
        _exit(failed ? 0 : 3);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_content(at(state, "out"), "old", 3);
    assert_int_equal(support_count(*state), 1);
}

/* The folder disappears during the work: an error, and no crash. */
static void test_sink_commit_into_a_removed_folder(void **state)
{
    assert_int_equal(mkdir(at(state, "sub"), 0755), 0);
    sink *s = open_well(at(state, "sub/out"), false);
    support_remove(at(state, "sub"));
    w2v_error err = {0};
    assert_int_equal(sink_commit(s, NULL, &err), W2V_ERR_IO);
    assert_int_equal(err.sys_errno, ENOENT);
    assert_int_equal(support_count(*state), 0);
}

/* ------------------------------------------------------ written directly */

static void test_sink_fifo_is_written_and_stays(void **state)
{
    char command[2 * SUPPORT_PATH];
    assert_int_equal(mkfifo(at(state, "fifo"), 0600), 0);
    snprintf(command, sizeof command, "cat '%s' > '%s' &", at(state, "fifo"), at(state, "copy"));
    assert_int_equal(support_run(command, NULL, NULL), 0);
    char *big = malloc(3 * SINK_BUFFER);
    memset(big, 'f', 3 * SINK_BUFFER);
    sink *s = open_well(at(state, "fifo"), false);
    assert_int_equal(sink_write(s, big, 3 * SINK_BUFFER, NULL), W2V_OK);
    commit_well(s, 3 * SINK_BUFFER);
    struct stat facts = {0};
    for (int i = 0; i < 1000 && facts.st_size < (off_t)(3 * SINK_BUFFER); i++) {
        usleep(10000); /* until the reader has written its copy */
        assert_int_equal(stat(at(state, "copy"), &facts), 0);
    }
    assert_content(at(state, "copy"), big, 3 * SINK_BUFFER);
    free(big);
    assert_int_equal(stat(at(state, "fifo"), &facts), 0);
    assert_true(S_ISFIFO(facts.st_mode));
}

/* Runs with standard output going to fd; writes n bytes to "-". */
static w2v_status write_stdout(int fd, size_t n, w2v_error *err)
{
    fflush(stdout);
    const int saved = dup(1);
    assert_int_equal(dup2(fd, 1), 1);
    sink *s = NULL;
    char *big = malloc(n);
    memset(big, 's', n);
    w2v_status status = sink_open("-", false, &s, err);
    if (status == W2V_OK) {
        (void)sink_write(s, big, n, err);
        status = sink_commit(s, NULL, err);
    }
    free(big);
    const bool still_open = fcntl(1, F_GETFD) >= 0;
    assert_int_equal(dup2(saved, 1), 1);
    close(saved);
    assert_true(still_open);
    return status;
}

static void test_sink_standard_output(void **state)
{
    w2v_error err = {0};
    const int fd = open(at(state, "out"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    assert_int_equal(write(fd, "head", 4), 4);
    assert_int_equal(write_stdout(fd, 10, &err), W2V_OK);
    close(fd);
    assert_content(at(state, "out"), "headssssssssss", 14);
}

static void test_sink_closed_pipe_is_told(void **state)
{
    (void)state;
    int fds[2];
    w2v_error err = {0};
    void (*const before)(int) = signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(fds), 0);
    close(fds[0]);
    assert_int_equal(write_stdout(fds[1], 1, &err), W2V_ERR_IO);
    close(fds[1]);
    signal(SIGPIPE, before);
    assert_int_equal(err.sys_errno, EPIPE);
    assert_string_equal(err.text, "cannot write 'standard output': Broken pipe");
}

/* ------------------------------------------------------------------ memory */

static void test_sink_memory_collects(void **state)
{
    (void)state;
    sink *s;
    size_t n;
    w2v_error err = {0};
    assert_int_equal(sink_open_memory(&s, &err), W2V_OK);
    assert_string_equal(sink_memory(s, &n), "");
    assert_int_equal(n, 0);
    for (int i = 0; i < 100000; i++) {
        assert_int_equal(sink_printf(s, &err, "%06d", i), W2V_OK);
    }
    const char *text = sink_memory(s, &n);
    assert_int_equal(n, 600000);
    assert_memory_equal(text, "000000000001", 12);
    assert_memory_equal(text + n - 6, "099999", 6);
    commit_well(s, 600000);
}

static void test_sink_every_allocation_fails(void **state)
{
    support_write_text(at(state, "out"), "old");
    for (int gzip = 0; gzip < 2; gzip++) {
        for (uint64_t number = 1;; number++) {
            sink *s = NULL;
            w2v_error err = {0};
            mem_fail_at(number, false);
            w2v_status status = sink_open(at(state, "out"), gzip, &s, &err);
            if (status == W2V_OK) {
                (void)sink_write(s, "new", 3, &err);
                status = sink_commit(s, NULL, &err);
            }
            const bool reached = mem_tries() >= number;
            mem_fail_at(0, false);
            assert_int_equal(support_count(*state), 1);
            if (!reached) {
                assert_int_equal(status, W2V_OK);
                assert_true(number > 5);
                break;
            }
            assert_int_equal(status, W2V_ERR_MEMORY);
            assert_int_equal(err.code, W2V_ERR_MEMORY);
            assert_content(at(state, "out"), "old", 3);
        }
        support_write_text(at(state, "out"), "old");
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_sink_commit_makes_the_file),
        TEST(test_sink_new_file_follows_the_umask),
        TEST(test_sink_existing_mode_is_kept),
        TEST(test_sink_link_is_kept),
        TEST(test_sink_abort_leaves_the_old_file),
        TEST(test_sink_empty_file),
        TEST(test_sink_longest_name),
        TEST(test_sink_name_in_the_current_folder),
        TEST(test_sink_write_any_pieces),
        TEST(test_sink_printf_longer_than_the_buffer),
        TEST(test_sink_gzip_comes_back_and_is_reproducible),
        TEST(test_sink_gzip_empty),
        TEST(test_sink_name_is_gzip_examples),
        TEST(test_sink_open_refusals),
        TEST(test_sink_full_device),
        TEST(test_sink_file_too_large),
        TEST(test_sink_commit_into_a_removed_folder),
        TEST(test_sink_fifo_is_written_and_stays),
        TEST(test_sink_standard_output),
        TEST(test_sink_closed_pipe_is_told),
        TEST(test_sink_memory_collects),
        TEST(test_sink_every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
