#include "support.h"

#include "base/sha256.h"

static void assert_hash(const char *bytes, size_t n, size_t piece, const char *expected)
{
    sha256 h;
    char hex[SHA256_HEX];
    sha256_init(&h);
    for (size_t i = 0; i < n; i += piece) {
        sha256_update(&h, bytes + i, n - i < piece ? n - i : piece);
    }
    sha256_finish(&h, hex);
    assert_string_equal(hex, expected);
}

/* The examples of NIST for FIPS 180-4, in pieces of every size. */
static void test_sha256_nist_examples(void **state)
{
    (void)state;
    static const struct {
        const char *text, *hex;
    } examples[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
         "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(examples); i++) {
        const size_t n = strlen(examples[i].text);
        for (size_t piece = 1; piece <= n + 1; piece++) {
            assert_hash(examples[i].text, n, piece, examples[i].hex);
        }
    }
}

static void test_sha256_million_a(void **state)
{
    (void)state;
    const size_t n = 1000000;
    char *bytes = malloc(n);
    assert_non_null(bytes);
    memset(bytes, 'a', n);
    const char *hex = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
    assert_hash(bytes, n, n, hex);
    assert_hash(bytes, n, 999, hex);
    free(bytes);
}

/* Lengths around a block, where the padding moves to a block of its own. */
static void test_sha256_lengths_around_a_block(void **state)
{
    (void)state;
    static const char zeros[120];
    assert_hash(zeros, 55, 55, "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7");
    assert_hash(zeros, 56, 56, "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb");
    assert_hash(zeros, 57, 57, "65a16cb7861335d5ace3c60718b5052e44660726da4cd13bb745381b235a1785");
    assert_hash(zeros, 64, 64, "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha256_nist_examples),
        cmocka_unit_test(test_sha256_million_a),
        cmocka_unit_test(test_sha256_lengths_around_a_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
