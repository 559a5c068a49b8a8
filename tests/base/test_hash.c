#include "support.h"

#include "base/hash.h"

static uint64_t of(const void *bytes, size_t n)
{
    hash h = {.sum = HASH_START};
    hash_add(&h, bytes, n);
    return hash_end(&h);
}

static uint64_t random_bytes(unsigned char *out, size_t n)
{
    uint64_t x = 88172645463325252u;
    for (size_t i = 0; i < n; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        out[i] = (unsigned char)(x >> 32);
    }
    return x;
}

static void test_hash_add_however_it_is_cut(void **state)
{
    (void)state;
    unsigned char bytes[100];
    random_bytes(bytes, sizeof bytes);
    const uint64_t whole = of(bytes, sizeof bytes);
    for (size_t a = 0; a <= sizeof bytes; a++) {
        for (size_t b = a; b <= sizeof bytes; b++) {
            hash h = {.sum = HASH_START};
            hash_add(&h, bytes, a);
            hash_add(&h, bytes + a, b - a);
            hash_add(&h, bytes + b, sizeof bytes - b);
            assert_true(hash_end(&h) == whole);
        }
    }
}

static void test_hash_every_bit_and_the_length_count(void **state)
{
    (void)state;
    unsigned char bytes[64];
    random_bytes(bytes, sizeof bytes);
    const uint64_t whole = of(bytes, sizeof bytes);
    for (size_t i = 0; i < 8 * sizeof bytes; i++) {
        bytes[i / 8] = (unsigned char)(bytes[i / 8] ^ (1u << i % 8));
        assert_true(of(bytes, sizeof bytes) != whole);
        bytes[i / 8] = (unsigned char)(bytes[i / 8] ^ (1u << i % 8));
    }
    const unsigned char zeros[64] = {0};
    for (size_t n = 0; n < sizeof zeros; n++) {
        assert_true(of(zeros, n) != of(zeros, n + 1));
    }
}

/* Worked by hand: one step of nothing, and one of the length. */
static void test_hash_worked_example(void **state)
{
    (void)state;
    const uint64_t odd = UINT64_C(0x9fb21c651e98df25);
    uint64_t h = (UINT64_C(0x243f6a8885a308d3) ^ 0x0201u) * odd; /* bytes 1, 2 */
    h ^= h >> 32;
    h = (h ^ 2) * odd;
    h ^= h >> 32;
    assert_true(of("\1\2", 2) == h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash_add_however_it_is_cut),
        cmocka_unit_test(test_hash_every_bit_and_the_length_count),
        cmocka_unit_test(test_hash_worked_example),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
