#include "cli/suggest.h"

#include <stdbool.h>

static char fold(char c)
{
    if (c == '_') {
        return '-';
    }
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t suggest_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][SUGGEST_MAX + 1]; /* the current row of the table and the two before it */
    if (a_length > SUGGEST_MAX || b_length > SUGGEST_MAX) {
        return SUGGEST_MAX;
    }
    size_t *older = rows[0], *old = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_length; j++) {
        old[j] = j;
        older[j] = 0;
    }
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            const char x = fold(a[i - 1]), y = fold(b[j - 1]);
            row[j] = least(old[j - 1] + (x != y), least(old[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && x == fold(b[j - 2]) && fold(a[i - 2]) == y) {
                row[j] = least(row[j], older[j - 2] + 1);
            }
        }
        size_t *next = older;
        older = old;
        old = row;
        row = next;
    }
    return old[b_length];
}

void suggest_offer(suggestion *s, const char *name, size_t length, const char *answer)
{
    size_t distance = suggest_distance(s->typed, s->length, name, length);
    /* One slip in a short word, two in a long one. A beginning ("dry") is as good as one slip, a
       longer word ("training") as two. */
    const size_t allowed = s->length < 3 ? 0 : s->length < 6 ? 1 : 2;
    const size_t shorter = least(length, s->length);
    const bool longer = s->length > length;
    if (shorter >= (longer ? 4 : 2) && suggest_distance(s->typed, shorter, name, shorter) == 0) {
        distance = least(distance, longer ? 2 : 1);
    } else if (distance > allowed) {
        return;
    }
    if (!s->best || distance < s->distance) {
        s->best = answer;
        s->distance = distance;
    }
}
