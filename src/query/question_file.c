#include "query/question_file.h"

#include "base/mem.h"
#include "base/num.h"
#include "vec/file.h"

#include <string.h>

#define FIELDS 16 /* of a line that are looked at */

typedef struct field {
    const char *text;
    size_t n;
} field;

void w2v_question_file_free(w2v_question_file *file)
{
    if (file) {
        word_set_clear(&file->words);
        words_clear(&file->names);
        mem_free(file->sections);
        mem_free(file->questions);
        mem_free(file->answers);
        mem_free(file->pairs);
        mem_free(file->lists);
        mem_free(file->members);
        mem_free(file);
    }
}

const w2v_question_facts *w2v_question_file_facts(const w2v_question_file *file)
{
    return &file->facts;
}

/* ------------------------------------------------------------------ a line */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static field trimmed(const char *text, size_t n)
{
    while (n > 0 && is_blank(text[n - 1])) {
        n--;
    }
    while (n > 0 && is_blank(*text)) {
        text++;
        n--;
    }
    return (field){text, n};
}

/* Words between blanks; their number, of which at most FIELDS are stored. */
static size_t split_blanks(field line, field out[FIELDS])
{
    size_t count = 0;
    for (size_t i = 0; i < line.n;) {
        size_t end = i;
        while (end < line.n && !is_blank(line.text[end])) {
            end++;
        }
        if (end > i && count++ < FIELDS) {
            out[count - 1] = (field){line.text + i, end - i};
        }
        i = end + 1;
    }
    return count;
}

/* Fields between marks, without the blanks around them; empty ones count. */
static size_t split_marks(field line, char mark, field out[FIELDS])
{
    size_t count = 0;
    for (size_t i = 0; i <= line.n;) {
        size_t end = i;
        while (end < line.n && line.text[end] != mark) {
            end++;
        }
        if (count++ < FIELDS) {
            out[count - 1] = trimmed(line.text + i, end - i);
        }
        i = end + 1;
    }
    return count;
}

/* Two words and the first number after them: some lists have other columns before it. */
static bool scored(const field *fields, size_t count, double *score)
{
    if (count < 3 || fields[0].n == 0 || fields[1].n == 0) {
        return false;
    }
    for (size_t i = 2; i < count && i < FIELDS; i++) {
        if (num_parse_double(fields[i].text, fields[i].n, score)) {
            return true;
        }
    }
    return false;
}

static bool split_pair(field line, field out[FIELDS], double *score)
{
    static const char marks[] = {'\t', ','};
    for (size_t i = 0; i < sizeof marks; i++) {
        if (memchr(line.text, marks[i], line.n) &&
            scored(out, split_marks(line, marks[i], out), score)) {
            return true;
        }
    }
    return scored(out, split_blanks(line, out), score);
}

/* ---------------------------------------------------------------- the lists */

/* Room for one more in an array; false without memory. */
static bool grow(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room) {
        return true;
    }
    void *old, *grown;
    memcpy(&old, array, sizeof old);
    const size_t more = *room ? *room * 2 : 64;
    grown = mem_realloc(old, more, size);
    if (!grown) {
        return false;
    }
    memcpy(array, &grown, sizeof grown);
    *room = more;
    return true;
}

static bool add_word(w2v_question_file *f, field word, uint32_t *number)
{
    f->longest = word.n > f->longest ? word.n : f->longest;
    *number = word_set_add(&f->words, word.text, word.n);
    return *number != WORD_SET_NONE;
}

static bool add_section(w2v_question_file *f, field name)
{
    if (!grow(&f->sections, f->section_count, &f->section_room, sizeof *f->sections) ||
        !words_append(&f->names, name.text, name.n)) {
        return false;
    }
    f->sections[f->section_count++] =
        (file_section){.name = f->names.count - 1, .first = f->question_count};
    return true;
}

static bool add_answer(w2v_question_file *f, file_question *q, field word)
{
    uint32_t number;
    if (!grow(&f->answers, f->answer_count, &f->answer_room, sizeof *f->answers) ||
        !add_word(f, word, &number)) {
        return false;
    }
    f->answers[f->answer_count++] = number;
    q->answer_count++;
    return true;
}

static bool add_question(w2v_question_file *f, const field *fields)
{
    if ((f->section_count == 0 && !add_section(f, (field){"", 0})) ||
        !grow(&f->questions, f->question_count, &f->question_room, sizeof *f->questions)) {
        return false;
    }
    file_question q = {.answer = f->answer_count};
    for (size_t i = 0; i < 3; i++) {
        if (!add_word(f, fields[i], &q.word[i])) {
            return false;
        }
    }
    /* a/b: either is right, and so is the word "a/b" itself, which comes first. */
    if (!add_answer(f, &q, fields[3])) {
        return false;
    }
    field parts[FIELDS];
    const size_t count = split_marks(fields[3], '/', parts);
    for (size_t i = 0; count > 1 && i < count && i < FIELDS; i++) {
        if (parts[i].n > 0 && !add_answer(f, &q, parts[i])) {
            return false;
        }
    }
    f->questions[f->question_count++] = q;
    return true;
}

static bool add_pair(w2v_question_file *f, const field *fields, double score)
{
    file_pair p = {.score = score};
    if (!grow(&f->pairs, f->pair_count, &f->pair_room, sizeof *f->pairs) ||
        !add_word(f, fields[0], &p.word[0]) || !add_word(f, fields[1], &p.word[1])) {
        return false;
    }
    f->pairs[f->pair_count++] = p;
    return true;
}

/* ----------------------------------------------------------------- the text */

/* Line i, or an empty one for a comment. */
static field line_at(const words *lines, uint32_t i)
{
    size_t n;
    const char *text = words_get(lines, i, &n);
    const field line = trimmed(text, n);
    return line.n > 0 && line.text[0] == '#' ? (field){line.text, 0} : line;
}

/* A section decides; else what more lines look like. False: nothing looks like anything. */
static bool recognise(const words *lines, w2v_question_kind *kind)
{
    uint64_t questions = 0, pairs = 0;
    for (uint32_t i = 0; i < lines->count; i++) {
        const field line = line_at(lines, i);
        field fields[FIELDS];
        double score;
        if (line.n > 0 && line.text[0] == ':') {
            *kind = W2V_ANALOGIES;
            return true;
        }
        if (line.n > 0 && split_pair(line, fields, &score)) {
            pairs++;
        } else if (line.n > 0) {
            questions += split_blanks(line, fields) == 4;
        }
    }
    *kind = questions > pairs ? W2V_ANALOGIES : W2V_PAIRS;
    return questions + pairs > 0;
}

/* False without memory. */
static bool take_line(w2v_question_file *f, field line, uint64_t number, bool first)
{
    field fields[FIELDS];
    double score;
    if (f->facts.kind == W2V_ANALOGIES) {
        if (line.text[0] == ':') {
            return add_section(f, trimmed(line.text + 1, line.n - 1));
        }
        if (split_blanks(line, fields) == 4) {
            return add_question(f, fields);
        }
    } else if (split_pair(line, fields, &score)) {
        return add_pair(f, fields, score);
    } else if (first) {
        return true; /* a head over the columns */
    }
    if (f->facts.odd_lines++ == 0) {
        f->facts.first_odd_line = number;
    }
    return true;
}

static w2v_status parse(w2v_question_file *f, const words *lines, const char *path, w2v_error *err)
{
    if (!recognise(lines, &f->facts.kind)) {
        return error_set(err, W2V_ERR_INPUT,
                         "'%s' is neither a file of vectors nor one of analogy questions, scored "
                         "word pairs or word lists",
                         path);
    }
    bool first = true;
    for (uint32_t i = 0; i < lines->count; i++) {
        const field line = line_at(lines, i);
        if (line.n > 0 && !take_line(f, line, (uint64_t)i + 1, first)) {
            return error_memory(err, "the questions");
        }
        first = first && line.n == 0;
    }
    f->facts.questions = f->facts.kind == W2V_ANALOGIES ? f->question_count : f->pair_count;
    f->facts.sections = f->section_count;
    return W2V_OK;
}

w2v_status question_file_parse(const char *text, size_t n, const char *path,
                               w2v_question_file **out, w2v_error *err)
{
    *out = NULL;
    words lines = {0};
    w2v_status status;
    w2v_question_file *f = mem_calloc(1, sizeof *f);
    if (!f) {
        status = error_memory(err, "the questions");
    } else if (n > 0 && memchr(text, '\0', n)) {
        status =
            error_set(err, W2V_ERR_INPUT,
                      "'%s' is no file of vectors that can be read, and it holds NUL bytes, so "
                      "it is no file of questions either",
                      path);
    } else if (word_lists_begin(text, n)) {
        status = word_lists_parse(f, text, n, path, err);
    } else if (!vec_split_lines(text, n, true, &lines)) {
        status = error_memory(err, "the questions");
    } else {
        status = parse(f, &lines, path, err);
    }
    words_clear(&lines);
    if (status != W2V_OK) {
        w2v_question_file_free(f);
        return status;
    }
    *out = f;
    return W2V_OK;
}

w2v_status w2v_question_file_read(const char *path, w2v_question_file **out, w2v_error *err)
{
    *out = NULL;
    char *text;
    size_t n;
    w2v_status status = vec_read_whole(path, &text, &n, err);
    if (status == W2V_OK) {
        status = question_file_parse(text, n, path, out, err);
        mem_free(text);
    }
    return status;
}
