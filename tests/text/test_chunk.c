#include "text/texts.h"

#include "base/rng.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "text/chunk.h"

/* All chunks of the inputs joined; each is checked for where it begins and what it parts. */
static char *join_chunks(const w2v_inputs *inputs, size_t chunk_size, size_t *n, chunk_reader *r)
{
    char *buffer = malloc(CHUNK_BUFFER(chunk_size));
    char *text = malloc(1 << 20);
    assert_true(buffer && text);
    *n = 0;
    assert_int_equal(chunk_reader_init(r, inputs, chunk_size, false, NULL), W2V_OK);
    bool inside = false;
    for (uint64_t number = 0; !chunk_at_end(r); number++) {
        chunk c;
        w2v_error err = {0};
        if (chunk_next(r, buffer, &c, &err) != W2V_OK) {
            fail_msg("%s", err.text);
        }
        assert_int_equal(c.number, number);
        assert_int_equal(c.begins_inside, inside);
        assert_true(c.size <= CHUNK_BUFFER(chunk_size) - CHUNK_PADDING);
        if (c.size > 0 && *n > 0 && c.input_offset > 3) {
            const unsigned char last = (unsigned char)text[*n - 1], first = (unsigned char)*c.data;
            assert_false(last == '\r' && first == '\n');
            assert_false(first >= 0x80 && first < 0xc0 && last >= 0xc2);
        }
        memcpy(text + *n, c.data, c.size);
        *n += c.size;
        inside = r->inside;
    }
    free(buffer);
    return text;
}

/* Valid text of all kinds of characters, words of up to 9,000 bytes. */
static size_t valid_text(rng *r, char *out, size_t size)
{
    size_t n = 0;
    while (n < size) {
        if (rng_below(r, 8) == 0) {
            static const char *const spaces[] = {" ",  "\r\n", "\xe3\x80\x80",
                                                 "\n", "\r",   "\xc2\xa0"};
            const char *space = spaces[rng_below(r, 6)];
            memcpy(out + n, space, strlen(space));
            n += strlen(space);
        } else {
            const bool large = rng_below(r, 300) == 0;
            for (uint32_t left = large ? 3000 : 1; left > 0; left--) {
                n += utf8_encode(0x4e00 + rng_below(r, 1000), out + n);
            }
        }
    }
    return n;
}

static void test_chunk_next_parts_nothing(void **state)
{
    static const size_t sizes[] = {CHUNK_SIZE_MIN, 17, 100, 4096, 5000, 1 << 16};
    char path[SUPPORT_PATH];
    support_path(*state, "text.txt", path);
    char *text = malloc(1 << 17);
    assert_non_null(text);
    for (uint64_t round = 0; round < 6; round++) {
        rng r = rng_stream(11, RNG_INIT, round, 0);
        const size_t n = valid_text(&r, text, 60000);
        support_write(path, text, n);
        const char *const paths[] = {path, path};
        w2v_inputs *inputs = text_inputs(paths, 2);
        chunk_reader reader;
        size_t got;
        char *joined = join_chunks(inputs, sizes[round], &got, &reader);
        assert_int_equal(got, 2 * n);
        assert_memory_equal(joined, text, n);
        assert_memory_equal(joined + n, text, n);
        assert_int_equal(reader.text_offset, 2 * n);
        chunk_reader_clear(&reader);
        w2v_inputs_free(inputs);
        free(joined);
    }
    free(text);
}

/* Case 18: a byte order mark goes from the start of each input, and from nowhere else. */
static void test_chunk_next_byte_order_mark(void **state)
{
    char plain[SUPPORT_PATH], packed[SUPPORT_PATH], mark[SUPPORT_PATH], two[SUPPORT_PATH];
    support_write_text(support_path(*state, "plain", plain), "\xef\xbb\xbf"
                                                             "a \xef\xbb\xbf"
                                                             "b ");
    text_write_gzip(support_path(*state, "packed.gz", packed),
                    "\xef\xbb\xbf"
                    "c\n",
                    5);
    support_write_text(support_path(*state, "mark", mark), "\xef\xbb\xbf");
    support_write_text(support_path(*state, "two", two), "\xef\xbb");
    const char *const paths[] = {plain, packed, mark, two};
    w2v_inputs *inputs = text_inputs(paths, 4);
    chunk_reader reader;
    size_t n;
    char *text = join_chunks(inputs, CHUNK_SIZE_MIN, &n, &reader);
    assert_int_equal(n, 11);
    assert_memory_equal(text,
                        "a \xef\xbb\xbf"
                        "b c\n\xef\xbb",
                        11);
    assert_int_equal(reader.text_offset, 20); /* bytes of the inputs, the marks too */
    assert_int_equal(reader.open_lines, 2);   /* of the first and the last */
    chunk_reader_clear(&reader);
    w2v_inputs_free(inputs);
    free(text);
}

static void test_chunk_reader_hashes(void **state)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(*state, "abc", path), "abc");
    const char *const paths[] = {path};
    w2v_inputs *inputs = text_inputs(paths, 1);
    chunk_reader r;
    chunk c;
    char buffer[CHUNK_BUFFER(CHUNK_SIZE_MIN)];
    assert_int_equal(chunk_reader_init(&r, inputs, CHUNK_SIZE_MIN, true, NULL), W2V_OK);
    assert_int_equal(chunk_next(&r, buffer, &c, NULL), W2V_OK);
    assert_true(c.ends_input && chunk_at_end(&r));
    assert_int_equal(chunk_stored_done(&r), 3);
    /* FIPS 180-4's own example. */
    assert_string_equal(r.hashes[0],
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    chunk_reader_clear(&r);
    w2v_inputs_free(inputs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_chunk_next_parts_nothing, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_chunk_next_byte_order_mark, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_chunk_reader_hashes, support_setup, support_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
