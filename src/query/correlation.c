#include "query/correlation.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define NORMAL_975 1.959963984540054 /* 97.5 % of a normal distribution lie below it */

static double mean(const double *x, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum / (double)n;
}

static bool is_constant(const double *x, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (x[i] != x[0]) {
            return false;
        }
    }
    return true;
}

w2v_correlation correlation_pearson(const double *x, const double *y, size_t n)
{
    w2v_correlation r = {NAN, NAN, NAN};
    /* Asked of the numbers: their mean is rounded, so a constant list may have a variance. */
    if (n < 2 || is_constant(x, n) || is_constant(y, n)) {
        return r;
    }
    const double mx = mean(x, n), my = mean(y, n);
    double xx = 0.0, yy = 0.0, xy = 0.0;
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
        xy += (x[i] - mx) * (y[i] - my);
    }
    const double value = xy / (sqrt(xx) * sqrt(yy));
    if (!isfinite(value)) {
        return r;
    }
    r.value = value > 1.0 ? 1.0 : value < -1.0 ? -1.0 : value;
    if (n > 3) {
        const double z = atanh(r.value), width = NORMAL_975 / sqrt((double)n - 3.0);
        r.low = tanh(z - width);
        r.high = tanh(z + width);
    }
    return r;
}

typedef struct place {
    double value;
    size_t at;
} place;

static int by_value(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

static void set_ranks(const double *x, size_t n, place *places, double *rank)
{
    for (size_t i = 0; i < n; i++) {
        places[i] = (place){.value = x[i], .at = i};
    }
    qsort(places, n, sizeof *places, by_value);
    for (size_t first = 0, end; first < n; first = end) {
        end = first + 1;
        while (end < n && places[end].value == places[first].value) {
            end++;
        }
        for (size_t i = first; i < end; i++) {
            rank[places[i].at] = (double)(first + 1 + end) / 2.0;
        }
    }
}

w2v_status correlation_spearman(const double *x, const double *y, size_t n, w2v_correlation *out,
                                w2v_error *err)
{
    *out = (w2v_correlation){NAN, NAN, NAN};
    place *places = mem_calloc(n + 1, sizeof *places);
    double *rx = mem_calloc(n + 1, sizeof *rx), *ry = mem_calloc(n + 1, sizeof *ry);
    w2v_status status = W2V_OK;
    if (places && rx && ry) {
        set_ranks(x, n, places, rx);
        set_ranks(y, n, places, ry);
        *out = correlation_pearson(rx, ry, n);
    } else {
        status = error_memory(err, "the ranks");
    }
    mem_free(places);
    mem_free(rx);
    mem_free(ry);
    return status;
}
