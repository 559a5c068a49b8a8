#include "vec_files.h"

#include "base/mem.h"

#include <math.h>
#include <unistd.h>

static float tricky(void) /* the bytes 0a 20 0a 20, which must not be taken for separators */
{
    const unsigned char bytes[4] = {0x0a, 0x20, 0x0a, 0x20};
    float value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static const char *const four[] = {"bout", "about", "\xc3\xa9t\xc3\xa9", "nl"};

static size_t make_four(char *out, bool newline)
{
    const float values[] = {1, 0, 0, 1, 0.5F, 0.5F, tricky(), 2};
    return make_binary(out, four, values, 4, 2, newline);
}

static void assert_four(const w2v_vectors *v)
{
    const float values[] = {1, 0, 0, 1, 0.5F, 0.5F, tricky(), 2};
    assert_int_equal(w2v_vectors_report(v)->format, W2V_FORMAT_BINARY);
    assert_int_equal(w2v_vectors_size(v), 4);
    assert_int_equal(w2v_vectors_dim(v), 2);
    for (uint32_t i = 0; i < 4; i++) {
        assert_row(v, i, four[i], values + 2 * i);
    }
}

/* Each dialect from a plain file, from gzip and from memory. */
static void test_read_binary_dialects(void **state)
{
    (void)state;
    for (int newline = 0; newline < 2; newline++) {
        char bytes[256];
        const size_t n = make_four(bytes, newline);
        w2v_vectors *v = load_bytes("four.bin", bytes, n);
        assert_four(v);
        assert_string_equal(w2v_vectors_report(v)->note, "");
        w2v_vectors_free(v);
        write_gzip(in_folder("four.bin.gz"), bytes, n);
        v = load_well(in_folder("four.bin.gz"), NULL);
        assert_true(w2v_vectors_report(v)->gzip);
        assert_four(v);
        w2v_vectors_free(v);
        w2v_error err = {0};
        assert_int_equal(vec_open_memory(bytes, n, "memory", NULL, &v, &err), W2V_OK);
        assert_int_equal(w2v_vectors_load(v, &err), W2V_OK);
        assert_four(v);
        w2v_vectors_free(v);
    }
}

static void test_read_binary_fifo(void **state)
{
    (void)state;
    char bytes[256], command[2 * SUPPORT_PATH + 64];
    support_write(in_folder("four.bin"), bytes, make_four(bytes, true));
    assert_int_equal(mkfifo(in_folder("fifo"), 0600), 0);
    snprintf(command, sizeof command, "( exec >/dev/null 2>&1; cat '%s' > '%s' ) &",
             in_folder("four.bin"), in_folder("fifo"));
    assert_int_equal(support_run(command, NULL, NULL), 0);
    w2v_vectors *v = load_well(in_folder("fifo"), NULL);
    assert_four(v);
    w2v_vectors_free(v);
}

static void test_read_binary_faults(void **state)
{
    (void)state;
    char bytes[256];
    const size_t n = make_four(bytes, true);
    refuse_bytes(bytes, n - 3, NULL, "inside row 4 of 4");
    refuse_bytes(bytes, 4 + 14, NULL, "promises 4 rows and ends after 1, at byte 18");
    bytes[4 + 14 + 14] = 'x'; /* behind the second */
    refuse_bytes(bytes, n, NULL, "row 3 at byte 32: it does not begin on a new line");
    make_four(bytes, true);
    bytes[4 + 14 + 2] = '\0';
    refuse_bytes(bytes, n, NULL, "row 2 at byte 17: a NUL byte in the word");
    static char endless[100000] = "9 2\n";
    memset(endless + 4, 0xfe, sizeof endless - 4);
    w2v_load_options binary = w2v_load_options_default();
    binary.format = W2V_FORMAT_BINARY;
    refuse_bytes(endless, sizeof endless, &binary, "no word ends within");
}

static void test_read_binary_numbers_that_are_not_finite(void **state)
{
    (void)state;
    const char *const list[] = {"a", "b", "c"};
    const float values[] = {1, 2, NAN, 1, 0, 0};
    char bytes[128];
    const size_t n = make_binary(bytes, list, values, 3, 2, true);
    refuse_bytes(bytes, n, NULL, "row 2: the vector of 'b' holds a number that is not finite");
    w2v_load_options lenient = w2v_load_options_default();
    lenient.lenient = true;
    support_write(in_folder("nan.bin"), bytes, n);
    w2v_vectors *v = load_well(in_folder("nan.bin"), &lenient);
    assert_int_equal(w2v_vectors_size(v), 2);
    assert_row(v, 1, "c", values + 4);
    assert_int_equal(w2v_vectors_report(v)->nonfinite_rows, 1);
    assert_int_equal(w2v_vectors_report(v)->rows_left_out, 1);
    assert_int_equal(w2v_vectors_report(v)->zero_rows, 1);
    w2v_vectors_free(v);
}

static void test_read_binary_extra_rows(void **state)
{
    (void)state;
    for (int lenient = 0; lenient < 2; lenient++) {
        char bytes[256];
        const size_t n = make_four(bytes, true);
        bytes[0] = '2';
        support_write(in_folder("extra.bin"), bytes, n);
        w2v_load_options options = w2v_load_options_default();
        options.lenient = lenient;
        w2v_vectors *v = load_well(in_folder("extra.bin"), &options);
        assert_int_equal(w2v_vectors_size(v), 2);
        assert_int_equal(w2v_vectors_report(v)->extra_rows, 2);
        assert_non_null(strstr(w2v_vectors_report(v)->note, "the header promises 2 rows"));
        w2v_vectors_free(v);
    }
}

static void test_read_binary_lenient_takes_whole_rows(void **state)
{
    (void)state;
    char bytes[256];
    const size_t n = make_four(bytes, false);
    w2v_load_options lenient = w2v_load_options_default();
    lenient.lenient = true;
    support_write(in_folder("cut.bin"), bytes, n - 1);
    w2v_vectors *v = load_well(in_folder("cut.bin"), &lenient);
    assert_int_equal(w2v_vectors_size(v), 3);
    assert_int_equal(w2v_vectors_report(v)->rows_left_out, 1);
    assert_non_null(strstr(w2v_vectors_report(v)->note, "inside row 4 of 4"));
    w2v_vectors_free(v);
}

/* A table of rows of four numbers, written in the order of big-endian machines if `big`. */
static size_t make_rows(char *out, const float *values, size_t rows, bool big)
{
    size_t n = (size_t)sprintf(out, "%zu 4\n", rows);
    for (size_t row = 0; row < rows; row++) {
        n += (size_t)sprintf(out + n, "w%zu ", row);
        for (size_t i = 0; i < 4; i++) {
            uint32_t bits;
            memcpy(&bits, &values[4 * row + i], sizeof bits);
            for (unsigned k = 0; k < 4; k++) {
                out[n++] = (char)(bits >> (big ? 24 - 8 * k : 8 * k) & 0xff);
            }
        }
        out[n++] = '\n';
    }
    return n;
}

static void test_read_binary_big_endian_is_told(void **state)
{
    (void)state;
    char bytes[512];
    float values[40];
    for (size_t i = 0; i < SUPPORT_COUNT(values); i++) {
        values[i] = (float)(i + 1) * (i % 3 ? 0.0123F : -0.37F);
    }
    size_t n = make_rows(bytes, values, 10, true);
    refuse_bytes(bytes, n, NULL, "holds numbers in big-endian byte order");
    n = make_rows(bytes, values, 10, false);
    w2v_vectors_free(load_bytes("little.bin", bytes, n));
    for (size_t i = 0; i < SUPPORT_COUNT(values); i++) {
        values[i] = (float)(i + 1); /* whole numbers have few bits */
    }
    n = make_rows(bytes, values, 2, true);
    refuse_bytes(bytes, n, NULL, "holds numbers in big-endian byte order");
    /* a table of two words: five different numbers */
    static const float few[] = {1, 2, 3, 0, 3, 2, 1, 0};
    n = make_rows(bytes, few, 2, true);
    refuse_bytes(bytes, n, NULL, "holds numbers in big-endian byte order");
    n = make_rows(bytes, few, 2, false);
    w2v_vectors_free(load_bytes("little.bin", bytes, n));
}

/* Odd sizes alone are no sign of another byte order, and a few numbers none of anything. */
static void test_read_binary_odd_sizes_are_not_big_endian(void **state)
{
    (void)state;
    static const float sizes[] = {1e30F, -1e30F, 3e37F, 1e-30F, 1e9F, 7e11F, 1e-12F, 1.5e-38F};
    char bytes[512];
    float values[40];
    for (size_t k = 0; k < SUPPORT_COUNT(sizes); k++) {
        for (size_t i = 0; i < SUPPORT_COUNT(values); i++) {
            values[i] = sizes[k] * (1 + (float)(i * 7919 % 40) / 97);
        }
        for (size_t rows = 1; rows <= 10; rows++) {
            const size_t n = make_rows(bytes, values, rows, false);
            w2v_vectors *v = load_bytes("odd.bin", bytes, n);
            assert_memory_equal(w2v_vectors_row(v, 0), values, 16);
            w2v_vectors_free(v);
        }
    }
    /* one number over and over, whose bytes make sense in the other order too */
    const uint32_t both = 0x7149003fU;
    for (size_t i = 0; i < SUPPORT_COUNT(values); i++) {
        memcpy(&values[i], &both, sizeof both);
    }
    const size_t n = make_rows(bytes, values, 10, false);
    w2v_vectors_free(load_bytes("odd.bin", bytes, n));
}

static void test_read_binary_words(void **state)
{
    (void)state;
    const char *const list[] = {"a",
                                ("b\xff"
                                 "d"),
                                "a", "b\tc"};
    const float values[] = {1, 2, 3, 4};
    char bytes[128];
    w2v_vectors *v = load_bytes("w.bin", bytes, make_binary(bytes, list, values, 4, 1, true));
    assert_int_equal(w2v_vectors_report(v)->invalid_utf8, 1);
    assert_int_equal(w2v_vectors_duplicates(v), 1);
    assert_int_equal(w2v_vectors_find(v, "a", 1), 0);
    assert_int_equal(w2v_vectors_find(v, "b\tc", 3), 3);
    assert_int_equal(w2v_vectors_find(v, "b", 1), UINT32_MAX);
    w2v_vectors_free(v);
}

static void test_read_binary_memory_limit(void **state)
{
    (void)state;
    char bytes[256];
    support_write(in_folder("four.bin"), bytes, make_four(bytes, true));
    w2v_load_options options = w2v_load_options_default();
    options.max_memory = 255; /* four rows of 64 bytes */
    w2v_error err;
    assert_null(load_with(in_folder("four.bin"), &options, &err));
    assert_int_equal(err.code, W2V_ERR_MEMORY);
    assert_non_null(strstr(err.text, "needs 256 B, but 255 B are allowed"));
    options.max_memory = 256;
    w2v_vectors_free(load_well(in_folder("four.bin"), &options));
}

/* A header alone costs nothing: the rows it promises are not there. */
static void test_read_binary_huge_promise(void **state)
{
    (void)state;
    static const char huge[] = "4000000000 2\na \0\0\x80\x3f\0\0\x80\x3f\n";
    refuse_bytes(huge, sizeof huge - 1, NULL, "promises 4000000000 rows and ends after 1");
    static const char wide[] = "1 16000000\na \0\0\x80\x3f\0\0\x80\x3f\n";
    refuse_bytes(wide, sizeof wide - 1, NULL, "which is more than the file holds");
}

static void test_read_binary_every_allocation_fails(void **state)
{
    (void)state;
    char bytes[256];
    const size_t n = make_four(bytes, true);
    support_write(in_folder("four.bin"), bytes, n);
    write_gzip(in_folder("four.bin.gz"), bytes, n);
    static const char *const names[] = {"four.bin", "four.bin.gz"};
    for (size_t i = 0; i < 2; i++) {
        for (uint64_t at = 1;; at++) {
            w2v_error err = {0};
            w2v_vectors *v;
            mem_fail_at(at, true);
            w2v_status status = w2v_vectors_open(in_folder(names[i]), NULL, &v, &err);
            if (status == W2V_OK) {
                status = w2v_vectors_load(v, &err);
            }
            const bool done = mem_tries() < at;
            mem_fail_at(0, false);
            w2v_vectors_free(v);
            if (done) {
                assert_int_equal(status, W2V_OK);
                break;
            }
            assert_int_equal(status, W2V_ERR_MEMORY);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_binary_dialects),
        cmocka_unit_test(test_read_binary_fifo),
        cmocka_unit_test(test_read_binary_faults),
        cmocka_unit_test(test_read_binary_numbers_that_are_not_finite),
        cmocka_unit_test(test_read_binary_extra_rows),
        cmocka_unit_test(test_read_binary_lenient_takes_whole_rows),
        cmocka_unit_test(test_read_binary_big_endian_is_told),
        cmocka_unit_test(test_read_binary_odd_sizes_are_not_big_endian),
        cmocka_unit_test(test_read_binary_words),
        cmocka_unit_test(test_read_binary_memory_limit),
        cmocka_unit_test(test_read_binary_huge_promise),
        cmocka_unit_test(test_read_binary_every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
