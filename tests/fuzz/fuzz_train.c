/*
 * Any bytes as options and a text to train on. Numbers are finite or the run has failed with
 * reasons; the same seed gives the same bytes, whether the text lies in memory or on disk, and
 * whether somebody watches.
 */
#include "fuzz_file.h"

#include "train/model.h"

#include <math.h>

enum { OPTION_BYTES = 10, BYTES_MAX = 320 /* a wide window over more takes seconds */ };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ONE_OF(list, byte) ((list)[(byte) % (sizeof(list) / sizeof *(list))])

/* Sizes around those of vectors, groups and sets, and far beyond them. */
static w2v_train_options options_of(const uint8_t b[OPTION_BYTES])
{
    static const uint32_t dims[] = {1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 47, 64, 100, 131};
    static const uint32_t windows[] = {1, 2, 3, 5, 8, 15, 16, 17, 31, 32, 33, 40, 100, 1000};
    static const uint32_t negatives[] = {1, 2, 3, 5, 7, 15, 16, 30, 31, 32, 33, 64, 100};
    static const uint32_t sentences[] = {2, 3, 5, 16, 17, 100, 1000};
    static const double exponents[] = {0.75, 0.0, 1.0, -1.0, 3.0};
    static const double samples[] = {0.0, 1e-3, 1e-1, 1.0, 1e-9};
    static const double rates[] = {0.025, 1e-9, 0.5, 20.0};
    w2v_train_options o = w2v_train_options_default();
    o.dim = ONE_OF(dims, b[0]);
    o.window = ONE_OF(windows, b[1]);
    o.window_mode = b[2] & 1 ? W2V_WINDOW_FIXED : W2V_WINDOW_SHRINK;
    o.share = b[2] & 2 ? W2V_SHARE_NONE : W2V_SHARE_WINDOW;
    o.epochs = 1 + (b[2] >> 2 & 1);
    o.negative = ONE_OF(negatives, b[3]);
    o.max_sentence = ONE_OF(sentences, b[4]);
    o.ns_exponent = ONE_OF(exponents, b[5]);
    o.sample = ONE_OF(samples, b[6]);
    o.lr = ONE_OF(rates, b[7]);
    o.seed = b[8];
    return o;
}

static w2v_status train(const char *path, w2v_text_options text, const w2v_train_options *options,
                        w2v_model **model, w2v_error *err)
{
    w2v_inputs *inputs = NULL;
    w2v_corpus *corpus = NULL;
    *model = NULL;
    w2v_status status = w2v_inputs_create(&path, 1, false, &inputs, err);
    status = status ? status : w2v_corpus_create(inputs, &text, NULL, NULL, &corpus, err);
    status = status ? status : w2v_train(corpus, options, NULL, NULL, model, err);
    w2v_corpus_free(corpus);
    w2v_inputs_free(inputs);
    if (err->code != status || (status != W2V_OK) != (err->text[0] != '\0')) {
        abort();
    }
    return status;
}

static void add_pairs(void *user, const w2v_update *update)
{
    *(uint64_t *)user += update->pairs;
}

static void look(const w2v_model *m)
{
    for (size_t i = 0; i < m->table_bytes / sizeof *m->word; i++) {
        if (!isfinite(m->word[i]) || !isfinite(m->context[i])) {
            abort();
        }
    }
}

static void must_be_same(const w2v_model *a, const w2v_model *b)
{
    if (a->table_bytes != b->table_bytes || memcmp(a->word, b->word, a->table_bytes) != 0 ||
        memcmp(a->context, b->context, a->table_bytes) != 0) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < OPTION_BYTES) {
        return 0;
    }
    size = size < BYTES_MAX ? size : BYTES_MAX;
    w2v_train_options options = options_of(data);
    w2v_text_options text = w2v_text_options_default();
    text.min_count = 1 + (data[9] & 1);
    text.lines_are_sentences = (data[9] & 2) != 0;
    const char *path = fuzz_file(0, data + OPTION_BYTES, size - OPTION_BYTES);
    w2v_model *model, *again;
    w2v_error err = {0}, other = {0};
    const w2v_status status = train(path, text, &options, &model, &err);
    uint64_t pairs = 0;
    text.max_memory = 1; /* so it goes to disk */
    text.tmp_dir = "/tmp";
    options.explain = 1 + (data[9] >> 2);
    options.on_update = add_pairs;
    options.update_user = &pairs;
    if (train(path, text, &options, &again, &other) != status) {
        abort();
    }
    if (status == W2V_OK) {
        look(model);
        must_be_same(model, again);
    }
    w2v_model_free(model);
    w2v_model_free(again);
    return 0;
}
