#include "text/type_table.h"

#include "base/mem.h"
#include "os/pages.h"

#define BLOCK_ENTRIES ((size_t)1 << TYPE_TABLE_ENTRIES_BITS)
#define FIRST_SLOTS ((size_t)1 << 12)
#define LETTERS_BYTES ((size_t)1 << 20)

/* What the hot path touches lies apart from what is written once. */
struct type_table_block {
    type_table_entry entries[BLOCK_ENTRIES];
    uint64_t first_seen[BLOCK_ENTRIES];
};

struct type_table_letters {
    type_table_letters *next;
    size_t size; /* of the whole */
    char bytes[];
};

#if defined(__GNUC__)
#define PREFETCH(p) __builtin_prefetch(p)
#else
#define PREFETCH(p) ((void)(p))
#endif

static inline type_table_entry *entry_at(const type_table *t, uint32_t index)
{
    return &t->blocks[index >> TYPE_TABLE_ENTRIES_BITS]->entries[index & (BLOCK_ENTRIES - 1)];
}

static inline uint64_t *first_seen_at(const type_table *t, uint32_t index)
{
    return &t->blocks[index >> TYPE_TABLE_ENTRIES_BITS]->first_seen[index & (BLOCK_ENTRIES - 1)];
}

const type_table_entry *type_table_at(const type_table *t, uint32_t index)
{
    return entry_at(t, index);
}

uint64_t type_table_first_seen(const type_table *t, uint32_t index)
{
    return *first_seen_at(t, index);
}

void type_table_copy_word(const type_table_entry *entry, char *out)
{
    const size_t n = entry->length;
    if (n > TOKEN_INLINE) {
        memcpy(out, entry->rest.letters, n);
    } else if (n > 8) {
        memcpy(out, &entry->head, 8);
        memcpy(out + n - 8, &entry->rest.tail, 8);
    } else {
        memcpy(out, &entry->head, n);
    }
}

static bool set_slots(type_table *t, size_t slots)
{
    type_table_slot *fresh = pages_alloc(slots * sizeof *fresh);
    if (!fresh) {
        return false;
    }
    const size_t mask = slots - 1;
    for (size_t i = 0; t->slots && i <= t->slot_mask; i++) {
        const type_table_slot s = t->slots[i];
        if (s.next) {
            size_t at = s.hash & mask;
            while (fresh[at].next) {
                at = (at + 1) & mask;
            }
            fresh[at] = s;
        }
    }
    t->memory += slots * sizeof *fresh;
    type_table_drop_slots(t);
    t->slots = fresh;
    t->slot_mask = mask;
    t->slot_limit = slots / 4 * 3;
    return true;
}

w2v_status type_table_init(type_table *t, w2v_error *err)
{
    memset(t, 0, sizeof *t);
    return set_slots(t, FIRST_SLOTS) ? W2V_OK : error_memory(err, "the table of words");
}

void type_table_drop_slots(type_table *t)
{
    if (t->slots) {
        const size_t bytes = (t->slot_mask + 1) * sizeof *t->slots;
        pages_free(t->slots, bytes);
        t->memory -= bytes;
        t->slots = NULL;
    }
}

static void drop_oldest_letters(type_table *t)
{
    type_table_letters *next = t->letters->next;
    pages_free(t->letters, t->letters->size);
    t->letters = next;
}

void type_table_drop_letters(type_table *t)
{
    while (t->letters) {
        drop_oldest_letters(t);
    }
    t->last_letters = NULL;
}

/* Entries are numbered as their letters were kept, so what lies before the word's is done with. */
void type_table_take_word(type_table *t, uint32_t index, char *out)
{
    const type_table_entry *e = entry_at(t, index);
    if (e->length > TOKEN_INLINE) {
        const uintptr_t at = (uintptr_t)e->rest.letters;
        while (at - (uintptr_t)t->letters >= t->letters->size) {
            drop_oldest_letters(t);
        }
    }
    type_table_copy_word(e, out);
}

void type_table_clear(type_table *t)
{
    type_table_drop_slots(t);
    for (size_t i = 0; i < t->block_count; i++) {
        pages_free(t->blocks[i], sizeof *t->blocks[i]);
    }
    mem_free(t->blocks);
    type_table_drop_letters(t);
    memset(t, 0, sizeof *t);
}

static bool add_block(type_table *t)
{
    if (t->block_count == t->block_capacity) {
        const size_t capacity = t->block_capacity ? 2 * t->block_capacity : 16;
        type_table_block **grown = mem_realloc(t->blocks, capacity, sizeof *t->blocks);
        if (!grown) {
            return false;
        }
        t->blocks = grown;
        t->block_capacity = capacity;
    }
    type_table_block *block = pages_alloc(sizeof *block);
    if (!block) {
        return false;
    }
    t->blocks[t->block_count++] = block;
    return true;
}

static const char *keep_letters(type_table *t, const char *word, size_t n)
{
    if (!t->last_letters || n > t->letters_size - t->letters_used) {
        type_table_letters *fresh = pages_alloc(LETTERS_BYTES);
        if (!fresh) {
            return NULL;
        }
        fresh->next = NULL;
        fresh->size = LETTERS_BYTES;
        *(t->last_letters ? &t->last_letters->next : &t->letters) = fresh;
        t->last_letters = fresh;
        t->letters_used = 0;
        t->letters_size = LETTERS_BYTES - sizeof *fresh;
    }
    char *to = t->last_letters->bytes + t->letters_used;
    memcpy(to, word, n);
    t->letters_used += n;
    t->memory += n;
    return to;
}

/* A new entry for the word with no occurrence yet; TYPE_TABLE_NONE without memory. */
static uint32_t add_entry(type_table *t, const token *word, bool borrow_letters)
{
    if (t->count == TYPE_TABLE_MAX) {
        return TYPE_TABLE_NONE;
    }
    const uint32_t index = t->count;
    if (index >> TYPE_TABLE_ENTRIES_BITS == t->block_count && !add_block(t)) {
        return TYPE_TABLE_NONE;
    }
    type_table_entry *e = entry_at(t, index);
    if (word->length <= TOKEN_INLINE) {
        e->rest.tail = word->tail;
    } else {
        e->rest.letters = borrow_letters ? word->bytes : keep_letters(t, word->bytes, word->length);
        if (!e->rest.letters) {
            return TYPE_TABLE_NONE;
        }
    }
    e->head = word->head;
    e->hash = word->hash;
    e->length = word->length;
    e->count = 0;
    *first_seen_at(t, index) = word->first_seen;
    t->count++;
    t->memory += sizeof *e + sizeof(uint64_t);
    return index;
}

static inline bool same_word(const type_table_entry *e, const token *k)
{
    if (e->head != k->head || e->length != k->length) {
        return false;
    }
    return k->length <= TOKEN_INLINE ? e->rest.tail == k->tail
                                     : memcmp(e->rest.letters, k->bytes, k->length) == 0;
}

/* Slot of the word, or the empty one where it belongs. */
static size_t find_slot(const type_table *t, const token *word)
{
    size_t at = word->hash & t->slot_mask;
    while (t->slots[at].next && !(t->slots[at].hash == word->hash &&
                                  same_word(entry_at(t, t->slots[at].next - 1), word))) {
        at = (at + 1) & t->slot_mask;
    }
    return at;
}

uint32_t type_table_find(const type_table *t, const token *word)
{
    const uint32_t next = t->slots[find_slot(t, word)].next;
    return next ? next - 1 : TYPE_TABLE_NONE;
}

/* Index of the word, which is added when it is not there; TYPE_TABLE_NONE without memory. */
static uint32_t find_or_add(type_table *t, const token *word, bool borrow_letters)
{
    const size_t at = find_slot(t, word);
    if (t->slots[at].next) {
        return t->slots[at].next - 1;
    }
    const uint32_t index = add_entry(t, word, borrow_letters);
    if (index != TYPE_TABLE_NONE) {
        t->slots[at].hash = word->hash;
        t->slots[at].next = index + 1;
    }
    return index;
}

/* Room for n more types, so that slots stay where they are during a batch. */
static bool reserve(type_table *t, size_t n)
{
    return t->count + n <= t->slot_limit || set_slots(t, 2 * (t->slot_mask + 1));
}

/* First entry on the word's path with its hash: nearly always the word; 0 = none. */
static inline uint32_t first_candidate(const type_table *t, uint32_t hash)
{
    size_t at = hash & t->slot_mask;
    while (t->slots[at].next && t->slots[at].hash != hash) {
        at = (at + 1) & t->slot_mask;
    }
    return t->slots[at].next;
}

static w2v_status no_room(const type_table *t, w2v_error *err)
{
    return t->count == TYPE_TABLE_MAX
               ? error_set(err, W2V_ERR_MEMORY, "more than 4,294,967,293 distinct words")
               : error_memory(err, "the table of words");
}

w2v_status type_table_count(type_table *t, const token *tokens, size_t n, uint32_t *ids,
                            w2v_error *err)
{
    uint32_t candidates[TOKEN_BATCH];
    if (!reserve(t, n)) {
        return no_room(t, err);
    }
    for (size_t i = 0; i < n; i++) {
        PREFETCH(&t->slots[tokens[i].hash & t->slot_mask]);
    }
    for (size_t i = 0; i < n; i++) {
        candidates[i] = first_candidate(t, tokens[i].hash);
        if (candidates[i]) {
            PREFETCH(entry_at(t, candidates[i] - 1));
        }
    }
    for (size_t i = 0; i < n; i++) {
        const token *k = &tokens[i];
        uint32_t index = TYPE_TABLE_NONE;
        if (k->length != TOKEN_BREAK) {
            if (candidates[i] && same_word(entry_at(t, candidates[i] - 1), k)) {
                index = candidates[i] - 1;
            } else {
                index = find_or_add(t, k, false);
                if (index == TYPE_TABLE_NONE) {
                    return no_room(t, err);
                }
            }
            entry_at(t, index)->count++;
        }
        ids[i] = index;
    }
    return W2V_OK;
}

static void token_of_entry(token *k, const type_table *t, uint32_t index)
{
    const type_table_entry *e = entry_at(t, index);
    k->bytes = e->length > TOKEN_INLINE ? e->rest.letters : NULL;
    k->head = e->head;
    k->tail = e->length > TOKEN_INLINE ? 0 : e->rest.tail;
    k->hash = e->hash;
    k->length = e->length;
    k->first_seen = type_table_first_seen(t, index);
}

static bool merge_batch(type_table *into, const type_table *from, uint32_t begin, size_t n,
                        uint32_t *map)
{
    token words[TOKEN_BATCH];
    if (!reserve(into, n)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        token_of_entry(&words[i], from, begin + (uint32_t)i);
        PREFETCH(&into->slots[words[i].hash & into->slot_mask]);
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t candidate = first_candidate(into, words[i].hash);
        if (candidate) {
            PREFETCH(entry_at(into, candidate - 1));
        }
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t index = find_or_add(into, &words[i], true);
        if (index == TYPE_TABLE_NONE) {
            return false;
        }
        uint64_t *first = first_seen_at(into, index);
        *first = words[i].first_seen < *first ? words[i].first_seen : *first;
        entry_at(into, index)->count += entry_at(from, begin + (uint32_t)i)->count;
        map[begin + i] = index;
    }
    return true;
}

static void move_letters(type_table *into, type_table *from)
{
    if (from->letters) {
        *(into->last_letters ? &into->last_letters->next : &into->letters) = from->letters;
        into->last_letters = from->last_letters;
        from->letters = NULL;
    }
}

w2v_status type_table_merge(type_table *into, type_table *from, uint32_t *map, w2v_error *err)
{
    for (uint32_t begin = 0; begin < from->count;) {
        const uint32_t left = from->count - begin;
        const uint32_t n = left < TOKEN_BATCH ? left : TOKEN_BATCH;
        if (!merge_batch(into, from, begin, n, map)) {
            return no_room(into, err);
        }
        begin += n;
    }
    move_letters(into, from);
    type_table_clear(from);
    return W2V_OK;
}
