#include "text/rank.h"

#include "os/pages.h"

#include <stdbool.h>
#include <string.h>

#define DIGIT_BITS 8
#define DIGITS (64 / DIGIT_BITS)
#define RADIX ((size_t)1 << DIGIT_BITS)

static size_t digit_of(const ranked *r, bool by_count, unsigned digit)
{
    /* The greatest count comes first. */
    const uint64_t key = by_count ? ~r->count : r->first;
    return (key >> (digit * DIGIT_BITS)) & (RADIX - 1);
}

/* One stable pass; false, and nothing moved, when all agree in this digit. */
static bool sort_digit(const ranked *from, ranked *to, size_t n, bool by_count, unsigned digit)
{
    size_t place[RADIX] = {0};
    for (size_t i = 0; i < n; i++) {
        place[digit_of(&from[i], by_count, digit)]++;
    }
    if (place[digit_of(&from[0], by_count, digit)] == n) {
        return false;
    }
    size_t sum = 0;
    for (size_t d = 0; d < RADIX; d++) {
        const size_t here = place[d];
        place[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++) {
        to[place[digit_of(&from[i], by_count, digit)]++] = from[i];
    }
    return true;
}

/* Least significant digit first: linear in n, and most digits are the same everywhere. */
w2v_status rank_sort(ranked *r, size_t n, w2v_error *err)
{
    if (n < 2) {
        return W2V_OK;
    }
    ranked *spare = pages_alloc(n * sizeof *spare);
    if (!spare) {
        return error_memory(err, "sorting the vocabulary");
    }
    ranked *from = r;
    ranked *to = spare;
    for (unsigned pass = 0; pass < 2 * DIGITS; pass++) {
        if (sort_digit(from, to, n, pass >= DIGITS, pass % DIGITS)) {
            ranked *swapped = from;
            from = to;
            to = swapped;
        }
    }
    if (from != r) {
        memcpy(r, from, n * sizeof *r);
    }
    pages_free(spare, n * sizeof *spare);
    return W2V_OK;
}
