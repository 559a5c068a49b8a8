#include "support.h"

#include "text/type_table.h"

/* Word number i: of every length that is stored in its own way. */
static size_t make_word(uint32_t i, char out[80])
{
    static const char filler[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
    return (size_t)sprintf(out, "%.*s%u", (int)(i % 40), filler, i);
}

static void count_word(type_table *t, const char *word, size_t n, uint64_t place, uint32_t *id)
{
    token k;
    token_set(&k, word, n);
    k.first_seen = place;
    assert_int_equal(type_table_count(t, &k, 1, id, NULL), W2V_OK);
}

static void assert_entry(const type_table *t, uint32_t id, const char *word, size_t n,
                         uint64_t count, uint64_t place)
{
    char copy[80];
    const type_table_entry *e = type_table_at(t, id);
    assert_int_equal(e->length, n);
    type_table_copy_word(e, copy);
    assert_memory_equal(copy, word, n);
    assert_int_equal(e->count, count);
    assert_int_equal(type_table_first_seen(t, id), place);
}

static void test_type_table_count_grows(void **state)
{
    (void)state;
    enum { TYPES = 150000 };
    type_table t;
    assert_int_equal(type_table_init(&t, NULL), W2V_OK);
    char word[80];
    for (uint32_t i = 0; i < 2 * TYPES; i++) {
        uint32_t id;
        const size_t n = make_word(i % TYPES, word);
        count_word(&t, word, n, i, &id);
        assert_int_equal(id, i % TYPES); /* numbered as they come */
    }
    assert_int_equal(t.count, TYPES);
    for (uint32_t i = 0; i < TYPES; i++) {
        assert_entry(&t, i, word, make_word(i, word), 2, i);
    }
    /* The promise for a type and worker: 100 bytes and its letters (here 24 on average). */
    assert_true(t.memory < (uint64_t)TYPES * (100 + 24));
    type_table_clear(&t);
}

static void test_type_table_count_batch(void **state)
{
    (void)state;
    type_table t;
    assert_int_equal(type_table_init(&t, NULL), W2V_OK);
    token batch[5] = {0};
    uint32_t ids[5];
    token_set(&batch[0], "new", 3);
    token_set(&batch[1], "old", 3);
    batch[2].length = TOKEN_BREAK;
    token_set(&batch[3], "new", 3); /* twice in the batch that brings it */
    token_set(&batch[4], "newer", 5);
    assert_int_equal(type_table_count(&t, batch, 5, ids, NULL), W2V_OK);
    const uint32_t expected[5] = {0, 1, TYPE_TABLE_NONE, 0, 2};
    assert_memory_equal(ids, expected, sizeof ids);
    assert_int_equal(type_table_at(&t, 0)->count, 2);
    assert_int_equal(type_table_find(&t, &batch[4]), 2);
    token_set(&batch[0], "ne", 2);
    assert_int_equal(type_table_find(&t, &batch[0]), TYPE_TABLE_NONE);
    type_table_clear(&t);
}

/* Words that differ in one byte only, at every place, are never taken for each other. */
static void test_type_table_count_similar_words(void **state)
{
    (void)state;
    type_table t;
    assert_int_equal(type_table_init(&t, NULL), W2V_OK);
    uint32_t types = 0, id;
    char word[80];
    for (size_t n = 1; n <= 40; n++) {
        for (size_t at = 0; at < n; at++) {
            memset(word, 'x', n);
            word[at] = 'y';
            count_word(&t, word, n, 0, &id);
            assert_int_equal(id, types++);
        }
    }
    type_table_clear(&t);
}

static void test_type_table_merge(void **state)
{
    (void)state;
    enum { EACH = 9000 };
    type_table into, from;
    char word[80];
    uint32_t id, *map = malloc(EACH * sizeof *map);
    assert_non_null(map);
    assert_int_equal(type_table_init(&into, NULL), W2V_OK);
    assert_int_equal(type_table_init(&from, NULL), W2V_OK);
    for (uint32_t i = 0; i < EACH; i++) {
        count_word(&into, word, make_word(i, word), 10 + 2 * i, &id);
        const uint32_t other = i + EACH / 2; /* half of them are known */
        count_word(&from, word, make_word(other, word), other % 3 ? other : 100 * other, &id);
        count_word(&from, word, make_word(other, word), UINT64_MAX, &id);
    }
    assert_int_equal(type_table_merge(&into, &from, map, NULL), W2V_OK);
    assert_int_equal(into.count, EACH + EACH / 2);
    for (uint32_t i = 0; i < EACH; i++) {
        const uint32_t other = i + EACH / 2;
        const uint64_t place = other % 3 ? other : 100 * other;
        const uint64_t before = 10 + 2 * other;
        const bool known = other < EACH;
        assert_int_equal(map[i], other);
        assert_entry(&into, other, word, make_word(other, word), known ? 3 : 2,
                     known && before < place ? before : place);
    }
    type_table_clear(&into);
    assert_int_equal(from.count, 0); /* cleared: its letters are those of `into` */
    assert_null(from.letters);
    free(map);
}

static size_t blocks_of_letters(const type_table *t)
{
    size_t blocks = 0;
    for (const void *l = t->letters; l; blocks++) {
        memcpy(&l, l, sizeof l); /* the link stands first */
    }
    return blocks;
}

/* Words of 1,000 letters: while they are taken, the letters of those before go. */
static void test_type_table_take_word_frees_letters(void **state)
{
    (void)state;
    enum { TYPES = 4000, LENGTH = 1000 };
    type_table t[2];
    char word[LENGTH], copy[LENGTH];
    uint32_t id, *map = malloc(TYPES * sizeof *map);
    assert_non_null(map);
    for (uint32_t k = 0; k < 2; k++) {
        assert_int_equal(type_table_init(&t[k], NULL), W2V_OK);
        for (uint32_t i = 0; i < TYPES; i++) {
            memset(word, 'x', LENGTH);
            snprintf(word, sizeof word, "%u", 7 * i + k * i % 2); /* some stand in both */
            count_word(&t[k], word, LENGTH, i, &id);
        }
    }
    assert_int_equal(blocks_of_letters(&t[0]), 4);
    assert_int_equal(type_table_merge(&t[0], &t[1], map, NULL), W2V_OK);
    assert_int_equal(blocks_of_letters(&t[0]), 8);
    assert_int_equal(t[0].count, TYPES + TYPES / 2);
    for (uint32_t i = 0; i < t[0].count; i += 3) { /* some are not wanted */
        const uint32_t j = i < TYPES ? 7 * i : 7 * (2 * (i - TYPES) + 1) + 1;
        memset(word, 'x', LENGTH);
        snprintf(word, sizeof word, "%u", j);
        type_table_take_word(&t[0], i, copy);
        assert_memory_equal(copy, word, LENGTH);
        assert_true(blocks_of_letters(&t[0]) <= 8 - (i < TYPES ? i * LENGTH >> 20 : 4));
    }
    assert_int_equal(blocks_of_letters(&t[0]), 1);
    type_table_drop_letters(&t[0]);
    assert_null(t[0].letters);
    assert_int_equal(type_table_at(&t[0], 0)->count, 2);
    type_table_clear(&t[0]);
    free(map);
}

static void test_token_set_padded_is_token_set(void **state)
{
    (void)state;
    char text[64];
    memset(text, 'q', sizeof text);
    for (size_t n = 1; n <= 40; n++) {
        char exact[40];
        token a, b;
        memcpy(exact, text, n);
        token_set_padded(&a, text, n);
        token_set(&b, exact, n);
        assert_true(a.head == b.head && a.tail == b.tail && a.hash == b.hash);
        assert_int_equal(a.length, b.length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_type_table_count_grows),
        cmocka_unit_test(test_type_table_count_batch),
        cmocka_unit_test(test_type_table_count_similar_words),
        cmocka_unit_test(test_type_table_merge),
        cmocka_unit_test(test_type_table_take_word_frees_letters),
        cmocka_unit_test(test_token_set_padded_is_token_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
