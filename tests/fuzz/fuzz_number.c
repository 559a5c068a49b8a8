/* Numbers as text: as strtof() reads them, which is right and slow. */
#include "vec/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[512];
    if (size >= sizeof text) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    float value;
    const char *end = number_parse(text, text + size, &value);
    if (end) {
        text[end - text] = '\0';
        const float expected = strtof(text, NULL);
        if (memcmp(&value, &expected, sizeof value) != 0) {
            abort();
        }
    }
    return 0;
}
