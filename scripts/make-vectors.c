/* Writes a made-up word2vec binary file, of any size, for scripts/bench --ask and --eval.
 *
 *     make-vectors ROWS DIM SEED [WORDS] > vectors.bin
 *
 * The words are the lines of the file WORDS, if it is given, and then w0, w1, ...: their lengths differ, so that rows start at any offset, as in real
 * files. A row's numbers are bell-shaped and its length is drawn too. The same arguments give the
 * same bytes on every machine.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64 (Steele, Lea and Flood, 2014): no state but a counter, and fast enough that writing
 * the file takes the time. */
static uint64_t next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The sum of three even draws from 0..2^21-1, which one 64-bit draw holds, is near enough to a
 * bell, and exact in a float: no library's rounding can make files differ. */
static float draw(uint64_t *state)
{
    const uint64_t mask = (UINT64_C(1) << 21) - 1;
    uint64_t bits = next(state);
    int64_t sum = (int64_t)((bits & mask) + (bits >> 21 & mask) + (bits >> 42 & mask));
    return (float)(sum - 3 * (int64_t)(mask / 2)) / (float)(1 << 21);
}

/* Little-endian, whatever this machine's order. */
static void put_float(unsigned char *to, float value)
{
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 4; i++) {
        to[i] = (unsigned char)(bits >> (8 * i));
    }
}

/* The next line of `words`, or a made-up word. */
static void put_word(FILE *words, unsigned long number)
{
    char line[256];
    if (words != NULL && fgets(line, sizeof line, words) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        printf("%s ", line);
    } else {
        printf("w%lu ", number);
    }
}

static int write_rows(unsigned long rows, size_t dim, uint64_t seed, FILE *words,
                      unsigned char *row)
{
    printf("%lu %zu\n", rows, dim);
    for (unsigned long i = 0; i < rows; i++) {
        /* 0.05 to 0.15 in steps that are no power of two, so that all 24 bits of a number are in
         * use and its decimals are as long as a trained one's. */
        float scale = 0.05F + (float)(next(&seed) % 1000) * 1e-4F;
        for (size_t j = 0; j < dim; j++) {
            put_float(row + 4 * j, draw(&seed) * scale);
        }
        row[4 * dim] = '\n';
        put_word(words, i);
        if (fwrite(row, 1, 4 * dim + 1, stdout) != 4 * dim + 1) {
            break;
        }
    }
    return fflush(stdout) == 0 && !ferror(stdout);
}

static int parse(const char *text, unsigned long least, unsigned long most, unsigned long *value)
{
    char *end = NULL;
    errno = 0;
    *value = strtoul(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && *value >= least &&
           *value <= most;
}

int main(int argc, char **argv)
{
    unsigned long rows = 0;
    unsigned long dim = 0;
    unsigned long seed = 0;
    if (argc < 4 || argc > 5 || !parse(argv[1], 1, 1000000000, &rows) || !parse(argv[2], 1, 1000000, &dim) ||
        !parse(argv[3], 0, UINT32_MAX, &seed)) {
        fputs("usage: make-vectors ROWS DIM SEED [WORDS] > vectors.bin\n", stderr);
        return 2;
    }
    FILE *words = argc == 5 ? fopen(argv[4], "rb") : NULL;
    unsigned char *row = malloc(4 * dim + 1);
    if (row == NULL || (argc == 5 && words == NULL) || setvbuf(stdout, NULL, _IOFBF, 1 << 20) != 0 ||
        !write_rows(rows, dim, seed, words, row)) {
        fprintf(stderr, "make-vectors: error: %s\n", strerror(errno));
        free(row);
        return 1;
    }
    free(row);
    return 0;
}
