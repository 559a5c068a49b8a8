#include "vec_files.h"

#include "vec/text_row.h"

static void test_read_text_header_and_glove(void **state)
{
    (void)state;
    const float king[] = {3, 1}, queen[] = {3, -1};
    w2v_vectors *v = load_text("2 2\nking 3 1\nqueen 3 -1\n");
    assert_int_equal(w2v_vectors_report(v)->format, W2V_FORMAT_TEXT);
    assert_int_equal(w2v_vectors_report(v)->rows_declared, 2);
    assert_int_equal(w2v_vectors_size(v), 2);
    assert_row(v, 0, "king", king);
    assert_row(v, 1, "queen", queen);
    w2v_vectors_free(v);
    v = load_text("king 3 1\nqueen 3 -1");
    assert_int_equal(w2v_vectors_report(v)->format, W2V_FORMAT_GLOVE);
    assert_int_equal(w2v_vectors_size(v), 2);
    assert_row(v, 1, "queen", queen);
    w2v_vectors_free(v);
}

static void test_read_text_gaps_blank_lines_and_ends(void **state)
{
    (void)state;
    const float a[] = {1, 0}, b[] = {0, 1};
    w2v_vectors *v = load_text("\xef\xbb\xbf"
                               "2 2 \r\na 1 0 \n\n \t\nb\t0\t1\r\n\n");
    assert_int_equal(w2v_vectors_size(v), 2);
    assert_row(v, 0, "a", a);
    assert_row(v, 1, "b", b);
    w2v_vectors_free(v);
    v = load_text("\xef\xbb\xbf"
                  "a  1   0\r\nb 0 1");
    assert_row(v, 0, "a", a);
    assert_row(v, 1, "b", b);
    w2v_vectors_free(v);
}

static void test_read_text_spaces_inside_words(void **state)
{
    (void)state;
    w2v_vectors *v = load_text("5 2\nnew york 1 0\n. . . 0 1\n  1 1\n\xc2\xa0 2 2\n7 3 3\n");
    static const char *const expected[] = {"new york", ". . .", " ", "\xc2\xa0", "7"};
    for (uint32_t i = 0; i < 5; i++) {
        assert_string_equal(w2v_vectors_word(v, i, NULL), expected[i]);
    }
    assert_int_equal(w2v_vectors_row(v, 4)[1], 3);
    w2v_vectors_free(v);
}

static void test_read_text_words_that_are_not_utf8(void **state)
{
    (void)state;
    w2v_vectors *v = load_text("2 2\nok 1 0\nb\xff"
                               "d 0 1\n");
    assert_string_equal(w2v_vectors_word(v, 1, NULL), "b\xff"
                                                      "d");
    assert_int_equal(w2v_vectors_report(v)->invalid_utf8, 1);
    w2v_vectors_free(v);
}

static void test_read_text_faults_name_line_word_and_what(void **state)
{
    (void)state;
    refuse_text("2 2\na 1 0 9\nb 0 1\n", "line 2 ('a'): 3 numbers instead of 2");
    refuse_text("2 2\na 1 zero\nb 0\n", "line 2 ('a'): 'zero' is not a number");
    refuse_text("2 2\na 1 0\nb 0\n", "line 3 ('b'): 1 numbers instead of 2");
    refuse_text("2 2\na 1 0\n\n0 1\n", "line 4: numbers without a word");
    refuse_text("2 2\na 1 0\nb nan 1\n", "line 3 ('b'): 'nan' is not a finite number");
    refuse_text("2 2\na 1 0\nb 1 1e39\n", "line 3 ('b'): '1e39' is not a finite number");
    refuse_text("a 1 0\nb 0\n", "line 2 ('b'): 1 numbers instead of 2");
    refuse_text("3 2\na 1 0\n=======\nb 0 1\n", "line 3: the marker of an unresolved merge");
    refuse_bytes("2 2\na\0b 1 0\nc 0 1\n", 18, NULL, "line 2: a NUL byte in the word");
}

static void test_read_text_error_has_line_and_byte(void **state)
{
    (void)state;
    w2v_error err;
    support_write_text(in_folder("t.vec"), "3 2\na 1 0\n\nb 0 x\n");
    assert_null(load_with(in_folder("t.vec"), NULL, &err));
    assert_int_equal(err.line, 4);
    assert_int_equal(err.offset, 11);
}

static void test_read_text_header_counts(void **state)
{
    (void)state;
    refuse_text("3 2\na 1 0\nb 0 1\n", "promises 3 rows and ends after 2, at byte 16");
    refuse_text("99999999999 300\na 1\n", "300 numbers, which is more than the file holds");
    refuse_text("99999999999 2\na 1 1\n", "promises 99999999999 rows and ends after 1");
    refuse_text("-1 2\n", "the header '-1 2' promises no table");
    refuse_text("2 0\na\nb\n", "the header '2 0' promises no table");
    refuse_text("2 99999999999999999999\na 1\n", "promises no table");
    refuse_text("5 2\n", "holds no rows");
    w2v_vectors *v = load_text("1 2\na 1 0\nb 0 1\n");
    assert_int_equal(w2v_vectors_size(v), 1);
    assert_int_equal(w2v_vectors_report(v)->extra_rows, 1);
    assert_string_equal(w2v_vectors_report(v)->note,
                        "the header promises 1 rows; 1 more are left out");
    w2v_vectors_free(v);
}

static void test_read_text_lenient_takes_what_is_right(void **state)
{
    (void)state;
    w2v_load_options lenient = w2v_load_options_default();
    lenient.lenient = true;
    support_write_text(in_folder("t.vec"), "5 2\na 1 0\nb x 1\nc inf 1\nd 2 2\n");
    w2v_vectors *v = load_well(in_folder("t.vec"), &lenient);
    assert_int_equal(w2v_vectors_size(v), 2);
    assert_string_equal(w2v_vectors_word(v, 1, NULL), "d");
    const w2v_load_report *report = w2v_vectors_report(v);
    assert_int_equal(report->rows_left_out, 3);
    assert_int_equal(report->nonfinite_rows, 1);
    assert_non_null(strstr(report->note, "line 3 ('b'): 'x' is not a number"));
    w2v_vectors_free(v);
}

static void test_read_text_lenient_leaves_out_a_row_cut_in_its_last_number(void **state)
{
    (void)state;
    w2v_load_options lenient = w2v_load_options_default();
    lenient.lenient = true;
    support_write_text(in_folder("t.vec"), "3 2\na 1 0\nb 1 0.2"); /* was 0.25 */
    w2v_vectors *v = load_well(in_folder("t.vec"), &lenient);
    assert_int_equal(w2v_vectors_size(v), 1);
    w2v_vectors_free(v);
}

static void test_read_text_one_dimension(void **state)
{
    (void)state;
    const float one[] = {1}, two[] = {2}, four[] = {4};
    w2v_vectors *v = load_text("2 1\na 1\nb 2\n"); /* whole numbers first: a header */
    assert_int_equal(w2v_vectors_size(v), 2);
    assert_row(v, 1, "b", two);
    w2v_vectors_free(v);
    w2v_load_options glove = w2v_load_options_default();
    glove.format = W2V_FORMAT_GLOVE; /* without a header it might be a list of counts */
    support_write_text(in_folder("t.vec"), "a 1\nb 2\n");
    v = load_well(in_folder("t.vec"), &glove);
    assert_int_equal(w2v_vectors_dim(v), 1);
    assert_row(v, 0, "a", one);
    w2v_vectors_free(v);
    w2v_error err;
    support_write_text(in_folder("t.vec"), "3 4\na 1\n");
    assert_null(load_with(in_folder("t.vec"), NULL, &err));
    assert_non_null(strstr(err.hint, "--input-format glove"));
    v = load_well(in_folder("t.vec"), &glove);
    assert_row(v, 0, "3", four);
    w2v_vectors_free(v);
}

static void test_read_text_limit(void **state)
{
    (void)state;
    w2v_load_options options = w2v_load_options_default();
    options.limit = 2;
    support_write_text(in_folder("t.vec"), "4 1\na 1\nb 2\nc 3\nd oops\n");
    w2v_vectors *v = load_well(in_folder("t.vec"), &options);
    assert_int_equal(w2v_vectors_size(v), 2);
    assert_int_equal(w2v_vectors_report(v)->extra_rows, 0);
    w2v_vectors_free(v);
    options.limit = 9;
    support_write_text(in_folder("t.vec"), "a 1 1\nb 2 2\n");
    v = load_well(in_folder("t.vec"), &options);
    assert_int_equal(w2v_vectors_size(v), 2);
    w2v_vectors_free(v);
}

/* Several pieces of 1 MB, plain and gzip, one thread and more: one table. */
static void test_read_text_pieces_and_threads(void **state)
{
    (void)state;
    const size_t rows = 60000, room = rows * 64;
    char *text = malloc(room);
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, "%zu 3\n", rows);
    for (size_t i = 0; i < rows; i++) {
        n += (size_t)sprintf(text + n, "w%zu %zu -%zu.5 1e-%zu\n", i, i, i, i % 9);
    }
    support_write(in_folder("plain.vec"), text, n);
    write_gzip(in_folder("packed.vec.gz"), text, n);
    free(text);
    w2v_load_options options = w2v_load_options_default();
    w2v_vectors *one = load_well(in_folder("plain.vec"), &options);
    assert_int_equal(w2v_vectors_size(one), rows);
    assert_string_equal(w2v_vectors_word(one, 59999, NULL), "w59999");
    assert_true(w2v_vectors_row(one, 59999)[1] == -59999.5F);
    options.threads = 4;
    w2v_vectors *four = load_well(in_folder("plain.vec"), &options);
    w2v_vectors *packed = load_well(in_folder("packed.vec.gz"), &options);
    assert_true(w2v_vectors_report(packed)->gzip);
    assert_same_tables(one, four);
    assert_same_tables(one, packed);
    w2v_vectors_free(one);
    w2v_vectors_free(four);
    w2v_vectors_free(packed);
}

/* Given up long before its end: such a line may be all there is, and not fit in memory. */
static void test_read_text_line_that_is_no_row(void **state)
{
    (void)state;
    const size_t n = 4 << 20;
    char *text = malloc(n);
    assert_non_null(text);
    memset(text, 'x', n);
    memcpy(text, "2 2\na 1 2\n", 10);
    refuse_bytes(text, n, NULL, "at byte 10: a line of over ");
    free(text);
}

/* What a header promises of the length of rows costs nothing, however many short lines follow. */
static void test_read_text_short_rows_take_little_memory(void **state)
{
    (void)state;
    enum { LINES = 100000 };
    char *text = malloc(LINES * 4 + 32);
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, "%d 16000000\n", LINES);
    for (int i = 0; i < LINES; i++) {
        memcpy(text + n, "a 1\n", 4);
        n += 4;
    }
    write_gzip(in_folder("wide.vec.gz"), text, n); /* whose size tells nothing beforehand */
    w2v_load_options options = w2v_load_options_default();
    w2v_error err;
    assert_null(load_with(in_folder("wide.vec.gz"), &options, &err));
    assert_int_equal(err.code, W2V_ERR_INPUT);
    assert_non_null(strstr(err.text, "line 2 ('a'): 1 numbers instead of 16000000"));
    options.lenient = true;
    assert_null(load_with(in_folder("wide.vec.gz"), &options, &err));
    assert_int_equal(err.code, W2V_ERR_INPUT);
    assert_non_null(strstr(err.text, "no row that can be used"));
    free(text);
}

static void test_read_text_row_longer_than_a_window(void **state)
{
    (void)state;
    const size_t dim = 40000;
    char *text = malloc(dim * 24 + 64);
    assert_non_null(text);
    size_t n = 0;
    for (int row = 0; row < 2; row++) {
        n += (size_t)sprintf(text + n, "w%d", row);
        for (size_t i = 0; i < dim; i++) {
            n += (size_t)sprintf(text + n, " %zu.125", i);
        }
        n += (size_t)sprintf(text + n, "\n");
    }
    w2v_vectors *v = load_bytes("long.glove", text, n);
    free(text);
    assert_int_equal(w2v_vectors_dim(v), dim);
    assert_int_equal(w2v_vectors_size(v), 2);
    assert_true(w2v_vectors_row(v, 1)[dim - 1] == 39999.125F);
    w2v_vectors_free(v);
}

static void test_text_row_numbers_counts_from_the_right(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        size_t count;
    } cases[] = {{"a 1 2", 2}, {"1 2 3", 2}, {"a b", 0}, {"", 0}, {"a 1 x 2 nan", 2}, {" 1 2", 2}};
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        assert_int_equal(text_row_numbers(cases[i].line, strlen(cases[i].line)), cases[i].count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_text_header_and_glove),
        cmocka_unit_test(test_read_text_gaps_blank_lines_and_ends),
        cmocka_unit_test(test_read_text_spaces_inside_words),
        cmocka_unit_test(test_read_text_words_that_are_not_utf8),
        cmocka_unit_test(test_read_text_faults_name_line_word_and_what),
        cmocka_unit_test(test_read_text_error_has_line_and_byte),
        cmocka_unit_test(test_read_text_header_counts),
        cmocka_unit_test(test_read_text_lenient_takes_what_is_right),
        cmocka_unit_test(test_read_text_lenient_leaves_out_a_row_cut_in_its_last_number),
        cmocka_unit_test(test_read_text_one_dimension),
        cmocka_unit_test(test_read_text_limit),
        cmocka_unit_test(test_read_text_pieces_and_threads),
        cmocka_unit_test(test_read_text_short_rows_take_little_memory),
        cmocka_unit_test(test_read_text_row_longer_than_a_window),
        cmocka_unit_test(test_read_text_line_that_is_no_row),
        cmocka_unit_test(test_text_row_numbers_counts_from_the_right),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
