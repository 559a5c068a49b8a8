/*
 * Coefficients of the kernel's own exponential and logarithm. libm is not used
 * because its last bit differs between systems, and a seed promises bytes.
 *
 * exp(t) for t <= 0: n = round(t / ln 2), r = t - n ln 2 in two steps, then
 * 2^n * P(r) with |r| <= ln(2)/2. log(1 + e) = e * Q(e) for 0 <= e <= 1.
 * P is Taylor's to degree 7 (error 4e-9); Q is the polynomial through the
 * Chebyshev nodes of [0,1], degree 9 (error 2e-8); both below a float's last bit.
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

#define LOGISTIC_EXP_TERMS 8
#define LOGISTIC_EXP { /* degree 7 first */ \
        0.000198412698f, 0.00138888889f, 0.00833333333f, 0.0416666667f, \
        0.166666667f, 0.5f, 1.0f, 1.0f }
#define LOGISTIC_LOG_TERMS 10
#define LOGISTIC_LOG { /* degree 9 first */ \
        -0.00317605702f, 0.0195425273f, -0.0563736128f, 0.105436238f, -0.152696671f, \
        0.196632743f, -0.249516163f, 0.333297105f, -0.499998926f, 0.999999995f }

#endif
