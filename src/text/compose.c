#include "text/compose.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

#if defined(W2V_HAVE_ICU)
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

struct compose {
    const UNormalizer2 *rules; /* ICU's own, for all threads */
    UChar *from, *to;          /* in UTF-16 */
    int32_t from_room, to_room;
};

bool compose_is_there(void)
{
    return true;
}

w2v_status compose_create(size_t longest, compose **out, w2v_error *err)
{
    *out = NULL;
    compose *c = mem_calloc(1, sizeof *c);
    if (!c || longest > INT32_MAX / 4) {
        mem_free(c);
        return error_memory(err, "composing letters");
    }
    UErrorCode code = U_ZERO_ERROR;
    c->rules = unorm2_getNFCInstance(&code);
    c->from_room = (int32_t)longest + 1;
    c->to_room = 3 * (int32_t)longest + 1; /* annex 15, table 11: three units for one */
    c->from = mem_calloc((size_t)c->from_room, sizeof *c->from);
    c->to = mem_calloc((size_t)c->to_room, sizeof *c->to);
    if (U_FAILURE(code) || !c->from || !c->to) {
        compose_free(c);
        return error_memory(err, "composing letters");
    }
    *out = c;
    return W2V_OK;
}

void compose_free(compose *c)
{
    if (c) {
        mem_free(c->from);
        mem_free(c->to);
        mem_free(c);
    }
}

/* All characters before the first mark, U+0300, stand for themselves. */
static bool is_plain(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if ((unsigned char)s[i] >= 0xcc) { /* the first byte of U+0300 */
            return false;
        }
    }
    return true;
}

w2v_status compose_text(compose *c, const char *s, size_t n, char *out, size_t room, size_t *out_n,
                        w2v_error *err)
{
    UErrorCode code = U_ZERO_ERROR;
    int32_t from = 0, written = 0;
    bool composed = is_plain(s, n);
    if (!composed) {
        u_strFromUTF8(c->from, c->from_room, &from, s, (int32_t)n, &code);
        composed = unorm2_quickCheck(c->rules, c->from, from, &code) == UNORM_YES;
    }
    if (composed && U_SUCCESS(code)) {
        memcpy(out, s, n);
        *out_n = n;
        return W2V_OK;
    }
    const int32_t to = unorm2_normalize(c->rules, c->from, from, c->to, c->to_room, &code);
    u_strToUTF8(out, room < INT32_MAX ? (int32_t)room : INT32_MAX, &written, c->to, to, &code);
    if (U_FAILURE(code)) {
        return error_set(err, W2V_ERR_MEMORY, "letters cannot be composed: %s", u_errorName(code));
    }
    *out_n = (size_t)written;
    return W2V_OK;
}

#else

bool compose_is_there(void)
{
    return false;
}

w2v_status compose_create(size_t longest, compose **out, w2v_error *err)
{
    (void)longest;
    *out = NULL;
    return error_set(err, W2V_ERR_UNSUPPORTED, "this build cannot compose letters");
}

void compose_free(compose *c)
{
    (void)c;
}

w2v_status compose_text(compose *c, const char *s, size_t n, char *out, size_t room, size_t *out_n,
                        w2v_error *err)
{
    (void)c, (void)room;
    memcpy(out, s, n);
    *out_n = n;
    return error_set(err, W2V_ERR_UNSUPPORTED, "this build cannot compose letters");
}

#endif
