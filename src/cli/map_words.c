#include "cli/map_words.h"

#include "base/mem.h"
#include "cli/counts.h"

#include <string.h>

void map_words_clear(map_words *m)
{
    mem_free(m->ids);
    mem_free(m->groups);
    mem_free(m->counts);
    mem_free(m->taken);
    words_clear(&m->names);
    *m = (map_words){0};
}

static bool add(map_words *m, uint32_t id, size_t group)
{
    if (m->taken[id]) {
        return true;
    }
    if (m->count == m->room) {
        const size_t room = m->room ? 2 * m->room : 256;
        uint32_t *ids = mem_realloc(m->ids, room, sizeof *ids);
        m->ids = ids ? ids : m->ids;
        size_t *groups = ids ? mem_realloc(m->groups, room, sizeof *groups) : NULL;
        m->groups = groups ? groups : m->groups;
        if (!groups) {
            return false;
        }
        m->room = room;
    }
    m->taken[id] = true;
    m->ids[m->count] = id;
    m->groups[m->count++] = group;
    return true;
}

/* Groups are few: those of a legend. */
static bool find_group(map_words *m, const char *name, size_t n, size_t *group)
{
    for (uint32_t i = 0; i < m->names.count; i++) {
        size_t length;
        const char *other = words_get(&m->names, i, &length);
        if (length == n && memcmp(name, other, n) == 0) {
            *group = i;
            return true;
        }
    }
    *group = m->names.count;
    return words_append(&m->names, name, n);
}

static w2v_status add_word(map_words *m, session *s, const char *word, size_t n, size_t group,
                           w2v_error *err)
{
    const uint32_t id = w2v_vectors_find(s->vectors, word, n);
    if (id == UINT32_MAX) {
        session_unknown(s, word, n);
        return W2V_OK;
    }
    return add(m, id, group) ? W2V_OK : error_memory(err, "the words of the map");
}

/* "word", or "word<TAB>group"; what stands behind another tab is not looked at. */
static w2v_status add_line(map_words *m, session *s, const char *line, size_t n, w2v_error *err)
{
    const char *tab = memchr(line, '\t', n);
    size_t group = PICTURE_NO_GROUP;
    if (tab) {
        const char *name = tab + 1;
        const size_t left = n - (size_t)(name - line);
        const char *end = memchr(name, '\t', left);
        const size_t length = end ? (size_t)(end - name) : left;
        n = (size_t)(tab - line);
        if (length > 0 && !find_group(m, name, length, &group)) {
            return error_memory(err, "the groups of the map");
        }
    }
    return add_word(m, s, line, n, group, err);
}

static w2v_status add_file(map_words *m, session *s, const char *path, w2v_error *err)
{
    lines *from;
    const char *line;
    size_t n;
    bool end = false;
    w2v_status status = lines_open(path, &from, err);
    while (!status && !end) {
        status = lines_next(from, &line, &n, &end, err);
        if (!status && !end) {
            status = add_line(m, s, line, n, err);
        }
    }
    lines_close(from);
    return status;
}

static w2v_status add_around(map_words *m, session *s, const map_choice *choice, w2v_error *err)
{
    const w2v_term term = {.word = choice->around, .length = strlen(choice->around), .weight = 1.0};
    const w2v_query query = {.terms = &term, .term_count = 1};
    w2v_ask_options options = w2v_ask_options_default();
    options.exclude_inputs = true;
    options.ranks = false;
    options.k = choice->k;
    options.threads = choice->threads;
    w2v_status status = add_word(m, s, term.word, term.length, PICTURE_NO_GROUP, err);
    w2v_answers answers = {0};
    status = status ? status : w2v_ask(s->vectors, &query, 1, &options, &answers, err);
    for (size_t i = 0; !status && i < answers.count; i++) {
        if (!add(m, answers.items[i].id, PICTURE_NO_GROUP)) {
            status = error_memory(err, "the words of the map");
        }
    }
    w2v_answers_clear(&answers);
    return status;
}

static w2v_status read_counts(map_words *m, w2v_vectors *vectors, const char *path, w2v_error *err)
{
    w2v_term *terms = mem_calloc(m->count, sizeof *terms);
    m->counts = mem_calloc(m->count, sizeof *m->counts);
    w2v_status status = terms && m->counts ? W2V_OK : error_memory(err, "the counts");
    for (size_t i = 0; !status && i < m->count; i++) {
        terms[i].word = w2v_vectors_word(vectors, m->ids[i], &terms[i].length);
    }
    status = status ? status : counts_find(path, terms, m->count, m->counts, err);
    mem_free(terms);
    return status;
}

w2v_status map_words_choose(map_words *m, const map_choice *choice, const arguments *args,
                            session *s, w2v_error *err)
{
    const uint32_t size = w2v_vectors_size(s->vectors);
    const bool nothing = !args->count && !choice->file && !choice->around && !choice->top;
    uint64_t top = nothing ? MAP_TOP : choice->top;
    w2v_status status = W2V_OK;
    m->taken = mem_calloc((size_t)size + 1, sizeof *m->taken);
    if (!m->taken) {
        return error_memory(err, "the words of the map");
    }
    if (!nothing) {
        status = w2v_vectors_index(s->vectors, err);
    }
    for (size_t i = 0; i < args->count && !status; i++) {
        status = add_word(m, s, args->items[i], strlen(args->items[i]), PICTURE_NO_GROUP, err);
    }
    if (!status && choice->file) {
        status = add_file(m, s, choice->file, err);
    }
    if (!status && choice->around) {
        status = add_around(m, s, choice, err);
    }
    for (uint32_t id = 0; id < size && id < top && !status; id++) {
        status = add(m, id, PICTURE_NO_GROUP) ? W2V_OK : error_memory(err, "the words of the map");
    }
    if (!status && choice->counts && m->count) {
        status = read_counts(m, s->vectors, choice->counts, err);
    }
    return status;
}
