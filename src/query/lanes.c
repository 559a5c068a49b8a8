#include "query/lanes.h"

#include "base/mem.h"
#include "query/exact.h"

#include <math.h>

#define FEW 12 /* so many lanes cost less one by one than a panel's 16 do */
#define UNIT_ROUNDOFF (1.0 / 16777216.0) /* of float: 2^-24 */
#define LEAST_MARGIN 1e-5

double lanes_margin(size_t dim)
{
    const double margin = 2.0 * ((double)dim + 8.0) * UNIT_ROUNDOFF;
    return margin < LEAST_MARGIN ? LEAST_MARGIN : margin;
}

void lanes_clear(lanes *l)
{
    mem_free(l->target);
    mem_free(l->norm);
    mem_free(l->values);
    *l = (lanes){0};
}

static size_t round_up(size_t n)
{
    return (n + DOTS_LANES - 1) / DOTS_LANES * DOTS_LANES;
}

w2v_status lanes_init(lanes *l, size_t count, size_t dim, w2v_error *err)
{
    *l = (lanes){.count = count,
                 .dim = dim,
                 .padded = round_up(count),
                 .panels = count > FEW,
                 .stride = round_up(dim)};
    size_t doubles, floats;
    bool fits = mem_multiply(count, dim, &doubles) &&
                mem_multiply(l->panels ? l->padded : count, l->panels ? dim : l->stride, &floats) &&
                mem_multiply(floats, sizeof *l->values, &floats);
    if (fits) {
        l->target = mem_calloc(doubles ? doubles : 1, sizeof *l->target);
        l->norm = mem_calloc(count ? count : 1, sizeof *l->norm);
        l->values = mem_alloc_aligned(floats ? floats : 1);
    }
    if (!l->target || !l->norm || !l->values) {
        lanes_clear(l);
        return error_memory(err, "the questions");
    }
    return W2V_OK;
}

/* Where column c of a lane lies. */
static float *place(const lanes *l, size_t lane, size_t c)
{
    if (!l->panels) {
        return l->values + lane * l->stride + c;
    }
    const size_t first = lane / DOTS_PANEL * DOTS_PANEL;
    const size_t width = l->padded - first < DOTS_PANEL ? l->padded - first : DOTS_PANEL;
    return l->values + first * l->dim + c * width + (lane - first);
}

void lanes_seal(lanes *l, size_t lane)
{
    const double *target = lanes_target(l, lane);
    const double norm = sqrt(exact_square_of_doubles(target, l->dim));
    l->norm[lane] = norm;
    for (size_t c = 0; c < l->dim; c++) {
        *place(l, lane, c) = norm > 0.0 ? (float)(target[c] / norm) : 0.0f;
    }
}
