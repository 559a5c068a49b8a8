/* The reader of word2vec binary. */
#include "fuzz_vectors.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_load(data, size, W2V_FORMAT_BINARY);
    return 0;
}
