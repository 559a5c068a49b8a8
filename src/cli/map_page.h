/* A map as one page that needs no network. */
#ifndef W2V_CLI_MAP_PAGE_H
#define W2V_CLI_MAP_PAGE_H

#include "cli/map_output.h"

/** Appends the page with all its data: places by both methods, rows, counts, true neighbours.
    Errors: W2V_ERR_MEMORY, W2V_ERR_IO, W2V_ERR_INTERRUPTED. */
w2v_status map_page(const map_sheet *sheet, buf *out, w2v_error *err);

#endif
