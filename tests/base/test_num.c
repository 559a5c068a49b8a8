#include "support.h"

#include "base/mem.h"
#include "base/num.h"

#include <float.h>
#include <locale.h>
#include <math.h>

/* ---------------------------------------------------------------- reading */

static void test_num_parse_u64_table(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool ok;
        uint64_t value;
    } cases[] = {
        {"0", true, 0},
        {"007", true, 7},
        {"8000000006", true, 8000000006u},
        {"18446744073709551615", true, UINT64_MAX},
        {"18446744073709551616", false, 0},
        {"28446744073709551615", false, 0},
        {"99999999999999999999999", false, 0},
        {"", false, 0},
        {"-1", false, 0},
        {"+1", false, 0},
        {" 1", false, 0},
        {"1 ", false, 0},
        {"5x", false, 0},
        {"1.5", false, 0},
        {"0x10", false, 0},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        uint64_t value = 99;
        const bool ok = num_parse_u64(cases[i].text, strlen(cases[i].text), &value);
        assert_int_equal(ok, cases[i].ok);
        assert_true(value == (ok ? cases[i].value : 99));
    }
    uint64_t value;
    assert_true(num_parse_u64("1234", 2, &value)); /* only the first two bytes are given */
    assert_true(value == 12);
}

static void test_num_parse_double_accepts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0", 0},
        {"-0.5", -0.5},
        {"+3", 3},
        {".5", 0.5},
        {"5.", 5},
        {"1e-3", 1e-3},
        {"1E+22", 1e22},
        {"1e23", 1e23},
        {"0.025", 0.025},
        {"9007199254740993", 9007199254740992.0}, /* 2^53 + 1 rounds to even */
        {"9007199254740993.0000000000000000000000000000000000001", 9007199254740994.0},
        {"1.7976931348623157e308", DBL_MAX},
        {"2.2250738585072014e-308", DBL_MIN},
        {"4.9406564584124654e-324", 4.9406564584124654e-324},
        {"1e-400", 0},
        {"1e-99999999999999999999", 0},
        {"0e99999999999999999999", 0},
        {"123456789012345678901234567890", 123456789012345678901234567890.0},
        {"0.000000000000000000000000000000000000012345678901234567890", 1.2345678901234567890e-38},
        {"100000000000000000000000000000000000000000000000000000000000000000000000000000000000"
         "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
         "e-168",
         1},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        double value = 99;
        if (!num_parse_double(cases[i].text, strlen(cases[i].text), &value) ||
            value != cases[i].value) {
            fail_msg("'%s' was read as %.17g", cases[i].text, value);
        }
    }
    double value;
    assert_true(num_parse_double("-0", 2, &value));
    assert_true(value == 0 && signbit(value));
    assert_true(num_parse_double("1e55", 3, &value)); /* "1e5" */
    assert_true(value == 1e5);
}

static void test_num_parse_double_refuses(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",    ".",    "-",     "+",  "e5", "1e",  "1e+", "1e5x",  "1.2.3",    "0x10", "nan",
        "inf", "-inf", "1e309", "1 ", " 1", "1,5", "--1", "1e5.0", "infinity", "1f"};
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        double value = 99;
        if (num_parse_double(cases[i], strlen(cases[i]), &value)) {
            fail_msg("'%s' was read as %.17g", cases[i], value);
        }
        assert_true(value == 99);
    }
}

static void test_num_parse_double_long_without_memory(void **state)
{
    (void)state;
    char text[300];
    memset(text, '7', sizeof text);
    double value;
    mem_fail_at(1, true);
    const bool ok = num_parse_double(text, sizeof text, &value);
    mem_fail_at(0, false);
    assert_false(ok);
    assert_true(num_parse_double(text, sizeof text, &value));
    assert_true(value > 7.7e299 && value < 7.8e299);
}

/* Small steps, so that a failure prints its seed and can be repeated. */
static uint64_t next_random(uint64_t *x)
{
    *x = *x * 6364136223846793005u + 1442695040888963407u;
    return *x >> 16 ^ *x << 32;
}

static void test_num_parse_double_agrees_with_strtod(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int i = 0; i < 100000; i++) {
        char text[64];
        const uint64_t bits = next_random(&random);
        double expected;
        memcpy(&expected, &bits, sizeof expected);
        if (!isfinite(expected)) {
            continue;
        }
        const int n = snprintf(text, sizeof text, "%.*g", (int)(bits % 18), expected);
        expected = strtod(text, NULL);
        double value = 0;
        const bool ok = num_parse_double(text, (size_t)n, &value);
        if (ok != (bool)isfinite(expected) || (ok && value != expected)) {
            fail_msg("'%s' was read as %.17g (random number %d)", text, value, i);
        }
    }
}

static void test_num_parse_size_table(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {
        {"0", 0},
        {"512", 512},
        {"100B", 100},
        {"1k", 1024},
        {"1K", 1024},
        {"3KB", 3072},
        {"3KiB", 3072},
        {"64M", 64u << 20},
        {"2gib", (uint64_t)2 << 30},
        {"1.5G", (uint64_t)3 << 29},
        {"0.5k", 512},
        {"16T", (uint64_t)16 << 40},
        {"18446744073709551615", UINT64_MAX},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(good); i++) {
        uint64_t value = 99;
        if (!num_parse_size(good[i].text, strlen(good[i].text), &value) || value != good[i].value) {
            fail_msg("'%s' was read as %llu", good[i].text, (unsigned long long)value);
        }
    }
    static const char *const bad[] = {
        "",    "G",         "-1", "1X",    "1 G",   "1Gi", "1GBs", "1Kb!",
        "1e3", "17000000T", ".",  "1..5G", "1.5.5", "nan", "1ib",  "18446744073709551616"};
    for (size_t i = 0; i < SUPPORT_COUNT(bad); i++) {
        uint64_t value = 99;
        if (num_parse_size(bad[i], strlen(bad[i]), &value)) {
            fail_msg("'%s' was read as %llu", bad[i], (unsigned long long)value);
        }
        assert_true(value == 99);
    }
}

static void test_num_parse_duration_table(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0},     {"90", 90},     {"90s", 90},    {"1.5h", 5400},
                {"10m", 600}, {"500ms", 0.5}, {"2d", 172800}, {"0.25s", 0.25}};
    for (size_t i = 0; i < SUPPORT_COUNT(good); i++) {
        double value = 99;
        if (!num_parse_duration(good[i].text, strlen(good[i].text), &value) ||
            value != good[i].value) {
            fail_msg("'%s' was read as %g", good[i].text, value);
        }
    }
    static const char *const bad[] = {"",    "s",   "-1", "1x",    "1 s", "1sm", "1mss",
                                      "1e3", "nan", ".",  "1..5s", "1M",  "1S"};
    for (size_t i = 0; i < SUPPORT_COUNT(bad); i++) {
        double value = 99;
        if (num_parse_duration(bad[i], strlen(bad[i]), &value)) {
            fail_msg("'%s' was read as %g", bad[i], value);
        }
        assert_true(value == 99);
    }
}

/* ---------------------------------------------------------------- writing */

static void assert_float_text(float value, int precision, const char *expected)
{
    char text[NUM_FLOAT_TEXT];
    const size_t n = num_format_float(value, precision, text);
    assert_string_equal(text, expected);
    assert_int_equal(n, strlen(expected));
}

static void test_num_format_float_worked_examples(void **state)
{
    (void)state;
    assert_float_text(0.0f, 0, "0");
    assert_float_text(-0.0f, 0, "-0");
    assert_float_text(1.0f, 0, "1");
    assert_float_text(-1.5f, 0, "-1.5");
    assert_float_text(0.1f, 0, "0.1");
    assert_float_text(0.3f, 0, "0.3");
    assert_float_text(1.0f / 3, 0, "0.33333334");
    assert_float_text(-0.0123456f, 0, "-0.0123456");
    assert_float_text(100, 0, "100");
    assert_float_text(120, 0, "120");
    assert_float_text(16777216.0f, 0, "16777216");
    assert_float_text(100000000.0f, 0, "100000000");
    assert_float_text(1e9f, 0, "1e+09");
    assert_float_text(1e10f, 0, "1e+10");
    assert_float_text(0.0001f, 0, "0.0001");
    assert_float_text(0.00001f, 0, "1e-05");
    assert_float_text(1.25e-7f, 0, "1.25e-07");
    assert_float_text(FLT_MAX, 0, "3.4028235e+38");
    assert_float_text(-FLT_MAX, 0, "-3.4028235e+38");
    assert_float_text(FLT_MIN, 0, "1.1754944e-38");
    assert_float_text(1e-45f, 0, "1e-45");                     /* the smallest */
    assert_float_text(9.5367431640625e-7f, 0, "9.536743e-07"); /* a power of two: uneven interval */
}

static void test_num_format_float_precision(void **state)
{
    (void)state;
    assert_float_text(0.0f, 6, "0");
    assert_float_text(-0.0f, 3, "-0");
    assert_float_text(1.0f / 3, 6, "0.333333");
    assert_float_text(1.0f / 3, 1, "0.3");
    assert_float_text(-2.0f / 3, 4, "-0.6667");
    assert_float_text(0.5f, 9, "0.5");
    assert_float_text(9.9999f, 3, "10");
    assert_float_text(0.1f, 9, "0.100000001");
    assert_float_text(123456, 2, "120000");
    assert_float_text(1.5e-30f, 2, "1.5e-30");
    assert_float_text(FLT_MAX, 3, "3.4e+38");
}

/* Reads back to the same bits, and no text with fewer digits does. */
static void assert_shortest(float value)
{
    char text[NUM_FLOAT_TEXT], shorter[64];
    const size_t n = num_format_float(value, 0, text);
    assert_true(n < NUM_FLOAT_TEXT);
    assert_int_equal(n, strlen(text));
    const float back = strtof(text, NULL);
    if (memcmp(&back, &value, sizeof value) != 0) {
        fail_msg("%a was written as '%s'", (double)value, text);
    }
    int digits = 0;
    bool leading = true;
    int zeros = 0; /* at the end; they count only when another digit follows */
    for (const char *p = text; *p && *p != 'e'; p++) {
        if (*p >= '1' && *p <= '9') {
            digits += 1 + zeros;
            zeros = 0;
            leading = false;
        } else if (*p == '0' && !leading) {
            zeros++;
        }
    }
    if (digits > 1) {
        snprintf(shorter, sizeof shorter, "%.*e", digits - 2, (double)value);
        if (strtof(shorter, NULL) == value) {
            fail_msg("%a was written as '%s' but '%s' is shorter", (double)value, text, shorter);
        }
    }
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void check_many_floats(uint64_t seed)
{
    for (int i = 0; i < 100000; i++) {
        const float value = float_of((uint32_t)next_random(&seed));
        if (isfinite(value)) {
            assert_shortest(value);
        }
    }
    /* Both ends of every exponent, denormals among them, and their neighbours. */
    for (uint32_t exponent = 0; exponent < 255; exponent++) {
        static const uint32_t fractions[] = {0, 1, 2, 3, 0x400000, 0x7ffffd, 0x7ffffe, 0x7fffff};
        for (size_t i = 0; i < SUPPORT_COUNT(fractions); i++) {
            assert_shortest(float_of(exponent << 23 | fractions[i]));
            assert_shortest(float_of(1u << 31 | exponent << 23 | fractions[i]));
        }
    }
    for (uint32_t bits = 0; bits < 5000; bits++) {
        assert_shortest(float_of(bits));
    }
}

static void test_num_format_float_is_shortest_and_reads_back(void **state)
{
    (void)state;
    check_many_floats(20240601);
}

/* A host program may have set a locale whose point is a comma. */
static void test_num_any_locale(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    const char *set = NULL;
    for (size_t i = 0; i < SUPPORT_COUNT(names) && !set; i++) {
        set = setlocale(LC_ALL, names[i]);
    }
    if (!set) {
        print_message("no locale with a decimal comma is installed\n");
        skip();
    }
    double value = 0;
    const bool ok = num_parse_double("123456789012345678901234.5", 26, &value);
    const bool comma = num_parse_double("1,5", 3, &value);
    char shortest[NUM_FLOAT_TEXT], rounded[NUM_FLOAT_TEXT];
    num_format_float(-0.1f, 0, shortest);
    num_format_float(-2.0f / 3, 4, rounded);
    setlocale(LC_ALL, "C");
    assert_true(ok);
    assert_false(comma);
    assert_true(value == 123456789012345678901234.5);
    assert_string_equal(shortest, "-0.1");
    assert_string_equal(rounded, "-0.6667");
}

static void test_num_format_grouped_table(void **state)
{
    (void)state;
    static const struct {
        uint64_t value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {999, "999"},
        {1000, "1,000"},
        {1234567, "1,234,567"},
        {100000, "100,000"},
        {UINT64_MAX, "18,446,744,073,709,551,615"},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        char text[32];
        assert_int_equal(num_format_grouped(cases[i].value, text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
}

static void test_num_format_bytes_table(void **state)
{
    (void)state;
    static const struct {
        uint64_t value;
        const char *text;
    } cases[] = {
        {0, "0 B"},
        {999, "999 B"},
        {1000, "1.0 kB"},
        {1049, "1.0 kB"},
        {1050, "1.1 kB"},
        {9949, "9.9 kB"},
        {9950, "10 kB"},
        {15499, "15 kB"},
        {999499, "999 kB"},
        {999500, "1.0 MB"},
        {48000000, "48 MB"},
        {1500000000, "1.5 GB"},
        {1800000000000u, "1.8 TB"},
        {UINT64_MAX, "18 EB"},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        char text[32];
        assert_int_equal(num_format_bytes(cases[i].value, text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_num_parse_u64_table),
        cmocka_unit_test(test_num_parse_double_accepts),
        cmocka_unit_test(test_num_parse_double_refuses),
        cmocka_unit_test(test_num_parse_double_long_without_memory),
        cmocka_unit_test(test_num_parse_double_agrees_with_strtod),
        cmocka_unit_test(test_num_parse_size_table),
        cmocka_unit_test(test_num_parse_duration_table),
        cmocka_unit_test(test_num_format_float_worked_examples),
        cmocka_unit_test(test_num_format_float_precision),
        cmocka_unit_test(test_num_format_float_is_shortest_and_reads_back),
        cmocka_unit_test(test_num_any_locale),
        cmocka_unit_test(test_num_format_grouped_table),
        cmocka_unit_test(test_num_format_bytes_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
