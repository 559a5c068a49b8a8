/* How w2v stats shows what it found. */
#ifndef W2V_CLI_STATS_SHOW_H
#define W2V_CLI_STATS_SHOW_H

#include "cli/reply.h"

/** All that was found of the file `name`; in a pipe what it means goes to `t`.
    Errors: W2V_ERR_MEMORY. */
w2v_status stats_show(reply *r, const talk *t, const char *name, const w2v_vectors *vectors,
                      const w2v_stats *s, w2v_error *err);

#endif
