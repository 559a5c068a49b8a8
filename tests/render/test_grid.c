#include "support.h"

#include "base/mem.h"
#include "render/grid.h"

#include <math.h>

static void check(const grid *g, const char *want)
{
    buf out = {0};
    assert_true(grid_append(g, &out));
    assert_true(buf_append(&out, "", 1));
    assert_string_equal(out.data, want);
    buf_clear(&out);
}

static void test_grid_append_aligns_a_table(void **state)
{
    (void)state;
    grid g = {0};
    grid_begin(&g, GRID_TABLE, 4, 1u << 0 | 1u << 2);
    grid_string(&g, "");
    grid_string(&g, "word");
    grid_string(&g, "cosine");
    grid_string(&g, "");
    grid_count(&g, 9);
    grid_string(&g, "\xe7\x8c\xab"); /* one character, two columns wide */
    grid_score(&g, -0.25);
    grid_string(&g, "input");
    grid_count(&g, 10);
    grid_string(&g, "caf\xc3\xa9\x1b[2J");
    grid_score(&g, 100);
    grid_string(&g, "");
    check(&g, "      word             cosine\n"
              "   9  \xe7\x8c\xab            -0.250000  input\n"
              "  10  caf\xc3\xa9\\x1b[2J  100.000000\n");
    grid_clear(&g);
}

static void test_grid_append_separates_values_with_tabs(void **state)
{
    (void)state;
    grid g = {0};
    grid_begin(&g, GRID_TSV, 3, 1u << 1);
    grid_bytes(&g, "a\tb\nc\rd", 7);
    grid_score(&g, 0.5);
    grid_string(&g, "");
    grid_bytes(&g, "caf\xe9\x1b", 5);
    grid_string(&g, "");
    grid_string(&g, "unknown");
    check(&g, "a\\tb\\nc\\rd\t0.500000\ncaf\xe9\x1b\t\tunknown\n");
    grid_begin(&g, GRID_SAFE_TSV, 1, 0);
    grid_bytes(&g, "caf\xe9\x1b", 5);
    check(&g, "caf\\xe9\\x1b\n");
    grid_clear(&g);
}

static void test_grid_append_whole_rows(void **state)
{
    (void)state;
    grid g = {0};
    grid_begin(&g, GRID_TSV, 3, 0);
    g.whole = true;
    grid_string(&g, "a");
    grid_string(&g, "");
    grid_string(&g, "");
    grid_string(&g, "b");
    grid_string(&g, "1");
    grid_string(&g, "x");
    check(&g, "a\t\t\nb\t1\tx\n");
    grid_begin(&g, GRID_TSV, 2, 0);
    grid_string(&g, "a");
    grid_string(&g, "");
    check(&g, "a\n");
    grid_clear(&g);
}

static void test_grid_append_without_rows(void **state)
{
    (void)state;
    grid g = {0};
    grid_begin(&g, GRID_TABLE, 3, 0);
    buf out = {0};
    assert_true(grid_append(&g, &out));
    assert_int_equal(out.size, 0);
    grid_begin(&g, GRID_TSV, 2, 0); /* a row of nothing keeps its line */
    grid_string(&g, "");
    grid_string(&g, "");
    check(&g, "\n");
    buf_clear(&out);
    grid_clear(&g);
}

static void test_grid_score_has_six_decimals(void **state)
{
    (void)state;
    grid g = {0};
    grid_begin(&g, GRID_TSV, 1, 0);
    grid_score(&g, -1e-9);
    grid_score(&g, -0.0000006);
    grid_score(&g, 1234567.5);
    grid_score(&g, (double)NAN);
    grid_score(&g, -1e300);
    buf out = {0};
    assert_true(grid_append(&g, &out) && buf_append(&out, "", 1));
    const char *want = "0.000000\n-0.000001\n1234567.500000\nn/a\n-1000000";
    assert_memory_equal(out.data, want, strlen(want));
    assert_int_equal(strlen(out.data), strlen("0.000000\n-0.000001\n1234567.500000\nn/a\n") + 1 +
                                           301 + strlen(".000000\n"));
    buf_clear(&out);
    grid_clear(&g);
}

static void test_grid_append_tells_want_of_memory(void **state)
{
    (void)state;
    grid g = {0};
    buf out = {0};
    for (uint64_t i = 1; i <= 2; i++) {
        grid_begin(&g, GRID_TSV, 1, 0);
        mem_fail_at(i, false);
        grid_string(&g, "cat");
        mem_fail_at(0, false);
        assert_false(grid_append(&g, &out));
        grid_clear(&g);
    }
    assert_null(out.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid_append_aligns_a_table),
        cmocka_unit_test(test_grid_append_separates_values_with_tabs),
        cmocka_unit_test(test_grid_append_whole_rows),
        cmocka_unit_test(test_grid_append_without_rows),
        cmocka_unit_test(test_grid_score_has_six_decimals),
        cmocka_unit_test(test_grid_append_tells_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
