/* The parallel pass against the oracle: random bytes, cut, packed, spilled and threaded every way.
 */
#include "text/texts.h"

#include "text/oracle.h"

#include "base/mem.h"
#include "base/rng.h"
#include "text/chunk.h"
#include "text/codes.h"

#include <fcntl.h>

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

/* The same text whole, in pieces cut at line ends, packed, and through a FIFO. */
static void test_encode_text_same_codes_however_stored(void **state)
{
    char whole[SUPPORT_PATH], first[SUPPORT_PATH], second[SUPPORT_PATH], fifo[SUPPORT_PATH];
    const char text[] = "b a\nc a b\nd d d a\n";
    const size_t cut = strlen("b a\nc a b\n");
    support_write(support_path(*state, "whole.txt", whole), text, strlen(text));
    text_write_gzip(support_path(*state, "first.gz", first), text, cut);
    support_write_text(support_path(*state, "second", second), text + cut);
    assert_int_equal(mkfifo(support_path(*state, "fifo", fifo), 0600), 0);
    const char *const paths[3][2] = {{whole, NULL}, {first, second}, {fifo, NULL}};
    for (int i = 0; i < 3; i++) {
        pid_t writer = -1;
        if (i == 2) {
            writer = fork();
            if (writer == 0) {
                const int fd = open(fifo, O_WRONLY);
                for (const char *p = text; *p; p++) {
                    if (write(fd, p, 1) != 1) {
                        _exit(1);
                    }
                }
                _exit(0);
            }
        }
        w2v_inputs *inputs = text_inputs(paths[i], paths[i][1] ? 2 : 1);
        const w2v_text_options options = text_options(1);
        w2v_corpus *corpus = NULL;
        assert_int_equal(w2v_corpus_create(inputs, &options, NULL, NULL, &corpus, NULL), W2V_OK);
        assert_codes(corpus, "b a | c a b | d d d a");
        assert_word(corpus, 0, "a", 3);
        assert_word(corpus, 1, "d", 3);
        assert_word(corpus, 2, "b", 2);
        assert_word(corpus, 3, "c", 1);
        assert_int_equal(corpus->stats.lines, 3);
        assert_int_equal(corpus->stats.sentences, 3);
        w2v_corpus_free(corpus);
        w2v_inputs_free(inputs);
        if (writer > 0) {
            int status;
            waitpid(writer, &status, 0);
            assert_int_equal(status, 0);
        }
    }
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

/* Case 25: a table that grows loses nothing. */
static void test_encode_text_many_types(void **state)
{
    char path[SUPPORT_PATH];
    support_path(*state, "manytypes.txt", path);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < 200000; i++) {
        fprintf(f, "k%07d k%07d\n", i, i);
    }
    fclose(f);
    const char *const paths[] = {path};
    w2v_inputs *inputs = text_inputs(paths, 1);
    w2v_text_options options = text_options(2);
    options.threads = 3;
    w2v_corpus *corpus = NULL;
    assert_int_equal(w2v_corpus_create(inputs, &options, NULL, NULL, &corpus, NULL), W2V_OK);
    assert_int_equal(corpus->stats.types, 200000);
    assert_int_equal(corpus->stats.types_kept, 200000);
    for (uint32_t i = 0; i < 200000; i++) { /* all alike: in the order of the text */
        char word[16];
        snprintf(word, sizeof word, "k%07u", i);
        assert_string_equal(w2v_vocab_word(corpus->vocab, i, NULL), word);
        assert_int_equal(w2v_vocab_count(corpus->vocab, i), 2);
    }
    w2v_corpus_free(corpus);
    w2v_inputs_free(inputs);
}

/* Only part of the text goes to disk, and the end fits in memory again. */
static void test_encode_text_spills_for_a_while(void **state)
{
    char path[SUPPORT_PATH];
    support_path(*state, "text.txt", path);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < 40000; i++) {
        fprintf(f, "often w%d\n",
                i); /* one word in two is dropped, and all breaks but one in two */
    }
    fclose(f);
    const char *const paths[] = {path};
    w2v_inputs *inputs = text_inputs(paths, 1);
    w2v_text_options options = text_options(2);
    options.max_memory = 2400000; /* less than tables and all codes, more than the codes kept */
    const encode_request request = {.inputs = inputs,
                                    .options = &options,
                                    .sizes = {.chunk = 1000, .block_codes = 1000},
                                    .encode = true};
    w2v_corpus *corpus = NULL;
    options.tmp_dir = path; /* no folder: so it does need one on the way */
    assert_int_equal(encode_text(&request, &corpus, NULL), W2V_ERR_IO);
    options.tmp_dir = *state;
    assert_int_equal(encode_text(&request, &corpus, NULL), W2V_OK);
    assert_int_equal(corpus->stats.spilled, 0);
    assert_int_equal(corpus->length, 79999);
    for (size_t i = 0; i < 79999; i++) {
        assert_int_equal(corpus->codes[i], i % 2 ? CORPUS_BREAK : 0);
    }
    w2v_corpus_free(corpus);
    w2v_inputs_free(inputs);
}

/* Long words of several workers, at every count: each comes out whole. */
static void test_encode_text_many_long_words(void **state)
{
    enum { WORDS = 9000 };
    char path[SUPPORT_PATH], list[SUPPORT_PATH], word[400];
    FILE *f = fopen(support_path(*state, "long.txt", path), "w");
    FILE *g = fopen(support_path(*state, "list.txt", list), "w");
    assert_non_null(f);
    assert_non_null(g);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < WORDS; i++) {
            const int width = 10 + i % 300;
            if (round <= i % 4) {
                fprintf(f, "%0*d\n", width, i);
            }
            if (round == 0 && i % 2) {
                fprintf(g, "%0*d\n", width, i);
            }
        }
    }
    fclose(f);
    fclose(g);
    const char *const paths[] = {path};
    w2v_inputs *inputs = text_inputs(paths, 1);
    for (int k = 0; k < 8; k++) {
        w2v_text_options options = text_options(k & 1 ? 2 : 1);
        options.threads = k & 2 ? 3 : 1;
        options.read_vocab = k & 4 ? list : NULL;
        const encode_request request = {.inputs = inputs,
                                        .options = &options,
                                        .sizes = {.chunk = 20000, .block_codes = 1000},
                                        .encode = true};
        w2v_corpus *corpus = NULL;
        assert_int_equal(encode_text(&request, &corpus, NULL), W2V_OK);
        uint32_t kept = 0;
        for (int i = 0; i < WORDS; i++) {
            const uint64_t count = i % 4 < 2 ? (uint64_t)(i % 4) + 1 : 3;
            const bool in = k & 4 ? i % 2 : count >= options.min_count;
            snprintf(word, sizeof word, "%0*d", 10 + i % 300, i);
            const uint32_t id = w2v_vocab_find(corpus->vocab, word, strlen(word));
            assert_true((id != UINT32_MAX) == in);
            kept += in;
            if (in) {
                assert_string_equal(w2v_vocab_word(corpus->vocab, id, NULL), word);
                assert_int_equal(w2v_vocab_count(corpus->vocab, id), count);
            }
        }
        assert_int_equal(w2v_vocab_size(corpus->vocab), kept);
        w2v_corpus_free(corpus);
    }
    w2v_inputs_free(inputs);
}

/* Overwrites all that is spilled so far with the code of the first word. */
static int spoil(void *user, uint64_t done, uint64_t total, uint64_t tokens)
{
    (void)done;
    (void)total;
    (void)tokens;
    bool *spoilt = user;
    DIR *d = opendir("/proc/self/fd");
    assert_non_null(d);
    for (const struct dirent *e; (e = readdir(d)) != NULL;) {
        char link[SUPPORT_PATH], target[SUPPORT_PATH];
        snprintf(link, sizeof link, "/proc/self/fd/%.100s", e->d_name);
        const ssize_t n = readlink(link, target, sizeof target - 1);
        target[n > 0 ? n : 0] = '\0';
        struct stat facts;
        const int fd = atoi(e->d_name);
        if (strstr(target, "(deleted)") && fstat(fd, &facts) == 0 && facts.st_size > 0) {
            char *zeros = calloc(1, (size_t)facts.st_size);
            assert_int_equal(pwrite(fd, zeros, (size_t)facts.st_size, 0), facts.st_size);
            free(zeros);
            *spoilt = true;
        }
    }
    closedir(d);
    return 0;
}

static void test_encode_text_spilled_text_that_is_changed(void **state)
{
    char path[SUPPORT_PATH], expected[128];
    FILE *f = fopen(support_path(*state, "text.txt", path), "w");
    assert_non_null(f);
    for (int i = 0; i < 40000; i++) {
        fprintf(f, "often w%d ", i); /* one word in two is dropped, until its code is changed */
    }
    fclose(f);
    const char *const paths[] = {path};
    w2v_inputs *inputs = text_inputs(paths, 1);
    bool spoilt = false;
    w2v_text_options options = text_options(2);
    options.max_memory = 1000;
    options.tmp_dir = *state;
    const encode_request request = {.inputs = inputs,
                                    .options = &options,
                                    .sizes = {.chunk = 1000, .block_codes = 1000},
                                    .encode = true,
                                    .progress = spoil,
                                    .user = &spoilt};
    w2v_corpus *corpus = NULL;
    w2v_error err = {0};
    assert_int_equal(encode_text(&request, &corpus, &err), W2V_ERR_IO);
    assert_true(spoilt);
    assert_null(corpus);
    snprintf(expected, sizeof expected, "counted 40000 tokens but encoded ");
    assert_memory_equal(err.text, expected, strlen(expected));
    assert_true(strtoul(err.text + strlen(expected), NULL, 10) > 50000);
    w2v_inputs_free(inputs);
}

static void test_encode_text_no_folder_to_spill_to(void **state)
{
    char path[SUPPORT_PATH], missing[SUPPORT_PATH];
    support_write_text(support_path(*state, "text.txt", path), "a a a");
    support_path(*state, "missing", missing);
    const char *const paths[] = {path};
    w2v_inputs *inputs = text_inputs(paths, 1);
    w2v_text_options options = text_options(1);
    options.max_memory = 1;
    options.tmp_dir = missing;
    w2v_corpus *corpus = NULL;
    w2v_error err = {0};
    assert_int_equal(w2v_corpus_create(inputs, &options, NULL, NULL, &corpus, &err), W2V_ERR_IO);
    assert_null(corpus);
    assert_non_null(strstr(err.text, missing));
    w2v_inputs_free(inputs);
}

/* Every failing allocation ends in one clean error. */
static void test_encode_text_out_of_memory(void **state)
{
    char path[SUPPORT_PATH], list[SUPPORT_PATH];
    support_write_text(support_path(*state, "text.txt", path),
                       "a b c caf\xc3\xa9 a-word-of-more-than-sixteen-letters b \xff\n c a\n");
    support_write_text(support_path(*state, "list.txt", list), "a\nb\nnever-seen\n");
    const char *const paths[] = {path};
    w2v_inputs *inputs = text_inputs(paths, 1);
    w2v_text_options options = text_options(1);
    options.hash_inputs = true;
    options.invalid_utf8 = W2V_UTF8_REPLACE;
    for (int with_list = 0; with_list < 2; with_list++) {
        options.read_vocab = with_list ? list : NULL;
        bool done = false;
        uint64_t n = 0;
        while (!done) {
            w2v_corpus *corpus = NULL;
            w2v_error err = {0};
            mem_fail_at(++n, false);
            const w2v_status status =
                w2v_corpus_create(inputs, &options, NULL, NULL, &corpus, &err);
            done = mem_tries() < n;
            mem_fail_at(0, false);
            assert_int_equal(status, done ? W2V_OK : W2V_ERR_MEMORY);
            assert_true((corpus != NULL) == done);
            w2v_corpus_free(corpus);
        }
        assert_true(n > 15);
    }
    w2v_inputs_free(inputs);
}

/* Words may have 4,096 bytes and no more. */
static void test_encode_text_longest_word(void **state)
{
    char path[SUPPORT_PATH];
    char *text = malloc(4 * 4100);
    assert_non_null(text);
    for (size_t n = 4095; n <= 4097; n++) {
        memset(text, 'w', n);
        support_write(support_path(*state, "text.txt", path), text, n);
        const char *const paths[] = {path};
        w2v_inputs *inputs = text_inputs(paths, 1);
        const w2v_text_options options = text_options(1);
        w2v_corpus *corpus = NULL;
        w2v_error err = {0};
        const w2v_status status = w2v_corpus_create(inputs, &options, NULL, NULL, &corpus, &err);
        if (n <= 4096) {
            size_t length;
            assert_int_equal(status, W2V_OK);
            w2v_vocab_word(corpus->vocab, 0, &length);
            assert_int_equal(length, n);
            assert_int_equal(corpus->stats.long_tokens, 0);
        } else {
            assert_int_equal(status, W2V_ERR_INPUT);
            assert_non_null(strstr(err.text, "has no words but 1 over 4,096 bytes"));
        }
        w2v_corpus_free(corpus);
        w2v_inputs_free(inputs);
    }
    free(text);
}

/* The first byte that is not UTF-8 is named by its input and its place there. */
static void test_encode_text_first_invalid(void **state)
{
    char first[SUPPORT_PATH], second[SUPPORT_PATH];
    support_write_text(support_path(*state, "first", first), "all is fine here\n");
    text_write_gzip(support_path(*state, "second.gz", second),
                    "\xef\xbb\xbf"
                    "ab \xff c \xfe",
                    11);
    const char *const paths[] = {first, second};
    w2v_inputs *inputs = text_inputs(paths, 2);
    w2v_text_options options = text_options(1);
    for (int threads = 1; threads <= 3; threads++) {
        options.threads = threads;
        options.invalid_utf8 = W2V_UTF8_KEEP;
        const encode_request request = {.inputs = inputs,
                                        .options = &options,
                                        .sizes = {CHUNK_SIZE_MIN, CODES_BLOCK_MIN},
                                        .encode = true};
        w2v_corpus *corpus = NULL;
        w2v_error err = {0};
        assert_int_equal(encode_text(&request, &corpus, NULL), W2V_OK);
        assert_int_equal(corpus->stats.invalid_utf8, 2);
        assert_int_equal(corpus->stats.invalid_input, 1);
        assert_int_equal(corpus->stats.invalid_offset, 6);
        w2v_corpus_free(corpus);
        options.invalid_utf8 = W2V_UTF8_FAIL;
        assert_int_equal(encode_text(&request, &corpus, &err), W2V_ERR_INPUT);
        assert_null(corpus);
        assert_int_equal(err.offset, 6);
        assert_non_null(strstr(err.text, second));
        assert_non_null(strstr(err.text, "is not UTF-8 at byte 6"));
    }
    w2v_inputs_free(inputs);
}

/* A real text, where there is one: the same however it is read, and all of it. */
static void test_encode_text_real(void **state)
{
    static const char *const names[] = {"german.txt.gz", "thai-social-crlf-emoji.txt.gz",
                                        "many-encodings-invalid-utf8.txt.gz"};
    const char *root = getenv("W2V_TEST_DATA");
    for (size_t i = 0; i < SUPPORT_COUNT(names); i++) {
        char path[SUPPORT_PATH];
        snprintf(path, sizeof path, "%s/data/%s", root ? root : "", names[i]);
        if (!root || !support_exists(path)) {
            print_message("skipped: no '%s' (W2V_TEST_DATA names the folder above data/)\n",
                          names[i]);
            skip();
        }
        const char *const paths[] = {path};
        w2v_inputs *inputs = text_inputs(paths, 1);
        w2v_corpus *corpora[2] = {NULL, NULL};
        w2v_text_options options = text_options(2);
        options.tmp_dir = *state;
        for (int k = 0; k < 2; k++) {
            options.threads = k ? 4 : 1;
            options.max_memory = k ? 1000000 : 0;
            const encode_request request = {.inputs = inputs,
                                            .options = &options,
                                            .sizes = k ? (encode_sizes){5000, 4096}
                                                       : ENCODE_SIZES_DEFAULT,
                                            .encode = true};
            assert_int_equal(encode_text(&request, &corpora[k], NULL), W2V_OK);
        }
        const uint64_t length = corpora[0]->length;
        uint32_t *buffer = malloc(length * sizeof *buffer);
        assert_non_null(buffer);
        assert_int_equal(corpora[1]->length, length);
        assert_true(corpora[1]->spill_fd >= 0 || corpora[1]->stats.spilled == 0);
        const uint32_t *codes = corpus_read(corpora[1], 0, length, buffer, NULL);
        assert_memory_equal(codes, corpora[0]->codes, length * sizeof *buffer);
        assert_int_equal(corpora[1]->stats.invalid_utf8, corpora[0]->stats.invalid_utf8);
        assert_int_equal(corpora[1]->stats.invalid_offset, corpora[0]->stats.invalid_offset);
        assert_int_equal(corpora[1]->stats.lines, corpora[0]->stats.lines);
        free(buffer);
        w2v_corpus_free(corpora[0]);
        w2v_corpus_free(corpora[1]);
        w2v_inputs_free(inputs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_encode_text_random_bytes, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_encode_text_slices, support_setup, support_teardown),
        cmocka_unit_test_setup_teardown(test_encode_text_same_codes_however_stored, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_encode_text_monster_token, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_encode_text_many_types, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_encode_text_spills_for_a_while, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_encode_text_many_long_words, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_encode_text_spilled_text_that_is_changed,
                                        support_setup, support_teardown),
        cmocka_unit_test_setup_teardown(test_encode_text_no_folder_to_spill_to, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_encode_text_out_of_memory, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_encode_text_longest_word, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_encode_text_first_invalid, support_setup,
                                        support_teardown),
        cmocka_unit_test_setup_teardown(test_encode_text_real, support_setup, support_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
