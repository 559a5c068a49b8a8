/*
 * What the text room promises, done the slow and obvious way: one byte after
 * the other, words in a list, no tables, no threads. Tests compare with it.
 * Include support.h first.
 */
#ifndef W2V_TESTS_TEXT_ORACLE_H
#define W2V_TESTS_TEXT_ORACLE_H

#include "text/corpus.h"

typedef struct oracle_word {
    char *bytes;
    size_t size;
    uint64_t count;
    size_t seen; /* its place among the types */
} oracle_word;

typedef struct oracle {
    /* How. */
    bool lines_are_sentences;
    w2v_invalid_utf8 invalid_utf8;
    /* What came out. */
    oracle_word *words;
    size_t types;
    long *stream; /* index of a word, or -1 for a line end or an input end */
    size_t length;
    uint64_t bytes, tokens, lines, nul_bytes, long_tokens, invalid, invalid_offset;
    size_t invalid_input, inputs;
} oracle;

static inline void oracle_emit(oracle *o, long what)
{
    o->stream = realloc(o->stream, (o->length + 1) * sizeof *o->stream);
    assert_non_null(o->stream);
    o->stream[o->length++] = what;
}

static inline void oracle_take_word(oracle *o, const char *bytes, size_t n)
{
    o->tokens++;
    for (size_t i = 0; i < o->types; i++) {
        if (o->words[i].size == n && memcmp(o->words[i].bytes, bytes, n) == 0) {
            o->words[i].count++;
            oracle_emit(o, (long)i);
            return;
        }
    }
    o->words = realloc(o->words, (o->types + 1) * sizeof *o->words);
    assert_non_null(o->words);
    char *copy = malloc(n);
    assert_non_null(copy);
    memcpy(copy, bytes, n);
    o->words[o->types] = (oracle_word){copy, n, 1, o->types};
    oracle_emit(o, (long)o->types++);
}

/* Bytes of the well-formed character at s, or 0 and *part = bytes of the maximal invalid part. */
static inline size_t oracle_character(const unsigned char *s, size_t n, size_t *part)
{
    /* Unicode, table 3-7: first byte from..to, second byte from..to, length. */
    static const unsigned char rows[][5] = {
        {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    *part = 1;
    for (size_t r = 0; r < SUPPORT_COUNT(rows); r++) {
        if (s[0] < rows[r][0] || s[0] > rows[r][1]) {
            continue;
        }
        size_t have = 1;
        while (have < rows[r][4] && have < n && s[have] >= (have == 1 ? rows[r][2] : 0x80) &&
               s[have] <= (have == 1 ? rows[r][3] : 0xbf)) {
            have++;
        }
        *part = have;
        return have == rows[r][4] ? have : 0;
    }
    return 0;
}

/* Bytes of the separator at s, or 0. */
static inline size_t oracle_separator(const char *s, size_t n)
{
    static const char *const spaces[] = {
        "\t",           "\n",           "\v",
        "\f",           "\r",           " ",
        "\xc2\x85",     "\xc2\xa0",     "\xe1\x9a\x80",
        "\xe2\x80\x80", "\xe2\x80\x81", "\xe2\x80\x82",
        "\xe2\x80\x83", "\xe2\x80\x84", "\xe2\x80\x85",
        "\xe2\x80\x86", "\xe2\x80\x87", "\xe2\x80\x88",
        "\xe2\x80\x89", "\xe2\x80\x8a", "\xe2\x80\xa8",
        "\xe2\x80\xa9", "\xe2\x80\xaf", "\xe2\x81\x9f",
        "\xe3\x80\x80",
    };
    if (*s == '\0') {
        return 1;
    }
    for (size_t i = 0; i < SUPPORT_COUNT(spaces); i++) {
        const size_t length = strlen(spaces[i]);
        if (length <= n && memcmp(s, spaces[i], length) == 0) {
            return length;
        }
    }
    return 0;
}

/* A token as it stands in the text, n >= 1. */
static inline void oracle_take_token(oracle *o, const char *s, size_t n)
{
    if (n > 4096) {
        o->long_tokens++;
        return;
    }
    char *word = malloc(3 * n);
    assert_non_null(word);
    size_t to = 0;
    for (size_t i = 0; i < n;) {
        size_t part;
        const size_t length = oracle_character((const unsigned char *)s + i, n - i, &part);
        if (length || o->invalid_utf8 == W2V_UTF8_KEEP) {
            memcpy(word + to, s + i, part);
            to += part;
        } else if (o->invalid_utf8 == W2V_UTF8_REPLACE) {
            memcpy(word + to, "\xef\xbf\xbd", 3);
            to += 3;
        }
        i += part;
    }
    if (to > 0) {
        oracle_take_word(o, word, to);
    }
    free(word);
}

static inline void oracle_take_input(oracle *o, const char *s, size_t n)
{
    size_t start = n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    bool open_line = false;
    for (size_t i = start; i < n;) {
        size_t part;
        const size_t separator = oracle_separator(s + i, n - i);
        if (separator == 0) {
            if (oracle_character((const unsigned char *)s + i, n - i, &part) == 0) {
                if (o->invalid++ == 0) {
                    o->invalid_input = o->inputs;
                    o->invalid_offset = i;
                }
            }
            open_line = true;
            i += part;
            continue;
        }
        if (i > start) {
            oracle_take_token(o, s + start, i - start);
        }
        open_line = s[i] != '\n' && s[i] != '\r';
        if (!open_line && !(s[i] == '\n' && i > 0 && s[i - 1] == '\r')) {
            o->lines++;
            if (o->lines_are_sentences) {
                oracle_emit(o, -1);
            }
        }
        o->nul_bytes += s[i] == '\0';
        i += separator;
        start = i;
    }
    if (n > start) {
        oracle_take_token(o, s + start, n - start);
    }
    o->lines += open_line;
    oracle_emit(o, -1);
    o->bytes += n;
    o->inputs++;
}

static inline int oracle_order(const void *a, const void *b)
{
    const oracle_word *x = a, *y = b;
    if (x->count != y->count) {
        return x->count > y->count ? -1 : 1;
    }
    return x->seen < y->seen ? -1 : x->seen > y->seen;
}

static inline void oracle_clear(oracle *o)
{
    for (size_t i = 0; i < o->types; i++) {
        free(o->words[i].bytes);
    }
    free(o->words);
    free(o->stream);
}

/** Checks vocabulary, codes and statistics of a corpus against all that was taken in. */
static inline void oracle_check(const oracle *o, const w2v_corpus *corpus, uint64_t min_count,
                                uint64_t vocab_size)
{
    oracle_word *order = malloc((o->types + 1) * sizeof *order);
    uint32_t *ids = malloc((o->types + 1) * sizeof *ids);
    uint32_t *codes = malloc((o->length + 1) * sizeof *codes);
    assert_true(order && ids && codes);
    memcpy(order, o->words, o->types * sizeof *order);
    qsort(order, o->types, sizeof *order, oracle_order);
    uint32_t kept = 0;
    for (size_t i = 0; i < o->types; i++) {
        const bool in = order[i].count >= min_count && (!vocab_size || kept < vocab_size);
        ids[order[i].seen] = in ? kept++ : UINT32_MAX;
    }
    size_t length = 0, tokens = 0, sentences = 0;
    bool pending = true; /* the first token begins a sentence */
    for (size_t i = 0; i < o->length; i++) {
        if (o->stream[i] < 0) {
            pending = true;
        } else if (ids[o->stream[i]] != UINT32_MAX) {
            if (pending && tokens > 0) {
                codes[length++] = CORPUS_BREAK;
            }
            sentences += pending;
            pending = false;
            codes[length++] = ids[o->stream[i]];
            tokens++;
        }
    }

    const w2v_text_stats *s = w2v_corpus_stats(corpus);
    const w2v_vocab *vocab = w2v_corpus_vocab(corpus);
    assert_int_equal(s->bytes, o->bytes);
    assert_int_equal(s->tokens, o->tokens);
    assert_int_equal(s->types, o->types);
    assert_int_equal(s->top_count, order[0].count);
    assert_int_equal(s->lines, o->lines);
    assert_int_equal(s->tokens_kept, tokens);
    assert_int_equal(s->types_kept, kept);
    assert_int_equal(s->long_tokens, o->long_tokens);
    assert_int_equal(s->nul_bytes, o->nul_bytes);
    assert_int_equal(s->invalid_utf8, o->invalid);
    assert_int_equal(s->invalid_input, o->invalid_input);
    assert_int_equal(s->invalid_offset, o->invalid_offset);
    assert_int_equal(w2v_vocab_size(vocab), kept);
    assert_int_equal(w2v_vocab_total(vocab), tokens);
    for (uint32_t id = 0; id < kept; id++) {
        size_t n;
        const char *word = w2v_vocab_word(vocab, id, &n);
        assert_int_equal(n, order[id].size);
        assert_memory_equal(word, order[id].bytes, n);
        assert_int_equal(word[n], 0);
        assert_int_equal(w2v_vocab_count(vocab, id), order[id].count);
        assert_int_equal(w2v_vocab_find(vocab, word, n), id);
    }
    if (!corpus->counted_only) {
        uint32_t *buffer = malloc((length + 1) * sizeof *buffer);
        assert_non_null(buffer);
        assert_int_equal(s->sentences, sentences);
        assert_int_equal(corpus->length, length);
        const uint32_t *read = corpus_read(corpus, 0, length, buffer, NULL);
        assert_non_null(read);
        assert_memory_equal(read, codes, length * sizeof *codes);
        free(buffer);
    }
    free(order);
    free(ids);
    free(codes);
}

#endif
