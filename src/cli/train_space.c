/* Will the outputs of w2v train fit on the disk? A warning only: others write there too. */
#include "base/num.h"
#include "cli/train_run.h"
#include "os/file.h"

#include <string.h>

static bool ends_with(const char *text, size_t n, const char *end)
{
    const size_t m = strlen(end);
    return n >= m && memcmp(text + n - m, end, m) == 0;
}

/* Bytes of a path before ".gz"; all of them without it. */
static size_t plain_length(const char *path)
{
    const size_t n = strlen(path);
    return ends_with(path, n, ".gz") ? n - 3 : n;
}

/* Compressed, decimals take 0.4 and binary numbers 0.9 of their size: a third gives no false alarm.
 */
static uint64_t as_stored(double bytes, const char *path)
{
    return (uint64_t)(plain_length(path) < strlen(path) ? bytes / 3 : bytes);
}

static bool is_text(w2v_format format, const char *path)
{
    static const char *const ends[] = {".txt", ".vec", ".glove", ".tsv"};
    for (size_t i = 0; format == W2V_FORMAT_AUTO && i < sizeof ends / sizeof *ends; i++) {
        if (ends_with(path, plain_length(path), ends[i])) {
            return true;
        }
    }
    return format == W2V_FORMAT_TEXT || format == W2V_FORMAT_GLOVE || format == W2V_FORMAT_TSV;
}

/* All words, each with a character after it. */
static double word_bytes(const w2v_vocab *vocab)
{
    double sum = 0;
    for (uint32_t i = 0; i < w2v_vocab_size(vocab); i++) {
        size_t n;
        (void)w2v_vocab_word(vocab, i, &n);
        sum += (double)n + 1;
    }
    return sum;
}

uint64_t space_of_vectors(const w2v_vocab *vocab, uint32_t dim, const w2v_save_options *save,
                          const char *path)
{
    /* Shortest decimals of floats have 8 to 9 digits; with "-0.0" in part and a blank, 4 more. */
    const double digits = save->precision ? save->precision : 8.5;
    const double number = is_text(save->format, path) ? digits + 4 : sizeof(float);
    return as_stored(word_bytes(vocab) + (double)w2v_vocab_size(vocab) * (dim * number + 1), path);
}

uint64_t space_of_checkpoint(const w2v_vocab *vocab, uint32_t dim, const char *path)
{
    const double words = w2v_vocab_size(vocab), each = 8.0 * dim + 16.0; /* two rows, two numbers */
    return as_stored(word_bytes(vocab) + words * each, path);
}

uint64_t space_of_vocab(const w2v_vocab *vocab, const char *path)
{
    double sum = word_bytes(vocab);
    for (uint32_t i = 0; i < w2v_vocab_size(vocab); i++) {
        for (uint64_t n = w2v_vocab_count(vocab, i); n > 0; n /= 10) {
            sum++;
        }
        sum++; /* the line's end */
    }
    return as_stored(sum, path);
}

/* The folder that an output really stands in, and the bytes it needs; 0 where that is not known. */
static uint64_t need(const train_run *run, int which, uint64_t *device)
{
    const output *o = &run->outputs[which];
    const w2v_vocab *vocab = w2v_corpus_vocab(run->corpus);
    char target[FILE_PATH_MAX];
    file_facts facts;
    *device = 0;
    if (!o->path || output_is_stream(o->path) || file_resolve(o->path, target, sizeof target)) {
        return 0;
    }
    char *slash = strrchr(target, '/');
    if (slash) {
        slash[slash == target] = '\0';
    }
    if (file_stat(slash ? target : ".", &facts) || facts.kind != FILE_FOLDER) {
        return 0;
    }
    *device = facts.device;
    const uint32_t dim = run->args->train.dim;
    return which == OUT_VOCAB        ? space_of_vocab(vocab, o->path)
           : which == OUT_CHECKPOINT ? space_of_checkpoint(vocab, dim, o->path)
                                     : space_of_vectors(vocab, dim, &run->args->save, o->path);
}

void space_warnings(const train_run *run)
{
    enum { FILES = OUT_RECORD }; /* the record is small */
    uint64_t bytes[FILES], device[FILES];
    for (int i = 0; i < FILES; i++) {
        bytes[i] = need(run, i, &device[i]);
    }
    for (int i = 0; i < FILES; i++) {
        uint64_t all = 0, room;
        for (int k = i; k < FILES; k++) {
            if (device[k] == device[i]) {
                all += bytes[k];
                bytes[k] = k == i ? bytes[k] : 0; /* told once */
            }
        }
        if (bytes[i] && !file_free_space(run->outputs[i].path, &room) && room < all) {
            char wanted[32], there[32];
            num_format_bytes(all, wanted);
            num_format_bytes(room, there);
            talk_warning(&run->talk, NULL,
                         "the outputs need about %s, but the file system of '%s' has only %s free",
                         wanted, run->outputs[i].path, there);
        }
    }
}
