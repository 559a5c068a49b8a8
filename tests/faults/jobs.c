#include "support.h"

#include "faults/jobs.h"

#include <zlib.h>

/* clang-format off */
const char *const job_makers[][JOB_WORDS] = {
    {"train", "text.txt", "-q", "-o", "v.bin", "--save-context", "c.bin", "--save-vocab", "vocab.txt",
     "-d", "6", "-e", "2", "-m", "1", "-t", "1"},
    {"convert", "v.bin", "v.txt", "-q"},
    {"convert", "v.bin", "v.npy", "-q"},
    {"convert", "v.bin", "v.safetensors", "-q"},
    {"convert", "v.bin", "packed.txt.gz", "-q"},
    {"train", "text.txt", "-q", "-o", "v.bin", "--checkpoint", "run.ckpt", "-d", "6", "-e", "2", "-m",
     "1", "-t", "1"},
};
const unsigned job_maker_count = sizeof job_makers / sizeof job_makers[0];

const job jobs[] = {
    {"train-all-outputs",
     {"train", "text.txt.gz", "-o", "out.bin", "--save-context", "context.bin", "--save-vocab",
      "out.vocab", "--save-run", "run.json", "-d", "8", "-e", "2", "-m", "1", "--lowercase",
      "--watch", "king:queen", "--explain", "2"},
     {"out.bin", "context.bin", "out.vocab", "run.json"}, "text.txt.gz", NULL},
    {"train-spilled",
     {"train", "text.txt", "-o", "out.txt.gz", "-d", "4", "-e", "1", "-m", "1", "--max-memory",
      "300K", "--tmp-dir", "folder", "--share-negatives", "none", "--progress", "json"},
     {"out.txt.gz"}, "text.txt", NULL},
    {"train-folder",
     {"train", "-r", "folder", "-o", "out.npy", "-d", "4", "-e", "1", "-m", "1", "-q",
      "--read-vocab", "vocab.txt", "--invalid-utf8", "replace"},
     {"out.npy", "out.npy.labels.txt"}, "vocab.txt", NULL},
    {"train-two-threads",
     {"train", "text.txt", "-o", "out.bin", "-d", "8", "-e", "2", "-m", "1", "-q"},
     {"out.bin"}, "text.txt", "2"},
    {"train-dry", {"train", "text.txt", "--dry-run", "-m", "1"}, {0}, "text.txt", NULL},
    {"train-checkpoint",
     {"train", "text.txt", "-o", "out.bin", "--checkpoint", "out.ckpt", "-d", "4", "-e", "1", "-m", "1",
      "-q"},
     {"out.bin", "out.ckpt"}, "text.txt", NULL},
    {"train-resume",
     {"train", "text.txt", "-o", "out.bin", "--resume", "run.ckpt", "--checkpoint", "out.ckpt", "-q"},
     {"out.bin", "out.ckpt"}, "run.ckpt", NULL},
    {"train-init",
     {"train", "text.txt", "-o", "out.bin", "--init", "v.txt", "--freeze", "-d", "6", "-e", "1", "-m",
      "1", "-q"},
     {"out.bin"}, "v.txt", NULL},
    {"train-update",
     {"train", "folder/one.txt", "words.txt", "-o", "out.bin", "--update", "run.ckpt", "-q"},
     {"out.bin"}, "run.ckpt", NULL},
    {"vocab", {"vocab", "text.txt.gz", "-o", "out.vocab.gz", "-m", "2"}, {"out.vocab.gz"},
     "text.txt.gz", NULL},
    {"vocab-stdout", {"vocab", "text.txt", "-m", "1", "--lowercase", "--vocab-size", "30"}, {0},
     "text.txt", NULL},
    {"vocab-two-threads", {"vocab", "text.txt", "-o", "out.vocab", "-m", "1"}, {"out.vocab"},
     "text.txt", "2"},
    {"neighbours", {"neighbours", "v.bin", "king"}, {0}, "v.bin", NULL},
    {"neighbours-unknown", {"neighbours", "v.txt", "king", "Quen", "--table"}, {0}, "v.txt", NULL},
    {"neighbours-queries",
     {"neighbours", "v.npy", "--queries", "words.txt", "--json", "--candidates", "vocab.txt"},
     {0}, "words.txt", NULL},
    {"neighbours-formula",
     {"neighbours", "v.safetensors", "--labels", "labels.json", "--expr", "king - man + 0.5*woman",
      "--exclude-inputs", "--metric", "euclidean"},
     {0}, "labels.json", NULL},
    {"neighbours-two-threads", {"neighbours", "v.bin", "--queries", "words.txt"}, {0}, NULL, "2"},
    {"analogy", {"analogy", "v.bin", "king", "man", "woman"}, {0}, "v.bin", NULL},
    {"analogy-mul", {"analogy", "packed.txt.gz", "king", "man", "woman", "--method", "mul", "--json"},
     {0}, "packed.txt.gz", NULL},
    {"similarity", {"similarity", "v.npy", "king", "queen", "--json"}, {0}, "v.npy", NULL},
    {"vector", {"vector", "v.safetensors", "king", "--trace"}, {0}, "v.safetensors", NULL},
    {"convert-text", {"convert", "v.bin", "out.txt"}, {"out.txt"}, "v.bin", NULL},
    {"convert-npy", {"convert", "v.txt", "out.npy"}, {"out.npy", "out.npy.labels.txt"}, "v.txt",
     NULL},
    {"convert-safetensors", {"convert", "v.npy", "out.safetensors"},
     {"out.safetensors", "out.safetensors.labels.txt"}, "v.npy", NULL},
    {"convert-tsv", {"convert", "v.safetensors", "out.tsv", "--labels", "labels.json"},
     {"out.tsv", "out.metadata.tsv"}, "v.safetensors", NULL},
    {"convert-packed",
     {"convert", "v.bin", "out.bin.gz", "--words", "words.txt", "--normalize", "--lenient"},
     {"out.bin.gz"}, "words.txt", NULL},
    {"convert-stdout", {"convert", "packed.txt.gz", "-", "--format", "glove"}, {0}, "packed.txt.gz",
     NULL},
    {"eval", {"eval", "v.bin", "analogies.txt", "pairs.tsv", "--ignore-case", "--list-unknown",
              "--table"}, {0}, "analogies.txt", NULL},
    {"eval-stability", {"eval", "v.bin", "v.txt", "pairs.tsv", "--stability", "--json"}, {0},
     "pairs.tsv", NULL},
    {"eval-weat",
     {"eval", "v.bin", "lists.json", "--weat", "men,women,power,home", "--permutations", "50"}, {0},
     "lists.json", NULL},
    {"eval-two-threads", {"eval", "v.bin", "analogies.txt"}, {0}, NULL, "2"},
    {"stats", {"stats", "v.bin", "--json"}, {0}, "v.bin", NULL},
    {"stats-table", {"stats", "v.txt", "--table"}, {0}, "v.txt", NULL},
    {"predict",
     {"predict", "v.bin", "--context", "c.bin", "--counts", "vocab.txt", "king"}, {0}, "c.bin",
     NULL},
    {"map-svg", {"map", "v.bin", "--top", "20", "-o", "out.svg"}, {"out.svg"}, "v.bin", NULL},
    {"map-html", {"map", "v.txt", "--top", "12", "-o", "out.html", "--counts", "vocab.txt"},
     {"out.html"}, "vocab.txt", NULL},
    {"map-json", {"map", "v.npy", "--around", "king", "-k", "8", "--method", "pca", "-o", "out.json"},
     {"out.json"}, "v.npy", NULL},
    {"map-tsv", {"map", "v.bin", "--words", "words.txt", "-o", "out.tsv", "--method", "pca"},
     {"out.tsv"}, "words.txt", NULL},
    {"help", {"help", "train"}, {0}, NULL, NULL},
    {0},
};
/* clang-format on */

static const char *const tokens[] = {
    "the",  "King", "king", "queen", "man", "woman", "rules",       "a",
    "Land", "with", "his",  "crown", "her", "hat",   "caf\303\251", "\303\211t\303\251",
    "dog",  "cat",  "runs", "\xff",
};

/* Lines of words in no order that a reader would see: a small generator's. */
static size_t make_text(char *out, size_t size, size_t lines)
{
    size_t n = 0;
    uint32_t state = 7;
    for (size_t line = 0; line < lines; line++) {
        for (size_t i = 0; i < 8; i++) {
            state = state * 1664525 + 1013904223;
            const size_t pick = (state >> 16) % 300;
            n += (size_t)(pick < 280
                              ? snprintf(out + n, size - n, "%s ", tokens[pick % 20])
                              : snprintf(out + n, size - n, "w%zu ", pick % 20 * 20 + line % 20));
        }
        out[n - 1] = '\n';
    }
    return n;
}

static void write_labels(void)
{
    char *words = support_read("v.npy.labels.txt", NULL);
    FILE *f = fopen("labels.json", "wb");
    size_t row = 0;
    for (char *word = strtok(words, "\n"); word; word = strtok(NULL, "\n"), row++) {
        const bool bytes = (unsigned char)word[0] == 0xff; /* JSON holds UTF-8 only */
        fprintf(f, "%s\"%s\": %zu", row ? ", " : "{", bytes ? "bytes" : word, row);
    }
    fputs("}\n", f);
    fclose(f);
    free(words);
}

void job_files(void)
{
    if (support_exists("v.npy.labels.txt")) {
        write_labels();
        return;
    }
    static char text[1 << 16];
    const size_t n = make_text(text, sizeof text, 250);
    support_write("text.txt", text, n);
    mkdir("folder", 0777);
    support_write("folder/one.txt", text, n / 2);
    support_write("folder/two.txt", text + n / 2, n - n / 2);
    gzFile packed = gzopen("text.txt.gz", "wb");
    gzwrite(packed, text, (unsigned)n);
    gzclose(packed);
    support_write_text("words.txt", "king\nqueen\nman\ncat\n");
    support_write_text("analogies.txt", ": family\nking man queen woman\ncat dog king queen\n"
                                        ": gram1-hats\nhat crown dog nothere\n");
    support_write_text("pairs.tsv", "king\tqueen\t9\nman\twoman\t8\ncat\tdog\t7\nhat\truns\t1\n"
                                    "nothere\tcat\t2\n");
    support_write_text("lists.json",
                       "{\"men\": [\"king\", \"man\"], \"women\": [\"queen\", \"woman\"],\n"
                       "\"power\": [\"rules\", \"crown\"], \"home\": [\"cat\", \"hat\"]}\n");
}
