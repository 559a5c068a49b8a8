/* SHA-256 (FIPS 180-4), so that a run's record can be checked with sha256sum. */
#ifndef W2V_BASE_SHA256_H
#define W2V_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    unsigned char block[64];
} sha256;

#define SHA256_HEX 65 /* 64 digits and a NUL */

void sha256_init(sha256 *h);
void sha256_update(sha256 *h, const void *bytes, size_t n);
/** Ends the hash and writes it as lower-case hex digits. */
void sha256_finish(sha256 *h, char hex[SHA256_HEX]);

#endif
