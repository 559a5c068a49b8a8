#include "io/material.h"

/* -------------------------------------------------------------------- gzip */

static void test_source_gzip_in_any_pieces(void **state)
{
    char path[SUPPORT_PATH];
    const size_t n = 1200000;
    char *text = sample_text(n);
    const bytes packed = member((bytes){0}, text, n);
    assert_true(packed.n > 262144 * 2); /* several fillings of the buffer */
    support_write(support_path(*state, "no-such-ending", path), packed.data, packed.n);
    for (size_t p = 2; p < SUPPORT_COUNT(pieces); p++) {
        const outcome o = read_path(path, pieces[p]);
        assert_true(o.gzip);
        assert_false(o.trailing);
        assert_text(o, text, n);
    }
    assert_text(read_memory(packed.data, packed.n, 1 << 20), text, n);
    free(packed.data);
    free(text);
}

static void test_source_gzip_members_are_one_text(void **state)
{
    (void)state;
    bytes b = member((bytes){0}, "ant bee cow\n", 12);
    b = member(b, "", 0);
    b = member(b, "dog elk fox\n", 12);
    b = member(b, "", 0); /* as bgzip ends its files */
    for (size_t p = 0; p < SUPPORT_COUNT(pieces); p++) {
        const outcome o = read_memory(b.data, b.n, pieces[p]);
        assert_false(o.trailing);
        assert_text(o, "ant bee cow\ndog elk fox\n", 24);
    }
    free(b.data);
}

static void test_source_gzip_empty_member_is_no_text(void **state)
{
    (void)state;
    const bytes b = member((bytes){0}, "", 0);
    const outcome o = read_memory(b.data, b.n, 10);
    assert_true(o.gzip);
    assert_text(o, "", 0);
    free(b.data);
}

static void test_source_gzip_zero_padding(void **state)
{
    (void)state;
    static const char zeros[10000];
    for (size_t n = 1; n < sizeof zeros; n = n * 3 + 1) {
        bytes b = member((bytes){0}, "ant\n", 4);
        b = join(b, zeros, n);
        outcome o = read_memory(b.data, b.n, 10);
        assert_false(o.trailing);
        assert_text(o, "ant\n", 4);
        b = member(b, "bee\n", 4); /* a member behind padding is read as well */
        o = read_memory(b.data, b.n, 10);
        assert_false(o.trailing);
        assert_text(o, "ant\nbee\n", 8);
        free(b.data);
    }
}

static void test_source_gzip_other_trailing_bytes(void **state)
{
    char path[SUPPORT_PATH];
    bytes b = member((bytes){0}, "ant\n", 4);
    const size_t clean = b.n;
    char *more = sample_text(900000);
    static const char *const tails[] = {"x", "\0\0x", "\x1f\x8c", "\x1fx", "tail\n"};
    static const size_t lengths[] = {1, 3, 2, 2, 5};
    for (size_t i = 0; i < SUPPORT_COUNT(tails); i++) {
        b.n = clean;
        b = join(b, tails[i], lengths[i]);
        const outcome o = read_memory(b.data, b.n, 10);
        assert_true(o.trailing);
        assert_text(o, "ant\n", 4);
    }
    b = join(b, more, 900000); /* also when it fills the buffer more than once */
    support_write(support_path(*state, "x", path), b.data, b.n);
    const outcome o = read_path(path, 10);
    assert_true(o.trailing);
    assert_text(o, "ant\n", 4);
    free(more);
    free(b.data);
}

/* Every header field that gzip has: extra, name, comment, header checksum. */
static void test_source_gzip_header_fields(void **state)
{
    (void)state;
    unsigned char out[200];
    z_stream z = {0};
    gz_header head = {.text = 1,
                      .time = 1234567,
                      .extra = (Bytef *)"extra",
                      .extra_len = 5,
                      .name = (Bytef *)"name",
                      .comment = (Bytef *)"comment",
                      .hcrc = 1};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflateSetHeader(&z, &head), Z_OK);
    z.next_in = (const Bytef *)"ant bee";
    z.avail_in = 7;
    z.next_out = out;
    z.avail_out = sizeof out;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    const size_t n = sizeof out - z.avail_out;
    deflateEnd(&z);
    assert_text(read_memory(out, n, 3), "ant bee", 7);
    for (size_t cut = 1; cut < n; cut++) {
        const outcome o = read_memory(out, cut, 100);
        assert_int_equal(o.status, W2V_ERR_INPUT);
        assert_non_null(strstr(o.err.text, "(truncated gzip)"));
        free(o.text);
    }
}

/* ------------------------------------------------------------------ damage */

/* Cut anywhere, a file is an error that tells how far the text went. */
static void test_source_gzip_every_cut_is_an_error(void **state)
{
    (void)state;
    char *text = sample_text(3000);
    const bytes b = member((bytes){0}, text, 3000);
    for (size_t cut = 1; cut < b.n; cut++) {
        const outcome o = read_memory(b.data, cut, cut % 2 ? 10 : 5000);
        char expected[100];
        snprintf(expected, sizeof expected, "'x.gz' ends early at byte %zu (truncated gzip)", o.n);
        assert_true(o.gzip);
        assert_int_equal(o.err.offset, o.n);
        assert_true(o.n <= 3000);
        if (o.n) {
            assert_memory_equal(o.text, text, o.n);
        }
        assert_true(cut < b.n - 8 || o.n == 3000); /* all the text, but not its checksum */
        assert_fails(o, W2V_ERR_INPUT, expected);
    }
    free(b.data);
    free(text);
}

/* Who asks again is told the same, and given nothing. */
static void test_source_gzip_error_is_told_again(void **state)
{
    (void)state;
    const bytes b = member((bytes){0}, "ant bee\n", 8);
    source *s;
    char text[100];
    size_t got;
    assert_int_equal(source_open_memory(b.data, b.n - 1, "x.gz", &s, NULL), W2V_OK);
    while (source_read(s, text, sizeof text, &got, NULL) == W2V_OK) {
        assert_true(got > 0);
    }
    for (int i = 0; i < 2; i++) {
        w2v_error err = {0};
        assert_int_equal(source_read(s, text, sizeof text, &got, &err), W2V_ERR_INPUT);
        assert_int_equal(got, 0);
        assert_string_equal(err.text, "'x.gz' ends early at byte 8 (truncated gzip)");
        assert_int_equal(err.offset, 8);
    }
    source_close(s);
    free(b.data);
}

static void test_source_gzip_second_member_cut(void **state)
{
    (void)state;
    bytes b = member((bytes){0}, "ant\n", 4);
    const size_t first = b.n;
    b = member(b, "bee\n", 4);
    for (size_t cut = first + 1; cut < b.n; cut++) {
        const outcome o = read_memory(b.data, cut, 100);
        assert_int_equal(o.status, W2V_ERR_INPUT);
        assert_true(o.n == 4 || o.n == 8 || (o.n > 4 && o.n < 8));
        assert_non_null(strstr(o.err.text, "'x.gz' ends early at byte "));
        free(o.text);
    }
    free(b.data);
}

/* No single flipped bit changes the text unseen. Those that are no error are fields of the header
   that say nothing about the text, and the up to seven bits that fill the last byte of the packed
   data. */
static void test_source_gzip_every_flipped_bit_is_an_error(void **state)
{
    (void)state;
    char *text = sample_text(400);
    const bytes b = member((bytes){0}, text, 400);
    int harmless = 0;
    for (size_t bit = 0; bit < b.n * 8; bit++) {
        const size_t byte = bit / 8;
        if (byte < 2 || (byte >= 4 && byte < 10) || bit == 3 * 8) {
            continue; /* the magic; time, extra flags, system; "is text" */
        }
        b.data[byte] ^= (unsigned char)(1u << bit % 8);
        const outcome o = read_memory(b.data, b.n, 1000);
        b.data[byte] ^= (unsigned char)(1u << bit % 8);
        if (o.status == W2V_OK) {
            assert_int_equal(byte, b.n - 9); /* just before the checksum */
            assert_text(o, text, 400);
            harmless++;
            continue;
        }
        assert_int_equal(o.status, W2V_ERR_INPUT);
        assert_int_equal(o.err.offset, o.n);
        assert_true(strstr(o.err.text, "'x.gz' is damaged at byte ") ||
                    strstr(o.err.text, "'x.gz' ends early at byte "));
        free(o.text);
    }
    assert_in_range(harmless, 0, 7);
    free(b.data);
    free(text);
}

static void test_source_gzip_damage_is_named(void **state)
{
    (void)state;
    bytes b = member((bytes){0}, "red green blue\n", 15);
    b.data[b.n - 6] ^= 0x55;
    assert_fails(read_memory(b.data, b.n, 100), W2V_ERR_INPUT,
                 "'x.gz' is damaged at byte 15 (incorrect data check)");
    b.data[b.n - 6] ^= 0x55;
    b.data[b.n - 2] ^= 0x55;
    assert_fails(read_memory(b.data, b.n, 100), W2V_ERR_INPUT,
                 "'x.gz' is damaged at byte 15 (incorrect length check)");
    b.data[2] = 7;
    assert_fails(read_memory(b.data, b.n, 100), W2V_ERR_INPUT,
                 "'x.gz' is damaged at byte 0 (unknown compression method)");
    free(b.data);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_source_gzip_in_any_pieces),
        TEST(test_source_gzip_members_are_one_text),
        TEST(test_source_gzip_empty_member_is_no_text),
        TEST(test_source_gzip_zero_padding),
        TEST(test_source_gzip_other_trailing_bytes),
        TEST(test_source_gzip_header_fields),
        TEST(test_source_gzip_every_cut_is_an_error),
        TEST(test_source_gzip_error_is_told_again),
        TEST(test_source_gzip_second_member_cut),
        TEST(test_source_gzip_every_flipped_bit_is_an_error),
        TEST(test_source_gzip_damage_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
