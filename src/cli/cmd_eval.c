/* w2v eval: tables scored with analogy questions, word pairs and association tests. */
#include "cli/commands.h"
#include "cli/eval_run.h"
#include "cli/outputs.h"

#define FIELD(member) offsetof(eval_args, member)

static const option_choice methods[] = {{"add", W2V_ADD}, {"mul", W2V_MUL}, {NULL, 0}};

static const option eval_options[] = {
    {.name = "method",
     .type = OPTION_CHOICE,
     .offset = FIELD(score.method),
     .choices = methods,
     .help = "how A, B and C are combined: 3CosAdd or 3CosMul"},
    {.name = "top",
     .letter = 'k',
     .aliases = "topn",
     .type = OPTION_U64,
     .offset = FIELD(score.top),
     .low = 1,
     .high = UINT32_MAX,
     .metavar = "N",
     .help = "an answer among the best N is right"},
    {.name = "ignore-case",
     .type = OPTION_FLAG,
     .offset = FIELD(score.ignore_case),
     .help = "words that differ in case only are one; the first row of such a word is meant"},
    {.name = "weat",
     .type = OPTION_TEXTS,
     .offset = FIELD(weat),
     .metavar = "X,Y,A,B",
     .help = "association test of four lists of a JSON file: targets X and Y, attributes A and B; "
             "may be given again"},
    {.name = "permutations",
     .type = OPTION_U64,
     .offset = FIELD(score.permutations),
     .low = 1,
     .high = UINT32_MAX,
     .metavar = "N",
     .help = "partitions of X and Y that its p is found by: all of them where there are no more, "
             "else N drawn ones"},
    {.name = "seed",
     .type = OPTION_U64,
     .offset = FIELD(score.seed),
     .high = UINT64_MAX,
     .metavar = "N",
     .help = "of the partitions that are drawn"},
    {.name = "stability",
     .type = OPTION_FLAG,
     .offset = FIELD(stability),
     .help = "also how far several tables agree on the 10 nearest neighbours of the words in the "
             "files"},
    {.name = "list-unknown",
     .type = OPTION_FLAG,
     .offset = FIELD(list_unknown),
     .help = "name on standard error the words that a table does not have"},
    {.name = NULL},
};

static const option_group groups[] = {
    {"scoring", eval_options, 0, false},
    {"vectors", vectors_options, offsetof(eval_args, vectors), false},
    {"answers", reply_options, offsetof(eval_args, reply), false},
    {"messages", talk_options, offsetof(eval_args, talk), false},
};

static void set_defaults(void *args)
{
    *(eval_args *)args =
        (eval_args){.vectors = vectors_defaults(), .score = w2v_score_options_default()};
}

static int run(void *opaque, const arguments *words)
{
    const eval_args *args = opaque;
    const talk t = talk_open(&args->talk);
    w2v_error err = {0};
    const w2v_status status = eval_run(args, &t, words, &err);
    if (status && output_pipe_closed("-", &err)) {
        clearerr(stdout); /* who reads has read enough */
        return 0;
    }
    return status ? talk_fail(&t, &err) : 0;
}

const command command_eval = {
    .name = "eval",
    .usage = "[VECTORS…] FILE… [OPTION…]",
    .summary = "scores vectors with analogy questions, word pairs and association tests",
    .about =
        "Every argument that is a file of vectors is a table; the others hold questions, of a kind "
        "that is told by their lines: analogies (': section' lines and lines of four words, A is "
        "to B as C is to D; 'a/b' names two right answers) or scored pairs (two words and a "
        "number between tabs, commas or blanks). Lines that begin with '#' are comments. A JSON "
        "object of word lists is for --weat.\n\n"
        "Of analogies it tells how many were right, asked and skipped (a word is unknown), and as "
        "shares: of those asked; of all, skipped ones counted wrong; right with A, B and C kept in "
        "the ranking, which they often lead; and where the answer was the nearest neighbour of A, "
        "B or C before any arithmetic. Sections named 'gram…' are syntactic. Of pairs it tells the "
        "correlations of cosine and score, Spearman's (ties at their mean rank) and Pearson's, "
        "with 95 % intervals by Fisher's transformation. 'n/a' is what has no value.\n\n"
        "--weat is the word embedding association test of Caliskan et al. (2017): are words of X "
        "nearer to A, relative to B, than words of Y? The effect size is the difference of the "
        "means in standard deviations (n - 1), within 2 either way for equal sets; p is the share "
        "of partitions of X and Y "
        "into sets of these sizes that set them apart at least as much. Each word of a list "
        "counts once. A comma in a name is written '\\,'.\n\n"
        "In a pipe: 'section' or 'sum', file, vectors, name, right, asked, skipped and the four "
        "shares; 'pairs', file, vectors, used, missing, then value and interval of both "
        "correlations; 'weat', file, vectors, four lists, effect size, p, 'all' or 'drawn', "
        "partitions, then used and missing of each list; 'stability', file, two vectors, words, "
        "mean overlap.",
    .examples = "  w2v eval vectors.bin questions-words.txt --limit 30000 --ignore-case\n"
                "  w2v eval seed1.bin seed2.bin questions-words.txt wordsim.tsv --stability\n"
                "  w2v eval vectors.bin lists.json --weat flowers,insects,pleasant,unpleasant\n",
    .groups = groups,
    .group_count = sizeof groups / sizeof *groups,
    .args_size = sizeof(eval_args),
    .defaults = set_defaults,
    .run = run,
};
