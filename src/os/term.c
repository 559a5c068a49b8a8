#define _GNU_SOURCE
#include "os/term.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMNS_UNKNOWN 80

bool term_is_terminal(int fd)
{
    return isatty(fd) == 1;
}

int term_columns(int fd)
{
#ifdef TIOCGWINSZ
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return size.ws_col;
    }
#else
    (void)fd;
#endif
    return COLUMNS_UNKNOWN;
}

const char *term_env(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}
