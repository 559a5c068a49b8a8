#include "cli/counts.h"

#include "base/mem.h"
#include "base/num.h"
#include "cli/lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A word that is looked for, and where it stood among the words asked. */
typedef struct wanted {
    const char *word;
    size_t length, place;
} wanted;

static int compare(const void *left, const void *right)
{
    const wanted *a = left, *b = right;
    const int order = memcmp(a->word, b->word, a->length < b->length ? a->length : b->length);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

/* Gives the count to every place of the word; the first line of a word counts. */
static void hand_out(const wanted *list, size_t n, const char *word, size_t length, uint64_t count,
                     uint64_t *counts)
{
    const wanted key = {.word = word, .length = length};
    const wanted *found = bsearch(&key, list, n, sizeof *list, compare);
    if (!found || counts[found->place] != COUNT_UNKNOWN) {
        return;
    }
    while (found > list && compare(found - 1, &key) == 0) {
        found--;
    }
    for (; found < list + n && compare(found, &key) == 0; found++) {
        counts[found->place] = count;
    }
}

static w2v_status read_lines(lines *from, const wanted *list, size_t n, uint64_t *counts,
                             w2v_error *err)
{
    for (;;) {
        const char *line;
        size_t length;
        bool end;
        const w2v_status status = lines_next(from, &line, &length, &end, err);
        if (status || end) {
            return status;
        }
        size_t word = length; /* up to the last blank */
        while (word && line[word - 1] != ' ' && line[word - 1] != '\t') {
            word--;
        }
        uint64_t count;
        if (word < 2 || !num_parse_u64(line + word, length - word, &count)) {
            return error_set(err, W2V_ERR_INPUT, "'%s' line %" PRIu64 " is not 'word count'",
                             lines_name(from), lines_number(from));
        }
        hand_out(list, n, line, word - 1, count, counts);
    }
}

w2v_status counts_find(const char *path, const w2v_term *words, size_t n, uint64_t *counts,
                       w2v_error *err)
{
    wanted *list = mem_calloc(n, sizeof *list);
    if (!list) {
        return error_memory(err, "the counts");
    }
    for (size_t i = 0; i < n; i++) {
        counts[i] = COUNT_UNKNOWN;
        list[i] = (wanted){.word = words[i].word, .length = words[i].length, .place = i};
    }
    qsort(list, n, sizeof *list, compare);
    lines *from = NULL;
    w2v_status status = lines_open(path, &from, err);
    if (!status) {
        status = read_lines(from, list, n, counts, err);
    }
    lines_close(from);
    mem_free(list);
    return status;
}
