/* Whatever the bytes are taken for: recognition, gzip, and the reader it leads to. */
#include "fuzz_vectors.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_load(data, size, W2V_FORMAT_AUTO);
    return 0;
}
