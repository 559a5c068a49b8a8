/* Every format, plain and compressed: without memory, cut, and with damage inside. */
#include "vec_files.h"

#include "base/mem.h"

static const char *const names[] = {"v.bin", "v.txt", "v.glove", "v.npy", "v.safetensors"};

/* Writes `rows` random rows in every format, plain and .gz, and gives them back. */
static w2v_vectors *write_all(size_t rows, size_t dim)
{
    FILE *f = fopen(in_folder("first.txt"), "w");
    assert_non_null(f);
    fprintf(f, "%zu %zu\n", rows, dim);
    uint32_t noise = 1;
    for (size_t row = 0; row < rows; row++) {
        fprintf(f, "w%zu", row);
        for (size_t i = 0; i < dim; i++) {
            noise = noise * 1664525U + 1013904223U;
            fprintf(f, " %.4f", (double)(noise >> 8) / 1e6);
        }
        fputc('\n', f);
    }
    fclose(f);
    w2v_vectors *v = load_well(in_folder("first.txt"), NULL);
    for (size_t i = 0; i < SUPPORT_COUNT(names); i++) {
        for (int gzip = 0; gzip < 2; gzip++) {
            char name[32];
            snprintf(name, sizeof name, "%s%s", names[i], gzip ? ".gz" : "");
            assert_int_equal(w2v_vectors_save(v, in_folder(name), NULL, NULL, NULL), W2V_OK);
        }
    }
    return v;
}

static w2v_status load_and_find(const char *path, const w2v_load_options *options,
                                const w2v_vectors *wanted, w2v_error *err)
{
    w2v_vectors *v = NULL;
    w2v_status status = w2v_vectors_open(path, options, &v, err);
    status = status ? status : w2v_vectors_load(v, err);
    status = status ? status : w2v_vectors_index(v, err);
    if (!status) {
        assert_same_tables(wanted, v);
        assert_int_equal(w2v_vectors_find(v, "w2", 2), 2);
    }
    w2v_vectors_free(v);
    return status;
}

static void assert_no_allocation_matters(const char *path, const w2v_load_options *options,
                                         const w2v_vectors *wanted)
{
    for (int forever = 0; forever < 2; forever++) {
        bool done = false;
        uint64_t n = 0;
        while (!done) {
            w2v_error err = {0};
            mem_fail_at(++n, forever);
            const w2v_status status = load_and_find(path, options, wanted, &err);
            done = mem_tries() < n;
            mem_fail_at(0, false);
            if (status != W2V_OK && status != W2V_ERR_MEMORY) {
                fail_msg("allocation %d of %s: %s", (int)n, path, err.text);
            }
            assert_int_equal(err.code, status);
            assert_true(!done || status == W2V_OK);
        }
        assert_true(n > 8);
    }
}

static void test_load_every_allocation_fails(void **state)
{
    (void)state;
    w2v_vectors *v = write_all(5, 3);
    support_write_text(in_folder("words.json"), "{\"w0\":0,\"w1\":1,\"w2\":2,\"w3\":3,\"w4\":4}");
    support_write_text(in_folder("list.json"), "[\"w0\",\"w1\",\"w2\",\"w3\",\"w4\"]");
    static const char *const labels[] = {NULL, "words.json", "list.json"};
    for (size_t i = 0; i < SUPPORT_COUNT(names); i++) {
        for (size_t l = 0; l < (i < 3 ? 1 : SUPPORT_COUNT(labels)); l++) {
            for (int threads = 1; threads <= 2; threads++) {
                char name[32], list[SUPPORT_PATH];
                w2v_load_options options = w2v_load_options_default();
                options.threads = threads;
                options.labels = labels[l] ? support_path(folder, labels[l], list) : NULL;
                assert_no_allocation_matters(in_folder(names[i]), &options, v);
                snprintf(name, sizeof name, "%s.gz", names[i]);
                assert_no_allocation_matters(in_folder(name), &options, v);
            }
        }
    }
    w2v_vectors_free(v);
}

/* Text longer than the pieces in which it is read, so that a row is cut and carried over. */
static void test_load_long_text_every_allocation_fails(void **state)
{
    (void)state;
    w2v_vectors *v = write_all(11000, 20);
    w2v_load_options options = w2v_load_options_default();
    for (options.threads = 1; options.threads <= 2; options.threads++) {
        assert_no_allocation_matters(in_folder("v.txt"), &options, v);
    }
    w2v_vectors_free(v);
}

/* Rows beyond what any buffer holds: cuts fall into the head, into rows and between them. */
static void test_load_gzip_cut_anywhere(void **state)
{
    (void)state;
    w2v_vectors *v = write_all(4000, 20);
    for (size_t i = 0; i < SUPPORT_COUNT(names); i++) {
        char name[32];
        size_t n;
        snprintf(name, sizeof name, "%s.gz", names[i]);
        char *packed = support_read(in_folder(name), &n);
        for (size_t cut = 0; cut < 48; cut++) {
            const size_t size = cut < 24 ? 11 + 7 * cut : cut * (n - 1) / 47;
            support_write(in_folder(name), packed, size);
            w2v_error err = {0};
            assert_int_equal(load_and_find(in_folder(name), NULL, v, &err), W2V_ERR_INPUT);
            assert_non_null(strstr(err.text, name));
        }
        support_write(in_folder(name), packed, n);
        assert_int_equal(load_and_find(in_folder(name), NULL, v, NULL), W2V_OK);
        free(packed);
    }
    w2v_vectors_free(v);
}

/* A byte that was changed is seen, by zlib or by its checksum, before the table is used. */
static void test_load_gzip_damaged_anywhere(void **state)
{
    (void)state;
    w2v_vectors *v = write_all(4000, 20);
    for (size_t i = 0; i < SUPPORT_COUNT(names); i++) {
        char name[32];
        size_t n;
        snprintf(name, sizeof name, "%s.gz", names[i]);
        char *packed = support_read(in_folder(name), &n);
        for (size_t k = 0; k < 48; k++) {
            const size_t at = 12 + k * (n - 13) / 47;
            packed[at] = (char)(packed[at] ^ 0x55);
            support_write(in_folder(name), packed, n);
            packed[at] = (char)(packed[at] ^ 0x55);
            w2v_error err = {0};
            assert_int_equal(load_and_find(in_folder(name), NULL, v, &err), W2V_ERR_INPUT);
            assert_non_null(strstr(err.text, name));
        }
        free(packed);
    }
    w2v_vectors_free(v);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_load_every_allocation_fails),
        TEST(test_load_long_text_every_allocation_fails),
        TEST(test_load_gzip_cut_anywhere),
        TEST(test_load_gzip_damaged_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
