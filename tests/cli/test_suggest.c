#include "support.h"

#include "cli/commands.h"
#include "cli/suggest.h"

static size_t distance(const char *a, const char *b)
{
    return suggest_distance(a, strlen(a), b, strlen(b));
}

static void test_suggest_distance_values(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        size_t distance;
    } cases[] = {
        {"", "", 0},
        {"", "dim", 3},
        {"dim", "dim", 0},
        {"dim", "dims", 1},
        {"dmi", "dim", 1},
        {"xim", "dim", 1},
        {"kitten", "sitting", 3},
        {"ca", "abc", 3}, /* the restricted distance: no change inside a swap */
        {"min_count", "min-count", 0},
        {"minCOUNT", "mincount", 0},
        {"outptu", "output", 1},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        assert_int_equal(distance(cases[i].a, cases[i].b), cases[i].distance);
        assert_int_equal(distance(cases[i].b, cases[i].a), cases[i].distance);
    }
}

static void test_suggest_distance_long_words(void **state)
{
    (void)state;
    char longest[SUGGEST_MAX + 2];
    memset(longest, 'a', sizeof longest);
    assert_int_equal(suggest_distance(longest, SUGGEST_MAX, longest, SUGGEST_MAX), 0);
    assert_int_equal(suggest_distance(longest, SUGGEST_MAX + 1, "a", 1), SUGGEST_MAX);
}

static void test_suggest_offer_takes_the_nearest(void **state)
{
    (void)state;
    suggestion s = {.typed = "windwo", .length = 6};
    suggest_offer(&s, "epochs", 6, "epochs");
    assert_null(s.best);
    suggest_offer(&s, "widow", 5, "widow");
    assert_string_equal(s.best, "widow");
    suggest_offer(&s, "window", 6, "window");
    assert_string_equal(s.best, "window");
    suggest_offer(&s, "windows", 7, "windows");
    assert_string_equal(s.best, "window");
}

static void test_commands_suggest_words(void **state)
{
    (void)state;
    assert_string_equal(commands_suggest("trian"), "train");
    assert_string_equal(commands_suggest("training"), "train");
    assert_string_equal(commands_suggest("voacb"), "vocab");
    assert_string_equal(commands_suggest("hlep"), "help");
    assert_null(commands_suggest("quux"));
    assert_null(commands_suggest(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_suggest_distance_values),
        cmocka_unit_test(test_suggest_distance_long_words),
        cmocka_unit_test(test_suggest_offer_takes_the_nearest),
        cmocka_unit_test(test_commands_suggest_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
