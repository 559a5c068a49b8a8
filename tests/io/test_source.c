#include "io/material.h"

#include "base/mem.h"

#include <fcntl.h>

/* ------------------------------------------------------------------- plain */

static void test_source_plain_file_in_any_pieces(void **state)
{
    char path[SUPPORT_PATH];
    const size_t sizes[] = {0, 1, 2, 5, 4096, 262143, 262144, 262145, 1500000};
    for (size_t i = 0; i < SUPPORT_COUNT(sizes); i++) {
        char *text = sample_text(sizes[i]);
        support_write(support_path(*state, "x", path), text, sizes[i]);
        for (size_t p = sizes[i] > 10000 ? 3 : 0; p < SUPPORT_COUNT(pieces); p++) {
            const outcome o = read_path(path, pieces[p]);
            assert_false(o.gzip);
            assert_text(o, text, sizes[i]);
        }
        free(text);
    }
}

static void test_source_plain_memory_keeps_every_byte(void **state)
{
    (void)state;
    unsigned char all[256];
    for (int i = 0; i < 256; i++) {
        all[i] = (unsigned char)i;
    }
    assert_text(read_memory(all, sizeof all, 100), (char *)all, sizeof all);
    assert_text(read_memory(NULL, 0, 100), "", 0);
}

/* Beginnings that look like a known kind and are not. */
static void test_source_text_that_begins_like_a_magic(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "B", "BZ",   "BZh9 is no bzip2", "P", "PK", "PKW", "7z", "7zip", "\xfd", "\x04",
        "(", "\x1fx"};
    for (size_t i = 0; i < SUPPORT_COUNT(texts); i++) {
        assert_text(read_memory(texts[i], strlen(texts[i]), 3), texts[i], strlen(texts[i]));
    }
}

static void test_source_other_compression_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t n;
        const char *name;
    } cases[] = {
        {"PK\3\4rest", 8, "zip"},
        {"\xfd"
         "7zXZ\0rest",
         10, "xz"},
        {"BZh91AY&SYrest", 14, "bzip2"},
        {"\x28\xb5\x2f\xfdrest", 8, "zstd"},
        {"\x04\x22\x4d\x18rest", 8, "lz4"},
        {"\x1f\x9drest", 6, "compress"},
        {"7z\xbc\xaf\x27\x1crest", 10, "7z"},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        char expected[100];
        snprintf(expected, sizeof expected, "'x.gz' is a %s file, which is not supported",
                 cases[i].name);
        const outcome o = read_memory(cases[i].bytes, cases[i].n, 100);
        assert_non_null(strstr(o.err.hint, " 'x.gz' | w2v"));
        assert_fails(o, W2V_ERR_INPUT, expected);
    }
}

/* ----------------------------------------------------------------- opening */

static void test_source_open_refusals(void **state)
{
    char path[SUPPORT_PATH], expected[2 * SUPPORT_PATH];
    source *s = (source *)state;
    w2v_error err = {0};
    assert_int_equal(source_open(support_path(*state, "none", path), NULL, &s, &err),
                     W2V_ERR_INPUT);
    assert_null(s);
    snprintf(expected, sizeof expected, "cannot read '%s': No such file or directory", path);
    assert_string_equal(err.text, expected);
    err = (w2v_error){0};
    assert_int_equal(source_open(*state, NULL, &s, &err), W2V_ERR_INPUT);
    assert_null(s);
    snprintf(expected, sizeof expected, "'%s' is a folder", (char *)*state);
    assert_string_equal(err.text, expected);
    source_close(NULL);
}

static void test_source_stored_done(void **state)
{
    char path[SUPPORT_PATH];
    const size_t n = 700000;
    char *text = sample_text(n), piece[1000];
    const bytes b = member((bytes){0}, text, n);
    support_write(support_path(*state, "x.gz", path), b.data, b.n);
    source *s;
    w2v_error err = {0};
    assert_int_equal(source_open(path, NULL, &s, &err), W2V_OK);
    assert_int_equal(source_stored_done(s), 0);
    uint64_t before = 0;
    size_t got;
    do {
        assert_int_equal(source_read(s, piece, sizeof piece, &got, &err), W2V_OK);
        assert_true(source_stored_done(s) >= before);
        before = source_stored_done(s);
    } while (got > 0);
    assert_int_equal(before, b.n);
    source_close(s);
    free(b.data);
    free(text);
}

/* ------------------------------------------------------------ hash, changes */

/* The hash is of the file as it is stored: what sha256sum says. */
static void test_source_hash_of_stored_bytes(void **state)
{
    char path[SUPPORT_PATH], command[2 * SUPPORT_PATH];
    char *text = sample_text(600000);
    bytes b = member((bytes){0}, text, 600000);
    b = join(b, "trailing", 8);
    for (int packed = 0; packed < 2; packed++) {
        support_write(support_path(*state, "x", path), packed ? b.data : (unsigned char *)text,
                      packed ? b.n : 600000);
        const source_options options = {.hash = true};
        source *s;
        w2v_error err = {0};
        assert_int_equal(source_open(path, &options, &s, &err), W2V_OK);
        assert_null(source_hash(s)); /* not yet */
        char piece[5000];
        size_t got;
        do {
            assert_int_equal(source_read(s, piece, sizeof piece, &got, &err), W2V_OK);
        } while (got > 0);
        char *expected;
        snprintf(command, sizeof command, "sha256sum < '%s'", path);
        assert_int_equal(support_run(command, &expected, NULL), 0);
        assert_non_null(source_hash(s));
        assert_int_equal(strlen(source_hash(s)), 64);
        assert_memory_equal(source_hash(s), expected, 64);
        free(expected);
        source_close(s);
    }
    free(b.data);
    free(text);
}

static void test_source_hash_not_asked_for(void **state)
{
    (void)state;
    source *s;
    size_t got;
    char piece[8];
    assert_int_equal(source_open("/dev/null", NULL, &s, NULL), W2V_OK);
    assert_int_equal(source_read(s, piece, sizeof piece, &got, NULL), W2V_OK);
    assert_int_equal(got, 0);
    assert_null(source_hash(s));
    source_close(s);
}

typedef enum change { GROWS, SHRINKS, IS_TOUCHED } change;

static void assert_change_is_seen(const char *path, change how)
{
    char expected[2 * SUPPORT_PATH], piece[100];
    source *s;
    size_t got;
    w2v_error err = {0};
    char *text = sample_text(600000);
    support_write(path, text, 600000);
    free(text);
    assert_int_equal(source_open(path, NULL, &s, &err), W2V_OK);
    assert_int_equal(source_read(s, piece, sizeof piece, &got, &err), W2V_OK);
    if (how == GROWS) {
        FILE *f = fopen(path, "ab");
        assert_non_null(f);
        assert_true(fputs("more", f) >= 0);
        fclose(f);
    } else if (how == SHRINKS) {
        assert_int_equal(truncate(path, 500000), 0);
    } else {
        const struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    }
    const outcome o = read_all(s, 50000);
    snprintf(expected, sizeof expected, "'%s' changed while it was read", path);
    assert_fails(o, W2V_ERR_INPUT, expected);
}

static void test_source_change_while_reading(void **state)
{
    char path[SUPPORT_PATH];
    support_path(*state, "x", path);
    assert_change_is_seen(path, GROWS);
    assert_change_is_seen(path, SHRINKS);
    assert_change_is_seen(path, IS_TOUCHED);
}

/* Files of /proc say that they are empty, and are not. */
static void test_source_file_without_a_size(void **state)
{
    (void)state;
    if (access("/proc/self/cmdline", R_OK) != 0) {
        print_message("no /proc here\n");
        skip();
    }
    const outcome o = read_path("/proc/self/cmdline", 10);
    assert_int_equal(o.status, W2V_OK);
    assert_true(o.n > 0);
    free(o.text);
}

/* ------------------------------------------------------------------- pipes */

/* A child writes the bytes to the FIFO one by one at first, then all the rest. */
static pid_t feed(const char *fifo, const void *data, size_t n)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const int fd = open(fifo, O_WRONLY);
        const char *p = data;
        size_t left = n;
        while (left > 0) {
            const ssize_t w = write(fd, p, n - left < 20 ? 1 : left);
            if (w < 0) {
                _exit(1);
            }
            p += w;
            left -= (size_t)w;
        }
        close(fd);
        _exit(0);
    }
    return child;
}

static void assert_finished(pid_t child)
{
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void test_source_fifo_plain_and_gzip(void **state)
{
    char path[SUPPORT_PATH];
    char *text = sample_text(400000);
    bytes b = member((bytes){0}, text, 400000);
    assert_int_equal(mkfifo(support_path(*state, "fifo", path), 0600), 0);

    pid_t child = feed(path, text, 400000);
    assert_text(read_path(path, 1000), text, 400000);
    assert_finished(child);

    child = feed(path, b.data, b.n);
    assert_text(read_path(path, 1000), text, 400000);
    assert_finished(child);

    b = join(b, text, 400000); /* trailing bytes are read too: the writer can finish */
    child = feed(path, b.data, b.n);
    const outcome o = read_path(path, 1000);
    assert_true(o.trailing);
    assert_text(o, text, 400000);
    assert_finished(child);
    free(b.data);
    free(text);
}

/* Runs `body` with standard input from `path`. */
static void with_stdin(const char *path, void (*body)(void *arg), void *arg)
{
    const int saved = dup(0), fd = open(path, O_RDONLY);
    assert_true(saved >= 0 && fd >= 0);
    assert_int_equal(dup2(fd, 0), 0);
    body(arg);
    assert_int_equal(dup2(saved, 0), 0);
    close(fd);
    close(saved);
}

static void read_stdin(void *arg)
{
    source *s;
    w2v_error err = {0};
    assert_int_equal(source_open("-", NULL, &s, &err), W2V_OK);
    assert_string_equal(source_name(s), "standard input");
    *(outcome *)arg = read_all(s, 100);
    assert_true(fcntl(0, F_GETFD) >= 0); /* it is not ours to close */
}

static void test_source_standard_input(void **state)
{
    char path[SUPPORT_PATH];
    outcome o;
    support_write_text(support_path(*state, "x", path), "kit cat nap\n");
    with_stdin(path, read_stdin, &o);
    assert_text(o, "kit cat nap\n", 12);
    const bytes b = member((bytes){0}, "kit", 3);
    support_write(path, b.data, b.n - 1);
    with_stdin(path, read_stdin, &o);
    assert_fails(o, W2V_ERR_INPUT, "'standard input' ends early at byte 3 (truncated gzip)");
    free(b.data);
}

/* ------------------------------------------------------------------ memory */

static void test_source_every_allocation_fails(void **state)
{
    char path[SUPPORT_PATH];
    const bytes b = member((bytes){0}, "ant bee\n", 8);
    support_write(support_path(*state, "x", path), b.data, b.n);
    free(b.data);
    for (uint64_t at = 1;; at++) {
        char piece[100];
        size_t got = 0;
        source *s = NULL;
        w2v_error err = {0};
        mem_fail_at(at, false);
        w2v_status status = source_open(path, NULL, &s, &err);
        if (status == W2V_OK) {
            status = source_read(s, piece, sizeof piece, &got, &err);
        }
        const bool reached = mem_tries() >= at;
        mem_fail_at(0, false);
        source_close(s);
        if (!reached) {
            assert_int_equal(status, W2V_OK);
            assert_int_equal(got, 8);
            assert_true(at > 4);
            return;
        }
        assert_int_equal(status, W2V_ERR_MEMORY);
        assert_int_equal(err.code, W2V_ERR_MEMORY);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_source_plain_file_in_any_pieces),
        TEST(test_source_plain_memory_keeps_every_byte),
        TEST(test_source_text_that_begins_like_a_magic),
        TEST(test_source_other_compression_is_named),
        TEST(test_source_open_refusals),
        TEST(test_source_stored_done),
        TEST(test_source_hash_of_stored_bytes),
        TEST(test_source_hash_not_asked_for),
        TEST(test_source_change_while_reading),
        TEST(test_source_file_without_a_size),
        TEST(test_source_fifo_plain_and_gzip),
        TEST(test_source_standard_input),
        TEST(test_source_every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
