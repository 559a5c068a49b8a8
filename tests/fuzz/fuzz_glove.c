/* The reader of GloVe text. */
#include "fuzz_vectors.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_load(data, size, W2V_FORMAT_GLOVE);
    return 0;
}
