#include "support.h"

#include "base/utf8.h"

/*
 * The slow specification: a sequence is well-formed when it is the encoding of
 * a scalar value in the only right length.
 */
static size_t oracle(const unsigned char *s, size_t n, uint32_t *code)
{
    static const struct {
        unsigned char low[4], high[4];
        size_t length;
    } rows[] = {
        /* Unicode 15.0, table 3-7, row for row */
        {{0x00}, {0x7f}, 1},
        {{0xc2, 0x80}, {0xdf, 0xbf}, 2},
        {{0xe0, 0xa0, 0x80}, {0xe0, 0xbf, 0xbf}, 3},
        {{0xe1, 0x80, 0x80}, {0xec, 0xbf, 0xbf}, 3},
        {{0xed, 0x80, 0x80}, {0xed, 0x9f, 0xbf}, 3},
        {{0xee, 0x80, 0x80}, {0xef, 0xbf, 0xbf}, 3},
        {{0xf0, 0x90, 0x80, 0x80}, {0xf0, 0xbf, 0xbf, 0xbf}, 4},
        {{0xf1, 0x80, 0x80, 0x80}, {0xf3, 0xbf, 0xbf, 0xbf}, 4},
        {{0xf4, 0x80, 0x80, 0x80}, {0xf4, 0x8f, 0xbf, 0xbf}, 4},
    };
    static const unsigned char lead_mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    size_t longest = 1; /* the maximal subpart: the longest beginning of any row */
    for (size_t r = 0; r < SUPPORT_COUNT(rows); r++) {
        size_t i = 0;
        while (i < rows[r].length && i < n && s[i] >= rows[r].low[i] && s[i] <= rows[r].high[i]) {
            i++;
        }
        if (i == rows[r].length) {
            *code = s[0] & lead_mask[i];
            for (size_t k = 1; k < i; k++) {
                *code = *code << 6 | (s[k] & 0x3f);
            }
            return i;
        }
        if (i > longest) {
            longest = i;
        }
    }
    *code = UTF8_INVALID;
    return longest;
}

static void check_bytes(const unsigned char *s, size_t n)
{
    uint32_t code, expected;
    const size_t expected_length = oracle(s, n, &expected);
    const size_t length = utf8_decode((const char *)s, n, &code);
    if (length != expected_length || code != expected) {
        fail_msg("%02x %02x %02x %02x (%zu bytes): length %zu, code %x", s[0], s[1], s[2], s[3], n,
                 length, (unsigned)code);
    }
}

/* All sequences of two bytes, and behind each the bytes at the edges of the table's ranges. */
static void test_utf8_decode_equals_the_table(void **state)
{
    (void)state;
    static const unsigned char edges[] = {0x00, 0x20, 0x7f, 0x80, 0x8f, 0x90, 0x9f,
                                          0xa0, 0xbf, 0xc0, 0xc2, 0xe0, 0xf0, 0xff};
    for (unsigned a = 0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b++) {
            for (size_t c = 0; c < sizeof edges; c++) {
                for (size_t d = 0; d < sizeof edges; d++) {
                    const unsigned char s[4] = {(unsigned char)a, (unsigned char)b, edges[c],
                                                edges[d]};
                    for (size_t n = 1; n <= 4; n++) {
                        check_bytes(s, n);
                    }
                }
            }
        }
    }
}

static void test_utf8_encode_every_scalar_value_comes_back(void **state)
{
    (void)state;
    for (uint32_t code = 0; code <= 0x10ffff; code++) {
        if (code == 0xd800) {
            code = 0xe000;
        }
        char bytes[4];
        const size_t n = utf8_encode(code, bytes);
        uint32_t back;
        if (utf8_decode(bytes, n, &back) != n || back != code) {
            fail_msg("U+%04X", (unsigned)code);
        }
    }
}

static void test_utf8_decode_maximal_subparts(void **state)
{
    (void)state;
    /* Unicode 15.0, table 3-8: each maximal invalid part is one. */
    const char text[] = "a\xf1\x80\x80\xe1\x80\xc2"
                        "b\x80"
                        "c\x80\xbf"
                        "d";
    static const size_t lengths[] = {1, 3, 2, 1, 1, 1, 1, 1, 1, 1};
    size_t at = 0;
    for (size_t i = 0; i < SUPPORT_COUNT(lengths); i++) {
        uint32_t code;
        const size_t n = utf8_decode(text + at, sizeof text - 1 - at, &code);
        assert_int_equal(n, lengths[i]);
        at += n;
    }
    assert_int_equal(at, sizeof text - 1);
}

static void test_utf8_is_space_is_white_space(void **state)
{
    (void)state;
    static const uint32_t list[] = {0x9,    0xa,    0xb,    0xc,    0xd,    0x20,   0x85,
                                    0xa0,   0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004,
                                    0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028,
                                    0x2029, 0x202f, 0x205f, 0x3000};
    size_t next = 0;
    for (uint32_t code = 0; code <= 0x10ffff; code++) {
        const bool expected = next < SUPPORT_COUNT(list) && list[next] == code;
        next += expected;
        if (utf8_is_space(code) != expected) {
            fail_msg("U+%04X", (unsigned)code);
        }
    }
    assert_int_equal(next, SUPPORT_COUNT(list));
    assert_false(utf8_is_space(UTF8_INVALID));
}

static void test_utf8_space_length_examples(void **state)
{
    (void)state;
    assert_int_equal(utf8_space_length(" x", 2), 1);
    assert_int_equal(utf8_space_length("x ", 2), 0);
    assert_int_equal(utf8_space_length("", 0), 0);
    assert_int_equal(utf8_space_length("\0", 1), 0);
    assert_int_equal(utf8_space_length("\xc2\xa0", 2), 2);
    assert_int_equal(utf8_space_length("\xc2\x85", 2), 2);
    assert_int_equal(utf8_space_length("\xe3\x80\x80", 3), 3);
    assert_int_equal(utf8_space_length("\xe3\x80\x80", 2), 0); /* cut off */
    assert_int_equal(utf8_space_length("\xe2\x80\x8b", 3),
                     0); /* U+200B has no width, yet is no space */
}

static void test_utf8_valid_examples(void **state)
{
    (void)state;
    assert_true(utf8_valid("", 0));
    assert_true(utf8_valid("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\x88", 14));
    assert_true(utf8_valid("a\0b", 3));
    assert_false(utf8_valid("caf\xe9", 4));
    assert_false(utf8_valid("\xc0\x80", 2));         /* overlong */
    assert_false(utf8_valid("\xed\xa0\x80", 3));     /* a surrogate */
    assert_false(utf8_valid("\xf4\x90\x80\x80", 4)); /* beyond U+10FFFF */
    assert_false(utf8_valid("\xf0\x9f\x90\x88", 3));
}

static void test_utf8_width_examples(void **state)
{
    (void)state;
    assert_int_equal(utf8_width("", 0), 0);
    assert_int_equal(utf8_width("cat", 3), 3);
    assert_int_equal(utf8_width("caf\xc3\xa9", 5), 4);
    assert_int_equal(utf8_width("e\xcc\x81", 3), 1);                /* e and a combining acute */
    assert_int_equal(utf8_width("\xe7\x8c\xab", 3), 2);             /* a Chinese character */
    assert_int_equal(utf8_width("\xea\xb0\x80", 3), 2);             /* a Hangul syllable */
    assert_int_equal(utf8_width("\xf0\x9f\x90\x88", 4), 2);         /* a cat */
    assert_int_equal(utf8_width("\xe1\x9e\x80\xe1\x9e\xbb", 6), 1); /* Khmer ka and a vowel below */
    assert_int_equal(utf8_width("\xe2\x80\x8d", 3), 0);             /* zero width joiner */
    assert_int_equal(utf8_width("a\xff"
                                "b",
                                3),
                     6);                            /* a\xffb */
    assert_int_equal(utf8_width("\x1b[m", 3), 6);   /* \x1b[m */
    assert_int_equal(utf8_width("\xc2\x9b", 2), 8); /* \xc2\x9b */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_utf8_decode_equals_the_table),
        cmocka_unit_test(test_utf8_encode_every_scalar_value_comes_back),
        cmocka_unit_test(test_utf8_decode_maximal_subparts),
        cmocka_unit_test(test_utf8_is_space_is_white_space),
        cmocka_unit_test(test_utf8_space_length_examples),
        cmocka_unit_test(test_utf8_valid_examples),
        cmocka_unit_test(test_utf8_width_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
