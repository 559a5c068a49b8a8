/* Kinds of files by their first bytes: gzip, and kinds that are certainly no text. */
#ifndef W2V_IO_MAGIC_H
#define W2V_IO_MAGIC_H

#include <stddef.h>

typedef enum magic_kind {
    MAGIC_NONE,      /* none of the known */
    MAGIC_UNDECIDED, /* these bytes begin one of the known: more are needed */
    MAGIC_GZIP,
    MAGIC_OTHER, /* compressed in a way that is not read */
} magic_kind;

typedef struct magic {
    magic_kind kind;
    const char *name, *unpack; /* of MAGIC_OTHER: "zstd", and a command that unpacks to a pipe */
} magic;

magic magic_find(const unsigned char *bytes, size_t n);

#endif
