#include "query/ranking.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY_FIRST 16

static void drop_words(ranked *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mem_free(items[i].word);
    }
}

void ranking_clear(ranking *r)
{
    drop_words(r->items, r->count);
    mem_free(r->items);
    *r = (ranking){0};
}

static bool before(const ranked *a, const ranked *b)
{
    return ranking_before(a->nearness, a->id, b->nearness, b->id);
}

static void swap(ranked *a, ranked *b)
{
    const ranked kept = *a;
    *a = *b;
    *b = kept;
}

static bool reserve(ranking *r, size_t need)
{
    if (need <= r->capacity) {
        return true;
    }
    const size_t twice = r->capacity > SIZE_MAX / 2 ? SIZE_MAX : r->capacity * 2;
    size_t capacity = twice < CAPACITY_FIRST ? CAPACITY_FIRST : twice;
    capacity = capacity < need ? need : capacity;
    ranked *items = mem_realloc(r->items, capacity, sizeof *items);
    if (!items) {
        return false;
    }
    r->items = items;
    r->capacity = capacity;
    return true;
}

/* A new last item goes up while it is worse than its parent. */
static void sift_up(ranked *items, size_t at)
{
    while (at > 0 && before(&items[(at - 1) / 2], &items[at])) {
        swap(&items[(at - 1) / 2], &items[at]);
        at = (at - 1) / 2;
    }
}

/* A new root goes down while a child is worse. */
static void sift_down(ranked *items, size_t count)
{
    size_t at = 0;
    for (;;) {
        size_t worst = at;
        for (size_t child = 2 * at + 1; child < count && child <= 2 * at + 2; child++) {
            if (before(&items[worst], &items[child])) {
                worst = child;
            }
        }
        if (worst == at) {
            return;
        }
        swap(&items[worst], &items[at]);
        at = worst;
    }
}

bool ranking_add(ranking *r, uint64_t k, double nearness, uint32_t id, const char *word,
                 uint32_t length)
{
    char *copy = mem_strndup(word, length);
    if (!copy || (r->count < k && !reserve(r, r->count + 1))) {
        mem_free(copy);
        return false;
    }
    const ranked item = {.nearness = nearness, .word = copy, .id = id, .length = length};
    if (r->count < k) {
        r->items[r->count] = item;
        sift_up(r->items, r->count++);
    } else {
        mem_free(r->items[0].word);
        r->items[0] = item;
        sift_down(r->items, r->count);
    }
    return true;
}

bool ranking_gather(ranking *into, ranking *from)
{
    if (from->count == 0) {
        return true;
    }
    if (into->count > SIZE_MAX - from->count || !reserve(into, into->count + from->count)) {
        return false;
    }
    memcpy(into->items + into->count, from->items, from->count * sizeof *from->items);
    into->count += from->count;
    from->count = 0;
    return true;
}

static int compare(const void *a, const void *b)
{
    return before(a, b) ? -1 : before(b, a) ? 1 : 0;
}

void ranking_finish(ranking *r, uint64_t k)
{
    if (r->count > 1) {
        qsort(r->items, r->count, sizeof *r->items, compare);
    }
    if (r->count > k) {
        drop_words(r->items + k, r->count - (size_t)k);
        r->count = (size_t)k;
    }
}
