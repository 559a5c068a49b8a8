/* Runs a fuzz target over the files of its seeds: what libFuzzer's own main would do with them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0) {
        perror(path);
        return 1;
    }
    const long size = ftell(f);
    rewind(f);
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
    if (!data || size < 0 || fread(data, 1, (size_t)size, f) != (size_t)size) {
        perror(path);
        return 1;
    }
    fclose(f);
    LLVMFuzzerTestOneInput(data, (size_t)size);
    for (long cut = 0; cut < size && cut < 400; cut++) { /* and every beginning of it */
        uint8_t *part = malloc(cut > 0 ? (size_t)cut : 1);
        if (!part) {
            return 1;
        }
        for (long i = 0; i < cut; i++) {
            part[i] = data[i];
        }
        LLVMFuzzerTestOneInput(part, (size_t)cut);
        free(part);
    }
    free(data);
    return 0;
}

int main(int count, char **paths)
{
    if (count < 2) {
        fputs("no seeds\n", stderr);
        return 1;
    }
    for (int i = 1; i < count; i++) {
        if (run(paths[i]) != 0) {
            return 1;
        }
    }
    printf("%d seeds\n", count - 1);
    return 0;
}
