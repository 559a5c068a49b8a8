/* Files that people take for word vectors, and the way out for each. */
#include "vec/file.h"

#include <string.h>

typedef struct foreign {
    size_t at, length;
    const char *bytes;
    const char *name, *hint;
} foreign;

#define UNPACK "unpack it first"
#define AS_VECTORS "save the vectors alone, as word2vec binary or text"

/* The compressed kinds stand here too, for what is found inside gzip. */
static const foreign table[] = {
    {0, 4, "\xba\x16\x4f\x2f", "a fastText model",
     "take the .vec file that fastText writes beside it"},
    {0, 4, "FiFu", "a finalfusion file",
     "convert it: finalfusion convert -f finalfusion -t word2vec FILE vectors.bin"},
    {0, 23, "version https://git-lfs", "a Git LFS pointer", "fetch the file: git lfs pull"},
    {0, 7, "<<<<<<<", "a file with an unresolved merge conflict", "take one of the two sides"},
    {0, 2, "\xff\xfe", "text in UTF-16", "save it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE"},
    {0, 2, "\xfe\xff", "text in UTF-16", "save it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE"},
    {0, 4, "GGUF", "a GGUF model", "take the .safetensors file of the model"},
    {0, 4, "\x89HDF", "an HDF5 file", AS_VECTORS},
    {0, 4, "PAR1", "a Parquet file", AS_VECTORS},
    {0, 6, "ARROW1", "an Arrow file", AS_VECTORS},
    {0, 4, "FEA1", "a Feather file", AS_VECTORS},
    {0, 15, "SQLite format 3", "an SQLite database", AS_VECTORS},
    {0, 5, "%PDF-", "a PDF document", AS_VECTORS},
    {0, 4,
     "\x7f"
     "ELF",
     "a program", AS_VECTORS},
    {257, 5, "ustar", "a tar archive", "unpack it: tar -xf FILE"},
    {0, 4, "PK\3\4", "a zip archive (NumPy's .npz and PyTorch's files are some, too)", UNPACK},
    {0, 2, "\x1f\x8b", "gzip inside gzip", UNPACK},
    {0, 4, "\x28\xb5\x2f\xfd", "a zstd file", UNPACK},
    {0, 6,
     "\xfd"
     "7zXZ\0",
     "an xz file", UNPACK},
    {0, 3, "BZh", "a bzip2 file", UNPACK},
    {0, 6, "7z\xbc\xaf\x27\x1c", "a 7z archive", UNPACK},
    {0, 4, "Rar!", "a rar archive", UNPACK},
};

static bool starts_with_letters(const char *p, size_t n, const char *lower)
{
    const size_t length = strlen(lower);
    if (n < length) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        const char c = p[i] >= 'A' && p[i] <= 'Z' ? (char)(p[i] + 32) : p[i];
        if (c != lower[i]) {
            return false;
        }
    }
    return true;
}

static bool is_page(const char *p, size_t n)
{
    size_t at = n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < n && (p[at] == ' ' || (p[at] >= '\t' && p[at] <= '\r'))) {
        at++;
    }
    static const char *const starts[] = {"<!doctype html", "<html", "<head", "<?xml"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        if (starts_with_letters(p + at, n - at, starts[i])) {
            return true;
        }
    }
    return false;
}

const char *vec_foreign(const char *head, size_t n, const char **hint)
{
    *hint = "";
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const foreign *k = &table[i];
        /* "BZh" could begin a word: bzip2 has a digit and a block there. */
        const bool more = k->bytes[0] != 'B' || (n > 4 && head[4] == '1' && head[3] <= '9');
        if (n >= k->at + k->length && memcmp(head + k->at, k->bytes, k->length) == 0 && more) {
            *hint = k->hint;
            return k->name;
        }
    }
    if (n >= 2 && (unsigned char)head[0] == 0x80 && head[1] >= 2 && head[1] <= 5) {
        *hint = "in Python: model.wv.save_word2vec_format('vectors.bin', binary=True)";
        return "a Python pickle (gensim's own format is one)";
    }
    if (is_page(head, n)) {
        *hint = "the download gave a web page; fetch the file itself";
        return "an HTML page";
    }
    return NULL;
}
