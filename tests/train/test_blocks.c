/* Blocks hold the text exactly, begin at pieces, and the rate falls along one line over all epochs.
 */
#include "train_support.h"

#include "train/blocks.h"

/* From the definition alone: does a piece of at most max_sentence tokens begin at `code`? */
static void mark_piece_starts(const w2v_corpus *c, uint32_t max_sentence, bool *starts)
{
    uint32_t length = 0;
    for (uint64_t i = 0; i < c->length; i++) {
        if (c->codes[i] == CORPUS_BREAK) {
            length = 0;
        } else {
            starts[i] = length % max_sentence == 0;
            length++;
        }
    }
}

/* Whole pieces, one after the other; and no block could end before its last piece and still be a
   hundredth of the text, so that the rate falls in small steps. */
static void assert_blocks(const w2v_corpus *c, uint32_t max_sentence, const blocks *b)
{
    bool *starts = calloc(c->length, sizeof *starts);
    assert_non_null(starts);
    mark_piece_starts(c, max_sentence, starts);
    uint64_t tokens = 0, longest = 0, longest_piece = 0;
    assert_true(b->count > 0);
    assert_int_equal(b->begin[0], 0);
    assert_int_equal(b->begin[b->count], c->length);
    for (uint64_t k = 0; k < b->count; k++) {
        assert_true(b->begin[k] < b->begin[k + 1]);
        assert_true(starts[b->begin[k]]);
        assert_int_equal(b->before[k], tokens);
        uint64_t last_piece = tokens;
        for (uint64_t i = b->begin[k]; i < b->begin[k + 1]; i++) {
            last_piece = starts[i] ? tokens : last_piece;
            tokens += c->codes[i] != CORPUS_BREAK;
            longest_piece =
                tokens - last_piece > longest_piece ? tokens - last_piece : longest_piece;
        }
        assert_true((last_piece - b->before[k]) * 100 <= c->stats.tokens_kept);
        const uint64_t length = b->begin[k + 1] - b->begin[k];
        longest = length > longest ? length : longest;
    }
    assert_int_equal(b->before[b->count], tokens);
    assert_int_equal(tokens, c->stats.tokens_kept);
    assert_int_equal(b->max_codes, longest);
    assert_true(longest_piece <= max_sentence);
    assert_true(b->count >= 100 || longest_piece * 200 > tokens);
    free(starts);
}

static void test_blocks_init_cover_the_text(void **state)
{
    (void)state;
    const uint32_t lengths[][2] = {{1, 1}, {1, 5}, {2, 40}, {7, 7}, {1, 300}, {5000, 5000}};
    const uint64_t tokens[] = {1, 2, 3, 199, 200, 201, 401, 5000, 40001};
    const uint32_t cuts[] = {2, 7, 40, 1000};
    for (size_t l = 0; l < SUPPORT_COUNT(lengths); l++) {
        for (size_t t = 0; t < SUPPORT_COUNT(tokens); t++) {
            w2v_corpus *c = text_random(
                (text_recipe){tokens[t], 50, lengths[l][0], lengths[l][1], false, l * 100 + t});
            for (size_t k = 0; k < SUPPORT_COUNT(cuts); k++) {
                blocks b;
                assert_int_equal(blocks_init(&b, c, cuts[k], NULL), W2V_OK);
                assert_blocks(c, cuts[k], &b);
                blocks_clear(&b);
            }
            text_free(c);
        }
    }
}

/* A sentence of exactly max_sentence tokens is one piece; one more begins another. */
static void test_blocks_init_cuts_at_max_sentence(void **state)
{
    (void)state;
    const uint32_t codes[] = {0, 1, 2, CORPUS_BREAK, 3, 4, 5, 6, CORPUS_BREAK, 7, 8, 9, 10, 11, 12};
    const uint64_t begins[] = {0, 4, 7, 9, 12, 15}, before[] = {0, 3, 6, 7, 10, 13};
    w2v_corpus *c = text_create(codes, SUPPORT_COUNT(codes), 13);
    blocks b;
    assert_int_equal(blocks_init(&b, c, 3, NULL), W2V_OK);
    assert_int_equal(b.count, 5);
    assert_int_equal(b.cuts, 2);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(b.begin[i], begins[i]);
        assert_int_equal(b.before[i], before[i]);
    }
    blocks_clear(&b);
    text_free(c);
}

/* A text on disk, longer than what is read of it at a time, gives the same blocks. */
static void test_blocks_init_spilled(void **state)
{
    (void)state;
    w2v_corpus *c =
        text_random((text_recipe){train_small() ? 300000 : 2300000, 1000, 1, 60, true, 3});
    blocks memory, disk;
    assert_int_equal(blocks_init(&memory, c, 25, NULL), W2V_OK);
    assert_blocks(c, 25, &memory);
    text_spill(c);
    assert_int_equal(blocks_init(&disk, c, 25, NULL), W2V_OK);
    assert_int_equal(disk.count, memory.count);
    assert_int_equal(disk.max_codes, memory.max_codes);
    assert_memory_equal(disk.begin, memory.begin, (memory.count + 1) * sizeof *memory.begin);
    assert_memory_equal(disk.before, memory.before, (memory.count + 1) * sizeof *memory.before);
    blocks_clear(&memory);
    blocks_clear(&disk);
    text_free(c);
}

/* The file has become shorter: an error, and nothing is left. */
static void test_blocks_init_spilled_and_cut(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){1000, 10, 5, 5, false, 3});
    text_spill(c);
    assert_int_equal(ftruncate(c->spill_fd, 100), 0);
    blocks b;
    w2v_error err = {0};
    assert_int_equal(blocks_init(&b, c, 25, &err), W2V_ERR_IO);
    assert_true(err.text[0] != '\0');
    assert_null(b.begin);
    text_free(c);
}

/* A hundred blocks of ten tokens, without a text. */
static void even_blocks(blocks *b, uint64_t before[101])
{
    for (uint64_t i = 0; i <= 100; i++) {
        before[i] = 10 * i;
    }
    *b = (blocks){.before = before, .count = 100};
}

static void test_blocks_rate_at_quarters(void **state)
{
    (void)state;
    blocks b;
    uint64_t before[101];
    even_blocks(&b, before);
    const double lr = 0.025;
    for (uint64_t quarter = 0; quarter < 4; quarter++) {
        const double right = lr * (1.0 - 0.25 * (double)quarter);
        const uint64_t five = 125 * quarter;
        assert_true(fabs(blocks_rate(&b, lr, 0, 1, 25 * quarter) - right) < 1e-15);
        assert_true(fabs(blocks_rate(&b, lr, (uint32_t)(five / 100), 5, five % 100) - right) <
                    1e-15);
    }
    /* the last block still has its own place on the line; behind it is the floor */
    assert_true(fabs(blocks_rate(&b, lr, 0, 1, 99) - lr * 0.01) < 1e-15);
    assert_true(fabs(blocks_rate(&b, lr, 4, 5, 99) - lr * 0.002) < 1e-15);
    assert_true(fabs(blocks_rate(&b, lr, 0, 1, 100) - lr * 1e-4) < 1e-15);
    assert_true(fabs(blocks_rate(&b, lr, 4, 5, 100) - lr * 1e-4) < 1e-15);
}

/* One straight line over all epochs, no sawtooth, never below a ten thousandth of the start. */
static void test_blocks_rate_is_one_line(void **state)
{
    (void)state;
    w2v_corpus *c = text_random((text_recipe){20000, 50, 3, 70, false, 4});
    const uint32_t epoch_counts[] = {1, 5, 100};
    blocks b;
    assert_int_equal(blocks_init(&b, c, 50, NULL), W2V_OK);
    for (size_t k = 0; k < SUPPORT_COUNT(epoch_counts); k++) {
        const uint32_t epochs = epoch_counts[k];
        double last = 1.0;
        for (uint32_t e = 0; e < epochs; e++) {
            for (uint64_t i = 0; i < b.count; i++) {
                const double rate = blocks_rate(&b, 0.5, e, epochs, i);
                const double done = ((double)e + (double)b.before[i] / 20000.0) / epochs;
                assert_true(fabs(rate - 0.5 * fmax(1.0 - done, 1e-4)) < 1e-12);
                assert_true(rate < last || (rate == last && rate == 0.5 * 1e-4));
                assert_true(rate >= 0.5 * 1e-4);
                last = rate;
            }
        }
    }
    blocks_clear(&b);
    text_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_init_cover_the_text),
        cmocka_unit_test(test_blocks_init_cuts_at_max_sentence),
        cmocka_unit_test(test_blocks_init_spilled),
        cmocka_unit_test(test_blocks_init_spilled_and_cut),
        cmocka_unit_test(test_blocks_rate_at_quarters),
        cmocka_unit_test(test_blocks_rate_is_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
