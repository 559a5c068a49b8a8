/* The descent of t-SNE. */
#include "map/tsne.h"

#include "base/mem.h"
#include "base/rng.h"

#include <math.h>

/*
 * Exaggeration, its length and the momenta are van der Maaten's (2014, section 5). The rate is that
 * of Belkina et al. (2019), count / exaggeration, over 4 since the gradient has a factor 4, and at
 * least 5: less is slow for a dozen points, and with the 50 of other programs some of a hundred
 * are flung so far away that they never come back.
 */
#define EXAGGERATION 12.0
#define EXAGGERATED 250u
#define MOMENTUM_EARLY 0.5
#define MOMENTUM 0.8
#define RATE_LEAST 5.0
/* Gains of single coordinates (Jacobs 1988). */
#define GAIN_MORE 0.2
#define GAIN_LESS 0.8
#define GAIN_LEAST 0.01
/* Standard deviation of the places at the start, and the noise in it. */
#define START 1e-4
#define NOISE 1e-5
/* Places begin on a grid of so many steps to a deviation: the descent is chaotic, and where
   the axes are found in another way a last digit would make another picture. */
#define STEPS 1024.0

void tsne_start(double *xy, size_t count, uint64_t seed)
{
    double square = 0.0;
    for (size_t i = 0; i < count; i++) {
        square += xy[2 * i] * xy[2 * i];
    }
    const double deviation = sqrt(square / (double)count);
    rng r = rng_stream(seed, RNG_MAP, count, 0);
    for (size_t i = 0; i < 2 * count; i++) {
        const double noise = (double)(rng_next(&r) >> 11) * 0x1p-52 - 1.0;
        const double place = deviation > 0.0 ? round(xy[i] / deviation * STEPS) / STEPS : 0.0;
        xy[i] = place * START + noise * NOISE;
    }
}

/* One step; places keep their mean at 0. */
static void step(double *xy, size_t count, const double *gradient, double *move, double *gain,
                 double momentum, double rate)
{
    double mean[2] = {0.0, 0.0};
    for (size_t i = 0; i < 2 * count; i++) {
        const bool turned = (gradient[i] > 0.0) != (move[i] > 0.0);
        gain[i] = fmax(turned ? gain[i] + GAIN_MORE : gain[i] * GAIN_LESS, GAIN_LEAST);
        move[i] = momentum * move[i] - rate * gain[i] * gradient[i];
        xy[i] += move[i];
        mean[i % 2] += xy[i];
    }
    for (size_t i = 0; i < 2 * count; i++) {
        xy[i] -= mean[i % 2] / (double)count;
    }
}

static w2v_status descend(tsne_field *f, double *xy, const tsne_run *run, double *gradient,
                          double *move, double *gain, w2v_error *err)
{
    const size_t n = f->affinity->count;
    const double rate = fmax((double)n / EXAGGERATION / 4.0, RATE_LEAST);
    const uint32_t early = run->iterations / 4 < EXAGGERATED ? run->iterations / 4 : EXAGGERATED;
    for (size_t i = 0; i < 2 * n; i++) {
        gain[i] = 1.0;
    }
    for (uint32_t i = 0; i < run->iterations; i++) {
        if (run->progress && !run->progress(run->user, i)) {
            return error_set(err, W2V_ERR_INTERRUPTED, "the map was stopped");
        }
        const w2v_status status =
            tsne_gradient(f, xy, i < early ? EXAGGERATION : 1.0, gradient, err);
        if (status) {
            return status;
        }
        step(xy, n, gradient, move, gain, i < early ? MOMENTUM_EARLY : MOMENTUM, rate);
    }
    return tsne_gradient(f, xy, 1.0, gradient, err); /* for the divergence of where they stand */
}

w2v_status tsne_descend(tsne_field *f, double *xy, const tsne_run *run, w2v_error *err)
{
    const size_t n = f->affinity->count;
    double *all = mem_calloc(3, 2 * n * sizeof *all);
    if (!all) {
        return error_memory(err, "the places of the map");
    }
    const w2v_status status = descend(f, xy, run, all, all + 2 * n, all + 4 * n, err);
    mem_free(all);
    return status;
}
