/*
 * Coefficients of the kernel's own exponential and logarithm. libm is not used
 * because its last bit differs between systems, and a seed promises bytes.
 *
 * exp(t) for t <= 0: n = round(t / ln 2), r = t - n ln 2 in two steps, then
 * 2^n * P(r) with |r| <= ln(2)/2. log(1 + e) = e * Q(e) for 0 <= e <= 1.
 * P and Q go through the Chebyshev nodes of their intervals (P's last term set
 * to 1, so that the logistic function of 0 is exactly 1/2); their degrees, 5
 * and 7, are the lowest whose error, 2e-7 and 1e-7, is near a float's last bit.
 */
#ifndef W2V_TRAIN_LOGISTIC_H
#define W2V_TRAIN_LOGISTIC_H

#define LOGISTIC_LOG2E 1.44269504088896341f
#define LOGISTIC_LN2_HIGH 0.693359375f
#define LOGISTIC_LN2_LOW (-2.12194440e-4f)
/* exp(-87) is the smallest normal float, nearly; below it the logistic function is 0 or 1. */
#define LOGISTIC_MIN (-87.0f)
/* Adding 1.5 * 2^23 rounds to a whole number, which then stands in the lowest bits. */
#define LOGISTIC_ROUND 12582912.0f

#define LOGISTIC_EXP_TERMS 6
#define LOGISTIC_EXP /* degree 5 first */                                                         \
    {0.00836914849f, 0.0419175072f, 0.166665053f, 0.499988694f, 1.00000001f, 1.0f}
#define LOGISTIC_LOG_TERMS 8
#define LOGISTIC_LOG /* degree 7 first */                                                         \
    {-0.00837115255f, 0.0434938998f, -0.106850029f, 0.176874767f,                                  \
     -0.244747742f,   0.332719284f,  -0.499971745f, 0.999999781f}

#endif
