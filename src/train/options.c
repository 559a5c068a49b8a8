#include "train/options.h"

#include "base/num.h"
#include "os/pages.h"
#include "train/kernel.h"
#include "train/model.h"
#include "train/plan.h"
#include "train/replica.h"
#include "train/subsample.h"

#include <math.h>
#include <stdio.h>

w2v_train_options w2v_train_options_default(void)
{
    return (w2v_train_options){
        .dim = 100,
        .window = 5,
        .window_mode = W2V_WINDOW_SHRINK,
        .negative = 5,
        .ns_exponent = 0.75,
        .share = W2V_SHARE_WINDOW,
        .sample = 1e-3,
        .epochs = 5,
        .lr = 0.025,
        .max_sentence = 1000,
        .seed = 1,
        .threads = 1,
        .max_memory = 0,
    };
}

uint64_t w2v_train_bytes_per_word(const w2v_train_options *options)
{
    return 2 * (uint64_t)model_table_bytes(1, options->dim) + sizeof(alias_column) +
           sizeof(uint32_t);
}

static w2v_status check_whole(const char *name, double value, double low, double high,
                              w2v_error *err)
{
    if (!(value >= low && value <= high)) {
        return error_set(err, W2V_ERR_ARGUMENT, "%s %.0f is not in %.0f..%.0f", name, value, low,
                         high);
    }
    return W2V_OK;
}

static w2v_status check_real(const char *name, double value, double low, double high,
                             w2v_error *err)
{
    if (!(value >= low && value <= high)) {
        return error_set(err, W2V_ERR_ARGUMENT, "%s %g is not in %g..%g", name, value, low, high);
    }
    return W2V_OK;
}

w2v_status train_values_check(const w2v_train_options *o, w2v_error *err)
{
    w2v_status s = check_whole("dim", o->dim, 1, 65536, err);
    s = s ? s : check_whole("window", o->window, 1, 1000, err);
    s = s ? s : check_whole("negative", o->negative, 1, 1000, err);
    s = s ? s : check_real("ns-exponent", o->ns_exponent, -10, 10, err);
    s = s ? s : check_real("sample", o->sample, 0, 1, err);
    s = s ? s : check_whole("epochs", o->epochs, 1, 1000000, err);
    s = s ? s : check_whole("max-sentence", o->max_sentence, 2, 1e9, err);
    s = s ? s : check_whole("threads", o->threads, 1, 4096, err);
    s = s ? s : check_whole("window mode", (double)o->window_mode, 0, W2V_WINDOW_FIXED, err);
    s = s ? s : check_whole("share", (double)o->share, 0, W2V_SHARE_NONE, err);
    if (s == W2V_OK && !(o->lr > 0 && isfinite(o->lr))) {
        s = error_set(err, W2V_ERR_ARGUMENT, "learning rate %g is not above 0", o->lr);
    }
    return s;
}

/* Words that a negative can be: those of a given vocabulary that never occur cannot. */
static uint32_t occurring_types(const w2v_vocab *vocab)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < vocab->names.count && n < 2; i++) {
        n += vocab->counts[i] > 0;
    }
    return n;
}

w2v_status train_options_check(const w2v_train_options *options, const w2v_corpus *corpus,
                               w2v_error *err)
{
    const w2v_status status = train_values_check(options, err);
    if (status != W2V_OK) {
        return status;
    }
    if (corpus->counted_only) {
        return error_set(err, W2V_ERR_ARGUMENT, "the text was only counted, not encoded");
    }
    if (occurring_types(corpus->vocab) < 2) {
        size_t n = 0;
        const char *word =
            corpus->vocab->names.count ? words_get(&corpus->vocab->names, 0, &n) : "";
        error_set(err, W2V_ERR_INPUT,
                  "the vocabulary has one word only ('%.*s'), training needs at least 2",
                  (int)(n < 64 ? n : 64), word);
        if (corpus->stats.types > 1) {
            error_hint(err, "a lower min-count or a larger vocab-size keeps more words");
        }
        return W2V_ERR_INPUT;
    }
    if (corpus->stats.tokens_kept == 0) {
        return error_set(err, W2V_ERR_INPUT, "no word of the vocabulary occurs in the text");
    }
    return W2V_OK;
}

/* Share of pairs at this distance that the windows keep. */
static double reach(const w2v_train_options *options, uint32_t distance)
{
    if (options->window_mode == W2V_WINDOW_FIXED) {
        return 1.0;
    }
    return (double)(options->window - distance + 1) / (double)options->window;
}

/*
 * Pairs of an epoch, as if all pieces had the mean length n. The words of a piece that survive
 * subsampling, X of them, are then binomial, and E[max(0, X - d)], the pairs at distance d on one
 * side, falls by P(X >= d) from one d to the next.
 */
static double expected_pairs(const w2v_corpus *corpus, const w2v_train_options *options,
                             double kept)
{
    const double tokens = (double)corpus->stats.tokens_kept;
    double pieces = (double)corpus->stats.sentences;
    if (pieces * options->max_sentence < tokens) {
        pieces = ceil(tokens / options->max_sentence);
    }
    const double n = fmax(1.0, round(tokens / fmax(1.0, pieces)));
    double exactly = pow(1.0 - kept, n), below = 0.0; /* P(X = d - 1), P(X < d - 1) */
    double left = n * kept, pairs = 0.0;
    for (uint32_t d = 1; d <= options->window && d < n; d++) {
        below += exactly;
        exactly *= kept < 1.0 ? (n - d + 1) / d * kept / (1.0 - kept) : 0.0;
        left -= 1.0 - below;
        pairs += 2.0 * left * reach(options, d);
    }
    return pairs * tokens / n;
}

int train_threads(const w2v_train_options *options, const w2v_corpus *corpus)
{
    /* A team costs more than it gives where a thread has less than this to do in an epoch. */
    const uint64_t share = 256;
    const uint64_t most = 1 + corpus->stats.tokens_kept / share;
    return (uint64_t)options->threads < most ? options->threads : (int)most;
}

/* What a thread needs for itself: copies of frequent rows, sets of negatives, and a passage, whose
   longest possible length is known and whose true one is not. */
static uint64_t thread_bytes(const w2v_corpus *corpus, const w2v_train_options *options,
                             int threads)
{
    const size_t row_bytes = model_table_bytes(1, options->dim);
    const uint64_t hot = replica_hot_rows(corpus->vocab->names.count, row_bytes, threads);
    uint64_t tokens = options->max_sentence > 32768 ? options->max_sentence : 32768;
    tokens = tokens < corpus->stats.tokens_kept ? tokens : corpus->stats.tokens_kept;
    const uint64_t sets =
        (2 * (uint64_t)options->window + 1) * options->negative * sizeof(uint32_t);
    return 4 * hot * row_bytes + sets + PASSAGE_TOKEN_BYTES * tokens + 65536;
}

void w2v_train_estimate(const w2v_corpus *corpus, const w2v_train_options *options,
                        w2v_estimate *out)
{
    const w2v_vocab *vocab = corpus->vocab;
    const uint32_t rows = vocab->names.count;
    double kept = 0.0, total = 0.0;
    for (uint32_t i = 0; i < rows; i++) {
        const double count = (double)vocab->counts[i];
        kept += count * subsample_chance(vocab->counts[i], vocab->total, options->sample);
        total += count;
    }
    out->kept_share = total > 0 ? kept / total : 0.0;
    out->pairs = expected_pairs(corpus, options, out->kept_share) * options->epochs;
    out->threads = train_threads(options, corpus);
    out->table_bytes = 2 * (uint64_t)model_table_bytes(rows, options->dim);
    out->corpus_bytes = corpus->codes ? corpus->length * sizeof(uint32_t) : 0;
    out->other_bytes = (uint64_t)rows * (sizeof(alias_column) + sizeof(uint32_t)) +
                       (uint64_t)out->threads * thread_bytes(corpus, options, out->threads);
}

/* Refuses a run whose tables do not fit max_memory or the machine. */
static w2v_status memory_check(const w2v_train_options *options, const w2v_corpus *corpus,
                               w2v_error *err)
{
    w2v_estimate need;
    w2v_train_estimate(corpus, options, &need);
    const uint64_t tables = need.table_bytes + need.other_bytes + vocab_memory(corpus->vocab);
    const uint64_t available = pages_available();
    const bool over_limit = options->max_memory > 0 && tables > options->max_memory;
    if (need.table_bytes > 0 && !over_limit && (available == 0 || tables <= available)) {
        return W2V_OK;
    }
    char rows[32], bytes[32], limit[32];
    num_format_grouped(corpus->vocab->names.count, rows);
    num_format_bytes(tables, bytes);
    num_format_bytes(over_limit ? options->max_memory : available, limit);
    error_set(err, W2V_ERR_MEMORY, "%s words x %u x 2 tables need %s, more than the %s %s", rows,
              (unsigned)options->dim, bytes, limit, over_limit ? "allowed" : "of free memory");
    error_hint(err, "a smaller dim, a higher min-count or a vocab-size needs less");
    return W2V_ERR_MEMORY;
}

w2v_status w2v_train_check(const w2v_corpus *corpus, const w2v_train_options *options,
                           w2v_error *err)
{
    const w2v_status status = train_options_check(options, corpus, err);
    return status ? status : memory_check(options, corpus, err);
}
