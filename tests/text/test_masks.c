#include "support.h"

#include "base/rng.h"
#include "text/masks.h"

static void test_byte_masks_plain_every_byte(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++) {
        char text[MASK_BYTES];
        memset(text, 'x', sizeof text);
        text[c % MASK_BYTES] = (char)c;
        const uint64_t bit = (uint64_t)1 << c % MASK_BYTES;
        const bool space =
            c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r';
        const byte_masks m = byte_masks_plain(text);
        assert_true(m.separator == (space || c == 0 ? bit : 0));
        assert_true(m.special == (c == '\n' || c == '\r' || c == 0 ? bit : 0));
        assert_true(m.high == (c >= 128 ? bit : 0));
    }
}

static void test_byte_masks_of_is_plain(void **state)
{
    (void)state;
    rng r = rng_stream(7, RNG_INIT, 0, 0);
    for (int round = 0; round < 5000; round++) {
        char text[MASK_BYTES];
        for (size_t i = 0; i < sizeof text; i++) {
            const uint64_t draw = rng_next(&r);
            text[i] = (char)(draw & 256 ? draw & 255 : draw & 63);
        }
        const byte_masks a = byte_masks_of(text), b = byte_masks_plain(text);
        assert_true(a.separator == b.separator);
        assert_true(a.special == b.special);
        assert_true(a.high == b.high);
    }
}

static void test_mask_first(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(mask_first(UINT64_MAX << i), i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_byte_masks_plain_every_byte),
        cmocka_unit_test(test_byte_masks_of_is_plain),
        cmocka_unit_test(test_mask_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
