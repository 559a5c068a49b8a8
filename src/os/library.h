/* Shared libraries that are loaded only when they are wanted. */
#ifndef W2V_OS_LIBRARY_H
#define W2V_OS_LIBRARY_H

typedef void library_function(void);

/** The function of a library, which stays loaded; NULL where either is not there, or where memory
    is limited: some libraries begin threads as they are loaded, and wait for ever for those that
    found no memory. */
library_function *library_find(const char *library, const char *function);

#endif
