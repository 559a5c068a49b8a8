/* Files cut at every byte, with flipped bits, and of random bytes: an error or a right partial
 * load. */
#include "vec_files.h"

#include "base/rng.h"

#include <math.h>

typedef struct sample {
    char bytes[2048];
    size_t n;
    size_t header; /* bytes whose every bit is flipped */
} sample;

#define SAMPLES 7

static const float values[] = {1, 0, -0.25F, 1e-7F, 3, 2};
static const char *const list[] = {"cat", "\xc3\xa9t\xc3\xa9", "dog"};

static size_t gzip_bytes(char *bytes, size_t n)
{
    write_gzip(in_folder("z.gz"), bytes, n);
    size_t packed;
    char *read = support_read(in_folder("z.gz"), &packed);
    memcpy(bytes, read, packed);
    free(read);
    return packed;
}

static void make_samples(sample s[SAMPLES])
{
    static const char text[] = "3 2\ncat 1 0\n\xc3\xa9t\xc3\xa9 -0.25 1e-7\ndog 3 2\n";
    memset(s, 0, SAMPLES * sizeof *s);
    s[0].n = make_binary(s[0].bytes, list, values, 3, 2, true);
    s[1].n = make_binary(s[1].bytes, list, values, 3, 2, false);
    memcpy(s[2].bytes, text, s[2].n = sizeof text - 1);
    memcpy(s[3].bytes, text + 4, s[3].n = sizeof text - 5);
    memcpy(s[4].bytes, text, sizeof text - 1);
    s[4].n = gzip_bytes(s[4].bytes, sizeof text - 1);
    s[5].n = (size_t)sprintf(s[5].bytes, "%s", "\x93NUMPY\x01") + 1;
    static const char dictionary[] =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }\n";
    s[5].bytes[s[5].n++] = (char)(sizeof dictionary - 1);
    s[5].n++;
    memcpy(s[5].bytes + s[5].n, dictionary, sizeof dictionary - 1);
    s[5].n += sizeof dictionary - 1;
    s[5].header = s[5].n;
    memcpy(s[5].bytes + s[5].n, values, sizeof values);
    s[5].n += sizeof values;
    static const char tensors[] =
        "{\"t\":{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[0,24]}}";
    s[6].bytes[0] = (char)(sizeof tensors - 1);
    memcpy(s[6].bytes + 8, tensors, sizeof tensors - 1);
    s[6].header = 8 + sizeof tensors - 1;
    memcpy(s[6].bytes + s[6].header, values, sizeof values);
    s[6].n = s[6].header + sizeof values;
    for (int i = 0; i < SAMPLES - 2; i++) {
        s[i].header = i == 4 ? s[i].n : 16 < s[i].n ? 16 : s[i].n;
    }
}

/* Loads a file of these bytes, from disk and from memory, which must agree. */
static w2v_vectors *try_load(const char *bytes, size_t n, bool lenient, w2v_error *err)
{
    char labels[SUPPORT_PATH];
    w2v_load_options options = w2v_load_options_default();
    options.labels = support_path(folder, "labels", labels);
    options.lenient = lenient;
    support_write(in_folder("x"), bytes, n);
    w2v_vectors *disk = load_with(in_folder("x"), &options, err);
    /* exactly n bytes, so that a sanitizer sees a step beyond them */
    char *exact = malloc(n ? n : 1);
    assert_non_null(exact);
    memcpy(exact, bytes, n);
    w2v_vectors *memory;
    w2v_error other = {0};
    w2v_status status = vec_open_memory(exact, n, "x", &options, &memory, &other);
    if (status == W2V_OK) {
        status = w2v_vectors_load(memory, &other);
    }
    assert_int_equal(status == W2V_OK, disk != NULL);
    if (disk) {
        assert_same_tables(disk, memory);
    } else {
        assert_int_equal(status, err->code);
        assert_true(err->text[0] != '\0');
    }
    w2v_vectors_free(memory);
    free(exact);
    return disk;
}

static void assert_finite(const w2v_vectors *v)
{
    for (uint32_t i = 0; i < w2v_vectors_size(v); i++) {
        assert_true(number_all_finite(w2v_vectors_row(v, i), w2v_vectors_dim(v)));
    }
}

static void test_cut_at_every_byte(void **state)
{
    (void)state;
    static sample s[SAMPLES];
    make_samples(s);
    support_write_text(in_folder("labels"), "cat\n\xc3\xa9t\xc3\xa9\ndog\n");
    for (int i = 0; i < SAMPLES; i++) {
        w2v_error err;
        w2v_vectors *whole = try_load(s[i].bytes, s[i].n, false, &err);
        assert_non_null(whole);
        assert_int_equal(w2v_vectors_size(whole), 3);
        for (size_t n = 0; n < s[i].n; n++) {
            for (int lenient = 0; lenient < 2; lenient++) {
                w2v_vectors *v = try_load(s[i].bytes, n, lenient, &err);
                /* Text may lose its last line end or, without a header, the end of a number. */
                const bool whole_anyway = n + 1 == s[i].n && i < 3;
                if (v && !lenient && i != 3 && !whole_anyway) {
                    /* the last digit of all is not missed by anyone, nor a gzip's padding */
                    assert_int_equal(i, 2);
                    assert_true(n + 2 >= s[i].n);
                }
                for (uint32_t row = 0; v && i != 3 && row + 1 < w2v_vectors_size(v); row++) {
                    assert_row(v, row, w2v_vectors_word(whole, row, NULL),
                               w2v_vectors_row(whole, row));
                }
                w2v_vectors_free(v);
            }
        }
        w2v_vectors_free(whole);
    }
}

static void test_every_header_bit_flipped(void **state)
{
    (void)state;
    static sample s[SAMPLES];
    make_samples(s);
    support_write_text(in_folder("labels"), "cat\n\xc3\xa9t\xc3\xa9\ndog\n");
    for (int i = 0; i < SAMPLES; i++) {
        for (size_t bit = 0; bit < 8 * s[i].header; bit++) {
            s[i].bytes[bit / 8] = (char)(s[i].bytes[bit / 8] ^ 1 << bit % 8);
            for (int lenient = 0; lenient < 2; lenient++) {
                w2v_error err;
                w2v_vectors *v = try_load(s[i].bytes, s[i].n, lenient, &err);
                if (v) {
                    assert_finite(v);
                }
                w2v_vectors_free(v);
            }
            s[i].bytes[bit / 8] = (char)(s[i].bytes[bit / 8] ^ 1 << bit % 8);
        }
    }
}

static void test_random_bytes(void **state)
{
    (void)state;
    support_write_text(in_folder("labels"), "a\nb\n");
    static const char *const heads[] = {"", "3 2\n", "\x93NUMPY\x01\x00", "a ", "\x1f\x8b\x08"};
    rng r = rng_stream(11, RNG_INIT, 0, 0);
    for (int i = 0; i < 1500; i++) {
        char bytes[256];
        const char *head = heads[i % 5];
        size_t n = strlen(head);
        memcpy(bytes, head, n);
        const size_t end = n + rng_below(&r, 200);
        const uint32_t letters = i % 2 ? 256 : 12;
        for (; n < end; n++) {
            const uint32_t c = rng_below(&r, letters);
            bytes[n] = letters == 12 ? " \n0123.-ae+"[c % 11] : (char)(unsigned char)c;
        }
        w2v_error err;
        w2v_vectors *v = try_load(bytes, n, i % 3 == 0, &err);
        if (v) {
            assert_finite(v);
        }
        w2v_vectors_free(v);
    }
}

static void test_gzip_cut_short_lenient_keeps_what_came(void **state)
{
    (void)state;
    const size_t room = 400000;
    char *text = malloc(room + 64);
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, "%d 2\n", 20000);
    for (int i = 0; i < 20000; i++) {
        n += (size_t)sprintf(text + n, "w%d %d 1\n", i, i * 7919 % 1000);
    }
    write_gzip(in_folder("t.gz"), text, n);
    free(text);
    char *packed = support_read(in_folder("t.gz"), &n);
    support_write(in_folder("t.gz"), packed, n / 2);
    free(packed);
    w2v_error err;
    assert_null(load_with(in_folder("t.gz"), NULL, &err));
    assert_non_null(strstr(err.text, "ends early at byte"));
    w2v_load_options options = w2v_load_options_default();
    options.lenient = true;
    w2v_vectors *v = load_well(in_folder("t.gz"), &options);
    assert_in_range(w2v_vectors_size(v), 5000, 15000);
    assert_non_null(strstr(w2v_vectors_report(v)->note, "ends early at byte"));
    assert_int_equal(w2v_vectors_report(v)->rows_left_out, 20000 - w2v_vectors_size(v));
    w2v_vectors_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut_at_every_byte),
        cmocka_unit_test(test_every_header_bit_flipped),
        cmocka_unit_test(test_random_bytes),
        cmocka_unit_test(test_gzip_cut_short_lenient_keeps_what_came),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
