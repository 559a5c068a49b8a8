#include "train/alias.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

/* The columns still to be paired: those with less than their share from the front, the others from
   the back of one array. */
typedef struct worklist {
    uint32_t *items;
    uint32_t small, large; /* items[0..small-1] and items[large..count-1] */
} worklist;

static void split(worklist *work, const double *share, uint32_t count)
{
    work->small = 0;
    work->large = count;
    for (uint32_t i = 0; i < count; i++) {
        if (share[i] < 1.0) {
            work->items[work->small++] = i;
        } else {
            work->items[--work->large] = i;
        }
    }
}

static void pair_up(alias_table *table, worklist *work, double *share)
{
    const double two32 = 4294967296.0;
    while (work->small > 0 && work->large < table->count) {
        const uint32_t less = work->items[--work->small];
        const uint32_t more = work->items[work->large];
        table->columns[less].threshold = (uint32_t)(share[less] * two32);
        table->columns[less].other = more;
        share[more] -= 1.0 - share[less];
        if (share[more] < 1.0) {
            work->large++;
            work->items[work->small++] = more;
        }
    }
}

w2v_status alias_init(alias_table *table, const double *weights, uint32_t count, w2v_error *err)
{
    table->count = count;
    table->columns = mem_calloc(count, sizeof *table->columns);
    double *share = mem_calloc(count, sizeof *share);
    worklist work = {mem_calloc(count, sizeof *work.items), 0, 0};
    if (!table->columns || !share || !work.items) {
        alias_clear(table);
        mem_free(share);
        mem_free(work.items);
        return error_memory(err, "the table of negative samples");
    }
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        sum += weights[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        share[i] = weights[i] / sum * (double)count;
        table->columns[i] = (alias_column){UINT32_MAX, i}; /* right for what rounding leaves over */
    }
    split(&work, share, count);
    pair_up(table, &work, share);
    mem_free(share);
    mem_free(work.items);
    return W2V_OK;
}

void alias_clear(alias_table *table)
{
    mem_free(table->columns);
    memset(table, 0, sizeof *table);
}

void noise_weights(const uint64_t *counts, uint32_t n, double exponent, double *weights)
{
    for (uint32_t i = 0; i < n; i++) {
        const double c = (double)counts[i];
        if (counts[i] == 0) {
            weights[i] = 0.0; /* a word of a given vocabulary without occurrences */
        } else if (exponent == 0.75) {
            weights[i] = sqrt(c) * sqrt(sqrt(c));
        } else if (exponent == 0.5) {
            weights[i] = sqrt(c);
        } else if (exponent == 1.0) {
            weights[i] = c;
        } else if (exponent == 0.0) {
            weights[i] = 1.0;
        } else {
            weights[i] = pow(c, exponent);
        }
    }
}
