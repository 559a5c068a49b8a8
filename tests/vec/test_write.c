#include "support.h"

#include "base/mem.h"
#include "base/rng.h"
#include "vec/write.h"

#include <float.h>
#include <math.h>
#include <zlib.h>

/* ----------------------------------------------------------------- fixture */

static char folder[SUPPORT_PATH];

static int set_up(void **state)
{
    (void)state;
    support_folder(folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    support_remove(folder);
    return 0;
}

static const char *in_folder(const char *name)
{
    static char path[2][SUPPORT_PATH];
    static int turn;
    turn = !turn;
    return support_path(folder, name, path[turn]);
}

/* A table over the caller's values; its words are a static list, cleared by the next one. */
static table_view table_of(const char *const *list, size_t rows, const float *values, size_t dim,
                           size_t stride)
{
    static words names;
    words_clear(&names);
    for (size_t i = 0; i < rows; i++) {
        assert_true(words_append(&names, list[i], strlen(list[i])));
    }
    return (table_view){
        .names = &names, .values = values, .rows = rows, .dim = dim, .stride = stride};
}

static void write_well(const table_view *table, const char *path, w2v_format format, int precision)
{
    w2v_error err = {0};
    uint64_t bytes = 0;
    assert_int_equal(vec_write(table, path, format, precision, &bytes, &err), W2V_OK);
    assert_int_equal(err.code, W2V_OK);
    size_t n;
    free(support_read(path, &n));
    assert_int_equal(bytes, n);
}

static void assert_file(const char *path, const char *expected, size_t n)
{
    size_t got;
    char *content = support_read(path, &got);
    assert_int_equal(got, n);
    assert_memory_equal(content, expected, n);
    free(content);
}

/* The padding holds what must never be written, or be taken for a bad value. */
static const float padded[] = {0.5f, -1, NAN, 0.1f, 1e-7f, NAN};
static const char *const two_words[] = {"ab", "\xc3\xa9t\xc3\xa9"};

/* ------------------------------------------------------------------- names */

static void test_vec_format_of_name_endings(void **state)
{
    (void)state;
    assert_int_equal(vec_format_of_name("a.txt"), W2V_FORMAT_TEXT);
    assert_int_equal(vec_format_of_name("a.vec"), W2V_FORMAT_TEXT);
    assert_int_equal(vec_format_of_name("x.y/a.vec.gz"), W2V_FORMAT_TEXT);
    assert_int_equal(vec_format_of_name("a.glove"), W2V_FORMAT_GLOVE);
    assert_int_equal(vec_format_of_name("a.glove.gz"), W2V_FORMAT_GLOVE);
    assert_int_equal(vec_format_of_name("a.bin"), W2V_FORMAT_BINARY);
    assert_int_equal(vec_format_of_name("a.bin.gz"), W2V_FORMAT_BINARY);
    assert_int_equal(vec_format_of_name("vectors"), W2V_FORMAT_BINARY);
    assert_int_equal(vec_format_of_name("a.txt/vectors"), W2V_FORMAT_BINARY);
    assert_int_equal(vec_format_of_name("txt"), W2V_FORMAT_BINARY);
    assert_int_equal(vec_format_of_name("-"), W2V_FORMAT_BINARY);
    assert_int_equal(vec_format_of_name(""), W2V_FORMAT_BINARY);
}

/* ------------------------------------------------------------------- bytes */

static void test_vec_write_binary_bytes(void **state)
{
    (void)state;
    const table_view table = table_of(two_words, 2, padded, 2, 3);
    static const char expected[] = "2 2\n"
                                   "ab \x00\x00\x00\x3f\x00\x00\x80\xbf\n"
                                   "\xc3\xa9t\xc3\xa9 \xcd\xcc\xcc\x3d\x95\xbf\xd6\x33\n";
    write_well(&table, in_folder("a.bin"), W2V_FORMAT_AUTO, 0);
    assert_file(in_folder("a.bin"), expected, sizeof expected - 1);
}

static void test_vec_write_text_bytes(void **state)
{
    (void)state;
    const table_view table = table_of(two_words, 2, padded, 2, 3);
    static const char expected[] = "2 2\nab 0.5 -1\n\xc3\xa9t\xc3\xa9 0.1 1e-07\n";
    write_well(&table, in_folder("a.vec"), W2V_FORMAT_AUTO, 0);
    assert_file(in_folder("a.vec"), expected, sizeof expected - 1);
}

static void test_vec_write_glove_bytes(void **state)
{
    (void)state;
    const table_view table = table_of(two_words, 2, padded, 2, 3);
    static const char expected[] = "ab 0.5 -1\n\xc3\xa9t\xc3\xa9 0.1 1e-07\n";
    write_well(&table, in_folder("a.glove"), W2V_FORMAT_AUTO, 0);
    assert_file(in_folder("a.glove"), expected, sizeof expected - 1);
}

static void test_vec_write_format_overrides_name(void **state)
{
    (void)state;
    const table_view table = table_of(two_words, 1, padded, 2, 3);
    write_well(&table, in_folder("a.bin"), W2V_FORMAT_GLOVE, 0);
    assert_file(in_folder("a.bin"), "ab 0.5 -1\n", 10);
}

static void test_vec_write_text_precision(void **state)
{
    (void)state;
    const float values[] = {3.14159265f, -0.000123456f};
    const char *const word[] = {"x"};
    const table_view table = table_of(word, 1, values, 2, 2);
    write_well(&table, in_folder("a.txt"), W2V_FORMAT_AUTO, 3);
    assert_file(in_folder("a.txt"), "1 2\nx 3.14 -0.000123\n", 21);
}

/* -------------------------------------------------------------- round trip */

/* Reads `V D` and rows by the letter of the format, with nothing but the C library. */
static const char *naive_header(const char *at, size_t rows, size_t dim)
{
    char *end;
    assert_int_equal(strtoull(at, &end, 10), rows);
    assert_int_equal(*end, ' ');
    assert_int_equal(strtoull(end + 1, &end, 10), dim);
    assert_int_equal(*end, '\n');
    return end + 1;
}

static const char *naive_word(const char *at, const char *word)
{
    assert_memory_equal(at, word, strlen(word));
    return at + strlen(word);
}

static void assert_bits(float got, float expected)
{
    uint32_t a;
    uint32_t b;
    memcpy(&a, &got, 4);
    memcpy(&b, &expected, 4);
    assert_int_equal(a, b);
}

static void assert_text_rows(const char *at, const char *end, const table_view *table)
{
    for (size_t row = 0; row < table->rows; row++) {
        at = naive_word(at, words_get(table->names, (uint32_t)row, NULL));
        for (size_t i = 0; i < table->dim; i++) {
            assert_int_equal(*at, ' ');
            assert_true(at[1] != ' ');
            char *next;
            assert_bits(strtof(at, &next), table->values[row * table->stride + i]);
            at = next;
        }
        assert_int_equal(*at++, '\n');
    }
    assert_ptr_equal(at, end);
}

static void assert_binary_rows(const char *at, const char *end, const table_view *table)
{
    for (size_t row = 0; row < table->rows; row++) {
        at = naive_word(at, words_get(table->names, (uint32_t)row, NULL));
        assert_int_equal(*at++, ' ');
        for (size_t i = 0; i < table->dim; i++, at += 4) {
            const unsigned char *byte = (const unsigned char *)at;
            const uint32_t bits = (uint32_t)byte[0] | (uint32_t)byte[1] << 8 |
                                  (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
            float value;
            memcpy(&value, &bits, 4);
            assert_bits(value, table->values[row * table->stride + i]);
        }
        assert_int_equal(*at++, '\n');
    }
    assert_ptr_equal(at, end);
}

static void assert_round_trip(const table_view *table)
{
    static const char *const files[] = {"r.bin", "r.txt", "r.glove"};
    const size_t count = table->dim > 1 ? 3 : 2; /* one number a row is no GloVe */
    for (size_t f = 0; f < count; f++) {
        write_well(table, in_folder(files[f]), W2V_FORMAT_AUTO, 0);
        size_t n;
        char *content = support_read(in_folder(files[f]), &n);
        const char *at = content;
        if (f < 2) {
            at = naive_header(at, table->rows, table->dim);
        }
        (f == 0 ? assert_binary_rows : assert_text_rows)(at, content + n, table);
        free(content);
    }
}

static void test_vec_write_round_trip_extreme_values(void **state)
{
    (void)state;
    const float values[] = {0.0f,           -0.0f,         FLT_MAX,
                            -FLT_MAX,       FLT_MIN,       FLT_EPSILON,
                            0x1p-149f,      -0x1p-149f,    0x1p-126f - 0x1p-149f,
                            0.1f,           16777216.0f,   16777215.0f,
                            1e-7f,          9.9999998e10f, 0x1.fffp-4f,
                            0.333333343f,   8.589973e9f,   1e23f,
                            -2.5f,          0x1p-74f,      3.4028233e38f,
                            1.17549435e-38f};
    /* a newline and a space as bytes of a float, which a reader must not take for ends */
    float tricky;
    memcpy(&tricky, "\x0a\x20\x0a\x20", 4);
    float all[SUPPORT_COUNT(values) + 1];
    memcpy(all, values, sizeof values);
    all[SUPPORT_COUNT(values)] = tricky;
    const char *const word[] = {"extreme"};
    const table_view table = table_of(word, 1, all, SUPPORT_COUNT(all), SUPPORT_COUNT(all));
    assert_round_trip(&table);
}

static void test_vec_write_round_trip_random_bits(void **state)
{
    (void)state;
    enum { ROWS = 40, DIM = 301 };
    static float values[ROWS * DIM];
    rng random = rng_stream(1, RNG_INIT, 0, 0);
    for (size_t i = 0; i < ROWS * DIM; i++) {
        do {
            const uint32_t bits = (uint32_t)rng_next(&random);
            memcpy(&values[i], &bits, 4);
        } while (!isfinite(values[i]));
    }
    char text[ROWS][8];
    const char *list[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        snprintf(text[i], sizeof text[i], "w%zu", i);
        list[i] = text[i];
    }
    const table_view table = table_of(list, ROWS, values, DIM, DIM);
    assert_round_trip(&table);
}

/* Around the lengths at which a row is cut into runs, and beyond the sink's buffer. */
static void test_vec_write_round_trip_dimensions(void **state)
{
    (void)state;
    static const size_t dims[] = {1, 63, 64, 65, 128, 1023, 1024, 1025, 65536};
    const char *const list[] = {"a", "b"};
    for (size_t d = 0; d < SUPPORT_COUNT(dims); d++) {
        float *values = malloc(2 * dims[d] * sizeof *values);
        assert_non_null(values);
        for (size_t i = 0; i < 2 * dims[d]; i++) {
            values[i] = (float)(i + 1) / 3 - 1;
        }
        const table_view table = table_of(list, 2, values, dims[d], dims[d]);
        assert_round_trip(&table);
        free(values);
    }
}

/* What the formats' own readers can hold must not be refused. */
static void test_vec_write_round_trip_odd_words(void **state)
{
    (void)state;
    const char *const list[] = {"</s>",     "-1",   "3.5",          "new\xc2\xa0york",
                                "\xff\xfe", "\x01", "\xe2\x80\xa8", "\xef\xbb\xbfx",
                                "0x1p3",    "x"};
    float values[2 * SUPPORT_COUNT(list)];
    for (size_t i = 0; i < SUPPORT_COUNT(values); i++) {
        values[i] = (float)i;
    }
    const table_view table = table_of(list, SUPPORT_COUNT(list), values, 2, 2);
    assert_round_trip(&table);
}

/* -------------------------------------------------------------------- gzip */

static void test_vec_write_gzip_holds_the_plain_bytes(void **state)
{
    (void)state;
    static const char *const files[][2] = {
        {"p.bin", "p.bin.gz"}, {"p.txt", "p.txt.gz"}, {"p.glove", "p.glove.gz"}};
    const table_view table = table_of(two_words, 2, padded, 2, 3);
    for (size_t f = 0; f < SUPPORT_COUNT(files); f++) {
        write_well(&table, in_folder(files[f][0]), W2V_FORMAT_AUTO, 0);
        write_well(&table, in_folder(files[f][1]), W2V_FORMAT_AUTO, 0);
        size_t n;
        char *packed = support_read(in_folder(files[f][1]), &n);
        assert_true(n > 18);
        assert_memory_equal(packed, "\x1f\x8b\x08", 3);
        free(packed);
        char plain[256];
        gzFile in = gzopen(in_folder(files[f][1]), "rb");
        assert_non_null(in);
        const int got = gzread(in, plain, sizeof plain);
        assert_int_equal(gzclose(in), Z_OK);
        assert_true(got > 0);
        assert_file(in_folder(files[f][0]), plain, (size_t)got);
    }
}

/* --------------------------------------------------------------- refusals */

/* Refused with this text, before anything is touched: an older file stays, no new one appears. */
static void assert_refused(const table_view *table, w2v_format format, int precision,
                           const char *text)
{
    const char *path = in_folder("old");
    support_write(path, "older", 5);
    w2v_error err = {0};
    assert_int_equal(vec_write(table, path, format, precision, NULL, &err), W2V_ERR_ARGUMENT);
    assert_int_equal(err.code, W2V_ERR_ARGUMENT);
    char expected[sizeof err.text];
    const bool named = text[0] == ':'; /* then the file comes first */
    snprintf(expected, sizeof expected, "%s%s%s%s", named ? "'" : "", named ? path : "",
             named ? "'" : "", text);
    assert_string_equal(err.text, expected);
    assert_file(path, "older", 5);

    assert_int_equal(vec_write(table, in_folder("new"), format, precision, NULL, NULL),
                     W2V_ERR_ARGUMENT);
    assert_int_equal(support_count(folder), 1);
}

static void assert_word_refused(const char *word, w2v_format format, const char *text)
{
    const float values[] = {1, 2, 3, 4};
    const char *const list[] = {"fine", word};
    const table_view table = table_of(list, 2, values, 2, 2);
    assert_refused(&table, format, 0, text);
}

static void test_vec_write_refuses_white_space_in_text(void **state)
{
    (void)state;
#define IN_TEXT " of row 2 has white space inside, which a text format cannot hold"
    assert_word_refused("new york", W2V_FORMAT_TEXT, ": the word 'new york'" IN_TEXT);
    assert_word_refused("new york", W2V_FORMAT_GLOVE, ": the word 'new york'" IN_TEXT);
    assert_word_refused("a\tb", W2V_FORMAT_TEXT, ": the word 'a\\tb'" IN_TEXT);
    assert_word_refused("a\n", W2V_FORMAT_TEXT, ": the word 'a\\n'" IN_TEXT);
    assert_word_refused("\rb", W2V_FORMAT_TEXT, ": the word '\\rb'" IN_TEXT);
    assert_word_refused("a\vb", W2V_FORMAT_TEXT, ": the word 'a\\x0bb'" IN_TEXT);
    assert_word_refused("a\fb", W2V_FORMAT_TEXT, ": the word 'a\\x0cb'" IN_TEXT);
    assert_word_refused("\xff \xc3\xa9", W2V_FORMAT_TEXT, ": the word '\\xff \xc3\xa9'" IN_TEXT);
}

static void test_vec_write_refuses_space_and_newline_in_binary(void **state)
{
    (void)state;
#define IN_BINARY " of row 2 has white space inside, which the binary format cannot hold"
    assert_word_refused("new york", W2V_FORMAT_BINARY, ": the word 'new york'" IN_BINARY);
    assert_word_refused(" ", W2V_FORMAT_BINARY, ": the word ' '" IN_BINARY);
    assert_word_refused("\nb", W2V_FORMAT_BINARY, ": the word '\\nb'" IN_BINARY);
}

static void test_vec_write_binary_holds_a_tab(void **state)
{
    (void)state;
    const float values[] = {1};
    const char *const list[] = {"a\tb"};
    const table_view table = table_of(list, 1, values, 1, 1);
    write_well(&table, in_folder("tab.bin"), W2V_FORMAT_AUTO, 0);
    assert_file(in_folder("tab.bin"), "1 1\na\tb \0\0\x80?\n", 13);
    w2v_error err = {0};
    assert_int_equal(vec_write(&table, in_folder("tab.txt"), W2V_FORMAT_AUTO, 0, NULL, &err),
                     W2V_ERR_ARGUMENT);
    assert_string_equal(err.hint, "the binary format can hold it");
}

static void test_vec_write_refuses_empty_word(void **state)
{
    (void)state;
    assert_word_refused("", W2V_FORMAT_BINARY, ": the word of row 2 is empty");
    assert_word_refused("", W2V_FORMAT_TEXT, ": the word of row 2 is empty");
}

static void test_vec_write_shortens_a_long_word_in_the_error(void **state)
{
    (void)state;
    char word[4097];
    memset(word, '\x01', sizeof word - 1);
    word[4095] = ' ';
    word[4096] = 0;
    char text[1024] = ": the word '";
    for (int i = 0; i < 80; i++) {
        strcat(text, "\\x01");
    }
    strcat(text, "…'" IN_BINARY);
    assert_word_refused(word, W2V_FORMAT_BINARY, text);
}

static void test_vec_write_refuses_values_that_are_not_finite(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t b = 0; b < SUPPORT_COUNT(bad); b++) {
        const float values[] = {1, 2, 3, bad[b]};
        const char *const list[] = {"fine", "broken"};
        const table_view table = table_of(list, 2, values, 2, 2);
        assert_refused(&table, W2V_FORMAT_BINARY, 0,
                       ": the vector of 'broken' holds a value that is not finite");
    }
}

static void assert_first_row_refused(const char *word, float value, const char *text)
{
    const float values[] = {value, 0.5f};
    const char *const list[] = {word, "next"};
    const table_view table = table_of(list, 2, values, 1, 1);
    assert_refused(&table, W2V_FORMAT_GLOVE, 0, text);
}

static void test_vec_write_refuses_a_glove_start_that_reads_as_something_else(void **state)
{
    (void)state;
    assert_first_row_refused(
        "the", 3,
        ": the first word 'the' would be read as the first of a list of words with counts");
    assert_first_row_refused("\xef\xbb\xbfx", 0.5f,
                             ": the first word '\\ufeffx' would be read as "
                             "a byte order mark");
    assert_first_row_refused("\x1f\x8bx", 0.5f,
                             ": the first word '\\x1f\\x8bx' would be read as a gzip file");
}

static void test_vec_write_glove_holds_number_words_elsewhere(void **state)
{
    (void)state;
    const float values[] = {0.5f, 3, 1, 2};
    const char *const list[] = {"12", "13"};
    const table_view table = table_of(list, 2, values, 2, 2);
    write_well(&table, in_folder("n.glove"), W2V_FORMAT_AUTO, 0);
    assert_file(in_folder("n.glove"), "12 0.5 3\n13 1 2\n", 16);
}

static void test_vec_write_refuses_bad_shapes_and_precision(void **state)
{
    (void)state;
    const table_view table = table_of(two_words, 2, padded, 2, 3);
    assert_refused(&table, W2V_FORMAT_TEXT, 10, "precision '10' is not in 0..9");
    assert_refused(&table, W2V_FORMAT_TEXT, -1, "precision '-1' is not in 0..9");
    const table_view none = table_of(two_words, 0, padded, 2, 3);
    assert_refused(&none, W2V_FORMAT_GLOVE, 0, ": a table of 0 rows of length 2 is empty");
    const table_view flat = table_of(two_words, 2, padded, 0, 3);
    assert_refused(&flat, W2V_FORMAT_BINARY, 0, ": a table of 2 rows of length 0 is empty");
}

/* ---------------------------------------------------------------- failures */

static void test_vec_write_full_device(void **state)
{
    (void)state;
    static float values[100000]; /* more than a buffer: the failure comes in the middle */
    const char *const list[] = {"a"};
    static const w2v_format formats[] = {W2V_FORMAT_BINARY, W2V_FORMAT_TEXT, W2V_FORMAT_GLOVE};
    for (size_t f = 0; f < SUPPORT_COUNT(formats); f++) {
        for (size_t dim = 2; dim <= 100000; dim += 99998) {
            const table_view table = table_of(list, 1, values, dim, dim);
            w2v_error err = {0};
            assert_int_equal(vec_write(&table, "/dev/full", formats[f], 0, NULL, &err), W2V_ERR_IO);
            assert_int_equal(err.code, W2V_ERR_IO);
            assert_non_null(strstr(err.text, "'/dev/full'"));
        }
    }
}

static void test_vec_write_folder_that_is_missing(void **state)
{
    (void)state;
    const table_view table = table_of(two_words, 2, padded, 2, 3);
    w2v_error err = {0};
    assert_int_equal(vec_write(&table, in_folder("none/a.bin"), W2V_FORMAT_AUTO, 0, NULL, &err),
                     W2V_ERR_IO);
    assert_non_null(strstr(err.text, "none/a.bin"));
    assert_int_equal(support_count(folder), 0);
}

static void test_vec_write_every_allocation_fails(void **state)
{
    (void)state;
    const table_view table = table_of(two_words, 2, padded, 2, 3);
    support_write(in_folder("m.txt.gz"), "older", 5);
    uint64_t failed = 0;
    for (uint64_t n = 1;; n++) {
        w2v_error err = {0};
        mem_fail_at(n, false);
        const w2v_status status =
            vec_write(&table, in_folder("m.txt.gz"), W2V_FORMAT_AUTO, 0, NULL, &err);
        mem_fail_at(0, false);
        if (status == W2V_OK) {
            break;
        }
        failed++;
        assert_int_equal(status, W2V_ERR_MEMORY);
        assert_int_equal(err.code, W2V_ERR_MEMORY);
        assert_file(in_folder("m.txt.gz"), "older", 5);
        assert_int_equal(support_count(folder), 1);
    }
    assert_true(failed > 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_vec_format_of_name_endings),
        TEST(test_vec_write_binary_bytes),
        TEST(test_vec_write_text_bytes),
        TEST(test_vec_write_glove_bytes),
        TEST(test_vec_write_format_overrides_name),
        TEST(test_vec_write_text_precision),
        TEST(test_vec_write_round_trip_extreme_values),
        TEST(test_vec_write_round_trip_random_bits),
        TEST(test_vec_write_round_trip_dimensions),
        TEST(test_vec_write_round_trip_odd_words),
        TEST(test_vec_write_gzip_holds_the_plain_bytes),
        TEST(test_vec_write_refuses_white_space_in_text),
        TEST(test_vec_write_refuses_space_and_newline_in_binary),
        TEST(test_vec_write_binary_holds_a_tab),
        TEST(test_vec_write_refuses_empty_word),
        TEST(test_vec_write_shortens_a_long_word_in_the_error),
        TEST(test_vec_write_refuses_values_that_are_not_finite),
        TEST(test_vec_write_refuses_a_glove_start_that_reads_as_something_else),
        TEST(test_vec_write_glove_holds_number_words_elsewhere),
        TEST(test_vec_write_refuses_bad_shapes_and_precision),
        TEST(test_vec_write_full_device),
        TEST(test_vec_write_folder_that_is_missing),
        TEST(test_vec_write_every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
