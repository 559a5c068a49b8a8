#include "support.h"

#include "cli/progress.h"

#define TOKENS 1000000u

/* A run of ten minutes with a block every 50 ms; returns what was shown. */
static char *show_run(talk_progress kind, bool quiet)
{
    FILE *f = tmpfile();
    assert_non_null(f);
    const talk t = {.stream = f, .progress = kind, .quiet = quiet, .columns = 200};
    progress p = progress_begin(&t, 1000);
    w2v_train_progress at = {.epochs = 5, .tokens_total = TOKENS, .loss = 2.5, .lr = 0.025};
    for (uint32_t i = 1; i <= 12000; i++) {
        /* Now and then a thread reports a little late. */
        at.tokens = (uint64_t)TOKENS * i / 12000 - (i % 7 == 0 && i < 12000 ? 60 : 0);
        at.epoch = (uint32_t)(at.tokens * 5 / TOKENS);
        progress_train(&p, 1000 + i * 0.05, &at);
    }
    progress_train_end(&p, 1600, &at);
    progress_train_end(&p, 1600, &at);
    progress_clear(&p);
    rewind(f);
    char *text = support_read_stream(f, NULL);
    fclose(f);
    return text;
}

/* Percentages never fall, stay in 0..100, and the last, and only the last, is 100. */
static int check_percents(char *text, const char *separators, const char *before)
{
    double last = -1;
    int count = 0, hundreds = 0;
    for (char *line = strtok(text, separators); line; line = strtok(NULL, separators)) {
        const char *number = strstr(line, before);
        if (!number) {
            continue;
        }
        const double percent = strtod(number + strlen(before), NULL);
        assert_true(percent >= last && percent >= 0 && percent <= 100);
        assert_int_equal(hundreds, 0);
        hundreds += percent == 100;
        last = percent;
        count++;
    }
    assert_int_equal(hundreds, 1);
    return count;
}

static void test_progress_train_plain(void **state)
{
    (void)state;
    char *text = show_run(TALK_PLAIN, false);
    assert_null(strchr(text, '\r'));
    assert_non_null(strstr(text, "epoch 3/5"));
    assert_non_null(strstr(text, "loss 2.5000"));
    assert_non_null(strstr(text, "words/s"));
    /* A line every three seconds of six hundred. */
    assert_in_range(check_percents(text, "\n", "training"), 190, 202);
    free(text);
}

static void test_progress_train_line(void **state)
{
    (void)state;
    char *text = show_run(TALK_LINE, false);
    assert_int_equal(text[strlen(text) - 1], '\n');
    assert_in_range(check_percents(text, "\r", ""), 3000, 6001);
    free(text);
}

static void test_progress_train_json(void **state)
{
    (void)state;
    char *text = show_run(TALK_JSON, false);
    char *copy = strdup(text);
    assert_non_null(copy);
    assert_in_range(check_percents(copy, "\n", "\"percent\":"), 1000, 1202);
    free(copy);
    size_t lines = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        json_t *object = json_loads(line, 0, NULL);
        assert_true(json_is_object(object));
        assert_string_equal(json_string_value(json_object_get(object, "event")), "train");
        assert_true(json_number_value(json_object_get(object, "words_per_second")) > 0);
        json_decref(object);
        lines++;
    }
    assert_in_range(lines, 1000, 1202);
    free(text);
}

static void test_progress_train_silent(void **state)
{
    (void)state;
    char *text = show_run(TALK_NONE, false);
    assert_string_equal(text, "");
    free(text);
    static const talk_progress kinds[] = {TALK_PLAIN, TALK_LINE, TALK_JSON};
    for (size_t i = 0; i < SUPPORT_COUNT(kinds); i++) {
        text = show_run(kinds[i], true);
        assert_string_equal(text, "");
        free(text);
    }
}

/* The time left is told once it can be known, and it holds for a steady pace. */
static void test_progress_train_eta(void **state)
{
    (void)state;
    FILE *f = tmpfile();
    assert_non_null(f);
    const talk t = {.stream = f, .progress = TALK_LINE, .columns = 200};
    progress p = progress_begin(&t, 0);
    w2v_train_progress at = {.epochs = 1, .tokens = 1000, .tokens_total = 100000, .loss = 1};
    progress_train(&p, 1, &at);
    at.tokens = 25000;
    progress_train(&p, 30, &at);
    progress_clear(&p);
    rewind(f);
    char *text = support_read_stream(f, NULL);
    char *second = strchr(text + 1, '\r');
    assert_non_null(second);
    assert_non_null(strstr(second, "ETA 1:30"));
    *second = '\0';
    assert_null(strstr(text, "ETA"));
    free(text);
    fclose(f);
}

/* Scoring of 200 questions, one a second; returns what was shown. */
static char *show_score(talk_progress kind)
{
    FILE *f = tmpfile();
    assert_non_null(f);
    const talk t = {.stream = f, .progress = kind, .columns = 200};
    progress p = progress_begin(&t, 0);
    for (uint64_t i = 1; i <= 200; i++) {
        progress_score(&p, (double)i, i, 200);
    }
    progress_clear(&p);
    rewind(f);
    char *text = support_read_stream(f, NULL);
    fclose(f);
    return text;
}

static void test_progress_score_forms(void **state)
{
    (void)state;
    char *text = show_score(TALK_PLAIN);
    static const char first[] = "scoring    1.5 %  3 of 200 questions  ETA 3:17\n"
                                "scoring    3.0 %  6 of 200 questions  ETA 3:14\n";
    assert_int_equal(strncmp(text, first, strlen(first)), 0);
    free(text);
    text = show_score(TALK_LINE);
    assert_non_null(strstr(text, "\rscoring    0.5 %  1 of 200 questions"));
    assert_non_null(strstr(text, "\rscoring   99.9 %  200 of 200 questions  ETA 0:00"));
    assert_int_equal(text[strlen(text) - 1], '\r'); /* nothing stays */
    assert_null(strchr(text, '\n'));
    free(text);
    text = show_score(TALK_JSON);
    assert_non_null(strstr(text, "{\"event\":\"score\",\"percent\":50.0,\"questions\":100,"
                                 "\"questions_total\":200,\"seconds\":100.0,"
                                 "\"eta_seconds\":100.0}\n"));
    free(text);
    text = show_score(TALK_NONE);
    assert_string_equal(text, "");
    free(text);
}

static void test_progress_line_fits_terminal(void **state)
{
    (void)state;
    FILE *f = tmpfile();
    assert_non_null(f);
    const talk t = {.stream = f, .progress = TALK_LINE, .columns = 20};
    progress p = progress_begin(&t, 0);
    progress_read(&p, 1, 5000000, 10000000, 123456789);
    rewind(f);
    char *text = support_read_stream(f, NULL);
    assert_int_equal(strlen(text), 1 + 19);
    free(text);
    fclose(f);
}

/* No number of one epoch without a pair: neither "nan" nor invalid JSON. */
static void test_progress_train_undefined_loss(void **state)
{
    (void)state;
    static const talk_progress kinds[] = {TALK_PLAIN, TALK_JSON};
    for (size_t i = 0; i < SUPPORT_COUNT(kinds); i++) {
        FILE *f = tmpfile();
        assert_non_null(f);
        const talk t = {.stream = f, .progress = kinds[i], .columns = 80};
        progress p = progress_begin(&t, 0);
        const w2v_train_progress at = {
            .epochs = 1, .tokens = 1, .tokens_total = 100, .loss = strtod("nan", NULL)};
        progress_train(&p, 10, &at);
        rewind(f);
        char *text = support_read_stream(f, NULL);
        assert_non_null(strstr(text, "loss"));
        assert_null(strstr(text, "nan"));
        free(text);
        fclose(f);
    }
}

/* First the neighbours of points, then iterations, and no more than ten times a second. */
static void test_progress_map(void **state)
{
    (void)state;
    static const talk_progress kinds[] = {TALK_PLAIN, TALK_LINE, TALK_JSON, TALK_NONE};
    static const char *const wanted[] = {
        "map       neighbours of word 1,000 of 3,000\nmap       iteration 500 of 1,000\n",
        "\rmap       neighbours of word 1,000 of 3,000\rmap       iteration 500 of 1,000          ",
        "\"iteration\":500", NULL};
    for (size_t k = 0; k < SUPPORT_COUNT(kinds); k++) {
        FILE *f = tmpfile();
        assert_non_null(f);
        const talk t = {.stream = f, .progress = kinds[k], .columns = 80};
        progress p = progress_begin(&t, 10);
        w2v_map_progress at = {.points = 1000, .points_total = 3000, .iterations = 1000};
        progress_map(&p, 20, &at);
        at.points = 3000;
        at.iteration = 500;
        progress_map(&p, 20.01, &at); /* too early to be shown */
        progress_map(&p, 30, &at);
        rewind(f);
        char *text = support_read_stream(f, NULL);
        assert_true(wanted[k] ? strstr(text, wanted[k]) != NULL : text[0] == '\0');
        free(text);
        fclose(f);
    }
}

/* Speed and remaining time are those of this run, not of the one it goes on with. */
static void test_progress_train_resumed(void **state)
{
    (void)state;
    FILE *f = tmpfile();
    assert_non_null(f);
    const talk t = {.stream = f, .progress = TALK_PLAIN, .columns = 200};
    progress p = progress_begin(&t, 0);
    p.before = 900000;
    const w2v_train_progress at = {
        .epoch = 4, .epochs = 5, .tokens = 910000, .tokens_total = TOKENS, .loss = 1};
    progress_train(&p, 10, &at);
    rewind(f);
    char *text = support_read_stream(f, NULL);
    assert_non_null(strstr(text, "91.0 %"));
    assert_non_null(strstr(text, " 1,000 words/s"));
    assert_non_null(strstr(text, "ETA 1:30"));
    free(text);
    fclose(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_progress_train_plain),
        cmocka_unit_test(test_progress_train_line),
        cmocka_unit_test(test_progress_train_json),
        cmocka_unit_test(test_progress_train_silent),
        cmocka_unit_test(test_progress_train_eta),
        cmocka_unit_test(test_progress_score_forms),
        cmocka_unit_test(test_progress_line_fits_terminal),
        cmocka_unit_test(test_progress_train_undefined_loss),
        cmocka_unit_test(test_progress_map),
        cmocka_unit_test(test_progress_train_resumed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
