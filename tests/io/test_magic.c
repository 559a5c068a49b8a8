#include "support.h"

#include "io/magic.h"

typedef struct sample {
    const char *bytes;
    size_t n;
    magic_kind kind;
    const char *name;
} sample;

static const sample known[] = {
    {"\x1f\x8b", 2, MAGIC_GZIP, "gzip"},
    {"\x1f\x9d", 2, MAGIC_OTHER, "compress"},
    {"\x28\xb5\x2f\xfd", 4, MAGIC_OTHER, "zstd"},
    {"\xfd\067zXZ", 6, MAGIC_OTHER, "xz"},
    {"BZh91AY&SY", 10, MAGIC_OTHER, "bzip2"},
    {"BZh11AY&SY", 10, MAGIC_OTHER, "bzip2"},
    {"PK\3\4", 4, MAGIC_OTHER, "zip"},
    {"PK\5\6", 4, MAGIC_OTHER, "zip"},
    {"\x04\x22\x4d\x18", 4, MAGIC_OTHER, "lz4"},
    {"7z\xbc\xaf\x27\x1c", 6, MAGIC_OTHER, "7z"},
};

static magic find(const char *bytes, size_t n)
{
    return magic_find((const unsigned char *)bytes, n);
}

/* Every beginning is undecided, the whole is known, also with more behind it. */
static void test_magic_find_each_kind_at_each_length(void **state)
{
    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(known); i++) {
        const sample *s = &known[i];
        char longer[16] = "";
        memcpy(longer, s->bytes, s->n);
        for (size_t n = 0; n < s->n; n++) {
            assert_int_equal(find(longer, n).kind, MAGIC_UNDECIDED);
        }
        for (size_t n = s->n; n <= sizeof longer; n++) {
            const magic m = find(longer, n);
            assert_int_equal(m.kind, s->kind);
            assert_string_equal(m.name, s->name);
            assert_non_null(m.unpack);
        }
    }
}

static void test_magic_find_none(void **state)
{
    (void)state;
    static const char *const texts[] = {"BZh91AY&S.", "BZhello",    "PKW",  "7zip",
                                        "the",        "\xfd\067z ", "\x1f "};
    for (size_t i = 0; i < SUPPORT_COUNT(texts); i++) {
        const magic m = find(texts[i], strlen(texts[i]));
        assert_int_equal(m.kind, MAGIC_NONE);
        assert_null(m.name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_magic_find_each_kind_at_each_length),
        cmocka_unit_test(test_magic_find_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
