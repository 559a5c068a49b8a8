/* Any bytes as a vocabulary file; what was read is what it writes. */
#include "fuzz_file.h"

#include "text/vocab.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vocab_list list;
    w2v_error err = {0};
    const w2v_status status = vocab_list_read(fuzz_file(0, data, size), &list, &err);
    if (status != W2V_OK) {
        if (err.code != status || err.text[0] == '\0' || list.names.count != 0) {
            abort();
        }
        return 0;
    }
    for (uint32_t i = 0; i < list.names.count; i++) {
        size_t n;
        const char *word = words_get(&list.names, i, &n);
        if (n == 0 || strlen(word) != n || strcspn(word, " \t\n\v\f\r") != n) {
            abort();
        }
    }
    vocab_list_clear(&list);
    return 0;
}
