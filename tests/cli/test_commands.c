#include "support.h"

#include "cli/commands.h"

static void test_commands_find_by_name_and_alias(void **state)
{
    (void)state;
    for (size_t i = 0; i < command_count; i++) {
        assert_ptr_equal(commands_find(commands[i]->name), commands[i]);
    }
    assert_ptr_equal(commands_find("neighbors"), &command_neighbours);
    assert_ptr_equal(commands_find("nn"), &command_neighbours);
    static const char *const none[] = {"", "n", "neighbors nn", "neighboursx", "Train", "help"};
    for (size_t i = 0; i < SUPPORT_COUNT(none); i++) {
        assert_null(commands_find(none[i]));
    }
}

/* No command hides behind another's name or alias. */
static void test_commands_names_are_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < command_count; i++) {
        const char *rest = commands[i]->aliases;
        size_t n;
        for (const char *alias; (alias = option_next_alias(&rest, &n));) {
            char name[32];
            snprintf(name, sizeof name, "%.*s", (int)n, alias);
            assert_ptr_equal(commands_find(name), commands[i]);
        }
    }
}

static void test_commands_suggest_names_the_command_not_the_alias(void **state)
{
    (void)state;
    assert_string_equal(commands_suggest("neigbours"), "neighbours");
    assert_string_equal(commands_suggest("neighbor"), "neighbours");
    assert_string_equal(commands_suggest("analgoy"), "analogy");
    assert_string_equal(commands_suggest("hlep"), "help");
    assert_null(commands_suggest("xyzzy"));
}

/* What people type who come from the original tools, fastText and gensim. */
static void test_commands_suggest_knows_other_tools(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"distance", "neighbours"},  {"most_similar", "neighbours"},
        {"word-analogy", "analogy"}, {"analogies", "analogy"},
        {"skipgram", "train"},       {"print-word-vectors", "vector"},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(pairs); i++) {
        assert_null(commands_find(pairs[i][0]));
        assert_string_equal(commands_suggest(pairs[i][0]), pairs[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands_find_by_name_and_alias),
        cmocka_unit_test(test_commands_names_are_unique),
        cmocka_unit_test(test_commands_suggest_names_the_command_not_the_alias),
        cmocka_unit_test(test_commands_suggest_knows_other_tools),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
