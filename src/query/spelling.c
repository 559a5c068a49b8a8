#include "query/spelling.h"

#include "base/utf8.h"

#include <string.h>

#if defined(W2V_HAVE_ICU)
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#endif

#define SEPARATOR '_'
#define EDITS_MOST 2
#define COMPOSED_BELOW 0x300 /* characters below are their own composed form */
#define STRAY 0xdc00u        /* + byte: no character has a number between d800 and dfff */

/* ------------------------------------------------------------------ folding */

static bool is_separator(uint32_t c)
{
    return c == '_' || c == '-' || (c >= 0x2010 && c <= 0x2015) || utf8_is_space(c);
}

static uint32_t fold_letter(uint32_t c)
{
    if (c < 0x80) {
        return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c == '-' || c == ' ' ? SEPARATOR : c;
    }
    if (is_separator(c)) {
        return SEPARATOR;
    }
#if defined(W2V_HAVE_ICU)
    return c >= STRAY && c <= STRAY + 0xff ? c
                                           : (uint32_t)u_foldCase((UChar32)c, U_FOLD_CASE_DEFAULT);
#else
    return c;
#endif
}

#if defined(W2V_HAVE_ICU)

/* May the character combine with one before it, or have to be composed? */
static bool may_change(uint32_t c)
{
    return c >= COMPOSED_BELOW && !(c >= STRAY && c <= STRAY + 0xff) &&
           (u_getCombiningClass((UChar32)c) != 0 ||
            u_getIntPropertyValue((UChar32)c, UCHAR_NFC_QUICK_CHECK) != UNORM_YES);
}

/* Composes in place. What cannot be composed (stray bytes, too long) stays as it is. */
static void compose(uint32_t *letters, size_t *count)
{
    bool change = false;
    for (size_t i = 0; i < *count && !change; i++) {
        change = may_change(letters[i]);
    }
    if (!change) {
        return;
    }
    UErrorCode code = U_ZERO_ERROR;
    UChar from[2 * SPELLING_MOST], to[2 * SPELLING_MOST];
    UChar32 composed[SPELLING_MOST];
    int32_t n = 0;
    u_strFromUTF32(from, 2 * SPELLING_MOST, &n, (const UChar32 *)letters, (int32_t)*count, &code);
    n = unorm2_normalize(unorm2_getNFCInstance(&code), from, n, to, 2 * SPELLING_MOST, &code);
    u_strToUTF32(composed, SPELLING_MOST, &n, to, n, &code);
    if (U_SUCCESS(code) || code == U_STRING_NOT_TERMINATED_WARNING) {
        memcpy(letters, composed, (size_t)n * sizeof *letters);
        *count = (size_t)n;
    }
}

#else

static void compose(uint32_t *letters, size_t *count)
{
    (void)letters;
    (void)count;
}

#endif

/* Bytes of a prefix in the manner of ConceptNet: /en/, /c/en/. */
static size_t prefix_length(const char *word, size_t length)
{
    size_t prefix = 0;
    for (size_t i = 1; word[0] == '/' && i + 1 < length; i++) {
        if (word[i] == '/') {
            prefix = i + 1;
        }
    }
    return prefix;
}

static bool decode(const char *word, size_t length, spelling *out)
{
    bool ascii = true;
    out->count = 0;
    for (size_t i = 0; i < length;) {
        uint32_t c = (unsigned char)word[i];
        size_t step = 1;
        if (c >= 0x80) {
            ascii = false;
            step = utf8_decode(word + i, length - i, &c);
            if (c == UTF8_INVALID) {
                c = STRAY + (unsigned char)word[i];
                step = 1;
            }
        }
        if (out->count == SPELLING_MOST) {
            return false;
        }
        out->letters[out->count++] = c;
        i += step;
    }
    if (!ascii) {
        compose(out->letters, &out->count);
    }
    return true;
}

bool spelling_fold(const char *word, size_t length, size_t most, spelling *out)
{
    const size_t prefix = length ? prefix_length(word, length) : 0;
    out->prefixed = prefix > 0;
    out->signature = 0;
    /* A letter is at most four bytes, and composed of four characters in all but the rarest. */
    if (length - prefix > 16 * most || !decode(word + prefix, length - prefix, out) ||
        out->count > most) {
        return false;
    }
    for (size_t i = 0; i < out->count; i++) {
        out->letters[i] = fold_letter(out->letters[i]);
        out->signature |= (uint64_t)1 << (out->letters[i] % 64);
    }
    return true;
}

/* ----------------------------------------------------------------- distance */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Distance of prefixes, row by row, within a band of `limit` beside the diagonal: cells outside
   cost more than the limit anyway. */
static size_t edits(const spelling *a, const spelling *b, size_t limit)
{
    const size_t over = limit + 1;
    size_t cells[3][SPELLING_MOST + 2];
    size_t *two_ago = cells[0], *ago = cells[1], *now = cells[2];
    for (size_t j = 0; j <= b->count + 1; j++) {
        two_ago[j] = now[j] = over;
        ago[j] = least(j, over);
    }
    for (size_t i = 1; i <= a->count; i++) {
        const size_t first = i > limit ? i - limit : 1, last = least(b->count, i + limit);
        size_t best = now[first - 1] = first == 1 ? least(i, over) : over;
        for (size_t j = first; j <= last; j++) {
            const uint32_t x = a->letters[i - 1], y = b->letters[j - 1];
            size_t cost = ago[j - 1] + (x != y);
            cost = least(cost, least(ago[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && x == b->letters[j - 2] && y == a->letters[i - 2]) {
                cost = least(cost, two_ago[j - 2] + 1);
            }
            now[j] = least(cost, over);
            best = least(best, now[j]);
        }
        now[last + 1] = over;
        if (best == over) {
            return over;
        }
        size_t *const oldest = two_ago;
        two_ago = ago;
        ago = now;
        now = oldest;
    }
    return ago[b->count];
}

static unsigned bits_of(uint64_t x)
{
    unsigned n = 0;
    for (; x != 0; x &= x - 1) {
        n++;
    }
    return n;
}

uint32_t spelling_cost(const spelling *asked, const spelling *word)
{
    const size_t limit = asked->count < 2 ? 0 : asked->count < 4 ? 1 : EDITS_MOST;
    const size_t longer =
        asked->count > word->count ? asked->count - word->count : word->count - asked->count;
    /* A changed letter takes one bit of a signature and gives another. */
    if (longer > limit || bits_of(asked->signature ^ word->signature) > 2 * limit) {
        return SPELLING_FAR;
    }
    const size_t letters = edits(asked, word, limit);
    if (letters > limit || (letters > 0 && letters >= word->count)) {
        return SPELLING_FAR;
    }
    const uint32_t prefix = asked->prefixed != word->prefixed ? 2 : 0;
    return (letters == 0 ? 1 : 4 * (uint32_t)letters) + prefix;
}
