#include "vec_files.h"

#include "base/rng.h"
#include "vec/write.h"

#include <math.h>

#define ROWS 200
#define DIM 7

/* Any finite bits, tiny and huge ones too. */
static w2v_vectors *odd_table(void)
{
    static char bytes[ROWS * (DIM * 4 + 16) + 64];
    rng r = rng_stream(3, RNG_INIT, 0, 0);
    size_t n = (size_t)sprintf(bytes, "%d %d\n", ROWS, DIM);
    for (int row = 0; row < ROWS; row++) {
        n += (size_t)sprintf(bytes + n, "w%d ", row);
        for (int i = 0; i < DIM; i++) {
            uint32_t bits = (uint32_t)rng_next(&r);
            bits = (bits >> 23 & 255) == 255 ? 0x80000000U : bits;
            memcpy(bytes + n, &bits, 4);
            n += 4;
        }
        bytes[n++] = '\n';
    }
    w2v_load_options binary = w2v_load_options_default();
    binary.format = W2V_FORMAT_BINARY;
    support_write(in_folder("odd.bin"), bytes, n);
    return load_well(in_folder("odd.bin"), &binary);
}

static void save_well(w2v_vectors *v, const char *path, const w2v_convert_options *options)
{
    w2v_error err = {0};
    uint64_t bytes = 0;
    if (w2v_vectors_save(v, path, options, &bytes, &err) != W2V_OK) {
        fail_msg("%s", err.text);
    }
    assert_true(bytes > 0);
}

static void test_w2v_vectors_save_keeps_every_bit(void **state)
{
    (void)state;
    w2v_vectors *v = odd_table();
    static const struct {
        const char *name;
        w2v_format format;
    } files[] = {{"a.vec", W2V_FORMAT_TEXT},      {"a.vec.gz", W2V_FORMAT_TEXT},
                 {"a.glove", W2V_FORMAT_GLOVE},   {"a.bin", W2V_FORMAT_BINARY},
                 {"a.bin.gz", W2V_FORMAT_BINARY}, {"a.npy", W2V_FORMAT_NPY},
                 {"b.npy.gz", W2V_FORMAT_NPY},    {"a.safetensors", W2V_FORMAT_SAFETENSORS}};
    for (size_t i = 0; i < SUPPORT_COUNT(files); i++) {
        save_well(v, in_folder(files[i].name), NULL);
        w2v_vectors *again = load_well(in_folder(files[i].name), NULL);
        assert_int_equal(w2v_vectors_report(again)->format, files[i].format);
        assert_same_tables(v, again);
        /* and back: the same file as at first */
        save_well(again, in_folder("back.bin"), NULL);
        size_t n, m;
        char *first = support_read(in_folder("odd.bin"), &n);
        char *back = support_read(in_folder("back.bin"), &m);
        assert_int_equal(n, m);
        assert_memory_equal(first, back, n);
        free(first);
        free(back);
        w2v_vectors_free(again);
    }
    w2v_vectors_free(v);
}

static void test_w2v_vectors_save_words_in_the_order_of_the_table(void **state)
{
    (void)state;
    w2v_vectors *v = load_text("4 1\na 1\nb 2\nb 9\nnew york 3\n");
    support_write_text(in_folder("list"), "new york\nmissing\nb\nb\n");
    char list[SUPPORT_PATH];
    w2v_convert_options options = w2v_convert_options_default();
    options.words = support_path(folder, "list", list);
    options.format = W2V_FORMAT_NPY; /* its list of words can hold a space */
    save_well(v, in_folder("some.npy"), &options);
    w2v_vectors *some = load_well(in_folder("some.npy"), NULL);
    const float two[] = {2}, three[] = {3};
    assert_int_equal(w2v_vectors_size(some), 2);
    assert_row(some, 0, "b", two);
    assert_row(some, 1, "new york", three);
    w2v_vectors_free(some);
    support_write_text(list, "nothing\n");
    w2v_error err = {0};
    assert_int_equal(w2v_vectors_save(v, in_folder("none.npy"), &options, NULL, &err),
                     W2V_ERR_INPUT);
    assert_non_null(strstr(err.text, "no word of"));
    assert_false(support_exists(in_folder("none.npy")));
    w2v_vectors_free(v);
}

static void test_w2v_vectors_save_normalize_and_precision(void **state)
{
    (void)state;
    w2v_vectors *v = load_text("3 2\na 3 4\nb 0 0\nc 0 -1e-30\n");
    w2v_convert_options options = w2v_convert_options_default();
    options.normalize = true;
    save_well(v, in_folder("unit.vec"), &options);
    size_t n;
    char *text = support_read(in_folder("unit.vec"), &n);
    assert_string_equal(text, "3 2\na 0.6 0.8\nb 0 0\nc 0 -1\n");
    free(text);
    w2v_vectors_free(v);
    v = load_text("1 2\na 0.123456789 1\n");
    options = w2v_convert_options_default();
    options.precision = 3;
    save_well(v, in_folder("short.vec"), &options);
    text = support_read(in_folder("short.vec"), &n);
    assert_string_equal(text, "1 2\na 0.123 1\n");
    free(text);
    w2v_vectors_free(v);
}

static void test_w2v_vectors_save_refuses_what_would_not_read_back(void **state)
{
    (void)state;
    w2v_vectors *v = load_text("2 2\nok 1 0\nnew york 0 1\n");
    static const char *const names[] = {"no.vec", "no.glove", "no.bin"};
    for (size_t i = 0; i < SUPPORT_COUNT(names); i++) {
        w2v_error err = {0};
        assert_int_equal(w2v_vectors_save(v, in_folder(names[i]), NULL, NULL, &err),
                         W2V_ERR_ARGUMENT);
        assert_non_null(strstr(err.text, "the word 'new york' of row 2 has white space inside"));
        assert_non_null(strstr(err.hint, ".npy"));
        assert_false(support_exists(in_folder(names[i])));
    }
    w2v_error err = {0};
    assert_int_equal(
        w2v_vectors_save(v, "-", &(w2v_convert_options){.format = W2V_FORMAT_NPY}, NULL, &err),
        W2V_ERR_ARGUMENT);
    w2v_vectors_free(v);
}

/* A first row whose floats are digits, byte for byte. */
static void test_w2v_vectors_save_binary_that_looks_like_text(void **state)
{
    (void)state;
    float digits;
    memcpy(&digits, "1234", sizeof digits);
    char text[64];
    snprintf(text, sizeof text, "1 1\nw %.9g\n", (double)digits);
    w2v_vectors *v = load_text(text);
    w2v_error err = {0};
    assert_int_equal(w2v_vectors_save(v, in_folder("x.bin"), NULL, NULL, &err), W2V_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "would be read as text"));
    w2v_vectors_free(v);
}

static void test_w2v_vectors_save_projector_pair(void **state)
{
    (void)state;
    static const char proj[] =
        "3 2\na\tb \0\0\x80\x3f\0\0\0\0\n\xe2\x80\xa8x \0\0\0\0\0\0\x80\x3f\n"
        "c\xff \0\0\x80\x3f\0\0\x80\x3f\n";
    w2v_vectors *v = load_bytes("proj.bin", proj, sizeof proj - 1);
    save_well(v, in_folder("proj.tsv"), NULL);
    char *text = support_read(in_folder("proj.tsv"), NULL);
    assert_string_equal(text, "1\t0\n0\t1\n1\t1\n");
    free(text);
    text = support_read(in_folder("proj.metadata.tsv"), NULL);
    assert_string_equal(text, "a\\tb\n\\u2028x\nc\\xff\n");
    free(text);
    w2v_vectors_free(v);
}

/* What a Python reader of the formats relies on. */
static void test_w2v_vectors_save_array_heads(void **state)
{
    (void)state;
    w2v_vectors *v = load_text("2 1\na 1\nb 2\n");
    size_t n;
    save_well(v, in_folder("h.npy"), NULL);
    char *bytes = support_read(in_folder("h.npy"), &n);
    assert_int_equal(n, 128 + 8);
    assert_memory_equal(bytes, "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', ", 27);
    assert_int_equal(bytes[127], '\n');
    free(bytes);
    char *labels = support_read(in_folder("h.npy.labels.txt"), NULL);
    assert_string_equal(labels, "a\nb\n");
    free(labels);
    save_well(v, in_folder("h.safetensors"), NULL);
    bytes = support_read(in_folder("h.safetensors"), &n);
    const size_t header = (unsigned char)bytes[0];
    assert_int_equal(header % 8, 0);
    assert_int_equal(n, 8 + header + 8);
    assert_non_null(strstr(bytes + 8, "\"vectors\":{\"dtype\":\"F32\",\"shape\":[2,1],"
                                      "\"data_offsets\":[0,8]}"));
    free(bytes);
    w2v_vectors_free(v);
}

static void refuse_save(w2v_vectors *v, const char *path, const char *part)
{
    w2v_error err = {0};
    assert_int_equal(w2v_vectors_save(v, path, NULL, NULL, &err), W2V_ERR_ARGUMENT);
    if (!strstr(err.text, part)) {
        fail_msg("'%s' is not in: %s", part, err.text);
    }
}

/* `o.npy.gz` has the list of `o.npy`, whose only words these are. */
static void test_w2v_vectors_save_never_replaces_the_words_it_read(void **state)
{
    (void)state;
    w2v_vectors *text = load_text("2 1\na 1\nb 2\n");
    save_well(text, in_folder("o.npy"), NULL);
    w2v_vectors *v = load_well(in_folder("o.npy"), NULL);
    refuse_save(v, in_folder("o.npy.gz"), "o.npy.gz' would overwrite '");
    refuse_save(v, in_folder("o.npy.gz"), "o.npy.labels.txt', the words of '");
    refuse_save(v, in_folder("o.npy"), "would overwrite");
    refuse_save(v, in_folder("o.npy.labels.txt"), "would overwrite");
    assert_int_equal(link(in_folder("o.npy.labels.txt"), in_folder("p.metadata.tsv")), 0);
    refuse_save(v, in_folder("p.tsv"), "p.metadata.tsv', the words of '");
    assert_false(support_exists(in_folder("o.npy.gz")));
    char *labels = support_read(in_folder("o.npy.labels.txt"), NULL);
    assert_string_equal(labels, "a\nb\n");
    free(labels);
    save_well(v, in_folder("q.npy"), NULL); /* an older list of another table may go */
    save_well(v, in_folder("q.npy.gz"), NULL);
    w2v_vectors_free(v);
    /* a table that has its words inside has nothing to lose */
    save_well(text, in_folder("o.npy.gz"), NULL);
    w2v_vectors_free(text);
}

static void test_w2v_vectors_save_writes_no_words_to_a_fifo(void **state)
{
    (void)state;
    w2v_vectors *v = load_text("2 1\na 1\nb 2\n");
    assert_int_equal(mkfifo(in_folder("f.npy.labels.txt"), 0600), 0);
    refuse_save(v, in_folder("f.npy"), "f.npy.labels.txt' is no regular file, and the words of '");
    assert_false(support_exists(in_folder("f.npy")));
    assert_int_equal(mkdir(in_folder("g.npy.labels.txt"), 0700), 0);
    w2v_error err = {0};
    assert_int_equal(w2v_vectors_save(v, in_folder("g.npy"), NULL, NULL, &err), W2V_ERR_IO);
    assert_non_null(strstr(err.text, "g.npy.labels.txt': Is a directory"));
    assert_false(support_exists(in_folder("g.npy")));
    w2v_vectors_free(v);
}

static void test_w2v_format_beside(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        w2v_format format;
        const char *beside;
    } cases[] = {
        {"v.bin", W2V_FORMAT_AUTO, NULL},
        {"v.npy", W2V_FORMAT_AUTO, "v.npy.labels.txt"},
        {"f/v.npy.gz", W2V_FORMAT_AUTO, "f/v.npy.labels.txt"},
        {"v", W2V_FORMAT_SAFETENSORS, "v.labels.txt"},
        {"v.npy", W2V_FORMAT_TEXT, NULL},
        {"v.tsv", W2V_FORMAT_AUTO, "v.metadata.tsv"},
        {"v.tsv.gz", W2V_FORMAT_AUTO, "v.metadata.tsv.gz"},
        {"v", W2V_FORMAT_TSV, "v.metadata.tsv"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *beside;
        assert_int_equal(w2v_format_beside(cases[i].path, cases[i].format, &beside, NULL), W2V_OK);
        assert_string_equal(beside ? beside : "none", cases[i].beside ? cases[i].beside : "none");
        w2v_free(beside);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_w2v_vectors_save_keeps_every_bit),
        cmocka_unit_test(test_w2v_vectors_save_words_in_the_order_of_the_table),
        cmocka_unit_test(test_w2v_vectors_save_normalize_and_precision),
        cmocka_unit_test(test_w2v_vectors_save_refuses_what_would_not_read_back),
        cmocka_unit_test(test_w2v_vectors_save_binary_that_looks_like_text),
        cmocka_unit_test(test_w2v_vectors_save_projector_pair),
        cmocka_unit_test(test_w2v_vectors_save_array_heads),
        cmocka_unit_test(test_w2v_vectors_save_never_replaces_the_words_it_read),
        cmocka_unit_test(test_w2v_vectors_save_writes_no_words_to_a_fifo),
        cmocka_unit_test(test_w2v_format_beside),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
