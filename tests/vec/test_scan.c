#include "vec_files.h"

#include <math.h>
#include <unistd.h>

#define ROWS 30000
#define DIM 100

/* Words of different lengths, so that rows begin anywhere in the pieces. */
static size_t name_of(size_t row, char *out)
{
    return (size_t)sprintf(out, "w%.*s%zu", (int)(row * 7919 % 40),
                           "----------------------------------------", row);
}

static float value_of(size_t row, size_t i)
{
    return (float)row + (float)i / 128;
}

static void make_file(const char *name, bool newline, size_t rows)
{
    char *bytes = malloc(rows * (64 + 4 * DIM) + 64);
    assert_non_null(bytes);
    size_t n = (size_t)sprintf(bytes, "%zu %d\n", rows, DIM);
    for (size_t row = 0; row < rows; row++) {
        n += name_of(row, bytes + n);
        bytes[n++] = ' ';
        for (size_t i = 0; i < DIM; i++) {
            const float value = value_of(row, i);
            memcpy(bytes + n, &value, sizeof value);
            n += sizeof value;
        }
        if (newline) {
            bytes[n++] = '\n';
        }
    }
    support_write(in_folder(name), bytes, n);
    free(bytes);
}

typedef struct seen {
    uint64_t next;        /* row that in_order() expects */
    unsigned char *count; /* of each row, in visit() */
    uint64_t stop_at;     /* in_order() ends the scan with the batch that holds it */
    bool wrong;
} seen;

static bool check_order(void *user, const vec_batch *batch)
{
    seen *s = user;
    if (batch->first != s->next || batch->rows > VEC_BATCH_ROWS) {
        s->wrong = true;
    }
    s->next += batch->rows;
    return s->next <= s->stop_at;
}

static bool check_rows(void *user, int thread, const vec_batch *batch)
{
    seen *s = user;
    bool wrong = thread < 0 || thread >= 4;
    for (size_t i = 0; i < batch->rows; i++) {
        const size_t row = (size_t)batch->first + i;
        char name[64];
        const size_t n = name_of(row, name);
        float values[DIM];
        memcpy(values, batch->row[i].values, sizeof values);
        wrong = wrong || batch->row[i].length != n || memcmp(batch->row[i].word, name, n) != 0;
        wrong = wrong || values[0] != value_of(row, 0) || values[DIM - 1] != value_of(row, DIM - 1);
        s->count[row]++; /* no two threads have the same row, unless the scan is wrong */
    }
    if (wrong) {
        s->wrong = true;
    }
    return true;
}

static void scan_and_check(w2v_vectors *v, int threads, uint64_t stop_at)
{
    seen s = {.count = calloc(ROWS, 1), .stop_at = stop_at};
    assert_non_null(s.count);
    const vec_scan_calls calls = {.in_order = check_order, .visit = check_rows, .user = &s};
    w2v_error err = {0};
    assert_int_equal(vec_scan(v, threads, &calls, &err), W2V_OK);
    assert_false(s.wrong);
    for (uint64_t row = 0; row < ROWS; row++) { /* a prefix, each row once */
        assert_int_equal(s.count[row], row < s.next);
    }
    assert_true(stop_at >= ROWS ? s.next == ROWS : s.next > stop_at && s.next < ROWS);
    free(s.count);
}

static void test_vec_scan_file_and_table(void **state)
{
    (void)state;
    for (int newline = 0; newline < 2; newline++) {
        make_file("scan.bin", newline, ROWS);
        w2v_error err = {0};
        w2v_vectors *v;
        assert_int_equal(w2v_vectors_open(in_folder("scan.bin"), NULL, &v, &err), W2V_OK);
        assert_true(vec_can_scan(v));
        assert_int_equal(vec_rows_expected(v), ROWS);
        for (int threads = 1; threads <= 4; threads += 3) {
            scan_and_check(v, threads, ROWS);
            scan_and_check(v, threads, 5000);
        }
        assert_int_equal(w2v_vectors_load(v, &err), W2V_OK);
        assert_false(vec_can_scan(v));
        for (int threads = 1; threads <= 4; threads += 3) {
            scan_and_check(v, threads, ROWS);
            scan_and_check(v, threads, 5000);
        }
        w2v_vectors_free(v);
    }
}

static bool stop_at_once(void *user, int thread, const vec_batch *batch)
{
    (void)thread;
    (void)batch;
    *(bool *)user = true;
    return false;
}

static void test_vec_scan_visit_stops(void **state)
{
    (void)state;
    make_file("scan.bin", true, ROWS);
    w2v_error err = {0};
    w2v_vectors *v;
    assert_int_equal(w2v_vectors_open(in_folder("scan.bin"), NULL, &v, &err), W2V_OK);
    bool called = false;
    const vec_scan_calls calls = {.visit = stop_at_once, .user = &called};
    assert_int_equal(vec_scan(v, 2, &calls, &err), W2V_OK);
    assert_true(called);
    w2v_vectors_free(v);
}

static bool cut_the_file(void *user, const vec_batch *batch)
{
    (void)batch;
    return truncate(user, 2000000) == 0;
}

/* Where a mapping would die of SIGBUS. */
static void test_vec_scan_file_that_shrinks(void **state)
{
    (void)state;
    make_file("shrinks.bin", true, ROWS);
    char path[SUPPORT_PATH];
    support_path(folder, "shrinks.bin", path);
    w2v_error err = {0};
    w2v_vectors *v;
    assert_int_equal(w2v_vectors_open(path, NULL, &v, &err), W2V_OK);
    const vec_scan_calls calls = {.in_order = cut_the_file, .user = path};
    assert_int_equal(vec_scan(v, 2, &calls, &err), W2V_ERR_INPUT);
    assert_non_null(strstr(err.text, "changed while it was read"));
    w2v_vectors_free(v);
}

static bool pass(void *user, const vec_batch *batch)
{
    *(uint64_t *)user += batch->rows;
    return true;
}

static void test_vec_scan_damage_far_inside(void **state)
{
    (void)state;
    make_file("cut.bin", false, ROWS);
    assert_int_equal(truncate(in_folder("cut.bin"), 7000000), 0);
    w2v_vectors *v;
    char first[2][1024];
    for (int i = 0; i < 2; i++) { /* the same words however many threads meet it */
        w2v_error err = {0};
        assert_int_equal(w2v_vectors_open(in_folder("cut.bin"), NULL, &v, &err), W2V_OK);
        uint64_t rows = 0;
        const vec_scan_calls calls = {.in_order = pass, .user = &rows};
        assert_int_equal(vec_scan(v, i ? 4 : 1, &calls, &err), W2V_ERR_INPUT);
        assert_int_equal(err.offset, 7000000);
        assert_true(rows > 16000 && rows < 17500);
        memcpy(first[i], err.text, sizeof first[i]);
        w2v_vectors_free(v);
    }
    assert_string_equal(first[0], first[1]);
}

/* More rows in a piece than in a batch, words longer than the slack behind a piece. */
static void test_vec_scan_short_rows_and_long_words(void **state)
{
    (void)state;
    const size_t rows = 300000;
    char *bytes = malloc(rows * 12 + 200000);
    assert_non_null(bytes);
    size_t n = (size_t)sprintf(bytes, "%zu 1\n", rows);
    for (size_t i = 0; i < rows; i++) {
        const float value = (float)i;
        const size_t long_one = i == 150000 || i == 299999 ? 60000 : 0;
        memset(bytes + n, 'x', long_one);
        n += long_one;
        bytes[n++] = (char)('a' + i % 26);
        bytes[n++] = ' ';
        memcpy(bytes + n, &value, sizeof value);
        n += sizeof value;
        bytes[n++] = '\n';
    }
    support_write(in_folder("short.bin"), bytes, n);
    free(bytes);
    w2v_load_options options = w2v_load_options_default();
    options.threads = 3;
    w2v_vectors *v = load_well(in_folder("short.bin"), &options);
    assert_int_equal(w2v_vectors_size(v), rows);
    size_t length;
    w2v_vectors_word(v, 150000, &length);
    assert_int_equal(length, 60001);
    for (uint32_t i = 0; i < rows; i++) {
        assert_true(w2v_vectors_row(v, i)[0] == (float)i);
    }
    w2v_vectors_free(v);
}

static void test_vec_scan_limit(void **state)
{
    (void)state;
    make_file("scan.bin", true, ROWS);
    w2v_load_options options = w2v_load_options_default();
    options.limit = 7;
    w2v_vectors *v;
    w2v_error err = {0};
    assert_int_equal(w2v_vectors_open(in_folder("scan.bin"), &options, &v, &err), W2V_OK);
    uint64_t rows = 0;
    const vec_scan_calls calls = {.in_order = pass, .user = &rows};
    assert_int_equal(vec_scan(v, 2, &calls, &err), W2V_OK);
    assert_int_equal(rows, 7);
    assert_int_equal(w2v_vectors_load(v, &err), W2V_OK);
    assert_int_equal(w2v_vectors_size(v), 7);
    w2v_vectors_free(v);
}

static void test_w2v_lookup_by_scan_and_by_index(void **state)
{
    (void)state;
    make_file("scan.bin", true, ROWS);
    char last[64];
    const size_t length = name_of(ROWS - 1, last);
    const w2v_term terms[] = {
        {last, length, 1}, {"nowhere", 7, 1}, {"w0", 2, 1}, {last, length, 1}};
    w2v_vectors *v;
    w2v_error err = {0};
    assert_int_equal(w2v_vectors_open(in_folder("scan.bin"), NULL, &v, &err), W2V_OK);
    for (int loaded = 0; loaded < 2; loaded++) {
        float *rows;
        uint32_t ids[4], dim;
        uint64_t size;
        bool known[4];
        assert_int_equal(w2v_lookup(v, terms, 4, &rows, ids, known, &dim, &size, &err), W2V_OK);
        assert_int_equal(dim, DIM);
        assert_int_equal(size, ROWS);
        assert_true(known[0] && !known[1] && known[2] && known[3]);
        assert_int_equal(ids[0], ROWS - 1);
        assert_int_equal(ids[1], UINT32_MAX);
        assert_int_equal(ids[2], 0);
        assert_int_equal(ids[3], ROWS - 1);
        assert_true(rows[DIM - 1] == value_of(ROWS - 1, DIM - 1));
        assert_true(rows[2 * DIM + 5] == value_of(0, 5));
        assert_memory_equal(rows, rows + 3 * DIM, DIM * sizeof *rows);
        w2v_free(rows);
        assert_int_equal(w2v_vectors_load(v, &err), W2V_OK);
    }
    w2v_vectors_free(v);
}

static void spoil_row(const char *name, size_t row)
{
    size_t n;
    char *bytes = support_read(in_folder(name), &n), word[64];
    const size_t length = name_of(row, word);
    word[length] = ' ';
    char *at = memmem(bytes, n, word, length + 1);
    assert_non_null(at);
    const float bad = INFINITY;
    memcpy(at + length + 1 + 4 * (DIM - 1), &bad, sizeof bad);
    support_write(in_folder(name), bytes, n);
    free(bytes);
}

/* Who takes rows in order alone looks at the numbers of those rows and no others. */
static void test_w2v_lookup_looks_at_the_rows_it_takes(void **state)
{
    (void)state;
    make_file("spoilt.bin", true, 2000);
    spoil_row("spoilt.bin", 700);
    char good[64], bad[64];
    const w2v_term terms[] = {{good, name_of(1500, good), 1}, {bad, name_of(700, bad), 1}};
    for (size_t n = 1; n <= 2; n++) {
        w2v_error err = {0};
        w2v_vectors *v;
        float *rows;
        uint32_t ids[2], dim;
        bool known[2];
        uint64_t size;
        assert_int_equal(w2v_vectors_open(in_folder("spoilt.bin"), NULL, &v, &err), W2V_OK);
        const w2v_status status = w2v_lookup(v, terms, n, &rows, ids, known, &dim, &size, &err);
        if (n == 1) {
            assert_int_equal(status, W2V_OK);
            assert_int_equal(ids[0], 1500);
            assert_true(rows[DIM - 1] == value_of(1500, DIM - 1));
            w2v_free(rows);
        } else {
            assert_int_equal(status, W2V_ERR_INPUT);
            assert_null(rows);
            assert_non_null(strstr(err.text, "row 701: the vector of '"));
            assert_non_null(strstr(err.text, "holds a number that is not finite"));
            assert_non_null(strstr(err.hint, "--lenient"));
        }
        w2v_vectors_free(v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vec_scan_file_and_table),
        cmocka_unit_test(test_vec_scan_visit_stops),
        cmocka_unit_test(test_vec_scan_file_that_shrinks),
        cmocka_unit_test(test_vec_scan_damage_far_inside),
        cmocka_unit_test(test_vec_scan_short_rows_and_long_words),
        cmocka_unit_test(test_vec_scan_limit),
        cmocka_unit_test(test_w2v_lookup_by_scan_and_by_index),
        cmocka_unit_test(test_w2v_lookup_looks_at_the_rows_it_takes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
