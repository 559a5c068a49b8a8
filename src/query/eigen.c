/*
 * Householder reflections turn the matrix into a tridiagonal one with the same eigenvalues (Golub
 * and Van Loan, Matrix Computations, section 8.3), and these are found by bisection: the number of
 * eigenvalues below x is the number of negative pivots of T - x (Sturm; section 8.4). Eigenvectors
 * of T come by inverse iteration, and are reflected back. Nothing here can fail to converge.
 */
#include "query/eigen.h"

#include "base/mem.h"
#include "base/rng.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define LANES 8  /* sums of a dot product, so that they need not wait for each other */
#define SOLVES 3 /* of inverse iteration: the first is nearly always enough */

static double dot(const double *x, const double *y, size_t n)
{
    double sums[LANES] = {0.0}, sum = 0.0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        for (size_t l = 0; l < LANES; l++) {
            sums[l] += x[i + l] * y[i + l];
        }
    }
    for (; i < n; i++) {
        sum += x[i] * y[i];
    }
    for (size_t l = 0; l < LANES; l++) {
        sum += sums[l];
    }
    return sum;
}

static double longest(const double *x, size_t n)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* y += factor x */
static void add(double factor, const double *x, double *y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        y[i] += factor * x[i];
    }
}

/* ------------------------------------------------------------------ to a tridiagonal matrix */

typedef struct reduction {
    double *a;
    size_t n;
    double *diagonal, *beside; /* beside[i] stands between i - 1 and i; beside[0] = 0 */
    /* Of the step before this one, still to be taken off: v w' + w v'. */
    double *v, *w;
    double *v_next, *product; /* of this step: A v_next */
    size_t step;
} reduction;

/*
 * The reflection I - v v' that leaves of x[0..n-1] only its first number, which is returned; v is
 * 0 where there is nothing to be done. All is seen beside the largest number: what is left of a
 * matrix of low rank is so small that its squares would vanish.
 */
static double reflect(const double *x, size_t n, double *v)
{
    const double most = longest(x, n);
    memset(v, 0, n * sizeof *v);
    for (size_t i = 0; i < n && most > 0.0; i++) {
        v[i] = x[i] / most;
    }
    const double rest = dot(v + 1, v + 1, n - 1);
    if (!(rest > 0.0)) {
        memset(v, 0, n * sizeof *v);
        return x[0];
    }
    const double length = sqrt(v[0] * v[0] + rest), first = v[0] > 0.0 ? -length : length;
    v[0] -= first; /* of opposite signs: nothing cancels */
    const double factor = sqrt(2.0 / (v[0] * v[0] + rest));
    for (size_t i = 0; i < n; i++) {
        v[i] *= factor;
    }
    return first * most;
}

static void update_row(const reduction *r, size_t row)
{
    double *x = r->a + row * r->n;
    const double v = r->v[row], w = r->w[row];
    for (size_t j = r->step; j < r->n; j++) {
        x[j] -= v * r->w[j] + w * r->v[j];
    }
}

/* What is left of the matrix A after a reflection is A - v w' - w v', w = A v - (v'A v / 2) v. It
   is taken off as the next step reads it. Row `step` keeps the vector of its reflection. */
static void reduce(reduction *r)
{
    const size_t n = r->n;
    r->beside[0] = 0.0;
    for (size_t k = 0; k < n; k++) {
        double *row = r->a + k * n;
        r->step = k;
        update_row(r, k);
        r->diagonal[k] = row[k];
        if (k + 1 == n) {
            break;
        }
        const size_t rest = n - k - 1;
        r->beside[k + 1] = reflect(row + k + 1, rest, r->v_next + k + 1);
        memcpy(row + k + 1, r->v_next + k + 1, rest * sizeof *row);
        for (size_t i = k + 1; i < n; i++) {
            update_row(r, i);
            r->product[i] = dot(r->a + i * n + k + 1, r->v_next + k + 1, rest);
        }
        double *const v = r->v_next, *const w = r->product;
        add(-0.5 * dot(v + k + 1, w + k + 1, rest), v + k + 1, w + k + 1, rest);
        r->v_next = r->v;
        r->product = r->w;
        r->v = v;
        r->w = w;
    }
}

/* --------------------------------------------------------------------------------- values */

static size_t count_above(const reduction *r, double x)
{
    size_t above = 0;
    double pivot = 1.0;
    for (size_t i = 0; i < r->n; i++) {
        pivot = r->diagonal[i] - x - r->beside[i] * r->beside[i] / pivot;
        if (fabs(pivot) < DBL_MIN) {
            pivot = -DBL_MIN; /* x itself is an eigenvalue of the part so far: not above */
        }
        above += pivot > 0.0;
    }
    return above;
}

/* A bound for the size of all eigenvalues (Gershgorin). */
static double reach_of(const reduction *r)
{
    double reach = 0.0;
    for (size_t i = 0; i < r->n; i++) {
        const double next = i + 1 < r->n ? fabs(r->beside[i + 1]) : 0.0;
        reach = fmax(reach, fabs(r->diagonal[i]) + fabs(r->beside[i]) + next);
    }
    return reach * (1.0 + 0x1p-40);
}

/* None is above the one before it. */
static void bisect(const reduction *r, size_t k, double reach, double *values)
{
    double top = reach;
    for (size_t i = 0; i < k; i++) {
        double low = -reach, high = top;
        for (;;) {
            const double middle = low + (high - low) / 2.0;
            if (!(middle > low && middle < high) || high - low < reach * 0x1p-56) {
                break;
            }
            if (count_above(r, middle) > i) {
                low = middle;
            } else {
                high = middle;
            }
        }
        values[i] = top = high;
    }
}

/* -------------------------------------------------------------------------------- vectors */

/* What stands in row i of T behind the diagonal. */
static double beside(const reduction *r, size_t i)
{
    return i + 1 < r->n ? r->beside[i + 1] : 0.0;
}

static void swap(double *x, double *y)
{
    const double kept = *x;
    *x = *y;
    *y = kept;
}

/* Row i of T - value without what stands below its diagonal goes to rows[i], from the diagonal on:
   elimination, with exchange of rows. A pivot is at least `least`. */
static void eliminate(const reduction *r, double value, double least, double (*rows)[3], double *x)
{
    double here[3] = {r->diagonal[0] - value, beside(r, 0), 0.0};
    for (size_t i = 0; i < r->n; i++) {
        const bool last = i + 1 == r->n;
        double below[3] = {beside(r, i), last ? 0.0 : r->diagonal[i + 1] - value,
                           last ? 0.0 : beside(r, i + 1)};
        if (fabs(below[0]) > fabs(here[0])) {
            for (size_t c = 0; c < 3; c++) {
                swap(&here[c], &below[c]);
            }
            swap(&x[i], &x[i + 1]);
        }
        here[0] = fabs(here[0]) < least ? least : here[0];
        memcpy(rows[i], here, sizeof here);
        if (!last) {
            const double factor = below[0] / here[0];
            x[i + 1] -= factor * x[i];
            here[0] = below[1] - factor * here[1];
            here[1] = below[2] - factor * here[2];
            here[2] = 0.0;
        }
    }
}

/* x becomes what T - value turns into x. */
static void solve(const reduction *r, double value, double least, double (*rows)[3], double *x)
{
    eliminate(r, value, least, rows, x);
    for (size_t i = r->n; i-- > 0;) {
        x[i] -= i + 1 < r->n ? rows[i][1] * x[i + 1] : 0.0;
        x[i] -= i + 2 < r->n ? rows[i][2] * x[i + 2] : 0.0;
        x[i] /= rows[i][0];
    }
}

static void divide(double *x, size_t n, double by)
{
    for (size_t i = 0; i < n; i++) {
        x[i] /= by;
    }
}

/* To length 1, at right angles to the `before` vectors that stand before it; twice, as the first
   time may leave much that is rounding. False where nothing is left. */
static bool settle(double *vectors, size_t n, size_t before)
{
    double *x = vectors + before * n;
    bool some = true;
    for (int pass = 0; pass < 2; pass++) {
        divide(x, n, longest(x, n));
        for (size_t j = 0; j < before; j++) {
            add(-dot(x, vectors + j * n, n), vectors + j * n, x, n);
        }
        const double length = sqrt(dot(x, x, n));
        some = some && length > 0.0 && length < INFINITY;
        divide(x, n, length);
    }
    return some;
}

static void draw(double *x, size_t n, rng *random)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)(rng_next(random) >> 11) * 0x1p-53 - 0.5;
    }
}

static void find_vectors(const reduction *r, size_t k, double reach, const double *values,
                         double (*rows)[3], double *vectors)
{
    const size_t n = r->n;
    rng random = rng_stream(1, RNG_INIT, n, k);
    for (size_t i = 0; i < k; i++) {
        double *x = vectors + i * n;
        draw(x, n, &random);
        for (int s = 0; s < SOLVES; s++) {
            solve(r, values[i], reach * 0x1p-52, rows, x);
            if (!settle(vectors, n, i)) {
                draw(x, n, &random);
                (void)settle(vectors, n, i);
            }
        }
    }
    for (size_t i = 0; i < k; i++) {
        double *x = vectors + i * n;
        for (size_t step = n - 1; step-- > 0;) {
            const double *v = r->a + step * n + step + 1;
            add(-dot(v, x + step + 1, n - step - 1), v, x + step + 1, n - step - 1);
        }
    }
}

/* ---------------------------------------------------------------------------------- whole */

/* The lower half from the upper one, and all so that no square leaves the range of a double. */
static double fill_and_scale(double *a, size_t n)
{
    double scale = 0.0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++) {
            scale = fmax(scale, fabs(a[i * n + j]));
        }
    }
    for (size_t i = 0; i < n && scale > 0.0; i++) {
        for (size_t j = i; j < n; j++) {
            a[i * n + j] /= scale;
            a[j * n + i] = a[i * n + j];
        }
    }
    return scale;
}

w2v_status eigen_top(double *a, size_t n, size_t k, double *values, double *vectors, w2v_error *err)
{
    enum { VECTORS = 6, ROW = 3 };
    double *room = mem_calloc(n, (VECTORS + ROW) * sizeof *room);
    if (!room) {
        return error_memory(err, "the eigenvalues");
    }
    const double scale = fill_and_scale(a, n);
    reduction r = {.a = a, .n = n};
    double **const parts[VECTORS] = {&r.diagonal, &r.beside, &r.v, &r.w, &r.v_next, &r.product};
    for (size_t i = 0; i < VECTORS; i++) {
        *parts[i] = room + i * n;
    }
    reduce(&r);
    const double reach = reach_of(&r);
    bisect(&r, k, reach, values);
    if (vectors) {
        find_vectors(&r, k, reach > 0.0 ? reach : 1.0, values, (double(*)[ROW])(room + VECTORS * n),
                     vectors);
    }
    for (size_t i = 0; i < k; i++) {
        values[i] *= scale;
    }
    mem_free(room);
    return W2V_OK;
}
