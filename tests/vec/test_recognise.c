#include "vec_files.h"

#include "base/mem.h"

static bool is_vector_file(const char *path)
{
    bool is = false;
    assert_int_equal(w2v_is_vector_file(path, &is, NULL), W2V_OK);
    return is;
}

/* Each with the way out as a hint. */
static void test_vec_recognise_names_other_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t n;
        const char *kind;
    } cases[] = {
        {"\xba\x16\x4f\x2f\x0c\0\0\0", 8, "is a fastText model, not a vector file"},
        {"\x80\x03"
         "c",
         3, "is a Python pickle"},
        {"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n", 64,
         "is a Git LFS pointer"},
        {"<<<<<<< HEAD\na 1 0\n", 19, "unresolved merge conflict"},
        {"<html>\n", 7, "is an HTML page"},
        {"\n <!DOCTYPE HTML>", 17, "is an HTML page"},
        {"FiFu\0\0\0\0", 8, "is a finalfusion file"},
        {"PK\3\4....", 8, "is a zip"},
        {"\x28\xb5\x2f\xfd....", 8, "is a zstd file"},
        {"\xfd"
         "7zXZ\0....",
         10, "is a xz file"},
        {"BZh91AY&SY..", 12, "is a bzip2 file"},
        {"\x89HDF\r\n\x1a\n", 8, "is an HDF5 file"},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        w2v_error err;
        support_write(in_folder("odd"), cases[i].bytes, cases[i].n);
        assert_null(load_with(in_folder("odd"), NULL, &err));
        assert_int_equal(err.code, W2V_ERR_INPUT);
        if (!strstr(err.text, cases[i].kind)) {
            fail_msg("'%s' is not in: %s", cases[i].kind, err.text);
        }
        assert_true(err.hint[0] != '\0');
        assert_false(is_vector_file(in_folder("odd")));
    }
}

static void test_vec_recognise_tar_and_gzip_in_gzip(void **state)
{
    (void)state;
    char tar[512] = "vectors.bin";
    memcpy(tar + 257, "ustar", 5);
    refuse_bytes(tar, sizeof tar, NULL, "is a tar archive");
    write_gzip(in_folder("one.gz"), "2 1\na 1\nb 2\n", 12);
    size_t n;
    char *packed = support_read(in_folder("one.gz"), &n);
    write_gzip(in_folder("two.gz"), packed, n);
    free(packed);
    w2v_error err;
    assert_null(load_with(in_folder("two.gz"), NULL, &err));
    assert_non_null(strstr(err.text, "is gzip inside gzip"));
}

static void test_vec_recognise_nothing_usable(void **state)
{
    (void)state;
    refuse_text("", "is empty");
    refuse_text("just some words\nof a text\n", "is no vector file of a known kind");
    refuse_text("\n\n\n", "is no vector file of a known kind");
    refuse_text("0.5 0.25\n0.125 0.5\n", "holds numbers without words");
    double raw[64];
    for (int i = 0; i < 64; i++) {
        raw[i] = (i - 31.7) / 100;
    }
    refuse_bytes(raw, sizeof raw, NULL, "holds raw doubles without words");
    w2v_error err;
    assert_null(load_with(folder, NULL, &err));
    assert_non_null(strstr(err.text, "is a folder"));
    assert_null(load_with(in_folder("missing"), NULL, &err));
    assert_int_equal(err.code, W2V_ERR_INPUT);
}

/* What `eval` has to tell from tables. */
static void test_vec_recognise_questions_and_pairs_are_no_vectors(void **state)
{
    (void)state;
    refuse_text("tiger\tcat\t7.35\nbook\tpaper\t7.46\n", "several words before the numbers");
    refuse_text("w1 w2 POS sim rank\nold new A 1.58 7\nbig tall A 3 2\n", "several words before");
    refuse_text(": capitals\nathens greece oslo norway\n", "is no vector file of a known kind");
    refuse_text("tiger,cat,7.35\n", "is no vector file of a known kind");
    w2v_vectors *v = load_text("a 1 2\n. . . 0 1\nb 2 1\n"); /* some such words are in GloVe's */
    assert_string_equal(w2v_vectors_word(v, 1, NULL), ". . .");
    w2v_vectors_free(v);
}

/* What `w2v vocab` writes is no table of one column, unless someone says so. */
static void test_vec_recognise_counts(void **state)
{
    (void)state;
    refuse_text("the 93334\nand 31679\n", "has one number after each word");
    w2v_load_options options = w2v_load_options_default();
    options.format = W2V_FORMAT_GLOVE;
    support_write_text(in_folder("n.glove"), "the 93334\nand 31679\n");
    w2v_vectors *v = load_well(in_folder("n.glove"), &options);
    assert_int_equal(w2v_vectors_dim(v), 1);
    w2v_vectors_free(v);
    v = load_text("2 1\nthe 93334\nand 31679\n"); /* a header leaves no doubt */
    assert_int_equal(w2v_vectors_size(v), 2);
    w2v_vectors_free(v);
}

static void test_vec_recognise_by_content_not_by_name(void **state)
{
    (void)state;
    w2v_vectors *v = load_bytes("text.bin", "1 2\na 1 2\n", 10);
    assert_int_equal(w2v_vectors_report(v)->format, W2V_FORMAT_TEXT);
    w2v_vectors_free(v);
    v = load_bytes("binary.txt", "1 2\na \0\0\x80\x3f\0\0\x80\x3f\n", 15);
    assert_int_equal(w2v_vectors_report(v)->format, W2V_FORMAT_BINARY);
    w2v_vectors_free(v);
    assert_true(is_vector_file(in_folder("binary.txt")));
    assert_false(is_vector_file(folder));
    assert_false(is_vector_file(in_folder("missing")));
}

/* Want of memory says nothing about the file. */
static void test_w2v_is_vector_file_without_memory(void **state)
{
    (void)state;
    support_write_text(in_folder("table"), "1 2\na 1 2\n");
    for (uint64_t n = 1;; n++) {
        bool is;
        w2v_error err = {0};
        mem_fail_at(n, false);
        const w2v_status status = w2v_is_vector_file(in_folder("table"), &is, &err);
        const bool failed = mem_tries() >= n;
        mem_fail_at(0, false);
        assert_int_equal(status, failed ? W2V_ERR_MEMORY : W2V_OK);
        assert_int_equal(err.code, status);
        assert_int_equal(is, !failed);
        if (!failed) {
            assert_in_range(n, 5, 1000);
            break;
        }
    }
}

static void test_vec_recognise_forced(void **state)
{
    (void)state;
    w2v_load_options options = w2v_load_options_default();
    options.format = W2V_FORMAT_BINARY;
    refuse_bytes("a 1 2\n", 6, &options, "does not begin with the number of rows");
    options.format = W2V_FORMAT_NPY;
    refuse_bytes("a 1 2\n", 6, &options, "is no .npy file");
    options.format = W2V_FORMAT_SAFETENSORS;
    refuse_bytes("a 1 2\n", 6, &options, "is not that of a safetensors file");
    options.format = W2V_FORMAT_TSV;
    w2v_error err;
    assert_null(load_with(in_folder("bad.vec"), &options, &err));
    assert_int_equal(err.code, W2V_ERR_ARGUMENT);
    options.format = W2V_FORMAT_GLOVE;
    support_write_text(in_folder("n.glove"), "<html> 1 2\n");
    w2v_vectors *v = load_well(in_folder("n.glove"), &options);
    assert_string_equal(w2v_vectors_word(v, 0, NULL), "<html>");
    w2v_vectors_free(v);
}

static void test_vec_text_header_forms(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        header_kind kind;
        uint64_t rows, dim;
    } cases[] = {
        {"3 4\n", HEADER_FOUND, 3, 4},
        {" 3\t4 \r\n", HEADER_FOUND, 3, 4},
        {"\xef\xbb\xbf"
         "3 4",
         HEADER_FOUND, 3, 4},
        {"3 0\n", HEADER_BAD, 0, 0},
        {"-3 4\n", HEADER_BAD, 0, 0},
        {"3 4 5\n", HEADER_NONE, 0, 0},
        {"3\n4\n", HEADER_NONE, 0, 0},
        {"3 4.0\n", HEADER_NONE, 0, 0},
        {"a 4\n", HEADER_NONE, 0, 0},
        {"", HEADER_NONE, 0, 0},
        {"18446744073709551616 4\n", HEADER_BAD, 0, 0},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        text_header h;
        assert_int_equal(vec_text_header(cases[i].text, strlen(cases[i].text), &h), cases[i].kind);
        if (cases[i].kind == HEADER_FOUND) {
            assert_int_equal(h.rows, cases[i].rows);
            assert_int_equal(h.dim, cases[i].dim);
            assert_int_equal(h.length, strlen(cases[i].text));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vec_recognise_names_other_kinds),
        cmocka_unit_test(test_vec_recognise_tar_and_gzip_in_gzip),
        cmocka_unit_test(test_vec_recognise_nothing_usable),
        cmocka_unit_test(test_vec_recognise_questions_and_pairs_are_no_vectors),
        cmocka_unit_test(test_vec_recognise_counts),
        cmocka_unit_test(test_vec_recognise_by_content_not_by_name),
        cmocka_unit_test(test_w2v_is_vector_file_without_memory),
        cmocka_unit_test(test_vec_recognise_forced),
        cmocka_unit_test(test_vec_text_header_forms),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
