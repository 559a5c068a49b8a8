/*
 * The step of kernel.h in its plainest form: the specification that every fast
 * version equals to the bit, for machines with fused multiply-add.
 */
#include "train/kernel.h"
#include "train/logistic.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

float kernel_dot(const float *x, const float *y, size_t stride)
{
    float lane[KERNEL_LANES] = {0};
    for (size_t c = 0; c < stride; c++) {
        lane[c % KERNEL_LANES] = fmaf(x[c], y[c], lane[c % KERNEL_LANES]);
    }
    for (size_t half = KERNEL_LANES / 2; half > 0; half /= 2) {
        for (size_t l = 0; l < half; l++) {
            lane[l] += lane[l + half];
        }
    }
    return lane[0];
}

/* exp(t) for LOGISTIC_MIN <= t <= 0 */
static float exponential(float t)
{
    static const float terms[LOGISTIC_EXP_TERMS] = LOGISTIC_EXP;
    const float shifted = fmaf(t, LOGISTIC_LOG2E, LOGISTIC_ROUND);
    const float n = shifted - LOGISTIC_ROUND;
    float r = fmaf(n, -LOGISTIC_LN2_HIGH, t);
    r = fmaf(n, -LOGISTIC_LN2_LOW, r);
    float p = terms[0];
    for (int k = 1; k < LOGISTIC_EXP_TERMS; k++) {
        p = fmaf(p, r, terms[k]);
    }
    const uint32_t bits = (uint32_t)((int32_t)n + 127) << 23;
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return p * scale;
}

static float log_one_plus(float e)
{
    static const float terms[LOGISTIC_LOG_TERMS] = LOGISTIC_LOG;
    float q = terms[0];
    for (int k = 1; k < LOGISTIC_LOG_TERMS; k++) {
        q = fmaf(q, e, terms[k]);
    }
    return e * q;
}

/* exp(-|x|) */
static float decay(float x)
{
    return exponential(fabsf(x) < -LOGISTIC_MIN ? -fabsf(x) : LOGISTIC_MIN);
}

float kernel_logistic(float x)
{
    const float e = decay(x);
    return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

/* The gradient of one pair of rows; its loss goes to *loss. */
static float gradient(float x, float a, float b, float rate, float *loss)
{
    const float softplus = (x < 0.0f ? 0.0f : x) + log_one_plus(decay(x));
    *loss += fmaf(-a, x, b * softplus);
    return rate * fmaf(-b, kernel_logistic(x), a);
}

KERNEL_RACY void kernel_gradients_reference(const kernel_group *group, size_t stride, float rate,
                                            float *g, double loss[KERNEL_LANES])
{
    const size_t padded = kernel_padded_outs(group->outs);
    float lane[KERNEL_LANES] = {0};
    for (size_t i = 0; i < group->rows * padded; i++) {
        /* eight outputs for every row, then the next eight: the order in which losses are added */
        const size_t tile = i / (group->rows * KERNEL_OUTS), within = i % (group->rows * KERNEL_OUTS);
        const size_t row = within / KERNEL_OUTS, j = tile * KERNEL_OUTS + within % KERNEL_OUTS;
        if (j < group->outs) {
            const float x = kernel_dot(group->row[row], group->out[j], stride);
            const float a = group->positive && j == 0 ? group->count[row] : 0.0f;
            const float b = group->count[row] * group->times[j];
            g[row * padded + j] = gradient(x, a, b, rate, &lane[row % 2 * KERNEL_OUTS + j % KERNEL_OUTS]);
        }
    }
    for (size_t l = 0; l < KERNEL_LANES; l++) {
        loss[l] += (double)lane[l];
    }
}

KERNEL_RACY void kernel_update_reference(const kernel_group *group, size_t stride, float *g)
{
    const size_t padded = kernel_padded_outs(group->outs);
    float *old = g + group->rows * padded; /* one column of the word rows */
    for (size_t c = 0; c < stride; c++) {
        for (size_t i = 0; i < group->rows; i++) {
            old[i] = group->row[i][c];
        }
        for (size_t i = 0; i < group->rows; i++) {
            float w = old[i];
            for (size_t j = 0; j < group->outs; j++) {
                w = fmaf(g[i * padded + j], group->out[j][c], w);
            }
            group->row[i][c] = w;
        }
        for (size_t j = 0; j < group->outs; j++) {
            float v = group->out[j][c];
            for (size_t i = 0; i < group->rows; i++) {
                v = fmaf(g[i * padded + j], old[i], v);
            }
            group->out[j][c] = v;
        }
    }
}
