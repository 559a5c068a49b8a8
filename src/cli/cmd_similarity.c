/* w2v similarity: dot product, cosine and distance of two words. */
#include "base/mem.h"
#include "cli/commands.h"
#include "cli/session.h"

static const option_group groups[] = {
    SESSION_GROUPS(0),
};

static void set_defaults(void *args)
{
    *(session_args *)args = session_defaults();
}

static w2v_status build(const session *s, const w2v_term *words, size_t n, question *q,
                        w2v_error *err)
{
    (void)s;
    for (size_t i = 0; i < n; i++) {
        if (!question_add(q, 1, words[i].word, words[i].length)) {
            return error_memory(err, "the questions");
        }
    }
    return W2V_OK;
}

static bool is_unknown(const w2v_similarity *pair)
{
    return pair->unknown[0] || pair->unknown[1];
}

static void tell_unknown(session *s, const question *q, const w2v_similarity *pair)
{
    for (size_t i = 0; i < 2; i++) {
        if (pair->unknown[i]) {
            session_unknown(s, q->terms[i].word, q->terms[i].length);
        }
    }
}

static w2v_status json_pair(session *s, const question *q, const w2v_similarity *pair,
                            w2v_error *err)
{
    json_t *words = json_pack("[o, o]", talk_json_bytes(q->terms[0].word, q->terms[0].length),
                              talk_json_bytes(q->terms[1].word, q->terms[1].length));
    if (is_unknown(pair)) {
        return reply_json(&s->reply,
                          json_pack("{s:o, s:[b, b]}", "words", words, "unknown", pair->unknown[0],
                                    pair->unknown[1]),
                          err);
    }
    return reply_json(&s->reply,
                      json_pack("{s:o, s:o, s:o, s:o}", "words", words, "dot",
                                reply_score(pair->dot), "cosine", reply_score(pair->cosine),
                                "euclidean", reply_score(pair->euclidean)),
                      err);
}

/* A line for each measure: for one pair in a pipe. */
static void one_pair(grid *g, const w2v_similarity *pair)
{
    grid_string(g, "dot");
    grid_score(g, pair->dot);
    grid_string(g, "cosine");
    grid_score(g, pair->cosine);
    grid_string(g, "euclidean");
    grid_score(g, pair->euclidean);
}

static void pair_row(grid *g, const question *q, const w2v_similarity *pair)
{
    grid_bytes(g, q->terms[0].word, q->terms[0].length);
    grid_bytes(g, q->terms[1].word, q->terms[1].length);
    if (is_unknown(pair)) {
        for (int i = 0; i < 3; i++) {
            grid_string(g, "unknown");
        }
        return;
    }
    grid_score(g, pair->dot);
    grid_score(g, pair->cosine);
    grid_score(g, pair->euclidean);
}

static w2v_status show(session *s, const question *questions, const w2v_similarity *pairs, size_t n,
                       w2v_error *err)
{
    reply *r = &s->reply;
    w2v_status status = W2V_OK;
    for (size_t i = 0; !status && i < n && r->form == REPLY_JSON; i++) {
        status = json_pair(s, &questions[i], &pairs[i], err);
    }
    if (r->form == REPLY_JSON || (!r->batch && is_unknown(&pairs[0]))) {
        return status;
    }
    if (r->form == REPLY_TSV && !r->batch) {
        reply_begin(r, 2, 0);
        one_pair(&r->grid, &pairs[0]);
        return reply_end(r, err);
    }
    reply_begin(r, 5, 1u << 2 | 1u << 3 | 1u << 4);
    if (r->form == REPLY_TABLE) {
        static const char *const heads[] = {"", "", "dot product", "cosine", "distance"};
        for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
            grid_string(&r->grid, heads[i]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        pair_row(&r->grid, &questions[i], &pairs[i]);
    }
    return reply_end(r, err);
}

static w2v_status answer(session *s, const question *questions, size_t n, w2v_error *err)
{
    w2v_term(*pairs)[2] = mem_calloc(n, sizeof *pairs);
    w2v_similarity *out = mem_calloc(n, sizeof *out);
    w2v_status status = pairs && out ? W2V_OK : error_memory(err, "the answers");
    for (size_t i = 0; !status && i < n; i++) {
        pairs[i][0] = questions[i].terms[0];
        pairs[i][1] = questions[i].terms[1];
    }
    if (!status) {
        /* C11 does not turn a pointer to arrays into one to arrays of constants by itself. */
        status = w2v_compare(s->vectors, (const w2v_term(*)[2])pairs, n, out, err);
    }
    for (size_t i = 0; !status && i < n; i++) {
        tell_unknown(s, &questions[i], &out[i]);
    }
    if (!status) {
        status = show(s, questions, out, n, err);
    }
    mem_free(pairs);
    mem_free(out);
    return status;
}

static int run(void *opaque, const arguments *words)
{
    static const session_kind kind = {
        .command = "similarity",
        .needs = "two words",
        .prompt = "pair> ",
        .each = 2,
        .build = build,
        .answer = answer,
    };
    session s = {.kind = &kind, .args = opaque, .command_args = opaque};
    return session_run(&s, words);
}

const command command_similarity = {
    .name = "similarity",
    .usage = "[VECTORS] WORD WORD [OPTION…]",
    .summary = "dot product, cosine and distance of a pair",
    .about =
        "Tells the dot product, the cosine and the Euclidean distance of the rows of two words. "
        "Without words, pairs are read from standard input, one a line with a tab or blanks "
        "between them; on a terminal there is a prompt.\n\n"
        "In a pipe one pair gives three lines 'dot', 'cosine', 'euclidean', each with its value "
        "after a tab; a batch gives a line for each pair: both words and the three values. A row "
        "of zeros has no direction, hence no cosine: 'n/a'.",
    .examples = "  w2v similarity vectors.bin cat dog\n"
                "  w2v similarity vectors.bin < pairs.tsv\n",
    .groups = groups,
    .group_count = sizeof groups / sizeof *groups,
    .args_size = sizeof(session_args),
    .defaults = set_defaults,
    .run = run,
};
