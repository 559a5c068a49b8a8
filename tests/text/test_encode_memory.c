/* Counting and encoding without memory: each allocation fails, and words want more than they may.
 */
#include "text/texts.h"

#include "base/mem.h"
#include "text/chunk.h"
#include "text/codes.h"
#include "text/compose.h"
#include "text/fold.h"

static void assert_no_allocation_matters(const encode_request *request, bool forever)
{
    bool done = false;
    uint64_t n = 0;
    while (!done) {
        w2v_corpus *corpus = NULL;
        w2v_error err = {0};
        mem_fail_at(++n, forever);
        const w2v_status status = encode_text(request, &corpus, &err);
        done = mem_tries() < n;
        mem_fail_at(0, false);
        if (status != (done ? W2V_OK : W2V_ERR_MEMORY)) {
            fail_msg("allocation %d: %s", (int)n, err.text);
        }
        assert_int_equal(err.code, status);
        assert_true((corpus != NULL) == done);
        w2v_corpus_free(corpus);
    }
    assert_true(n > 15);
}

/* Every failing allocation ends in one clean error, however the text is read. */
static void test_encode_text_every_allocation_fails(void **state)
{
    char path[SUPPORT_PATH], packed[SUPPORT_PATH], list[SUPPORT_PATH];
    static const char text[] =
        "a b c caf\xc3\xa9 cafe\xcc\x81 a-word-of-more-than-sixteen-letters b \xff\n c a\n";
    support_write_text(support_path(*state, "text.txt", path), text);
    text_write_gzip(support_path(*state, "text.gz", packed), text, sizeof text - 1);
    FILE *f = fopen(support_path(*state, "list.txt", list), "w");
    assert_non_null(f);
    for (int i = 0; i < 20000; i++) { /* more than the buffers of its reader hold */
        fprintf(f, "%s%d %d\n", i ? "never-seen-" : "w", i, 20000 - i);
    }
    fprintf(f, "a 1\n");
    fclose(f);
    const char *const paths[] = {path, packed};
    w2v_inputs *inputs = text_inputs(paths, 2);
    const w2v_text_options plain = text_options(1);
    w2v_corpus *base = text_corpus_ok("a x y", &plain);
    enum { LIST = 1, FOLD = 2, COMPOSE = 4, SPILL = 8, BASE = 16, TEAM = 32, COUNT = 64 };
    static const int ways[] = {0,    LIST, FOLD,        COMPOSE,      FOLD | COMPOSE, SPILL,
                               BASE, TEAM, TEAM | BASE, TEAM | SPILL, COUNT,          COUNT | TEAM};
    for (size_t i = 0; i < SUPPORT_COUNT(ways); i++) {
        const int way = ways[i];
        w2v_text_options options = plain;
        options.hash_inputs = true;
        options.fingerprint = true;
        options.invalid_utf8 = W2V_UTF8_REPLACE;
        options.tmp_dir = *state;
        options.read_vocab = way & LIST ? list : NULL;
        options.lowercase = way & FOLD && fold_has_case();
        options.normal_form = way & COMPOSE && compose_is_there() ? W2V_FORM_NFC : W2V_FORM_AS_IS;
        options.max_memory = way & SPILL ? 1 : 0;
        options.base = way & BASE ? w2v_corpus_vocab(base) : NULL;
        options.threads = way & TEAM ? 3 : 1;
        const encode_request request = {.inputs = inputs,
                                        .options = &options,
                                        .sizes = {CHUNK_SIZE_MIN, CODES_BLOCK_MIN},
                                        .encode = !(way & COUNT)};
        assert_no_allocation_matters(&request, false);
        assert_no_allocation_matters(&request, true);
    }
    w2v_corpus_free(base);
    w2v_inputs_free(inputs);
}

/* Words that need more than they may: 400,000 of them are 19 MB of counts and 8 of slots. */
static void test_encode_text_too_many_words(void **state)
{
    char path[SUPPORT_PATH];
    FILE *f = fopen(support_path(*state, "text.txt", path), "w");
    assert_non_null(f);
    for (int i = 0; i < 400000; i++) {
        fprintf(f, "w%d\n", i);
    }
    fclose(f);
    const char *const paths[] = {path};
    w2v_inputs *inputs = text_inputs(paths, 1);
    for (int threads = 1; threads <= 3; threads++) {
        w2v_text_options options = text_options(1);
        options.threads = threads;
        options.max_memory = 1; /* at least 16 MB are given to them */
        options.tmp_dir = *state;
        w2v_corpus *corpus = NULL;
        w2v_error err = {0};
        assert_int_equal(w2v_corpus_count(inputs, &options, NULL, NULL, &corpus, &err),
                         W2V_ERR_MEMORY);
        assert_null(corpus);
        unsigned long thousands, rest;
        char unit[16];
        assert_int_equal(sscanf(err.text,
                                "the words of the first %lu,%lu tokens alone need more than the "
                                "16 %15s allowed",
                                &thousands, &rest, unit),
                         3);
        assert_in_range(thousands, 200, 350);
        assert_string_equal(unit, "MB");
        options.max_memory = (uint64_t)100 << 20;
        assert_int_equal(w2v_corpus_count(inputs, &options, NULL, NULL, &corpus, NULL), W2V_OK);
        assert_int_equal(w2v_vocab_size(w2v_corpus_vocab(corpus)), 400000);
        w2v_corpus_free(corpus);
    }
    w2v_inputs_free(inputs);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_encode_text_every_allocation_fails),
        TEST(test_encode_text_too_many_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
