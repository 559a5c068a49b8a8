#include "train/subsample.h"

#include "base/mem.h"

#include <math.h>

double subsample_chance(uint64_t count, uint64_t total, double sample)
{
    if (sample <= 0.0 || count == 0) {
        return 1.0;
    }
    const double ratio = sample * (double)total / (double)count;
    const double chance = sqrt(ratio) + ratio;
    return chance < 1.0 ? chance : 1.0;
}

w2v_status subsample_init(subsample *s, const uint64_t *counts, uint32_t n, uint64_t total,
                          double sample, w2v_error *err)
{
    s->threshold = mem_calloc(n, sizeof *s->threshold);
    if (!s->threshold) {
        return error_memory(err, "the subsampling table");
    }
    for (uint32_t i = 0; i < n; i++) {
        const double chance = subsample_chance(counts[i], total, sample);
        s->threshold[i] = chance < 1.0 ? (uint32_t)(chance * 4294967295.0) : UINT32_MAX;
    }
    return W2V_OK;
}

void subsample_clear(subsample *s)
{
    mem_free(s->threshold);
    s->threshold = NULL;
}
