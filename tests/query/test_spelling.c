#include "support.h"

#include "query/spelling.h"

static uint32_t cost(const char *asked, const char *word)
{
    spelling a, w;
    assert_true(spelling_fold(asked, strlen(asked), SPELLING_MOST, &a));
    assert_true(spelling_fold(word, strlen(word), SPELLING_MOST, &w));
    return spelling_cost(&a, &w);
}

static void test_cost_of_words_folded_alike(void **state)
{
    (void)state;
    assert_int_equal(cost("cat", "Cat"), 1);
    assert_int_equal(cost("new york", "new_york"), 1);
    assert_int_equal(cost("New-York", "new york"), 1);
    assert_int_equal(cost("dog", "/en/dog"), 3);
    assert_int_equal(cost("dog", "/c/en/Dog"), 3);
    assert_int_equal(cost("/c/de/dog", "/c/en/dog"), 1);
    assert_int_equal(cost("/", "/"), 1);
}

static void test_cost_of_letters(void **state)
{
    (void)state;
    assert_int_equal(cost("queen", "quen"), 4);   /* left out */
    assert_int_equal(cost("queen", "queeen"), 4); /* inserted */
    assert_int_equal(cost("queen", "queem"), 4);  /* changed */
    assert_int_equal(cost("queen", "uqeen"), 4);  /* swapped */
    assert_int_equal(cost("queen", "Quenn"), 4);
    assert_int_equal(cost("queen", "uqeem"), 8);
    assert_int_equal(cost("queen", "queenly"), 8);
    assert_int_equal(cost("queen", "en_queen"), SPELLING_FAR);
    assert_int_equal(cost("queen", "king"), SPELLING_FAR);
    assert_int_equal(cost("abcdefgh", "abdcefhg"), 8); /* two swaps */
    assert_int_equal(cost("\xd0\xbc\xd0\xb8\xd1\x80\xd0\xb0", "\xd0\xbc\xd0\xb5\xd1\x80\xd0\xb0"),
                     4); /* letters, not bytes */
}

static void test_cost_of_short_words(void **state)
{
    (void)state;
    assert_int_equal(cost("a", "b"), SPELLING_FAR);
    assert_int_equal(cost("a", "A"), 1);
    assert_int_equal(cost("cat", "cut"), 4);
    assert_int_equal(cost("cat", "cure"), SPELLING_FAR);
    assert_int_equal(cost("at", "a"), SPELLING_FAR); /* nothing of it would be left but a letter */
}

static void test_fold_long_and_odd_words(void **state)
{
    (void)state;
    char word[4 * SPELLING_MOST];
    memset(word, 'x', sizeof word);
    spelling s, t;
    assert_true(spelling_fold(word, SPELLING_MOST, SPELLING_MOST, &s));
    assert_false(spelling_fold(word, SPELLING_MOST + 1, SPELLING_MOST, &s));
    assert_false(spelling_fold(word, 6, 5, &s));
    assert_true(spelling_fold(word, SPELLING_MOST, SPELLING_MOST, &s));
    assert_true(spelling_fold(word, SPELLING_MOST - 2, SPELLING_MOST, &t));
    assert_int_equal(spelling_cost(&s, &t), 8);
    assert_int_equal(spelling_cost(&t, &s), 8);
    assert_true(spelling_fold("b\xff\xfe"
                              "d",
                              4, SPELLING_MOST, &s)); /* bytes that are no text */
    assert_int_equal(s.count, 4);
    assert_true(spelling_fold("b\xff"
                              "d",
                              3, SPELLING_MOST, &t));
    assert_int_equal(spelling_cost(&s, &t), 4);
}

/* Plain Levenshtein with neighbours swapped, over all words of four letters of two. */
static size_t slow_distance(const char *a, size_t n, const char *b, size_t m)
{
    size_t d[8][8];
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            size_t best = i + j;
            if (i > 0 && j > 0) {
                const size_t same = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
                best = same < best ? same : best;
            }
            if (i > 0) {
                best = d[i - 1][j] + 1 < best ? d[i - 1][j] + 1 : best;
            }
            if (j > 0) {
                best = d[i][j - 1] + 1 < best ? d[i][j - 1] + 1 : best;
            }
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                best = d[i - 2][j - 2] + 1 < best ? d[i - 2][j - 2] + 1 : best;
            }
            d[i][j] = best;
        }
    }
    return d[n][m];
}

static void test_cost_of_all_short_words(void **state)
{
    (void)state;
    char words[512][8];
    size_t count = 0;
    for (size_t n = 4; n <= 6; n++) {
        for (unsigned bits = 0; bits < 1u << n; bits++) {
            for (size_t i = 0; i < n; i++) {
                words[count][i] = bits >> i & 1u ? 'b' : 'a';
            }
            words[count++][n] = '\0';
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            const size_t slow =
                slow_distance(words[i], strlen(words[i]), words[j], strlen(words[j]));
            assert_int_equal(cost(words[i], words[j]), slow > 2    ? SPELLING_FAR
                                                       : slow == 0 ? 1
                                                                   : 4 * slow);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cost_of_words_folded_alike),
        cmocka_unit_test(test_cost_of_letters),
        cmocka_unit_test(test_cost_of_short_words),
        cmocka_unit_test(test_fold_long_and_odd_words),
        cmocka_unit_test(test_cost_of_all_short_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
