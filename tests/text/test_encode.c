/* The parallel pass against the oracle: random bytes, cut, packed, spilled and threaded every way.
 */
#include "text/texts.h"

#include "text/oracle.h"

#include "base/rng.h"
#include "text/chunk.h"
#include "text/codes.h"

#define TEXT_MAX ((size_t)40000)

/* Pieces of text that a reader gets wrong when it is careless. */
static const char *const parts[] = {
    "the",
    "cat",
    "sat",
    "a",
    "internationalisation",
    "sixteen-letters!",
    "seventeen-letters",
    "eightlet",
    " ",
    " ",
    " ",
    " ",
    " ",
    "  ",
    "\t",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\r\r\n",
    "\n\n",
    "\v",
    "\f",
    "\xc2\xa0",
    "\xc2\x85",
    "\xe3\x80\x80",
    "\xe2\x80\xa8",
    "\xe2\x80\x89",
    "\xe1\x9a\x80",
    "\xef\xbb\xbf",
    "caf\xc3\xa9",
    "\xe0\xb9\x81\xe0\xb8\xa1\xe0\xb8\xa7",
    "\xe7\x8c\xab",
    "\xf0\x9f\x90\x88",
    "\xff",
    "\xe9",
    "\xe3\x80",
    "\xe3",
    "\xc2",
    "\xf0\x9f\x90",
    "\xf0\x9f",
    "\x80",
    "\xbf\x80",
    "\xc0\x80",
    "\xe0\x80\x80",
    "\xed\xa0\x80",
    "\xf5",
    "\x1c",
    "\x1f",
    "</s>",
    "<unk>",
    "|",
};

static const char *const wide[] = {"caf\xc3\xa9", "\xe0\xb8\xa1\xe0\xb8\xa7", "\xf0\x9f\x90\x88",
                                   "\xf0\x9f\x90"};

static size_t random_text(rng *r, size_t size, char *out)
{
    size_t n = 0;
    while (n < size) {
        const uint32_t kind = rng_below(r, 400);
        if (kind < 380) {
            const char *part = parts[rng_below(r, SUPPORT_COUNT(parts))];
            memcpy(out + n, part, strlen(part));
            n += strlen(part);
        } else if (kind < 385) {
            out[n++] = '\0';
        } else if (kind < 399 || n + 10000 > TEXT_MAX) {
            out[n++] = (char)rng_below(r, 256);
        } else {
            /* A token about as long as a word may be, or far too long. */
            const size_t length = rng_below(r, 3) ? 4090 + rng_below(r, 12) : 9000;
            const char *part = wide[rng_below(r, 4)]; /* no cut may part a character */
            for (size_t end = n + length; n < end;) {
                memcpy(out + n, part, strlen(part));
                n += strlen(part);
            }
        }
    }
    return n;
}

/* How one text is given to the reader. */
typedef struct variant {
    int threads;
    size_t chunk;
    bool gzip, spill, count_only;
} variant;

static void check_variant(const oracle *o, const w2v_inputs *inputs, const char *folder,
                          const variant *v, uint64_t min_count, uint64_t vocab_size)
{
    w2v_text_options options = text_options(min_count);
    options.vocab_size = vocab_size;
    options.threads = v->threads;
    options.lines_are_sentences = o->lines_are_sentences;
    options.invalid_utf8 = o->invalid_utf8;
    options.max_memory = v->spill ? 1 : 0;
    options.tmp_dir = folder;
    const encode_request request = {
        .inputs = inputs,
        .options = &options,
        .sizes = {.chunk = v->chunk, .block_codes = CODES_BLOCK_MIN},
        .encode = !v->count_only,
    };
    w2v_corpus *corpus = NULL;
    w2v_error err = {0};
    const w2v_status status = encode_text(&request, &corpus, &err);
    if (status != W2V_OK) {
        fail_msg("threads %d, chunk %zu: %s", v->threads, v->chunk, err.text);
    }
    oracle_check(o, corpus, min_count, vocab_size);
    const bool on_disk = v->spill && !v->count_only && corpus->length > 0;
    assert_int_equal(corpus->stats.spilled, on_disk ? 4 * corpus->length : 0);
    assert_int_equal(corpus->spill_fd >= 0, on_disk);
    w2v_corpus_free(corpus);
}

static const variant variants[] = {
    {1, (size_t)1 << 18, false, false, false},
    {1, 16, false, false, false},
    {2, 17, true, false, false},
    {3, 64, false, true, false},
    {8, 23, false, false, true},
    {4, 100, true, true, false},
    {8, 1000, false, false, false},
    {1, 4097, true, false, true},
    {2, 5000, false, true, false},
    {5, 33, false, true, false},
};

/* Writes `text`, cut in up to three files, plain or gzip, and compares all variants. */
static void check_text(const char *folder, rng *r, const char *text, size_t n)
{
    const size_t inputs_wanted = 1 + rng_below(r, 3);
    char names[2][3][SUPPORT_PATH];
    const char *paths[2][3];
    oracle o = {.lines_are_sentences = rng_below(r, 4) > 0,
                .invalid_utf8 = (w2v_invalid_utf8)rng_below(r, 3)};
    size_t start = 0;
    for (size_t i = 0; i < inputs_wanted; i++) {
        const size_t left = n - start;
        const size_t size = i + 1 == inputs_wanted ? left : rng_below(r, (uint32_t)left + 1);
        oracle_take_input(&o, text + start, size);
        for (int gzip = 0; gzip < 2; gzip++) {
            char name[32];
            snprintf(name, sizeof name, "%zu.txt%s", i, gzip ? ".gz" : "");
            paths[gzip][i] = support_path(folder, name, names[gzip][i]);
            if (gzip) {
                text_write_gzip(names[gzip][i], text + start, size);
            } else {
                support_write(names[gzip][i], text + start, size);
            }
        }
        start += size;
    }
    const uint64_t min_count = 1 + rng_below(r, 3);
    const uint64_t vocab_size = rng_below(r, 2) ? 0 : 1 + rng_below(r, 20);
    uint64_t top = 0;
    for (size_t i = 0; i < o.types; i++) {
        top = o.words[i].count > top ? o.words[i].count : top;
    }
    for (size_t i = 0; i < SUPPORT_COUNT(variants) && top >= min_count; i++) {
        w2v_inputs *inputs = text_inputs(paths[variants[i].gzip], inputs_wanted);
        check_variant(&o, inputs, folder, &variants[i], min_count, vocab_size);
        w2v_inputs_free(inputs);
    }
    oracle_clear(&o);
}

static void test_encode_text_random_bytes(void **state)
{
    const char *seed_text = getenv("W2V_TEST_SEED");
    const uint64_t seed = seed_text ? strtoull(seed_text, NULL, 10) : 1;
    char *text = malloc(TEXT_MAX + 16384);
    assert_non_null(text);
    print_message("seed %llu (W2V_TEST_SEED)\n", (unsigned long long)seed);
    for (uint64_t round = 0; round < 100; round++) {
        rng r = rng_stream(seed, RNG_INIT, round, 0);
        const size_t size = rng_below(&r, 6) ? rng_below(&r, 400) : rng_below(&r, 20000);
        const size_t n = random_text(&r, size, text);
        check_text(*state, &r, text, n);
    }
    free(text);
}

/* Case 41: nothing is lost, doubled or cut in two for any number of threads. */
static void test_encode_text_slices(void **state)
{
    char path[SUPPORT_PATH];
    support_path(*state, "slices.txt", path);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < 1001; i++) {
        fprintf(f, "s%d e%d\n", i, i);
    }
    fclose(f);
    size_t n;
    char *text = support_read(path, &n);
    oracle o = {.lines_are_sentences = true};
    oracle_take_input(&o, text, n);
    const char *const paths[] = {path};
    w2v_inputs *inputs = text_inputs(paths, 1);
    for (int threads = 1; threads <= 64; threads *= 2) {
        const variant v = {.threads = threads, .chunk = 50};
        check_variant(&o, inputs, *state, &v, 1, 0);
    }
    assert_int_equal(o.tokens, 2002);
    w2v_inputs_free(inputs);
    oracle_clear(&o);
    free(text);
}

/* Case 13, the monster: longer than any buffer, counted once, and what stands around it is kept. */
static void test_encode_text_monster_token(void **state)
{
    char path[SUPPORT_PATH];
    const size_t n = 3000000;
    char *text = malloc(n + 16);
    assert_non_null(text);
    memcpy(text, "before ", 7);
    memset(text + 7, 'z', n);
    text[7 + 1000000] = '\xe9'; /* found in the middle, too */
    memcpy(text + 7 + n, " after\n", 7);
    support_write(support_path(*state, "monster.txt", path), text, n + 14);
    const char *const paths[] = {path};
    w2v_inputs *inputs = text_inputs(paths, 1);
    oracle o = {.lines_are_sentences = true};
    oracle_take_input(&o, text, n + 14);
    assert_int_equal(o.long_tokens, 1);
    assert_int_equal(o.invalid_offset, 7 + 1000000);
    for (size_t size = 16; size < 1u << 20; size *= 9) {
        const variant v = {.threads = 2, .chunk = size};
        check_variant(&o, inputs, *state, &v, 1, 0);
    }
    oracle_clear(&o);
    w2v_inputs_free(inputs);
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_encode_text_random_bytes),
        TEST(test_encode_text_slices),
        TEST(test_encode_text_monster_token),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
