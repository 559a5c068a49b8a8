/* Files that other tools wrote, where W2V_TEST_DATA names the folder above vectors/. */
#include "vec_files.h"

#include <math.h>

static const char *data_path(const char *name, char path[SUPPORT_PATH])
{
    const char *root = getenv("W2V_TEST_DATA");
    snprintf(path, SUPPORT_PATH, "%s/vectors/%s", root ? root : "", name);
    if (!root || !support_exists(path)) {
        print_message("skipped: no '%s' (W2V_TEST_DATA names the folder above vectors/)\n", path);
        skip();
    }
    return path;
}

typedef struct expected {
    const char *name;
    w2v_format format;
    uint32_t rows, dim;
    const char *first, *last;
    float first_value, last_value; /* the first number of the first row, the last of the last */
} expected;

static void test_shared_files_open_whole(void **state)
{
    (void)state;
    static const expected files[] = {
        {"newline-rows.bin", W2V_FORMAT_BINARY, 786, 200, "</s>", "volunteers", 0.00200134283F,
         0.0194154046F},
        {"no-newline-rows.bin", W2V_FORMAT_BINARY, 2747, 10, "the", "fly", 0.421453267F,
         0.34151116F},
        {"duplicate-word.bin", W2V_FORMAT_BINARY, 4, 20, "a", "c", 0, 79},
        {"cut-utf8-word.bin", W2V_FORMAT_BINARY, 3, 3, "meren", "rivieren", -0.707106769F,
         0.707106769F},
        {"cut-utf8-word.vec", W2V_FORMAT_TEXT, 3, 3, "meren", "rivieren", -1, 1},
        {"crlf.vec", W2V_FORMAT_TEXT, 347, 300, "management", "kareem", -0.15332031F, 0.138671875F},
        {"sixteen-digits.vec", W2V_FORMAT_TEXT, 2, 2, "kangaroo.n.01", "horse.n.01",
         -0.0007369244245224787F, 0.0007694142576316829F},
        {"no-header.glove.txt", W2V_FORMAT_GLOVE, 76, 50, "the", "into", 0.418F, -1.1741F},
        {"text-named.bin", W2V_FORMAT_TEXT, 6, 10, "</s>", "china", 0.040027F, -0.006084F},
        {"glove-sample.txt.gz", W2V_FORMAT_GLOVE, 100, 100, "the", "u.s.", -0.038194F, 0.30868F},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(files); i++) {
        char path[SUPPORT_PATH];
        const expected *e = &files[i];
        w2v_vectors *v = load_well(data_path(e->name, path), NULL);
        const w2v_load_report *report = w2v_vectors_report(v);
        assert_int_equal(report->format, e->format);
        assert_int_equal(w2v_vectors_size(v), e->rows);
        assert_int_equal(w2v_vectors_dim(v), e->dim);
        assert_string_equal(w2v_vectors_word(v, 0, NULL), e->first);
        assert_string_equal(w2v_vectors_word(v, e->rows - 1, NULL), e->last);
        assert_true(w2v_vectors_row(v, 0)[0] == e->first_value);
        assert_true(w2v_vectors_row(v, e->rows - 1)[e->dim - 1] == e->last_value);
        assert_string_equal(report->note, "");
        assert_int_equal(report->invalid_utf8, strncmp(e->name, "cut-utf8", 8) == 0);
        assert_int_equal(w2v_vectors_duplicates(v), strncmp(e->name, "duplicate", 9) == 0);
        w2v_vectors_free(v);
        bool is = false;
        assert_int_equal(w2v_is_vector_file(path, &is, NULL), W2V_OK);
        assert_true(is);
    }
}

static void test_shared_header_that_promises_too_much(void **state)
{
    (void)state;
    char path[SUPPORT_PATH];
    w2v_error err;
    assert_null(load_with(data_path("header-says-3-has-1.vec", path), NULL, &err));
    assert_non_null(strstr(err.text, "promises 3 rows and ends after 1"));
    w2v_load_options lenient = w2v_load_options_default();
    lenient.lenient = true;
    w2v_vectors *v = load_well(path, &lenient);
    assert_int_equal(w2v_vectors_size(v), 1);
    assert_string_equal(w2v_vectors_word(v, 0, NULL), "dummy");
    assert_true(w2v_vectors_row(v, 0)[4] == 0.032043F);
    w2v_vectors_free(v);
}

static void test_shared_files_to_refuse(void **state)
{
    (void)state;
    static const struct {
        const char *name, *kind;
    } files[] = {{"refuse/fasttext-model.bin", "is a fastText model"},
                 {"refuse/glove-double-matrix.bin", "holds raw doubles without words"},
                 {"refuse/similarity.fifu", "is a finalfusion file"}};
    for (size_t i = 0; i < SUPPORT_COUNT(files); i++) {
        char path[SUPPORT_PATH];
        w2v_error err;
        assert_null(load_with(data_path(files[i].name, path), NULL, &err));
        assert_int_equal(err.code, W2V_ERR_INPUT);
        assert_non_null(strstr(err.text, files[i].kind));
        assert_true(err.hint[0] != '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_files_open_whole),
        cmocka_unit_test(test_shared_header_that_promises_too_much),
        cmocka_unit_test(test_shared_files_to_refuse),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
