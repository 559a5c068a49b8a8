/* The encoded text on disk: when it goes there, and what may go wrong. */
#include "text/texts.h"

#include "text/codes.h"

/* Only part of the text goes to disk, and the end fits in memory again. */
static void test_encode_text_spills_for_a_while(void **state)
{
    char path[SUPPORT_PATH];
    support_path(*state, "text.txt", path);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < 40000; i++) {
        fprintf(f, "often w%d\n",
                i); /* one word in two is dropped, and all breaks but one in two */
    }
    fclose(f);
    const char *const paths[] = {path};
    w2v_inputs *inputs = text_inputs(paths, 1);
    w2v_text_options options = text_options(2);
    options.max_memory = 2400000; /* less than tables and all codes, more than the codes kept */
    const encode_request request = {.inputs = inputs,
                                    .options = &options,
                                    .sizes = {.chunk = 1000, .block_codes = 1000},
                                    .encode = true};
    w2v_corpus *corpus = NULL;
    options.tmp_dir = path; /* no folder: so it does need one on the way */
    assert_int_equal(encode_text(&request, &corpus, NULL), W2V_ERR_IO);
    options.tmp_dir = *state;
    assert_int_equal(encode_text(&request, &corpus, NULL), W2V_OK);
    assert_int_equal(corpus->stats.spilled, 0);
    assert_int_equal(corpus->length, 79999);
    for (size_t i = 0; i < 79999; i++) {
        assert_int_equal(corpus->codes[i], i % 2 ? CORPUS_BREAK : 0);
    }
    w2v_corpus_free(corpus);
    w2v_inputs_free(inputs);
}

/* Overwrites all that is spilled so far with the code of the first word. */
static int spoil(void *user, uint64_t done, uint64_t total, uint64_t tokens)
{
    (void)done;
    (void)total;
    (void)tokens;
    bool *spoilt = user;
    DIR *d = opendir("/proc/self/fd");
    assert_non_null(d);
    for (const struct dirent *e; (e = readdir(d)) != NULL;) {
        char link[SUPPORT_PATH], target[SUPPORT_PATH];
        snprintf(link, sizeof link, "/proc/self/fd/%.100s", e->d_name);
        const ssize_t n = readlink(link, target, sizeof target - 1);
        target[n > 0 ? n : 0] = '\0';
        struct stat facts;
        const int fd = atoi(e->d_name);
        if (strstr(target, "(deleted)") && fstat(fd, &facts) == 0 && facts.st_size > 0) {
            char *zeros = calloc(1, (size_t)facts.st_size);
            assert_int_equal(pwrite(fd, zeros, (size_t)facts.st_size, 0), facts.st_size);
            free(zeros);
            *spoilt = true;
        }
    }
    closedir(d);
    return 0;
}

static void test_encode_text_spilled_text_that_is_changed(void **state)
{
    char path[SUPPORT_PATH], expected[128];
    FILE *f = fopen(support_path(*state, "text.txt", path), "w");
    assert_non_null(f);
    for (int i = 0; i < 40000; i++) {
        fprintf(f, "often w%d ", i); /* one word in two is dropped, until its code is changed */
    }
    fclose(f);
    const char *const paths[] = {path};
    w2v_inputs *inputs = text_inputs(paths, 1);
    bool spoilt = false;
    w2v_text_options options = text_options(2);
    options.max_memory = 1000;
    options.tmp_dir = *state;
    const encode_request request = {.inputs = inputs,
                                    .options = &options,
                                    .sizes = {.chunk = 1000, .block_codes = 1000},
                                    .encode = true,
                                    .progress = spoil,
                                    .user = &spoilt};
    w2v_corpus *corpus = NULL;
    w2v_error err = {0};
    assert_int_equal(encode_text(&request, &corpus, &err), W2V_ERR_IO);
    assert_true(spoilt);
    assert_null(corpus);
    snprintf(expected, sizeof expected, "counted 40000 tokens but encoded ");
    assert_memory_equal(err.text, expected, strlen(expected));
    assert_true(strtoul(err.text + strlen(expected), NULL, 10) > 50000);
    w2v_inputs_free(inputs);
}

static void test_encode_text_no_folder_to_spill_to(void **state)
{
    char path[SUPPORT_PATH], missing[SUPPORT_PATH];
    support_write_text(support_path(*state, "text.txt", path), "a a a");
    support_path(*state, "missing", missing);
    const char *const paths[] = {path};
    w2v_inputs *inputs = text_inputs(paths, 1);
    w2v_text_options options = text_options(1);
    options.max_memory = 1;
    options.tmp_dir = missing;
    w2v_corpus *corpus = NULL;
    w2v_error err = {0};
    assert_int_equal(w2v_corpus_create(inputs, &options, NULL, NULL, &corpus, &err), W2V_ERR_IO);
    assert_null(corpus);
    assert_non_null(strstr(err.text, missing));
    w2v_inputs_free(inputs);
}

/* A real text, where there is one: the same however it is read, and all of it. */
static void test_encode_text_real(void **state)
{
    static const char *const names[] = {"german.txt.gz", "thai-social-crlf-emoji.txt.gz",
                                        "many-encodings-invalid-utf8.txt.gz"};
    const char *root = getenv("W2V_TEST_DATA");
    for (size_t i = 0; i < SUPPORT_COUNT(names); i++) {
        char path[SUPPORT_PATH];
        snprintf(path, sizeof path, "%s/data/%s", root ? root : "", names[i]);
        if (!root || !support_exists(path)) {
            print_message("skipped: no '%s' (W2V_TEST_DATA names the folder above data/)\n",
                          names[i]);
            skip();
        }
        const char *const paths[] = {path};
        w2v_inputs *inputs = text_inputs(paths, 1);
        w2v_corpus *corpora[2] = {NULL, NULL};
        w2v_text_options options = text_options(2);
        options.tmp_dir = *state;
        for (int k = 0; k < 2; k++) {
            options.threads = k ? 4 : 1;
            options.max_memory = k ? 1000000 : 0;
            const encode_request request = {.inputs = inputs,
                                            .options = &options,
                                            .sizes = k ? (encode_sizes){5000, 4096}
                                                       : ENCODE_SIZES_DEFAULT,
                                            .encode = true};
            assert_int_equal(encode_text(&request, &corpora[k], NULL), W2V_OK);
        }
        const uint64_t length = corpora[0]->length;
        uint32_t *buffer = malloc(length * sizeof *buffer);
        assert_non_null(buffer);
        assert_int_equal(corpora[1]->length, length);
        assert_true(corpora[1]->spill_fd >= 0 || corpora[1]->stats.spilled == 0);
        const uint32_t *codes = corpus_read(corpora[1], 0, length, buffer, NULL);
        assert_memory_equal(codes, corpora[0]->codes, length * sizeof *buffer);
        assert_int_equal(corpora[1]->stats.invalid_utf8, corpora[0]->stats.invalid_utf8);
        assert_int_equal(corpora[1]->stats.invalid_offset, corpora[0]->stats.invalid_offset);
        assert_int_equal(corpora[1]->stats.lines, corpora[0]->stats.lines);
        free(buffer);
        w2v_corpus_free(corpora[0]);
        w2v_corpus_free(corpora[1]);
        w2v_inputs_free(inputs);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_encode_text_spills_for_a_while),
        TEST(test_encode_text_spilled_text_that_is_changed),
        TEST(test_encode_text_no_folder_to_spill_to),
        TEST(test_encode_text_real),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
