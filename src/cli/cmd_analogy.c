/* w2v analogy: A is to B as the answer is to C. */
#include "cli/asking.h"
#include "cli/commands.h"

static const option_group groups[] = {
    /* &asking_options[1]: all but --mean, which makes no sense here */
    {"question", &asking_options[1], 0, false},
    SESSION_GROUPS(offsetof(asking_args, session)),
};

static w2v_status build(const session *s, const w2v_term *words, size_t n, question *q,
                        w2v_error *err)
{
    (void)s;
    static const double weights[] = {1, -1, 1};
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        ok = question_add(q, weights[i % 3], words[i].word, words[i].length);
    }
    return ok && question_call_formula(q) ? W2V_OK : error_memory(err, "the questions");
}

static int run(void *opaque, const arguments *words)
{
    static const session_kind kind = {
        .command = "analogy",
        .needs = "three words",
        .prompt = "A B C> ",
        .each = 3,
        .formulas = true,
        .build = build,
        .answer = asking_answer,
    };
    return asking_run(&kind, opaque, words);
}

const command command_analogy = {
    .name = "analogy",
    .others = "word-analogy analogies",
    .usage = "[VECTORS] A B C [OPTION…]",
    .summary = "ranks words near A − B + C",
    .about =
        "Ranks words near A − B + C: 'king man woman' asks what is to woman as king is to man. "
        "(The original word-analogy tool takes its words as B A C.) The words of the question "
        "stay in the ranking, marked 'input', unless --exclude-inputs leaves them out. The rank "
        "and cosine that the best answer had before any arithmetic is told with it: an answer "
        "that was a near neighbour of A or C anyway shows little. Without words, lines of three "
        "words or of a formula are read from standard input; on a terminal there is a prompt.",
    .examples = "  w2v analogy king man woman --exclude-inputs\n"
                "  w2v analogy vectors.bin king man woman --metric euclidean --json\n"
                "  w2v analogy vectors.bin --queries questions.txt --exclude-inputs -k 1\n",
    .groups = groups,
    .group_count = sizeof groups / sizeof *groups,
    .args_size = sizeof(asking_args),
    .defaults = asking_defaults,
    .run = run,
};
