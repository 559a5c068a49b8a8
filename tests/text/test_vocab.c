#include "text/texts.h"

/* Saved, read as a list, and the same again; plain and gzip. */
static void test_vocab_save_round_trip(void **state)
{
    static const char *const names[] = {"vocab.txt", "vocab.txt.gz"};
    w2v_text_options options = text_options(1);
    /* The first word begins like a byte order mark; the text's own mark was taken off. */
    w2v_corpus *corpus = text_corpus_ok(
        "\xef\xbb\xbf\xef\xbb\xbfz \xef\xbb\xbfz caf\xc3\xa9 \xff b b </s>", &options);
    for (size_t i = 0; i < SUPPORT_COUNT(names); i++) {
        char path[SUPPORT_PATH];
        vocab_list list;
        support_path(*state, names[i], path);
        assert_int_equal(w2v_vocab_save(corpus->vocab, path, NULL), W2V_OK);
        assert_int_equal(vocab_list_read(path, &list, NULL), W2V_OK);
        assert_int_equal(list.names.count, 5);
        for (uint32_t id = 0; id < 5; id++) {
            assert_string_equal(words_get(&list.names, id, NULL),
                                w2v_vocab_word(corpus->vocab, id, NULL));
            assert_int_equal(list.counts[id], w2v_vocab_count(corpus->vocab, id));
        }
        vocab_list_clear(&list);
        size_t n;
        char *bytes = support_read(path, &n);
        const char plain[] = "\xef\xbb\xbf\xef\xbb\xbfz 2\nb 2\ncaf\xc3\xa9 1\n\xff 1\n</s> 1\n";
        if (i == 0) {
            assert_string_equal(bytes, plain);
        } else {
            assert_memory_equal(bytes, "\x1f\x8b", 2);
        }
        free(bytes);
    }
    w2v_corpus_free(corpus);
}

static void test_vocab_save_unwritable(void **state)
{
    char path[SUPPORT_PATH];
    const w2v_text_options options = text_options(1);
    w2v_corpus *corpus = text_corpus_ok("a b", &options);
    w2v_error err = {0};
    support_path(*state, "no/such/folder.txt", path);
    assert_int_equal(w2v_vocab_save(corpus->vocab, path, &err), W2V_ERR_IO);
    assert_non_null(strstr(err.text, path));
    err = (w2v_error){0};
    assert_int_equal(w2v_vocab_save(corpus->vocab, "/dev/full", &err), W2V_ERR_IO);
    w2v_corpus_free(corpus);
}

static void test_vocab_find(void **state)
{
    (void)state;
    const w2v_text_options options = text_options(1);
    w2v_corpus *corpus = text_corpus_ok("a ab ab abcdefghijklmnopqrstuvwxyz", &options);
    const w2v_vocab *v = w2v_corpus_vocab(corpus);
    assert_int_equal(w2v_vocab_find(v, "ab", 2), 0);
    assert_int_equal(w2v_vocab_find(v, "abc", 1), 1);
    assert_int_equal(w2v_vocab_find(v, "abcdefghijklmnopqrstuvwxyz", 26), 2);
    assert_int_equal(w2v_vocab_find(v, "abcdefghijklmnopqrstuvwxyz", 25), UINT32_MAX);
    assert_int_equal(w2v_vocab_find(v, "abc", 3), UINT32_MAX);
    assert_int_equal(w2v_vocab_find(v, "", 0), UINT32_MAX);
    assert_int_equal(w2v_vocab_total(v), 4);
    w2v_corpus_free(corpus);
}

typedef struct fake_source {
    uint32_t next; /* no word before it may be copied any more */
    uint32_t copied;
} fake_source;

static size_t fake_word(void *user, uint32_t index, char *out)
{
    fake_source *s = user;
    char word[64];
    const int n = snprintf(word, sizeof word, "%.*s%u", (int)(index % 30),
                           "------------------------------", index);
    if (out) {
        assert_true(index >= s->next);
        s->next = index + 1;
        s->copied++;
        memcpy(out, word, (size_t)n);
    }
    return (size_t)n;
}

/* Words are copied once, in the order of their indices, whatever the order of the vocabulary. */
static void test_vocab_create_copies_in_the_order_of_the_source(void **state)
{
    (void)state;
    enum { WORDS = 500 };
    ranked order[WORDS];
    for (uint32_t i = 0; i < WORDS; i++) { /* every third index is not wanted */
        const uint32_t place = i * 77 % WORDS;
        order[place] = (ranked){.count = WORDS - place, .first = place, .index = i + i / 2};
    }
    fake_source source = {0}, compare = {0};
    w2v_vocab *vocab;
    w2v_error err = {0};
    assert_int_equal(vocab_create(order, WORDS, fake_word, &source, &vocab, &err), W2V_OK);
    assert_int_equal(source.copied, WORDS);
    uint64_t letters = 0;
    for (uint32_t id = 0; id < WORDS; id++) {
        char word[64];
        size_t n;
        const char *got = w2v_vocab_word(vocab, id, &n);
        compare.next = 0;
        assert_int_equal(n, fake_word(&compare, order[id].index, word));
        assert_memory_equal(got, word, n);
        assert_int_equal(got[n], 0);
        assert_int_equal(w2v_vocab_find(vocab, got, n), id);
        assert_int_equal(w2v_vocab_count(vocab, id), WORDS - id);
        letters += n + 1;
    }
    assert_int_equal(w2v_vocab_total(vocab), WORDS * (WORDS + 1) / 2);
    /* letters; eight bytes each of place and count; slots of four bytes, at most half full */
    const uint64_t least = letters + WORDS * 16 + 1024 * 4;
    assert_in_range(vocab_memory(vocab), least, least + 256);
    vocab_free(vocab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_vocab_save_round_trip, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_vocab_save_unwritable, support_setup,
                                        support_teardown),
        cmocka_unit_test(test_vocab_find),
        cmocka_unit_test(test_vocab_create_copies_in_the_order_of_the_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
