#include "io/magic.h"

#include <string.h>

typedef struct known {
    magic_kind kind;
    size_t length;
    unsigned char bytes[10];
    const char *name, *unpack;
} known;

/* bzip2's "BZh" and a digit could begin a text, so its block header counts as well ('?': any byte).
 */
static const known table[] = {
    {MAGIC_GZIP, 2, {0x1f, 0x8b}, "gzip", "gzip -dc"},
    {MAGIC_OTHER, 2, {0x1f, 0x9d}, "compress", "gzip -dc"},
    {MAGIC_OTHER, 4, {0x28, 0xb5, 0x2f, 0xfd}, "zstd", "zstd -dc"},
    {MAGIC_OTHER, 6, {0xfd, '7', 'z', 'X', 'Z', 0}, "xz", "xz -dc"},
    {MAGIC_OTHER, 10, "BZh?1AY&SY", "bzip2", "bzip2 -dc"},
    {MAGIC_OTHER, 4, {'P', 'K', 3, 4}, "zip", "unzip -p"},
    {MAGIC_OTHER, 4, {'P', 'K', 5, 6}, "zip", "unzip -p"},
    {MAGIC_OTHER, 4, {0x04, 0x22, 0x4d, 0x18}, "lz4", "lz4 -dc"},
    {MAGIC_OTHER, 6, {'7', 'z', 0xbc, 0xaf, 0x27, 0x1c}, "7z", "7z x -so"},
};

/* How many bytes agree from the start. */
static size_t agreement(const known *k, const unsigned char *bytes, size_t n)
{
    size_t i = 0;
    while (i < n && i < k->length && (bytes[i] == k->bytes[i] || k->bytes[i] == '?')) {
        i++;
    }
    return i;
}

magic magic_find(const unsigned char *bytes, size_t n)
{
    magic m = {MAGIC_NONE, NULL, NULL};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const size_t agreed = agreement(&table[i], bytes, n);
        if (agreed == table[i].length) {
            return (magic){table[i].kind, table[i].name, table[i].unpack};
        }
        if (agreed == n) {
            m.kind = MAGIC_UNDECIDED;
        }
    }
    return m;
}
