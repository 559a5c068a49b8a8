/* Checkpoints that somebody damaged, cut or made up: always an error, never more. */
#include "checkpoint_support.h"

#include "vec/vectors.h"

/* A small checkpoint in memory; free() it. */
static char *make(void **state, size_t *n, bool update)
{
    char text[SUPPORT_PATH], file[SUPPORT_PATH];
    support_path(*state, "text.txt", text);
    support_path(*state, "run.ckpt", file);
    write_text(text, 30, 12, 1);
    w2v_text_options reading = w2v_text_options_default();
    w2v_corpus *first = NULL;
    if (update) {
        first = read_corpus(text, &reading);
        reading.base = first->vocab;
        reading.min_count = 1;
    }
    w2v_corpus *corpus = read_corpus(text, &reading);
    w2v_train_options o = small_options();
    o.dim = 3;
    saver save = {.corpus = corpus, .text = &reading, .path = file, .at = 20, .stop = true};
    w2v_model *m = NULL;
    assert_int_equal(w2v_train(corpus, &o, save_in_pause, &save, &m, NULL), W2V_ERR_INTERRUPTED);
    w2v_model_free(m);
    w2v_corpus_free(corpus);
    w2v_corpus_free(first);
    return support_read(file, n);
}

/* Opens bytes and reads their tables; W2V_OK, or an error that says something. */
static w2v_status try_bytes(const char *bytes, size_t n, bool checked, uint64_t size,
                            w2v_error *err)
{
    source *src;
    w2v_checkpoint *c = NULL;
    *err = (w2v_error){0};
    assert_int_equal(source_open_memory(bytes, n, "x", &src, NULL), W2V_OK);
    w2v_status status = checkpoint_open_source(src, "x", size, checked, &c, err);
    if (status == W2V_OK) {
        w2v_model *m;
        assert_int_equal(model_create(c->shape.words, c->shape.dim, 1, &m, NULL), W2V_OK);
        status = checkpoint_read_tables(c, m, err);
        assert_true(status != W2V_OK || is_finite(m));
        w2v_model_free(m);
    }
    w2v_checkpoint_free(c);
    assert_int_equal(err->code, status);
    assert_int_equal(err->text[0] != '\0', status != W2V_OK);
    return status;
}

static void test_checkpoint_open_cut_anywhere(void **state)
{
    for (int update = 0; update < 2; update++) {
        size_t n;
        char *bytes = make(state, &n, update);
        w2v_error err;
        assert_int_equal(try_bytes(bytes, n, true, n, &err), W2V_OK);
        assert_int_equal(try_bytes(bytes, n, true, 0, &err), W2V_OK);
        for (size_t cut = 0; cut < n; cut++) {
            char *part = malloc(cut + 1); /* so that a sanitizer sees each byte too many */
            assert_non_null(part);
            memcpy(part, bytes, cut);
            assert_int_equal(try_bytes(part, cut, true, cut, &err), W2V_ERR_INPUT);
            assert_int_equal(try_bytes(part, cut, true, 0, &err), W2V_ERR_INPUT);
            assert_int_equal(try_bytes(part, cut, false, 0, &err), W2V_ERR_INPUT);
            free(part);
        }
        free(bytes);
    }
}

static void test_checkpoint_open_more_than_its_end(void **state)
{
    size_t n;
    char *bytes = make(state, &n, false);
    w2v_error err;
    bytes = realloc(bytes, n + 1);
    bytes[n] = 'x';
    assert_int_equal(try_bytes(bytes, n + 1, true, n + 1, &err), W2V_ERR_INPUT);
    assert_non_null(strstr(err.text, "should end after"));
    assert_int_equal(try_bytes(bytes, n + 1, true, 0, &err), W2V_ERR_INPUT);
    assert_non_null(strstr(err.text, "more follows"));
    free(bytes);
}

/* Every single bit that is turned is noticed by the sums; without them nothing worse happens than
   other numbers. */
static void test_checkpoint_open_every_bit_flipped(void **state)
{
    size_t n;
    char *bytes = make(state, &n, false);
    w2v_error err;
    for (size_t i = 0; i < n; i++) {
        for (int bit = 0; bit < 8; bit += train_small() ? 5 : 1) {
            bytes[i] = (char)(bytes[i] ^ (1 << bit));
            const w2v_status status = try_bytes(bytes, n, true, n, &err);
            if (status != W2V_ERR_INPUT) {
                fail_msg("bit %d of byte %zu of %zu: status %d", bit, i, n, (int)status);
            }
            (void)try_bytes(bytes, n, false, 0, &err);
            bytes[i] = (char)(bytes[i] ^ (1 << bit));
        }
    }
    free(bytes);
}

/* Replaces the first `what` by `with`, of the same length. */
static void replace(char *bytes, size_t n, const char *what, const char *with)
{
    const size_t length = strlen(what);
    assert_int_equal(length, strlen(with));
    char *at = memmem(bytes, n, what, length);
    assert_non_null(at);
    memcpy(at, with, length);
}

static void test_checkpoint_open_says_what_is_wrong(void **state)
{
    static const struct {
        const char *what, *with, *message;
    } cases[] = {
        {"w2v-checkpoint", "w2v-checkpaint", "'x' is no checkpoint"},
        {"\"version\":\"1\"", "\"version\":\"2\"", "of version '2', and this program knows 1"},
        {"\"window\":\"5\"", "\"window\":\"x\"", "no sound value of option 'window'"},
        {"\"window\":\"5\"", "\"window\":\"0\"", "no sound value of option 'training'"},
        {"\"min-count\":\"5\"", "\"min-count\":\"0\"", "no sound value of option 'min-count'"},
        {"\"epochs\":\"2\"", "\"epochs\":\"0\"", "option 'training'"},
        {"\"seed\":\"1\"", "\"sead\":\"1\"", "option 'seed'"},
        {"\"keep\"", "\"kepp\"", "option 'invalid-utf8'"},
        {"\"dim\":\"3\"", "\"dim\":\"4\"", "not of the dimension"},
        {"\"word\":{\"dtype\":\"F32\"", "\"word\":{\"dtype\":\"F64\"", "tensor 'word'"},
        {"\"state\":{\"dtype\":\"I64\",\"shape\":[9]", "\"state\":{\"dtype\":\"I64\",\"shape\":[8]",
         "tensor 'state'"},
        {"\"frozen\":{\"dtype\":\"U8\",\"shape\":[0]", "\"frozen\":{\"dtype\":\"U8\",\"shape\":[1]",
         "no sound tables"},
        {"\"context\"", "\"contexd\"", "tensor 'context'"},
    };
    size_t n;
    char *bytes = make(state, &n, false);
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        char *copy = malloc(n);
        w2v_error err;
        memcpy(copy, bytes, n);
        replace(copy, n, cases[i].what, cases[i].with);
        assert_int_equal(try_bytes(copy, n, false, n, &err), W2V_ERR_INPUT);
        if (!strstr(err.text, cases[i].message)) {
            fail_msg("'%s' gives '%s'", cases[i].with, err.text);
        }
        free(copy);
    }
    free(bytes);
}

/* Where the numbers of tensor "state" begin. */
static unsigned char *state_of(char *bytes)
{
    return (unsigned char *)bytes + 8 + checkpoint_take_u64((unsigned char *)bytes);
}

/* Values that no run can have, in a file whose sums nobody looks at. */
static void test_checkpoint_open_places_that_cannot_be(void **state)
{
    static const struct {
        int which;
        uint64_t value;
    } cases[] = {
        {STATE_EPOCH, 1},
        {STATE_EPOCH, 3},
        {STATE_EPOCH, 1u << 31},
        {STATE_TOKENS, UINT64_C(1) << 62},
        {STATE_TOKENS, UINT64_MAX},
        {STATE_TOKENS_KEPT, 0},
        {STATE_TOKENS_KEPT, INT64_MAX},
        {STATE_EPOCH_PAIRS, UINT64_C(1) << 40},
        {STATE_BLOCK, UINT64_MAX},
        {STATE_EPOCH_LOSS, UINT64_C(0x7ff0000000000000)},
    };
    size_t n;
    char *bytes = make(state, &n, false);
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        w2v_error err;
        unsigned char *field = state_of(bytes) + 8 * cases[i].which, old[8];
        memcpy(old, field, 8);
        checkpoint_put_u64(cases[i].value, field);
        if (try_bytes(bytes, n, false, n, &err) != W2V_ERR_INPUT) {
            fail_msg("case %zu is taken", i);
        }
        assert_non_null(strstr(err.text, "no sound place"));
        memcpy(field, old, 8);
    }
    free(bytes);
}

/* A sound number that the text has no place for is found when training begins. */
static void test_checkpoint_resume_at_a_place_that_is_not_there(void **state)
{
    char text[SUPPORT_PATH];
    support_path(*state, "text.txt", text);
    size_t n;
    char *bytes = make(state, &n, false);
    const w2v_text_options reading = w2v_text_options_default();
    w2v_corpus *corpus = read_corpus(text, &reading);
    static const uint64_t blocks[] = {0, 19, 21, UINT64_C(1) << 40};
    for (size_t i = 0; i < SUPPORT_COUNT(blocks); i++) {
        source *src;
        w2v_checkpoint *c;
        w2v_model *m;
        w2v_error err = {0};
        checkpoint_put_u64(blocks[i], state_of(bytes) + 8 * STATE_BLOCK);
        assert_int_equal(source_open_memory(bytes, n, "x", &src, NULL), W2V_OK);
        assert_int_equal(checkpoint_open_source(src, "x", n, false, &c, NULL), W2V_OK);
        const w2v_train_start start = {.resume = c};
        assert_int_equal(
            w2v_train_from(corpus, &w2v_checkpoint_facts(c)->train, &start, NULL, NULL, &m, &err),
            W2V_ERR_INPUT);
        assert_null(m);
        assert_non_null(strstr(err.text, "no such place"));
        w2v_checkpoint_free(c);
    }
    w2v_corpus_free(corpus);
    free(bytes);
}

/* Other files, and none. */
static void test_checkpoint_open_other_files(void **state)
{
    static const char *const texts[] = {"", "x", "3 2\na 1 2\n", "{}", "\x02\0\0\0\0\0\0\0{}"};
    char path[SUPPORT_PATH];
    support_path(*state, "x", path);
    for (size_t i = 0; i < SUPPORT_COUNT(texts); i++) {
        w2v_checkpoint *c;
        w2v_error err = {0};
        support_write_text(path, texts[i]);
        assert_int_equal(w2v_checkpoint_open(path, &c, &err), W2V_ERR_INPUT);
        assert_null(c);
    }
    w2v_checkpoint *c;
    w2v_error err = {0};
    support_path(*state, "none", path);
    assert_int_equal(w2v_checkpoint_open(path, &c, &err), W2V_ERR_INPUT);
    assert_non_null(strstr(err.text, "cannot read"));
}

/* --------------------------------------------------------------- as vectors */

static void test_checkpoint_as_vectors(void **state)
{
    char file[SUPPORT_PATH];
    size_t n;
    free(make(state, &n, false));
    support_path(*state, "run.ckpt", file);
    w2v_checkpoint *c = open_checkpoint(file);
    w2v_model *m;
    assert_int_equal(model_create(c->shape.words, c->shape.dim, 1, &m, NULL), W2V_OK);
    assert_int_equal(checkpoint_read_tables(c, m, NULL), W2V_OK);
    for (int table = 0; table < 2; table++) {
        w2v_vectors *v;
        w2v_load_options options = w2v_load_options_default();
        options.tensor = table ? "context" : NULL;
        assert_int_equal(w2v_vectors_open(file, &options, &v, NULL), W2V_OK);
        assert_int_equal(w2v_vectors_load(v, NULL), W2V_OK);
        assert_int_equal(w2v_vectors_size(v), m->rows);
        for (uint32_t id = 0; id < m->rows; id++) {
            assert_string_equal(w2v_vectors_word(v, id, NULL),
                                w2v_vocab_word(w2v_checkpoint_vocab(c), id, NULL));
            assert_memory_equal(w2v_vectors_row(v, id), w2v_model_row(m, table, id),
                                m->dim * sizeof(float));
        }
        w2v_vectors_free(v);
    }
    w2v_model_free(m);
    w2v_checkpoint_free(c);
}

/* A reader of vectors looks at no sum; whatever it reads, it reads safely. */
static void test_checkpoint_as_vectors_damaged(void **state)
{
    char file[SUPPORT_PATH];
    size_t n;
    char *bytes = make(state, &n, false);
    support_path(*state, "y", file);
    const size_t head = 8 + (size_t)checkpoint_take_u64((unsigned char *)bytes);
    for (size_t i = 8; i < n; i += i < head ? 3 : 1) {
        w2v_vectors *v = NULL;
        w2v_error err = {0};
        bytes[i] = (char)~bytes[i];
        support_write(file, bytes, n);
        w2v_status status = w2v_vectors_open(file, NULL, &v, &err);
        status = status ? status : w2v_vectors_load(v, &err);
        assert_true(status == W2V_OK || err.text[0]);
        w2v_vectors_free(v);
        bytes[i] = (char)~bytes[i];
    }
    for (size_t cut = 9; cut < n; cut += 13) {
        w2v_vectors *v = NULL;
        w2v_error err = {0};
        support_write(file, bytes, cut);
        w2v_status status = w2v_vectors_open(file, NULL, &v, &err);
        status = status ? status : w2v_vectors_load(v, &err);
        /* all rows of the word table may be there before the cut */
        assert_true(status == W2V_ERR_INPUT || cut > n / 2);
        w2v_vectors_free(v);
    }
    free(bytes);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, support_setup, support_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_checkpoint_open_cut_anywhere),
        TEST(test_checkpoint_open_more_than_its_end),
        TEST(test_checkpoint_open_every_bit_flipped),
        TEST(test_checkpoint_open_says_what_is_wrong),
        TEST(test_checkpoint_open_places_that_cannot_be),
        TEST(test_checkpoint_resume_at_a_place_that_is_not_there),
        TEST(test_checkpoint_open_other_files),
        TEST(test_checkpoint_as_vectors),
        TEST(test_checkpoint_as_vectors_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
