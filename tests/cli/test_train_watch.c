/* Pairs that are watched: which words are meant, and what is said of them. */
#include "train/train_support.h"

#include "cli/train_watch.h"
#include "train/model.h"

/* The words of a text, numbered in their order. */
static w2v_corpus *corpus_of(const char *folder, const char *text)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(folder, "text", path), text);
    const char *paths[1] = {path};
    return text_read(paths, 1, true);
}

static w2v_status resolve(watch *w, const w2v_corpus *c, const char *asked, w2v_error *err)
{
    const option_texts list = {.items = {asked}, .count = 1};
    const w2v_status status = watch_check(&list, err);
    return status ? status : watch_resolve(w, &list, c, 3, err);
}

static void test_watch_resolve_cuts_at_the_right_colon(void **state)
{
    static const struct {
        const char *asked;
        uint32_t a, b;
    } cases[] = {{"w0:w1", 0, 1}, {"w1:w1", 1, 1},   {"a:b:w0", 2, 0},     {"w0:b:c", 0, 3},
                 {"a:b:c", 2, 4}, {"::w0", 5, 0},    {"w0::", 0, 5},       {":::", 5, 5},
                 {"c:a:b", 4, 2}, {"a:b:b:c", 2, 3}, {"http://x:w1", 6, 1}};
    w2v_corpus *c = corpus_of(*state, "w0 w1 a:b b:c c : http://x\n");
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        watch w = {.count = 0};
        w2v_error err = {0};
        if (resolve(&w, c, cases[i].asked, &err) || w.count != 1 || w.pairs[0].a != cases[i].a ||
            w.pairs[0].b != cases[i].b) {
            fail_msg("'%s': '%s'", cases[i].asked, err.text);
        }
        watch_clear(&w);
    }
    w2v_corpus_free(c);
}

static void test_watch_resolve_refuses(void **state)
{
    static const char *const cases[][3] = {
        {"queen", "'--watch queen' is not a pair of words",
         "two words with a colon between: --watch cat:dog"},
        {"queen:", "'--watch queen:' is not a pair of words",
         "two words with a colon between: --watch cat:dog"},
        {":", "'--watch :' is not a pair of words",
         "two words with a colon between: --watch cat:dog"},
        {"a:b:c", "'--watch' can be read in two ways: 'a' and 'b:c', or 'a:b' and 'c'", ""},
        {"Queen:a", "'--watch Queen:a': 'Queen' is not among the 7 words kept",
         "did you mean 'queen'?"},
        {"w0:qween", "'--watch w0:qween': 'qween' is not among the 7 words kept",
         "did you mean 'queen'?"},
        {"zebra:yak", "'--watch zebra:yak': 'zebra' is not among the 7 words kept", ""},
        {"x:a:b", "'--watch x:a:b': 'x' is not among the 7 words kept", ""},
    };
    w2v_corpus *c = corpus_of(*state, "w0 w1 a a:b b:c c queen\n");
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        watch w = {.count = 0};
        w2v_error err = {0};
        assert_int_equal(resolve(&w, c, cases[i][0], &err), W2V_ERR_ARGUMENT);
        assert_string_equal(err.text, cases[i][1]);
        assert_string_equal(err.hint, cases[i][2]);
        watch_clear(&w);
    }
    c->stats.types += 1200;
    watch w = {.count = 0};
    w2v_error err = {0};
    assert_int_equal(resolve(&w, c, "a:zebra", &err), W2V_ERR_ARGUMENT);
    assert_string_equal(err.hint,
                        "1,200 words of the text were dropped; a lower --min-count keeps more");
    watch_clear(&w);
    w2v_corpus_free(c);
}

/* What is said of w0 = (3, 4) and w1 = (4, -3 + 6 epoch), then of a word whose row is zero. */
static char *say(talk_progress kind, watch *w, w2v_model *m)
{
    FILE *f = tmpfile();
    assert_non_null(f);
    const talk t = {.stream = f, .progress = kind, .quiet = true};
    for (uint32_t epoch = 0; epoch < 2; epoch++) {
        const w2v_train_progress at = {.epoch = epoch, .epochs = 3, .model = m};
        m->word[0] = 3.0f;
        m->word[1] = 4.0f;
        m->word[m->stride] = 4.0f;
        m->word[m->stride + 1] = -3.0f + 6.0f * (float)epoch;
        watch_show(w, &t, &at);
    }
    rewind(f);
    char *text = support_read_stream(f, NULL);
    fclose(f);
    return text;
}

static void assert_said(const char *folder, talk_progress kind, const char *said)
{
    w2v_corpus *c = corpus_of(folder, "w0 w1 zero\x1b[2J\n");
    w2v_model *m = NULL;
    watch w = {.count = 0};
    assert_int_equal(model_create(3, 2, 1, &m, NULL), W2V_OK);
    const option_texts list = {.items = {"w0:w1", "w1:zero\x1b[2J"}, .count = 2};
    assert_int_equal(watch_resolve(&w, &list, c, 3, NULL), W2V_OK);
    char *text = say(kind, &w, m);
    assert_string_equal(text, said);
    free(text);
    char *record = NULL;
    json_t *json = watch_record(&w);
    assert_non_null(json);
    record = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(3));
    assert_string_equal(record, "[{\"a\":\"w0\",\"b\":\"w1\",\"cosines\":[0.0,0.96]},"
                                "{\"a\":\"w1\",\"b\":\"zero\\u001B[2J\",\"cosines\":[null,null]}]");
    free(record);
    json_decref(json);
    watch_clear(&w);
    w2v_model_free(m);
    w2v_corpus_free(c);
}

static void test_watch_show_lines(void **state)
{
    assert_said(*state, TALK_PLAIN,
                "watch     at start: cos(w0, w1) +0.000000, cos(w1, zero\\x1b[2J) n/a\n"
                "watch     epoch 1: cos(w0, w1) +0.960000, cos(w1, zero\\x1b[2J) n/a\n");
}

static void test_watch_show_json(void **state)
{
    assert_said(*state, TALK_JSON,
                "{\"event\":\"watch\",\"epoch\":0,\"pairs\":["
                "{\"a\":\"w0\",\"b\":\"w1\",\"cosine\":0.0},"
                "{\"a\":\"w1\",\"b\":\"zero\\u001B[2J\",\"cosine\":null}]}\n"
                "{\"event\":\"watch\",\"epoch\":1,\"pairs\":["
                "{\"a\":\"w0\",\"b\":\"w1\",\"cosine\":0.96},"
                "{\"a\":\"w1\",\"b\":\"zero\\u001B[2J\",\"cosine\":null}]}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_watch_resolve_cuts_at_the_right_colon, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_watch_resolve_refuses, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_watch_show_lines, support_setup, support_teardown),
        cmocka_unit_test_setup_teardown(test_watch_show_json, support_setup, support_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
