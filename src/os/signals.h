/* SIGINT and SIGTERM as a flag; SIGPIPE ignored so that writing reports EPIPE. */
#ifndef W2V_OS_SIGNALS_H
#define W2V_OS_SIGNALS_H

/** From now on the first SIGINT or SIGTERM sets a flag; the second ends the process at once with
    status 130 or 143 (a hidden temporary that was being written then stays). */
void signals_catch(void);
/** 0, or the number of the signal that came first. Async-signal-safe, cheap. */
int signals_pending(void);
/** A closed pipe and a limit on file size are then errors of writing (EPIPE, EFBIG), not the end. */
void signals_ignore_pipe(void);

#endif
