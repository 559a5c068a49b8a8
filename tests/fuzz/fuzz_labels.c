/* JSON vocabularies: token -> row, lists, tokenizer files; and the byte-level spelling of tokens.
 */
#include "vec/file.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char table[] = "1 1\na 1\n";
    w2v_vectors *v;
    w2v_error err = {0};
    w2v_load_options options = w2v_load_options_default();
    options.lenient = size % 2;
    if (vec_open_memory(table, sizeof table - 1, "table", &options, &v, &err) != W2V_OK) {
        abort();
    }
    vec_labels out = {0};
    bool is_json;
    if (vec_json_labels((const char *)data, size, 3, v, "input", &out, &is_json, &err) == W2V_OK &&
        is_json && out.names.count != 3) {
        abort();
    }
    vec_labels_clear(&out);
    w2v_vectors_free(v);
    return 0;
}
