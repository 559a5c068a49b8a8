#include "text/fold.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "text/compose.h"

#include <stdint.h>
#include <string.h>

#if defined(W2V_HAVE_ICU)
#include <unicode/ucasemap.h>
#include <unicode/uchar.h>
#endif

struct fold {
    fold_rules rules;
#if defined(W2V_HAVE_ICU)
    UCaseMap *map;
#endif
    compose *compose;
    char *mended, *lowered; /* FOLD_BYTES(longest) each */
};

#if defined(W2V_HAVE_ICU)

bool fold_has_case(void)
{
    return true;
}

static w2v_status open_case(fold *f, w2v_error *err)
{
    UErrorCode code = U_ZERO_ERROR;
    f->map = ucasemap_open("", 0, &code); /* "" is the root locale, NULL would be the user's */
    return U_SUCCESS(code) ? W2V_OK : error_memory(err, "the case tables");
}

static void close_case(fold *f)
{
    if (f->map) {
        ucasemap_close(f->map);
    }
}

/* Most letters of most scripts have no case, and asking one by one is far cheaper than mapping.
   Wherever the full mapping changes a word, the simple one changes a letter of it. */
static bool has_capitals(const char *s, size_t n)
{
    for (size_t i = 0; i < n;) {
        uint32_t code;
        i += utf8_decode(s + i, n - i, &code);
        if (code != UTF8_INVALID && u_tolower((UChar32)code) != (UChar32)code) {
            return true;
        }
    }
    return false;
}

/* Well-formed text only, since ICU would replace the rest. */
static w2v_status lower_valid(fold *f, const char *s, size_t n, char *out, size_t room,
                              size_t *out_n, w2v_error *err)
{
    if (!has_capitals(s, n)) {
        memcpy(out, s, n);
        *out_n = n;
        return W2V_OK;
    }
    UErrorCode code = U_ZERO_ERROR;
    const int32_t length = ucasemap_utf8ToLower(f->map, out, (int32_t)room, s, (int32_t)n, &code);
    if (U_FAILURE(code)) {
        return error_set(err, W2V_ERR_MEMORY, "letter case cannot be folded: %s",
                         u_errorName(code));
    }
    *out_n = (size_t)length;
    return W2V_OK;
}

#else

bool fold_has_case(void)
{
    return false;
}

static w2v_status open_case(fold *f, w2v_error *err)
{
    (void)f;
    error_set(err, W2V_ERR_UNSUPPORTED,
              "this build cannot fold letter case: it was made without ICU");
    error_hint(err, "install ICU's headers and build again, or lower the case of the text before");
    return W2V_ERR_UNSUPPORTED;
}

static void close_case(fold *f)
{
    (void)f;
}

static w2v_status lower_valid(fold *f, const char *s, size_t n, char *out, size_t room,
                              size_t *out_n, w2v_error *err)
{
    (void)f, (void)room;
    memcpy(out, s, n);
    *out_n = n;
    return error_set(err, W2V_ERR_UNSUPPORTED, "this build cannot fold letter case");
}

#endif

static w2v_status compose_valid(fold *f, const char *s, size_t n, char *out, size_t room,
                                size_t *out_n, w2v_error *err)
{
    return compose_text(f->compose, s, n, out, room, out_n, err);
}

w2v_status fold_create(const fold_rules *rules, size_t longest, fold **out, w2v_error *err)
{
    *out = NULL;
    fold *f = mem_calloc(1, sizeof *f);
    if (!f) {
        return error_memory(err, "folding words");
    }
    f->rules = *rules;
    f->mended = mem_alloc(FOLD_BYTES(longest));
    f->lowered = mem_alloc(FOLD_BYTES(longest));
    w2v_status status = f->mended && f->lowered ? W2V_OK : error_memory(err, "folding words");
    if (status == W2V_OK && rules->lowercase) {
        status = open_case(f, err);
    }
    if (status == W2V_OK && rules->form == W2V_FORM_NFC) {
        status = compose_create(FOLD_BYTES(longest), &f->compose, err);
    }
    if (status != W2V_OK) {
        fold_free(f);
        return status;
    }
    *out = f;
    return W2V_OK;
}

void fold_free(fold *f)
{
    if (f) {
        close_case(f);
        compose_free(f->compose);
        mem_free(f->mended);
        mem_free(f->lowered);
        mem_free(f);
    }
}

/* Length of the run of s[0..n-1] that is well-formed (valid) or not. */
static size_t run_length(const char *s, size_t n, bool valid)
{
    size_t i = 0;
    while (i < n) {
        uint32_t code;
        const size_t length = utf8_decode(s + i, n - i, &code);
        if ((code != UTF8_INVALID) != valid) {
            break;
        }
        i += length;
    }
    return i;
}

/* Each maximal invalid part becomes `mark` (mark_n bytes). */
static size_t mend(const char *s, size_t n, const char *mark, size_t mark_n, char *out)
{
    size_t to = 0;
    for (size_t i = 0; i < n;) {
        uint32_t code;
        const size_t length = utf8_decode(s + i, n - i, &code);
        const char *from = code == UTF8_INVALID ? mark : s + i;
        const size_t copied = code == UTF8_INVALID ? mark_n : length;
        memcpy(out + to, from, copied);
        to += copied;
        i += length;
    }
    return to;
}

typedef w2v_status change(fold *f, const char *s, size_t n, char *out, size_t room, size_t *out_n,
                          w2v_error *err);

/* Changes the well-formed parts of a word; the others stay, and part it. */
static w2v_status change_valid(fold *f, change *how, const char *s, size_t n, char *out,
                               size_t room, size_t *out_n, w2v_error *err)
{
    w2v_status status = W2V_OK;
    size_t to = 0;
    for (size_t i = 0; i < n && status == W2V_OK;) {
        const size_t valid = run_length(s + i, n - i, true);
        size_t written = 0;
        if (valid > 0) {
            status = how(f, s + i, valid, out + to, room - to, &written, err);
        }
        to += written;
        i += valid;
        const size_t invalid = run_length(s + i, n - i, false);
        memcpy(out + to, s + i, invalid);
        to += invalid;
        i += invalid;
    }
    *out_n = to;
    return status;
}

w2v_status fold_word(fold *f, const char *word, size_t n, char *out, size_t *out_n, w2v_error *err)
{
    const bool replace = f->rules.invalid_utf8 == W2V_UTF8_REPLACE;
    const bool mends = replace || f->rules.invalid_utf8 == W2V_UTF8_DROP;
    const size_t room = FOLD_BYTES(n);
    w2v_status status = W2V_OK;
    if (mends) {
        n = mend(word, n, "\xef\xbf\xbd", replace ? 3 : 0, f->mended);
        word = f->mended;
    }
    if (f->rules.lowercase) {
        status = change_valid(f, lower_valid, word, n, f->lowered, room, &n, err);
        word = f->lowered;
    }
    if (status == W2V_OK && f->compose) {
        return change_valid(f, compose_valid, word, n, out, room, out_n, err);
    }
    memcpy(out, word, n);
    *out_n = n;
    return status;
}
