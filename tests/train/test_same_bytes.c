/*
 * One thread and one seed give the same bytes, however the text comes: in a
 * plain file, compressed, in pieces cut at line ends, through a pipe, or spilled
 * to disk. And a run that gets fewer threads than it asked for is whole.
 */
#include "train_support.h"

#include "base/sha256.h"
#include "train/kernel.h"
#include "train/model.h"

#include <zlib.h>

enum { LINES = 3000 };

/* OpenMP reads its limit when a program starts, so this one is started again. */
static const char *program;

/* The text of the test, NUL-terminated; line_end[i] is where line i ends. */
static char *make_text(size_t line_end[LINES])
{
    const size_t capacity = LINES * 30 * 8;
    char *text = malloc(capacity);
    assert_non_null(text);
    size_t n = 0;
    rng random = rng_stream(3, RNG_INIT, 0, 0);
    for (int i = 0; i < LINES; i++) {
        for (uint32_t left = rng_below(&random, 25); left > 0; left--) {
            const uint32_t a = rng_below(&random, 400), b = rng_below(&random, 400);
            n += (size_t)snprintf(text + n, capacity - n, "word%u ", (unsigned)(a < b ? a : b));
        }
        n += (size_t)snprintf(text + n, capacity - n, "end\n");
        line_end[i] = n;
    }
    return text;
}

static void write_gzip(const char *path, const char *bytes, size_t n)
{
    gzFile f = gzopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(gzwrite(f, bytes, (unsigned)n), n);
    assert_int_equal(gzclose(f), Z_OK);
}

typedef struct form {
    const char *name;
    const char *paths[3];
    size_t n;
    uint64_t max_memory;
    int threads; /* for reading */
} form;

static w2v_model *train_form(const form *f, const char *folder)
{
    w2v_error err = {0};
    w2v_inputs *inputs = NULL;
    w2v_corpus *c = NULL;
    w2v_model *m = NULL;
    w2v_text_options t = w2v_text_options_default();
    t.max_memory = f->max_memory;
    t.tmp_dir = folder;
    t.threads = f->threads;
    w2v_train_options o = w2v_train_options_default();
    o.dim = 20;
    o.epochs = 2;
    if (w2v_inputs_create(f->paths, f->n, false, &inputs, &err) != W2V_OK ||
        w2v_corpus_create(inputs, &t, NULL, NULL, &c, &err) != W2V_OK ||
        w2v_train(c, &o, NULL, NULL, &m, &err) != W2V_OK) {
        fail_msg("%s: %s", f->name, err.text);
    }
    assert_int_equal(w2v_corpus_stats(c)->spilled > 0, f->max_memory > 0);
    assert_int_equal(w2v_corpus_stats(c)->lines, LINES);
    w2v_corpus_free(c);
    w2v_inputs_free(inputs);
    return m;
}

static pid_t feed(const char *fifo, const char *bytes, size_t n)
{
    assert_int_equal(mkfifo(fifo, 0600), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        FILE *f = fopen(fifo, "wb");
        const bool ok = f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0;
        _exit(ok ? 0 : 1);
    }
    return child;
}

static void test_train_same_bytes_for_every_form_of_input(void **state)
{
    static size_t line_end[LINES];
    char plain[SUPPORT_PATH], packed[SUPPORT_PATH], fifo[SUPPORT_PATH], piece[3][SUPPORT_PATH];
    char *text = make_text(line_end);
    const size_t n = line_end[LINES - 1], cut[4] = {0, line_end[700], line_end[701], n};
    const char *names[3] = {"1.txt", "2.txt", "3.gz"};
    support_write(support_path(*state, "plain.txt", plain), text, n);
    write_gzip(support_path(*state, "packed", packed), text, n);
    for (int i = 0; i < 3; i++) {
        support_path(*state, names[i], piece[i]);
        (i == 2 ? write_gzip(piece[i], text + cut[i], cut[i + 1] - cut[i])
                : support_write(piece[i], text + cut[i], cut[i + 1] - cut[i]));
    }
    support_path(*state, "fifo", fifo);
    const form forms[] = {
        {"plain", {plain}, 1, 0, 1},
        {"plain, three readers", {plain}, 1, 0, 3},
        {"gzip", {packed}, 1, 0, 1},
        {"gzip, two readers", {packed}, 1, 0, 2},
        {"spilled", {plain}, 1, 1, 2},
        {"pieces", {piece[0], piece[1], piece[2]}, 3, 0, 2},
        {"pieces spilled", {piece[0], piece[1], piece[2]}, 3, 1, 1},
    };
    w2v_model *first = train_form(&forms[0], *state);
    for (size_t i = 1; i < SUPPORT_COUNT(forms) + 1; i++) {
        const form pipe = {"pipe", {fifo}, 1, 0, 2};
        const form *f = i < SUPPORT_COUNT(forms) ? &forms[i] : &pipe;
        const pid_t child = f == &pipe ? feed(fifo, text, n) : 0;
        w2v_model *m = train_form(f, *state);
        assert_int_equal(m->rows, first->rows);
        assert_int_equal(m->table_bytes, first->table_bytes);
        if (memcmp(m->word, first->word, m->table_bytes) != 0 ||
            memcmp(m->context, first->context, m->table_bytes) != 0) {
            fail_msg("'%s' gives other bytes than '%s'", f->name, forms[0].name);
        }
        w2v_model_free(m);
        int status = 0;
        assert_true(child == 0 || (waitpid(child, &status, 0) == child && status == 0));
    }
    w2v_model_free(first);
    free(text);
}

/*
 * The promise across machines: these bytes were made by the AVX-512 kernel, and the reference, AVX2
 * and NEON give them as well. A change of the algorithm changes them, and says so in CHANGELOG.md.
 */
static void test_train_bytes_are_those_on_record(void **state)
{
    static size_t line_end[LINES];
    char plain[SUPPORT_PATH], hex[SHA256_HEX];
    if (strcmp(kernel_best().name, "plain") == 0) {
        skip(); /* without fused multiply-add there is no promise */
    }
    char *text = make_text(line_end);
    support_write(support_path(*state, "plain.txt", plain), text, line_end[LINES - 1]);
    const form f = {"plain", {plain}, 1, 0, 1};
    w2v_model *m = train_form(&f, *state);
    sha256 hash;
    sha256_init(&hash);
    sha256_update(&hash, m->word, m->table_bytes);
    sha256_update(&hash, m->context, m->table_bytes);
    sha256_finish(&hash, hex);
    assert_string_equal(hex, "ee941f46cd43947e2f511e30c0e548189583e7d9bcccc3f69d4883d5c74d47e4");
    w2v_model_free(m);
    free(text);
}

/* With one thread granted the bytes are those of one thread asked for. */
static void test_train_one_thread_granted(void **state)
{
    (void)state;
    char command[SUPPORT_PATH + 64];
    snprintf(command, sizeof command, "OMP_THREAD_LIMIT=1 '%s' granted", program);
    assert_int_equal(support_run(command, NULL, NULL), 0);
}

/* Status 0 when asking for eight threads gave the bytes of asking for one. */
static int train_granted(void)
{
    w2v_corpus *c = text_random((text_recipe){20000, 100, 5, 20, true, 1});
    w2v_train_options o = w2v_train_options_default();
    w2v_model *one = NULL, *eight = NULL;
    o.dim = 16;
    o.epochs = 1;
    bool same = w2v_train(c, &o, NULL, NULL, &one, NULL) == W2V_OK;
    o.threads = 8;
    same = same && w2v_train(c, &o, NULL, NULL, &eight, NULL) == W2V_OK;
    same = same && memcmp(one->word, eight->word, one->table_bytes) == 0 &&
           memcmp(one->context, eight->context, one->table_bytes) == 0;
    w2v_model_free(one);
    w2v_model_free(eight);
    text_free(c);
    return same ? 0 : 1;
}

/* Eight threads asked for. Returns those that were granted, or -1 when a token was left out. */
static int train_with_eight(void)
{
    w2v_corpus *c = text_random((text_recipe){20000, 100, 5, 20, true, 1});
    w2v_train_options o = w2v_train_options_default();
    w2v_model *m = NULL;
    o.dim = 16;
    o.threads = 8;
    const bool ok = w2v_train(c, &o, NULL, NULL, &m, NULL) == W2V_OK;
    const int threads =
        ok && w2v_model_result(m)->tokens == 100000 ? w2v_model_result(m)->threads : -1;
    w2v_model_free(m);
    text_free(c);
    return threads;
}

static void test_train_fewer_threads_than_asked_for(void **state)
{
    (void)state;
    char command[SUPPORT_PATH + 64];
    for (int limit = 1; limit <= 3; limit += 2) {
        snprintf(command, sizeof command, "OMP_THREAD_LIMIT=%d OMP_DYNAMIC=false '%s' limited",
                 limit, program);
        assert_int_equal(support_run(command, NULL, NULL), limit);
    }
}

int main(int argc, char **argv)
{
    program = argv[0];
    if (argc > 1 && strcmp(argv[1], "limited") == 0) {
        return train_with_eight();
    }
    if (argc > 1 && strcmp(argv[1], "granted") == 0) {
        return train_granted();
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_train_same_bytes_for_every_form_of_input,
                                        support_setup, support_teardown),
        cmocka_unit_test_setup_teardown(test_train_bytes_are_those_on_record, support_setup,
                                        support_teardown),
        cmocka_unit_test(test_train_fewer_threads_than_asked_for),
        cmocka_unit_test(test_train_one_thread_granted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
