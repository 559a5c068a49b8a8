#include "cli/reading.h"

#include "base/num.h"
#include "os/clock.h"
#include "os/signals.h"
#include "render/text.h"

#include <inttypes.h>
#include <stdio.h>

static const option_choice utf8_choices[] = {{"replace", W2V_UTF8_REPLACE},
                                             {"drop", W2V_UTF8_DROP},
                                             {"keep", W2V_UTF8_KEEP},
                                             {"fail", W2V_UTF8_FAIL},
                                             {NULL, 0}};

static const option_choice form_choices[] = {
    {"none", W2V_FORM_AS_IS}, {"nfc", W2V_FORM_NFC}, {NULL, 0}};

#define FIELD(member) offsetof(reading_args, member)

const option reading_options[] = {
    {.name = "recursive",
     .letter = 'r',
     .type = OPTION_FLAG,
     .offset = FIELD(recursive),
     .help = "a folder stands for its files, in sorted order, hidden ones left out"},
    {.name = "min-count",
     .letter = 'm',
     .aliases = "minCount mincount",
     .type = OPTION_U64,
     .offset = FIELD(text.min_count),
     .low = 1,
     .high = UINT64_MAX,
     .metavar = "N",
     .help = "drop words that occur less often"},
    {.name = "vocab-size",
     .type = OPTION_U64,
     .offset = FIELD(text.vocab_size),
     .low = 1,
     .high = UINT32_MAX - 1,
     .metavar = "N",
     .help = "keep exactly the N most frequent words (ties: first seen)",
     .default_text = "none"},
    {.name = "read-vocab",
     .type = OPTION_TEXT,
     .offset = FIELD(text.read_vocab),
     .metavar = "FILE",
     .help = "take the words from a file of 'word count' lines"},
    {.name = "lowercase",
     .type = OPTION_FLAG,
     .offset = FIELD(text.lowercase),
     .help = "fold upper and lower case (all of Unicode)"},
    {.name = "normalise",
     .aliases = "normalize",
     .type = OPTION_CHOICE,
     .offset = FIELD(text.normal_form),
     .choices = form_choices,
     .help = "nfc: one form for letters with marks (Unicode's normal form C)"},
    {.name = "invalid-utf8",
     .type = OPTION_CHOICE,
     .offset = FIELD(text.invalid_utf8),
     .choices = utf8_choices,
     .help = "what becomes of bytes that are not UTF-8"},
    {.name = "threads",
     .letter = 't',
     .aliases = "thread workers",
     .type = OPTION_INT,
     .offset = FIELD(text.threads),
     .low = 1,
     .high = OPTION_THREADS_MAX,
     .metavar = "N",
     .help = "threads at work",
     .default_text = "the CPUs this process may use",
     .fraction_hint = "-t is the number of threads; the subsampling threshold is --sample"},
    {.name = "train",
     .aliases = "input",
     .type = OPTION_POSITIONAL,
     .hidden = true,
     .metavar = "FILE",
     .help = "one more corpus file"},
    {.name = "debug",
     .type = OPTION_IGNORED,
     .hidden = true,
     .high = UINT64_MAX,
     .metavar = "N",
     .help = "accepted and without effect"},
    {.name = NULL},
};

reading_args reading_defaults(void)
{
    reading_args args = {.text = w2v_text_options_default()};
    args.text.threads = w2v_cpu_count();
    return args;
}

w2v_status reading_inputs(const reading_args *args, const arguments *words, w2v_inputs **inputs,
                          w2v_error *err)
{
    if (words->count == 0) {
        error_set(err, W2V_ERR_ARGUMENT, "no corpus given");
        error_hint(err, "name a text file, or - for standard input");
        return W2V_ERR_ARGUMENT;
    }
    return w2v_inputs_create(words->items, words->count, args->recursive, inputs, err);
}

static int on_read(void *user, uint64_t done, uint64_t total, uint64_t tokens)
{
    progress_read(user, clock_wall(), done, total, tokens);
    return signals_pending();
}

w2v_status reading_run(const reading_args *args, const w2v_inputs *inputs, bool encode,
                       const talk *t, w2v_corpus **corpus, w2v_error *err)
{
    progress p = progress_begin(t, clock_wall());
    const w2v_status status = (encode ? w2v_corpus_create : w2v_corpus_count)(
        inputs, &args->text, on_read, &p, corpus, err);
    progress_clear(&p);
    /* A signal may also end a read that waits, which the library takes for a failure. */
    return status && signals_pending() ? W2V_ERR_INTERRUPTED : status;
}

void reading_facts(const talk *t, const reading_args *args, const w2v_inputs *inputs,
                   const w2v_corpus *corpus, double seconds)
{
    const w2v_text_stats *s = w2v_corpus_stats(corpus);
    const size_t n = w2v_inputs_count(inputs);
    char more[32] = "", bytes[32], tokens[32], types[32], lines[32], kept[32], kept_types[32];
    char dropped[32], share[RENDER_DURATION], time[RENDER_DURATION];
    if (n > 1) {
        snprintf(more, sizeof more, " and %zu more", n - 1);
    }
    num_format_bytes(s->bytes, bytes);
    num_format_grouped(s->tokens, tokens);
    num_format_grouped(s->types, types);
    num_format_grouped(s->lines, lines);
    num_format_grouped(s->tokens_kept, kept);
    num_format_grouped(s->types_kept, kept_types);
    num_format_grouped(s->types > s->types_kept ? s->types - s->types_kept : 0, dropped);
    talk_fact(t, "corpus", "%s%s: %s of text, read in %s", w2v_inputs_path(inputs, 0), more, bytes,
              render_duration(seconds, time));
    talk_fact(t, "words", "%s token%s of %s type%s on %s line%s", tokens, render_plural(s->tokens),
              types, render_plural(s->types), lines, render_plural(s->lines));
    const char *reason = args->text.read_vocab   ? "--read-vocab"
                         : args->text.vocab_size ? "--min-count, --vocab-size"
                                                 : "--min-count";
    talk_fact(t, "kept", "%s type%s (%s dropped by %s) with %s token%s (%s)", kept_types,
              render_plural(s->types_kept), dropped, reason, kept, render_plural(s->tokens_kept),
              render_share(s->tokens ? (double)s->tokens_kept / (double)s->tokens : 0, share));
}

/*
 * ": 'emu', 'gnu'": the first words of a vocabulary file that the text does
 * not hold. Nothing where the file has counts: the vocabulary keeps those, and
 * only the number of words that were not met is known.
 */
static void unseen_words(const w2v_vocab *vocab, char *out, size_t size)
{
    const uint32_t words = w2v_vocab_size(vocab);
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0, named = 0; i < words && named < 5; i++) {
        if (w2v_vocab_count(vocab, i) == 0) {
            const int n = snprintf(out + used, size - used, "%s'%.60s'", named ? ", " : ": ",
                                   w2v_vocab_word(vocab, i, NULL));
            used += n > 0 ? (size_t)n : 0;
            named++;
        }
    }
}

static void warn_bytes(const talk *t, const reading_args *args, const w2v_inputs *inputs,
                       const w2v_text_stats *s)
{
    char count[32];
    if (s->invalid_utf8) {
        const char *done = args->text.invalid_utf8 == W2V_UTF8_REPLACE ? "replaced by U+FFFD"
                           : args->text.invalid_utf8 == W2V_UTF8_DROP  ? "dropped"
                                                                       : "kept";
        num_format_grouped(s->invalid_utf8, count);
        talk_warning(t,
                     s->looks_latin1 ? "this looks like Latin-1 text; 'iconv -f latin1 -t utf-8' "
                                       "makes UTF-8 of it"
                                     : NULL,
                     "%s place%s with invalid UTF-8 (%s), first in '%s' at byte %" PRIu64, count,
                     render_plural(s->invalid_utf8), done,
                     w2v_inputs_path(inputs, s->invalid_input), s->invalid_offset);
    }
    if (s->nul_bytes) {
        num_format_grouped(s->nul_bytes, count);
        /* English in UTF-16 has a NUL for each letter. */
        talk_warning(t, s->nul_bytes > s->bytes / 4 ? "is this UTF-16? w2v reads UTF-8" : NULL,
                     "%s NUL byte%s taken for white space", count, render_plural(s->nul_bytes));
    }
    if (s->long_tokens) {
        num_format_grouped(s->long_tokens, count);
        talk_warning(t, NULL, "%s token%s over 4,096 bytes skipped", count,
                     render_plural(s->long_tokens));
    }
    if (s->gzip_trailing) {
        talk_warning(t, NULL, "%zu input%s with bytes after the last gzip member, ignored",
                     s->gzip_trailing, render_plural(s->gzip_trailing));
    }
}

void reading_warnings(const talk *t, const reading_args *args, const w2v_inputs *inputs,
                      const w2v_corpus *corpus)
{
    const w2v_text_stats *s = w2v_corpus_stats(corpus);
    warn_bytes(t, args, inputs, s);
    if (s->unseen && args->text.read_vocab) {
        char count[32], names[5 * 64 + 1];
        num_format_grouped(s->unseen, count);
        unseen_words(w2v_corpus_vocab(corpus), names, sizeof names);
        talk_warning(t, NULL, "%s word%s of '%s' never met in the text%s", count,
                     render_plural(s->unseen), args->text.read_vocab, names);
    }
}
