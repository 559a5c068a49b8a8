/* convert_one IN OUT: reads a vector file and writes it in the format of OUT's name. */
#include "w2v/w2v.h"

#include <stdio.h>

int main(int count, char **arguments)
{
    if (count != 3) {
        return 2;
    }
    w2v_error err = {0};
    w2v_vectors *v;
    w2v_status status = w2v_vectors_open(arguments[1], NULL, &v, &err);
    if (status == W2V_OK) {
        status = w2v_vectors_save(v, arguments[2], NULL, NULL, &err);
    }
    if (status != W2V_OK) {
        fprintf(stderr, "%s\n", err.text);
    }
    w2v_vectors_free(v);
    return status == W2V_OK ? 0 : 1;
}
