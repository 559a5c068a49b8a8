/* zlib's memory comes from base/mem like all other. */
#ifndef W2V_IO_ZLIB_MEMORY_H
#define W2V_IO_ZLIB_MEMORY_H

/** For z_stream.zalloc and .zfree. */
void *zlib_alloc(void *opaque, unsigned count, unsigned size);
void zlib_free(void *opaque, void *p);

#endif
