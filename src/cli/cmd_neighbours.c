/* w2v neighbours: the words nearest to a word, or to a sum of words. */
#include "cli/asking.h"
#include "cli/commands.h"

#include "base/buf.h"

static const option_group groups[] = {
    {"question", asking_options, 0, false},
    SESSION_GROUPS(offsetof(asking_args, session)),
};

/* "mean(king, queen)" */
static bool call_mean(question *q)
{
    buf name = {0};
    bool ok = buf_append_string(&name, "mean(");
    for (size_t i = 0; ok && i < q->count; i++) {
        ok = (i == 0 || buf_append_string(&name, ", ")) &&
             buf_append(&name, q->terms[i].word, q->terms[i].length);
    }
    ok = ok && buf_append_string(&name, ")") && question_call(q, name.data, name.size);
    buf_clear(&name);
    return ok;
}

static w2v_status build(const session *s, const w2v_term *words, size_t n, question *q,
                        w2v_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        ok = question_add(q, 1 / (double)n, words[i].word, words[i].length);
    }
    ok = ok && (s->one_question ? call_mean(q) : question_call(q, words[0].word, words[0].length));
    return ok ? W2V_OK : error_memory(err, "the questions");
}

static int run(void *opaque, const arguments *words)
{
    static const session_kind kind = {
        .command = "neighbours",
        .needs = "words",
        .prompt = "word> ",
        .whole_lines = true,
        .build = build,
        .answer = asking_answer,
    };
    return asking_run(&kind, opaque, words);
}

const command command_neighbours = {
    .name = "neighbours",
    .aliases = "neighbors nn",
    .others = "distance most-similar",
    .usage = "[VECTORS] WORD… [OPTION…]",
    .summary = "the words nearest to a word",
    .about =
        "Ranks the words of a table by how near they are to WORD, each WORD on its own, or to the "
        "combination that --mean or --expr asks for. Without a WORD they are read from standard "
        "input, one a line; on a terminal there is a prompt.\n\n"
        "On a terminal the answer is a table, in a pipe 'word<TAB>score' lines, with the question "
        "as first column where there are several. A word that is not in the table is told with "
        "near spellings, has 'unknown' for its score, and makes the exit status 4.",
    .examples = "  w2v neighbours vectors.bin cat\n"
                "  w2v neighbours vectors.bin --expr 'paris - france + germany' --exclude-inputs\n"
                "  w2v neighbours vectors.bin --queries words.txt -k 5 > answers.tsv\n",
    .groups = groups,
    .group_count = sizeof groups / sizeof *groups,
    .args_size = sizeof(asking_args),
    .defaults = asking_defaults,
    .run = run,
};
