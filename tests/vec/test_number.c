#include "vec_files.h"

#include "base/mem.h"
#include "base/rng.h"

#include <float.h>
#include <math.h>

static float parsed(const char *text)
{
    float value = -12345;
    const char *end = text + strlen(text);
    assert_ptr_equal(number_parse(text, end, &value), end);
    return value;
}

static void assert_bits(float a, float b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

static void test_number_parse_simple(void **state)
{
    (void)state;
    assert_bits(parsed("0"), 0.0F);
    assert_bits(parsed("-0"), -0.0F);
    assert_bits(parsed("-0.0e5"), -0.0F);
    assert_bits(parsed("1"), 1.0F);
    assert_bits(parsed("+2.5"), 2.5F);
    assert_bits(parsed(".5"), 0.5F);
    assert_bits(parsed("5."), 5.0F);
    assert_bits(parsed("0.1"), 0.1F);
    assert_bits(parsed("1e-7"), 1e-7F);
    assert_bits(parsed("1E+7"), 1e7F);
    assert_bits(parsed("-3.4028235e38"), -FLT_MAX);
    assert_bits(parsed("1.17549435e-38"), FLT_MIN);
    assert_bits(parsed("1e-45"), 0x1p-149F);
    assert_bits(parsed("1e-60"), 0.0F);
    assert_bits(parsed("1e99999999999"), INFINITY);
    assert_bits(parsed("-3.5e38"), -INFINITY);
    assert_bits(parsed("0e99999999999"), 0.0F);
    assert_bits(parsed("00000000000000000000000000000000000000000000.5"), 0.5F);
    assert_bits(parsed("0.00000000000000000000000000000000000000000000000000001e53"), 1.0F);
}

/* To double and then to float would round these twice. */
static void test_number_parse_rounds_once(void **state)
{
    (void)state;
    assert_bits(parsed("16777217"), 16777216.0F); /* a tie, to even */
    assert_bits(parsed("16777219"), 16777220.0F); /* a tie, to even */
    assert_bits(parsed("16777217.000000000000000000001"), 16777218.0F);
    assert_bits(parsed("16777216.999999999999999999999"), 16777216.0F);
    assert_bits(parsed("1.000000059604644775390625"), 1.0F);           /* 1 + 2^-24 */
    assert_bits(parsed("1.0000000596046447753906251"), 0x1.000002p0F); /* a little more */
}

static void test_number_parse_random_as_strtof(void **state)
{
    (void)state;
    rng r = rng_stream(7, RNG_INIT, 0, 0);
    for (int i = 0; i < 200000; i++) {
        const uint32_t bits = (uint32_t)rng_next(&r);
        float f;
        memcpy(&f, &bits, sizeof f);
        if (!isfinite(f)) {
            continue;
        }
        /* every third a midpoint of two floats, which needs all digits */
        const double d = i % 3 ? (double)f : ((double)f + (double)nextafterf(f, 0)) / 2;
        char text[128];
        static const int digits[] = {9, 17, 30, 5};
        if (i % 3 == 0) {
            snprintf(text, sizeof text, "%.60g", d);
        } else if (i % 5 == 0) {
            snprintf(text, sizeof text, "%.18e", d);
        } else {
            snprintf(text, sizeof text, "%.*g", digits[i % 4], d);
        }
        assert_bits(parsed(text), strtof(text, NULL));
    }
}

/* More digits than fit beside the stack's copy: all of them count, while there is memory. */
static void test_number_parse_very_long(void **state)
{
    (void)state;
    /* half way between 1 and the next float, and a little more at the very end */
    char text[601] = "1.000000059604644775390625";
    memset(text + strlen(text), '0', 600 - strlen(text));
    assert_bits(parsed(text), 1.0F);
    text[599] = '1';
    assert_bits(parsed(text), nextafterf(1.0F, 2.0F));
    mem_fail_at(1, true);
    const float near = parsed(text);
    mem_fail_at(0, false);
    assert_true(near >= 1.0F && near <= nextafterf(1.0F, 2.0F));
}

static void test_number_parse_where_it_ends(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ptrdiff_t end; /* -1: none begins */
    } cases[] = {{"1 2", 1},  {"1x", 1},   {"", -1},    {"-", -1},  {"+", -1},    {".", -1},
                 {"x", -1},   {"e5", -1},  {"1e", 1},   {"1e+", 1}, {"1.2.3", 3}, {"--1", -1},
                 {"nan", -1}, {"inf", -1}, {"0x10", 1}, {" 1", -1}};
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        float value;
        const char *p = cases[i].text;
        const char *after = number_parse(p, p + strlen(p), &value);
        if (cases[i].end < 0) {
            assert_null(after);
        } else {
            assert_ptr_equal(after, p + cases[i].end);
        }
    }
}

static void test_number_is_one_spellings(void **state)
{
    (void)state;
    bool finite;
    assert_true(number_is_one("-1.5", 4, &finite));
    assert_true(finite);
    static const char *const odd[] = {"nan", "NaN", "-inf", "Infinity", "1e39"};
    for (size_t i = 0; i < SUPPORT_COUNT(odd); i++) {
        assert_true(number_is_one(odd[i], strlen(odd[i]), &finite));
        assert_false(finite);
    }
    assert_false(number_is_one("1,5", 3, &finite));
    assert_false(number_is_one("infinit", 7, &finite));
    assert_false(number_is_one("", 0, &finite));
}

static void test_number_convert_types(void **state)
{
    (void)state;
    float out[3];
    const unsigned char half[] = {0x00, 0x3c, 0x01, 0x80, 0xff, 0x7b}; /* 1, -2^-24, 65504 */
    number_convert(NUMBER_F16, half, 3, out);
    assert_bits(out[0], 1.0F);
    assert_bits(out[1], -0x1p-24F);
    assert_bits(out[2], 65504.0F);
    const unsigned char odd[] = {0x00, 0x7c, 0x00, 0x80, 0x55, 0x35}; /* inf, -0, about 1/3 */
    number_convert(NUMBER_F16, odd, 3, out);
    assert_bits(out[0], INFINITY);
    assert_bits(out[1], -0.0F);
    assert_bits(out[2], 0.333251953125F);
    const unsigned char brain[] = {0x80, 0x3f, 0x49, 0xc0, 0x00, 0x00};
    number_convert(NUMBER_BF16, brain, 3, out);
    assert_bits(out[0], 1.0F);
    assert_bits(out[1], -3.140625F);
    assert_bits(out[2], 0.0F);
    const double wide[] = {0.1, 1e300, -0x1.fffffep127};
    number_convert(NUMBER_F64, wide, 3, out);
    assert_bits(out[0], 0.1F);
    assert_bits(out[1], INFINITY);
    assert_bits(out[2], -FLT_MAX);
}

static void test_number_look_kinds(void **state)
{
    (void)state;
    float row[19] = {0};
    row[3] = -0.0F;
    assert_int_equal(number_look(row, 19), NUMBERS_ZERO);
    row[18] = 0x1p-149F;
    assert_int_equal(number_look(row, 19), NUMBERS_PLAIN);
    row[0] = FLT_MAX;
    assert_int_equal(number_look(row, 19), NUMBERS_PLAIN);
    row[17] = -INFINITY;
    assert_int_equal(number_look(row, 19), NUMBERS_NONFINITE);
    row[17] = NAN;
    assert_int_equal(number_look(row, 19), NUMBERS_NONFINITE);
}

/* One number that is not finite, at every place, whatever the length and alignment. */
static void test_number_all_finite_at_every_place(void **state)
{
    (void)state;
    static const float bad[] = {INFINITY, -INFINITY, NAN};
    char bytes[4 * 70 + 1];
    for (size_t n = 1; n <= 70; n++) {
        for (size_t at = 0; at <= n; at++) {
            for (size_t i = 0; i < n; i++) {
                const float value = i == at ? bad[(n + at) % 3] : i % 2 ? FLT_MAX : -FLT_MAX;
                memcpy(bytes + 1 + 4 * i, &value, sizeof value);
            }
            assert_true(number_all_finite(bytes + 1, n) == (at == n));
        }
    }
    assert_true(number_all_finite(bytes, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number_parse_simple),
        cmocka_unit_test(test_number_parse_rounds_once),
        cmocka_unit_test(test_number_parse_random_as_strtof),
        cmocka_unit_test(test_number_parse_very_long),
        cmocka_unit_test(test_number_parse_where_it_ends),
        cmocka_unit_test(test_number_is_one_spellings),
        cmocka_unit_test(test_number_convert_types),
        cmocka_unit_test(test_number_look_kinds),
        cmocka_unit_test(test_number_all_finite_at_every_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
