/* Scores of analogy questions: what asking each of them alone says, and examples by hand. */
#include "query/tables.h"

#include "base/mem.h"
#include "query/analogies.h"

#define QUESTIONS 60

static w2v_question_file *read_questions(const char *folder, const char *text)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(folder, "questions.txt", path), text);
    w2v_question_file *f = NULL;
    w2v_error err = {0};
    if (w2v_question_file_read(path, &f, &err) != W2V_OK) {
        fail_msg("%s", err.text);
    }
    return f;
}

static w2v_vectors *open_text(const char *folder, const char *text)
{
    char path[SUPPORT_PATH];
    support_write_text(support_path(folder, "table.txt", path), text);
    return open_file(path, false, 1);
}

static w2v_score score(w2v_vectors *v, const w2v_question_file *f, const w2v_score_options *options)
{
    w2v_score s;
    w2v_error err = {0};
    if (w2v_score_vectors(v, f, options, &s, &err) != W2V_OK) {
        fail_msg("%s", err.text);
    }
    return s;
}

static void assert_tally(const w2v_tally *t, const char *expected)
{
    char text[256];
    snprintf(text, sizeof text, "%s: %d of %d, %d skipped, %d kept, %d near", t->section,
             (int)t->right, (int)t->asked, (int)t->skipped, (int)t->right_kept, (int)t->right_near);
    assert_string_equal(text, expected);
}

static void check(const char *folder, const char *rows, const char *questions,
                  w2v_score_options options, const char *const *expected, size_t n)
{
    w2v_vectors *v = open_text(folder, rows);
    w2v_question_file *f = read_questions(folder, questions);
    w2v_score s = score(v, f, &options);
    assert_int_equal(s.section_count + 1, n);
    for (size_t i = 0; i < n; i++) {
        assert_tally(i + 1 < n ? &s.sections[i] : &s.total, expected[i]);
    }
    w2v_score_clear(&s);
    w2v_question_file_free(f);
    w2v_vectors_free(v);
}

static void test_analogies_score_by_hand(void **state)
{
    /* Sum: queen (0.9994 cosine) after king (1.0000); the nearest of king is queen already. */
    static const char rows[] = "5 2\nking 1 1\nman 1 0\nwoman 1 0.01\nqueen 1 1.1\nprince 1 0.5\n";
    static const char *const one[] = {"r: 1 of 1, 0 skipped, 0 kept, 1 near",
                                      "total: 1 of 1, 0 skipped, 0 kept, 1 near"};
    static const char *const two[] = {"r: 1 of 1, 0 skipped, 1 kept, 1 near",
                                      "total: 1 of 1, 0 skipped, 1 kept, 1 near"};
    w2v_score_options options = w2v_score_options_default();
    check(*state, rows, ": r\nman king woman queen\n", options, one, 2);
    options.top = 2;
    check(*state, rows, ": r\nman king woman queen\n", options, two, 2);
}

static void test_analogies_score_sections(void **state)
{
    static const char rows[] = "4 2\na 1 0\nb 0 1\nc 1 0.5\nd 0.4 1\n";
    static const char *const expected[] = {
        "s1: 1 of 1, 1 skipped, 0 kept, 1 near", "empty: 0 of 0, 0 skipped, 0 kept, 0 near",
        "s2: 0 of 0, 1 skipped, 0 kept, 0 near", "total: 1 of 1, 2 skipped, 0 kept, 1 near"};
    check(*state, rows, ": s1\na b c d\na b c missing\n: empty\n: s2\nx y z w\n",
          w2v_score_options_default(), expected, 4);
}

static void test_analogies_score_alternatives(void **state)
{
    static const char rows[] = "4 2\na 1 0\nb 0 1\nc 1 0.5\nd 0.4 1\n";
    /* Of an answer that is also an input the ranking that leaves inputs out has none. */
    static const char *const expected[] = {"x: 2 of 3, 1 skipped, 2 kept, 2 near",
                                           "total: 2 of 3, 1 skipped, 2 kept, 2 near"};
    check(*state, rows, ": x\na b c none/d\na b c b/d\na b c b\na b c none/nor\n",
          w2v_score_options_default(), expected, 2);
}

static void test_analogies_score_ignores_case(void **state)
{
    static const char rows[] = "5 2\nParis 1 0\nfrance 0 1\nROME 1 0.1\nItaly 0.1 1\nparis 0 -1\n";
    static const char questions[] = ": c\nParis France Rome Italy\nparis FRANCE rome ITALY\n";
    static const char *const cased[] = {"c: 0 of 0, 2 skipped, 0 kept, 0 near",
                                        "total: 0 of 0, 2 skipped, 0 kept, 0 near"};
    static const char *const folded[] = {"c: 2 of 2, 0 skipped, 0 kept, 2 near",
                                         "total: 2 of 2, 0 skipped, 0 kept, 2 near"};
    w2v_score_options options = w2v_score_options_default();
    check(*state, rows, questions, options, cased, 2);
    options.ignore_case = true;
    if (strstr(w2v_build_info(), "icu")) {
        check(*state, rows, questions, options, folded, 2);
    }
}

static void test_analogies_score_classic(void **state)
{
    w2v_vectors *v = open_text(*state, "4 2\na 1 0\nb 0 1\nc 1 0.5\nd 0.4 1\n");
    w2v_question_file *f =
        read_questions(*state, ": one\na b c d\n: gram1\na b c d\na b d c\n: grammar\na b c x\n");
    w2v_score s = score(v, f, NULL);
    assert_true(s.classic);
    assert_tally(&s.semantic, "semantic: 1 of 1, 0 skipped, 0 kept, 1 near");
    assert_int_equal(s.syntactic.asked, 2);
    assert_int_equal(s.syntactic.skipped, 1);
    assert_int_equal(s.unknown_count, 1);
    assert_string_equal(s.unknown[0], "x");
    w2v_score_clear(&s);
    w2v_question_file_free(f);
    w2v_vectors_free(v);
}

static void test_analogies_score_no_direction(void **state)
{
    static const char rows[] = "4 2\na 1 0\nzero 0 0\nc -1 0\nd 0.4 1\n";
    /* A row of zeros is no answer; a - zero + c is nothing, and d is the nearest of a. */
    static const char *const expected[] = {"z: 0 of 2, 0 skipped, 0 kept, 1 near",
                                           "total: 0 of 2, 0 skipped, 0 kept, 1 near"};
    check(*state, rows, ": z\na d c zero\nzero a c d\n", w2v_score_options_default(), expected, 2);
}

/* ------------------------------------------------------------- against w2v_ask() */

typedef struct drawn {
    const char *word[5]; /* A, B, C and two right answers */
} drawn;

static bool is_right(const drawn *q, const char *word)
{
    return strcmp(word, q->word[3]) == 0 || strcmp(word, q->word[4]) == 0;
}

static bool asked_right(w2v_vectors *v, const drawn *q, w2v_method method, uint64_t top,
                        bool exclude)
{
    ask_query query = {.count = 3};
    query.terms[0] = term_of(q->word[1], 1.0);
    query.terms[1] = term_of(q->word[0], -1.0);
    query.terms[2] = term_of(q->word[2], 1.0);
    w2v_ask_options options = w2v_ask_options_default();
    options.method = method;
    options.k = top;
    options.exclude_inputs = exclude;
    options.ranks = false;
    w2v_answers a;
    ask_all(v, &query, 1, &options, &a);
    bool right = false;
    for (size_t i = 0; i < a.count; i++) {
        right |= is_right(q, a.items[i].word);
    }
    w2v_answers_clear(&a);
    return right;
}

static bool near_before(w2v_vectors *v, const drawn *q)
{
    bool near = false;
    for (size_t i = 0; i < 3; i++) {
        ask_query query = {.count = 1};
        query.terms[0] = term_of(q->word[i], 1.0);
        w2v_ask_options options = w2v_ask_options_default();
        options.k = 1;
        options.exclude_inputs = true;
        w2v_answers a;
        ask_all(v, &query, 1, &options, &a);
        near |= a.count > 0 && is_right(q, a.items[0].word);
        w2v_answers_clear(&a);
    }
    return near;
}

static void draw_questions(const char *folder, const table *t, rng *r, drawn *all,
                           w2v_question_file **out)
{
    char text[QUESTIONS * 6 * TABLE_WORD] = "";
    for (size_t i = 0; i < QUESTIONS; i++) {
        for (size_t k = 0; k < 5; k++) {
            all[i].word[k] = t->word[rng_below(r, (uint32_t)t->rows)];
        }
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, ": %zu\n%s %s %s %s/%s\n", i, all[i].word[0],
                 all[i].word[1], all[i].word[2], all[i].word[3], all[i].word[4]);
    }
    *out = read_questions(folder, text);
}

static void compare(const char *folder, kind k, size_t rows, size_t dim, w2v_method method,
                    uint64_t top)
{
    table t = table_random(folder, k, rows, dim, 7 + rows);
    rng r = rng_stream(11, RNG_INIT, rows, dim);
    drawn all[QUESTIONS];
    w2v_question_file *f;
    draw_questions(folder, &t, &r, all, &f);
    w2v_vectors *v = open_file(t.path, true, 1);
    for (int threads = 1; threads <= 3; threads += 2) {
        w2v_score_options options = w2v_score_options_default();
        options.method = method;
        options.top = top;
        options.threads = threads;
        w2v_score s = score(v, f, &options);
        assert_int_equal(s.section_count, QUESTIONS);
        assert_int_equal(s.total.asked, QUESTIONS);
        for (size_t i = 0; i < QUESTIONS; i++) {
            assert_int_equal(s.sections[i].right, asked_right(v, &all[i], method, top, true));
            assert_int_equal(s.sections[i].right_kept, asked_right(v, &all[i], method, top, false));
            assert_int_equal(s.sections[i].right_near, near_before(v, &all[i]));
        }
        w2v_score_clear(&s);
    }
    w2v_vectors_free(v);
    w2v_question_file_free(f);
    table_free(&t);
}

static void test_analogies_score_as_asked(void **state)
{
    for (kind k = 0; k < KINDS; k++) {
        compare(*state, k, 23, 3, W2V_ADD, 1);
        compare(*state, k, 150, 17, W2V_ADD, 5);
        compare(*state, k, 23, 3, W2V_MUL, 1);
        compare(*state, k, 150, 17, W2V_MUL, 5);
        compare(*state, k, 6, 2, W2V_ADD, 2);
    }
}

/* More words than share a pass. */
static void test_analogies_score_in_parts(void **state)
{
    table t = table_random(*state, KIND_UNIFORM, 2500, 4, 3);
    const size_t room = 2500 * 5 * TABLE_WORD, n = t.rows - 3;
    char *text = calloc(room, 1);
    assert_non_null(text);
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        used += (size_t)snprintf(text + used, room - used, ": %zu\n%s %s %s %s\n", i, t.word[i],
                                 t.word[i + 1], t.word[i + 2], t.word[i + 3]);
    }
    w2v_question_file *f = read_questions(*state, text);
    w2v_vectors *v = open_file(t.path, true, 2);
    w2v_score_options options = w2v_score_options_default();
    options.top = 400;
    w2v_score s = score(v, f, &options);
    assert_int_equal(s.total.asked, n);
    uint64_t right = 0;
    for (size_t i = 0; i < n; i += 50) {
        const drawn q = {.word = {t.word[i], t.word[i + 1], t.word[i + 2], t.word[i + 3], ""}};
        assert_int_equal(s.sections[i].right, asked_right(v, &q, W2V_ADD, 400, true));
        right += s.sections[i].right;
    }
    assert_in_range(right, 1, n / 50);
    w2v_score_clear(&s);
    w2v_vectors_free(v);
    w2v_question_file_free(f);
    free(text);
    table_free(&t);
}

/* What a callback was told; it stops when it is told of `stop_at` questions or more. */
typedef struct told {
    uint64_t calls, last, total, stop_at;
    bool fell;
} told;

static int listen(void *user, uint64_t done, uint64_t total)
{
    told *t = user;
    t->calls++;
    t->fell |= done < t->last;
    t->last = done;
    t->total = total;
    return done >= t->stop_at;
}

/* Two parts of 1,024 words over 5,000 rows, by one thread: it tells after every 1,024 rows. */
static void test_score_vectors_progress(void **state)
{
    table t = table_random(*state, KIND_UNIFORM, 5000, 2, 9);
    char *text = calloc(600, 64);
    assert_non_null(text);
    for (size_t i = 0, used = 0; i < 600; i++) {
        used +=
            (size_t)snprintf(text + used, 64, "w%zu w%zu w%zu w0\n", 3 * i, 3 * i + 1, 3 * i + 2);
    }
    w2v_question_file *f = read_questions(*state, text);
    w2v_vectors *v = open_file(t.path, true, 1);
    told heard = {.stop_at = UINT64_MAX};
    w2v_score_options options = w2v_score_options_default();
    options.progress = listen;
    options.progress_user = &heard;
    w2v_score s = score(v, f, &options);
    w2v_score_clear(&s);
    assert_int_equal(heard.calls, 8);
    assert_false(heard.fell);
    assert_int_equal(heard.total, 600);
    assert_in_range(heard.last, 500, 600);
    heard = (told){.stop_at = 1};
    w2v_error err = {0};
    assert_int_equal(w2v_score_vectors(v, f, &options, &s, &err), W2V_ERR_INTERRUPTED);
    assert_string_equal(err.text, "scoring was stopped");
    assert_int_equal(heard.calls, 1);
    w2v_vectors_free(v);
    w2v_question_file_free(f);
    free(text);
    table_free(&t);
}

/* Scoring without case leaves the table as it was, and scores with case as they were. */
static void test_score_vectors_changes_nothing(void **state)
{
    if (!strstr(w2v_build_info(), "icu")) {
        skip();
    }
    w2v_vectors *v =
        open_text(*state, "5 2\nParis 1 0\nfrance 0 1\nROME 1 0.1\nItaly 0.1 1\nrome 0 -1\n");
    w2v_question_file *f = read_questions(*state, "paris FRANCE rome ITALY\n");
    w2v_score_options options = w2v_score_options_default();
    options.ignore_case = true;
    w2v_score s = score(v, f, &options);
    assert_int_equal(s.total.right, 1); /* of ROME, which comes first */
    w2v_score_clear(&s);
    s = score(v, f, NULL);
    assert_int_equal(s.total.skipped, 1);
    w2v_score_clear(&s);
    static const char *const expected[] = {"Paris", "france", "ROME", "Italy", "rome"};
    static const float rows[] = {1, 0, 0, 1, 1, 0.1f, 0.1f, 1, 0, -1};
    for (uint32_t i = 0; i < 5; i++) {
        assert_string_equal(w2v_vectors_word(v, i, NULL), expected[i]);
        assert_memory_equal(w2v_vectors_row(v, i), rows + (size_t)2 * i, 2 * sizeof *rows);
    }
    w2v_vectors_free(v);
    w2v_question_file_free(f);
}

static void test_score_vectors_without_memory(void **state)
{
    w2v_vectors *v = open_text(*state, "4 2\na 1 0\nb 0 1\nc 1 0.5\nd 0.4 1\n");
    w2v_question_file *f = read_questions(*state, ": one\na b c d\n");
    assert_int_equal(w2v_vectors_load(v, NULL), W2V_OK);
    w2v_status status = W2V_ERR_MEMORY;
    uint64_t n = 1;
    for (; status != W2V_OK && n < 1000; n++) {
        w2v_score s;
        mem_fail_at(n, false);
        status = w2v_score_vectors(v, f, NULL, &s, NULL);
        mem_fail_at(0, false);
        assert_true(status == W2V_OK || status == W2V_ERR_MEMORY);
        w2v_score_clear(&s);
    }
    assert_int_equal(status, W2V_OK);
    assert_true(n > 20);
    w2v_question_file_free(f);
    w2v_vectors_free(v);
}

static void test_score_vectors_arguments(void **state)
{
    w2v_vectors *v = open_text(*state, "1 1\na 1\n");
    w2v_question_file *f = read_questions(*state, "a a a a\n");
    w2v_score_options options = w2v_score_options_default();
    w2v_score s;
    options.top = 0;
    assert_int_equal(w2v_score_vectors(v, f, &options, &s, NULL), W2V_ERR_ARGUMENT);
    options.top = 1;
    options.threads = 0;
    assert_int_equal(w2v_score_vectors(v, f, &options, &s, NULL), W2V_ERR_ARGUMENT);
    w2v_question_file_free(f);
    w2v_vectors_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_analogies_score_by_hand, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_analogies_score_sections, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_analogies_score_alternatives, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_analogies_score_ignores_case, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_analogies_score_classic, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_analogies_score_no_direction, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_analogies_score_as_asked, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_analogies_score_in_parts, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_score_vectors_progress, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_score_vectors_changes_nothing, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_score_vectors_without_memory, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_score_vectors_arguments, support_setup,
                                        support_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
