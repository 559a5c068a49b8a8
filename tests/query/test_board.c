/* Rows that several threads rank, gathered. */
#include "support.h"

#include "query/board.h"

#include <math.h>

#define DIM 2
#define THREADS 3

/* One question "a + b" and one "c", over a table of six rows. */
typedef struct fixture {
    questions q;
    part parts[3];
    question items[2];
    w2v_ask_options options;
    board b;
} fixture;

static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
static const float values[][DIM] = {{1, 0}, {0, 1}, {2, 0}, {0, 2}, {3, 0}, {0, 3}};

static void open_board(fixture *f, uint64_t k, bool exclude_inputs)
{
    memset(f, 0, sizeof *f);
    for (uint32_t i = 0; i < 3; i++) {
        f->parts[i] = (part){.word = word_set_add(&f->q.words, names[i], 1), .weight = 1.0};
    }
    f->items[0] = (question){.parts = f->parts, .count = 2};
    f->items[1] = (question){.parts = f->parts + 2, .count = 1};
    f->q.items = f->items;
    f->q.count = 2;
    f->q.dim = DIM;
    f->options = w2v_ask_options_default();
    f->options.k = k;
    f->options.exclude_inputs = exclude_inputs;
    f->options.threads = THREADS;
    w2v_error err = {0};
    assert_int_equal(board_init(&f->b, &f->q, &f->options, &err), W2V_OK);
}

static void close_board(fixture *f)
{
    board_clear(&f->b);
    word_set_clear(&f->q.words);
}

static void offer(fixture *f, int thread, size_t number, double nearness, uint32_t id)
{
    const vec_row row = {.word = names[id], .values = values[id], .length = 1};
    assert_true(board_offer(&f->b, thread, number, nearness, id, &row));
}

/* "d f", best first. */
static void assert_finish(fixture *f, size_t number, const char *expected)
{
    char text[32] = "";
    ranking best;
    assert_true(board_finish(&f->b, number, &best));
    for (size_t i = 0; i < best.count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%.*s", i ? " " : "", (int)best.items[i].length,
                 best.items[i].word);
    }
    ranking_clear(&best);
    assert_string_equal(text, expected);
}

static void test_board_finish_gathers_threads(void **state)
{
    (void)state;
    fixture f;
    open_board(&f, 3, false);
    offer(&f, 0, 0, 0.5, 3);
    offer(&f, 2, 0, 0.9, 0);
    offer(&f, 1, 0, 0.5, 2); /* as near as d, and an earlier row */
    offer(&f, 2, 0, 0.1, 5);
    offer(&f, 1, 1, 0.7, 4); /* of the other question */
    assert_finish(&f, 0, "a c d");
    assert_finish(&f, 1, "e");
    close_board(&f);
}

static void test_board_offer_leaves_inputs_and_no_numbers_out(void **state)
{
    (void)state;
    fixture f;
    open_board(&f, 9, true);
    for (uint32_t id = 0; id < 6; id++) {
        offer(&f, (int)id % THREADS, 0, id, id);
        offer(&f, (int)id % THREADS, 1, id == 5 ? NAN : id == 4 ? -HUGE_VAL : id, id);
    }
    assert_finish(&f, 0, "f e d c");
    assert_finish(&f, 1, "d b a");
    close_board(&f);
}

/* The row of the best word that is no input, kept for sums only. */
static void test_board_leader(void **state)
{
    (void)state;
    fixture f;
    open_board(&f, 1, false);
    offer(&f, 0, 0, 0.2, 4);
    offer(&f, 0, 0, 0.3, 3);
    offer(&f, 0, 0, 0.9, 0); /* an input: it leads the ranking, and is no leader */
    offer(&f, 1, 0, 0.1, 5);
    offer(&f, 0, 1, 0.5, 4);
    assert_finish(&f, 0, "a");
    assert_memory_equal(board_leader(&f.b, 0, 3), values[3], sizeof values[3]);
    assert_memory_equal(board_leader(&f.b, 0, 5), values[5], sizeof values[5]); /* of thread 1 */
    assert_null(board_leader(&f.b, 0, 4));
    assert_null(board_leader(&f.b, 0, 0));
    assert_null(board_leader(&f.b, 1, 4));
    close_board(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_board_finish_gathers_threads),
        cmocka_unit_test(test_board_offer_leaves_inputs_and_no_numbers_out),
        cmocka_unit_test(test_board_leader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
