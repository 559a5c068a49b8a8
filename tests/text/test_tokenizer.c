#include "support.h"

#include "text/tokenizer.h"

/* Tokens as they come, each followed by `;`, breaks as `|`, with places when asked for. */
typedef struct listing {
    char text[1 << 16];
    size_t used;
    bool places;
} listing;

static w2v_status list_tokens(void *user, const token *tokens, size_t n, w2v_error *err)
{
    listing *l = user;
    (void)err;
    assert_in_range(n, 1, TOKEN_BATCH);
    for (size_t i = 0; i < n; i++) {
        const token *k = &tokens[i];
        char *to = l->text + l->used;
        if (k->length == TOKEN_BREAK) {
            l->used += (size_t)sprintf(to, "|");
        } else {
            memcpy(to, k->bytes, k->length);
            l->used += k->length;
            l->used +=
                (size_t)(l->places ? sprintf(l->text + l->used, "@%u;", (unsigned)k->first_seen)
                                   : sprintf(l->text + l->used, ";"));
        }
    }
    return W2V_OK;
}

/* Runs one chunk that is a whole input. */
static text_met run(const char *text, size_t n, const w2v_text_options *options, listing *l)
{
    tokenizer t;
    char *data = malloc(n + CHUNK_PADDING);
    assert_non_null(data);
    memcpy(data, text, n);
    memset(data + n, 'x', CHUNK_PADDING); /* what a reader leaves there must not matter */
    const chunk c = {.data = data,
                     .size = n,
                     .text_offset = 1000,
                     .input_offset = 100,
                     .input = 4,
                     .ends_input = true};
    w2v_error err = {0};
    l->used = 0;
    l->text[0] = '\0';
    assert_int_equal(tokenizer_init(&t, options, list_tokens, l, &err), W2V_OK);
    assert_int_equal(tokenizer_run(&t, &c, &err), W2V_OK);
    l->text[l->used] = '\0';
    tokenizer_clear(&t);
    free(data);
    return t.met;
}

static text_met assert_tokens(const char *text, const char *expected)
{
    static listing l;
    const w2v_text_options options = w2v_text_options_default();
    l.places = false;
    const text_met met = run(text, strlen(text), &options, &l);
    assert_string_equal(l.text, expected);
    return met;
}

/* Case 17. */
static void test_tokenizer_run_line_ends(void **state)
{
    (void)state;
    assert_int_equal(assert_tokens("aa bb\r\ncc dd\r\n", "aa;bb;|cc;dd;|").lines, 2);
    assert_int_equal(assert_tokens("aa bb\rcc dd\r", "aa;bb;|cc;dd;|").lines, 2);
    assert_int_equal(assert_tokens("\n\na\n\r\r\nb", "|a;|b;|").lines, 5);
    assert_int_equal(assert_tokens("", "|").lines, 0);
    /* Vertical tab, form feed and the separators of Unicode are white space, no more. */
    assert_int_equal(assert_tokens("a\vb\fc\xc2\x85"
                                   "d\xe2\x80\xa8"
                                   "e\xe2\x80\xa9"
                                   "f",
                                   "a;b;c;d;e;f;|")
                         .lines,
                     0);
}

/* Case 19. */
static void test_tokenizer_run_unicode_spaces(void **state)
{
    (void)state;
    assert_tokens("x\xc2\xa0y p\xe2\x80\x89q r\xe3\x80\x80s t\xc2\x85u \xc2\xa0 v\n",
                  "x;y;p;q;r;s;t;u;v;|");
    assert_tokens("\xe1\x9a\x80"
                  "a\xe2\x81\x9f"
                  "b\xe2\x80\xaf"
                  "c",
                  "a;b;c;|");
    /* A zero-width space and a word joiner are no white space. */
    assert_tokens("a\xe2\x80\x8b"
                  "b c\xe2\x81\xa0"
                  "d",
                  "a\xe2\x80\x8b"
                  "b;c\xe2\x81\xa0"
                  "d;|");
}

/* A white space character over the edge of 64 bytes, at each of its bytes. */
static void test_tokenizer_run_space_over_edge(void **state)
{
    (void)state;
    for (size_t n = 55; n < 70; n++) {
        char text[128], expected[128];
        memset(text, 'w', n);
        strcpy(text + n, "\xe3\x80\x80"
                         "z \xe3\x80\x81");
        sprintf(expected, "%.*s;z;\xe3\x80\x81;|", (int)n, text);
        assert_tokens(text, expected);
    }
}

static void test_tokenizer_run_nul(void **state)
{
    (void)state;
    static listing l;
    const w2v_text_options options = w2v_text_options_default();
    l.places = true;
    const text_met met = run("\0a\0\0b", 5, &options, &l);
    assert_string_equal(l.text, "a@1001;b@1004;|");
    assert_int_equal(met.nul_bytes, 3);
    assert_int_equal(met.tokens, 2);
}

static void test_tokenizer_run_no_sentences(void **state)
{
    (void)state;
    static listing l;
    w2v_text_options options = w2v_text_options_default();
    options.lines_are_sentences = false;
    const text_met met = run("a\nb\r\n\nc", 7, &options, &l);
    assert_string_equal(l.text, "a;b;c;|");
    assert_int_equal(met.lines, 3);
}

/* Case 15: counted wherever they are, also in a token that is skipped. */
static void test_tokenizer_run_invalid(void **state)
{
    (void)state;
    const text_met met = assert_tokens("good caf\xc3\xa9 bad\xffword \xc3( tail",
                                       "good;caf\xc3\xa9;bad\xffword;\xc3(;tail;|");
    assert_int_equal(met.invalid, 2);
    assert_int_equal(met.invalid_input, 4);
    assert_int_equal(met.invalid_offset, 100 + 14);
    assert_int_equal(met.latin1, 1);
    assert_int_equal(
        assert_tokens("caf\xe9 na\xefve caf\xe9\n", "caf\xe9;na\xefve;caf\xe9;|").latin1, 3);
    assert_int_equal(assert_tokens("\xff\xfe \xe9 9\xe9", "\xff\xfe;\xe9;9\xe9;|").latin1, 0);
    assert_int_equal(assert_tokens("\xe3\x80 x", "\xe3\x80;x;|").invalid, 1);
}

static void test_tokenizer_run_drop(void **state)
{
    (void)state;
    static listing l;
    w2v_text_options options = w2v_text_options_default();
    options.invalid_utf8 = W2V_UTF8_DROP;
    l.places = false;
    const char text[] = "a\xff"
                        "b \xfe\xfe c\n\xff\nd";
    const text_met met = run(text, strlen(text), &options, &l);
    assert_string_equal(l.text, "ab;c;|d;|"); /* a word that becomes empty is gone */
    assert_int_equal(met.tokens, 3);
    assert_int_equal(met.invalid, 4);
}

/* More folded words than fit the batch's own memory. */
static void test_tokenizer_run_lowercase(void **state)
{
    (void)state;
    static listing l;
    static char text[50000], expected[60000];
    w2v_text_options options = w2v_text_options_default();
    if (!fold_has_case()) {
        w2v_error err = {0};
        tokenizer t;
        options.lowercase = true;
        assert_int_equal(tokenizer_init(&t, &options, list_tokens, &l, &err), W2V_ERR_UNSUPPORTED);
        return;
    }
    options.lowercase = true;
    size_t n = 0, e = 0;
    for (int i = 0; i < 11; i++) {
        memset(text + n, 'Q', 4000);
        memset(expected + e, 'q', 4000);
        n += 4000 + (size_t)sprintf(text + n + 4000, "\xc3\x84 Plain ");
        e += 4000 + (size_t)sprintf(expected + e + 4000, "\xc3\xa4;plain;");
    }
    strcpy(expected + e, "|");
    run(text, n, &options, &l);
    assert_string_equal(l.text, expected);
}

static w2v_status refuse(void *user, const token *tokens, size_t n, w2v_error *err)
{
    (void)tokens;
    (void)n;
    ++*(int *)user;
    return error_set(err, W2V_ERR_MEMORY, "enough");
}

static void test_tokenizer_run_sink_fails(void **state)
{
    (void)state;
    tokenizer t;
    int calls = 0;
    static char text[20000 + CHUNK_PADDING];
    const w2v_text_options options = w2v_text_options_default();
    const chunk c = {.data = text, .size = 20000, .ends_input = true};
    w2v_error err = {0};
    for (size_t i = 0; i < c.size; i++) {
        text[i] = i % 2 ? ' ' : 'a';
    }
    assert_int_equal(tokenizer_init(&t, &options, refuse, &calls, &err), W2V_OK);
    assert_int_equal(tokenizer_run(&t, &c, &err), W2V_ERR_MEMORY);
    assert_int_equal(calls, 1); /* nothing is offered after a failure */
    tokenizer_clear(&t);
}

static void test_met_add(void **state)
{
    (void)state;
    text_met total = {0};
    const text_met late = {.tokens = 1, .invalid = 2, .invalid_input = 3, .invalid_offset = 5};
    const text_met early = {.tokens = 10, .invalid = 1, .invalid_input = 2, .invalid_offset = 9};
    const text_met none = {
        .tokens = 100, .lines = 7, .nul_bytes = 8, .long_tokens = 9, .latin1 = 4};
    met_add(&total, &late);
    met_add(&total, &none);
    assert_int_equal(total.invalid_input, 3);
    assert_int_equal(total.invalid_offset, 5);
    met_add(&total, &early);
    assert_int_equal(total.invalid_input, 2);
    assert_int_equal(total.invalid_offset, 9);
    assert_int_equal(total.invalid, 3);
    assert_int_equal(total.tokens, 111);
    assert_int_equal(total.lines + total.nul_bytes + total.long_tokens + total.latin1, 28);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokenizer_run_line_ends),
        cmocka_unit_test(test_tokenizer_run_unicode_spaces),
        cmocka_unit_test(test_tokenizer_run_space_over_edge),
        cmocka_unit_test(test_tokenizer_run_nul),
        cmocka_unit_test(test_tokenizer_run_no_sentences),
        cmocka_unit_test(test_tokenizer_run_invalid),
        cmocka_unit_test(test_tokenizer_run_drop),
        cmocka_unit_test(test_tokenizer_run_lowercase),
        cmocka_unit_test(test_tokenizer_run_sink_fails),
        cmocka_unit_test(test_met_add),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
