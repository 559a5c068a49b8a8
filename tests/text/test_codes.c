/* Pieces of several writers and blocks, joined. */
#include "support.h"

#include "os/file.h"
#include "os/pages.h"
#include "text/codes.h"

enum { A = 0, B = 1, RARE = 2 };
#define MARK CORPUS_BREAK

static void write_chunk(codes_store *s, int writer, uint64_t chunk, const uint32_t *codes, size_t n)
{
    codes_writer *w = &s->writers[writer];
    codes_begin_chunk(w, chunk);
    for (size_t i = 0; i < n; i++) {
        uint32_t *room = codes_room(s, w, 0, NULL);
        assert_non_null(room);
        room[0] = codes[i];
        codes_advance(w, 1);
    }
}

/* Breaks that fall on the edges of chunks, in chunks without a kept token, and at both ends. */
static void finish_edges(uint64_t max_memory, const char *folder)
{
    static const uint32_t c0[] = {MARK, RARE, MARK}, c1[] = {A, MARK, RARE, MARK, B, MARK},
                          c2[] = {RARE}, c3[] = {MARK, RARE}, c4[] = {A, A}, c5[] = {RARE, A},
                          c6[] = {MARK}, c7[] = {RARE, MARK, A, MARK, RARE, MARK};
    /* The second writer numbers A and B the other way round. */
    uint32_t map0[] = {10, 20, CODES_DROPPED}, map1[] = {20, 10, CODES_DROPPED};
    uint32_t *const maps[] = {map0, map1};
    codes_store s;
    codes_result result;
    assert_int_equal(codes_init(&s, 2, CODES_BLOCK_MIN, max_memory, folder, NULL), W2V_OK);
    write_chunk(&s, 0, 0, c0, 3);
    write_chunk(&s, 0, 1, c1, 6);
    write_chunk(&s, 0, 2, c2, 1);
    write_chunk(&s, 1, 3, c3, 2);
    write_chunk(&s, 1, 4, c4, 2); /* of the second writer: B B */
    write_chunk(&s, 0, 5, c5, 2);
    write_chunk(&s, 1, 6, c6, 1);
    write_chunk(&s, 0, 7, c7, 6);
    assert_int_equal(codes_finish(&s, maps, 0, 2, &result, NULL), W2V_OK);
    static const uint32_t expected[] = {10, MARK, 20, MARK, 20, 20, 10, MARK, 10};
    uint32_t read[9];
    assert_int_equal(result.length, 9);
    assert_int_equal(result.tokens, 6);
    assert_int_equal(result.sentences, 4);
    if (max_memory) {
        size_t got;
        assert_null(result.codes);
        assert_int_equal(file_pread(result.spill_fd, read, sizeof read, 0, &got), 0);
        assert_int_equal(got, sizeof read);
        file_close(result.spill_fd);
    } else {
        memcpy(read, result.codes, sizeof read);
        pages_free(result.codes, result.codes_bytes);
    }
    assert_memory_equal(read, expected, sizeof expected);
    codes_clear(&s);
}

static void test_codes_finish_edges(void **state)
{
    finish_edges(0, *state);
    finish_edges(1, *state);
}

/* Enough codes for many blocks, most of them written to disk on the way. */
static void test_codes_finish_many_blocks(void **state)
{
    enum { CHUNKS = 300, EACH = 97 };
    uint32_t *map = malloc(EACH * sizeof *map);
    assert_non_null(map);
    for (uint32_t i = 0; i < EACH; i++) {
        map[i] = 1000 + i;
    }
    for (uint64_t limit = 0; limit < 20000; limit += 9000) {
        uint32_t *const maps[] = {map, map, map};
        codes_store s;
        codes_result result;
        assert_int_equal(codes_init(&s, 3, CODES_BLOCK_MIN, limit, *state, NULL), W2V_OK);
        for (uint64_t c = 0; c < CHUNKS; c++) {
            uint32_t codes[EACH];
            for (uint32_t i = 0; i < EACH; i++) {
                codes[i] = (uint32_t)(c + i) % EACH;
            }
            write_chunk(&s, (int)(c * c % 3), c, codes, EACH);
        }
        assert_int_equal(s.spill_fd >= 0, limit > 0);
        assert_true(limit == 0 || s.memory <= limit);
        assert_int_equal(codes_finish(&s, maps, 0, 3, &result, NULL), W2V_OK);
        assert_int_equal(result.length, CHUNKS * EACH);
        assert_int_equal(result.sentences, 1);
        for (uint64_t i = 0; i < result.length; i++) {
            uint32_t code = 0;
            size_t got;
            if (limit) {
                assert_int_equal(file_pread(result.spill_fd, &code, 4, 4 * i, &got), 0);
            } else {
                code = result.codes[i];
            }
            assert_int_equal(code, 1000 + (i / EACH + i % EACH) % EACH);
        }
        pages_free(result.codes, result.codes_bytes);
        if (result.spill_fd >= 0) {
            file_close(result.spill_fd);
        }
        codes_clear(&s);
    }
    assert_int_equal(support_count(*state), 0);
    free(map);
}

static void test_codes_finish_nothing(void **state)
{
    uint32_t map[] = {CODES_DROPPED};
    uint32_t *const maps[] = {map};
    static const uint32_t codes[] = {0, MARK, 0};
    codes_store s;
    codes_result result;
    assert_int_equal(codes_init(&s, 1, CODES_BLOCK_MIN, 0, *state, NULL), W2V_OK);
    write_chunk(&s, 0, 0, codes, 3);
    assert_int_equal(codes_finish(&s, maps, 0, 1, &result, NULL), W2V_OK);
    assert_int_equal(result.length, 0);
    assert_int_equal(result.sentences, 0);
    assert_null(result.codes);
    codes_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_codes_finish_edges, support_setup, support_teardown),
        cmocka_unit_test_setup_teardown(test_codes_finish_many_blocks, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_codes_finish_nothing, support_setup, support_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
