/* Every kernel of this machine against the reference, and the reference's own numbers against libm.
 */
#include "train_support.h"

#include "kernel_check.h"

/* The ones that promise the reference's bits. */
static const char *const exact[] = {"avx512", "avx2", "neon"};

/* How many of them this machine can run. */
static int exact_kernels(kernel out[SUPPORT_COUNT(exact)])
{
    int n = 0;
    for (size_t i = 0; i < SUPPORT_COUNT(exact); i++) {
        out[n] = kernel_by_name(exact[i]);
        n += out[n].gradients != NULL;
    }
    return n;
}

static void test_kernel_every_dimension(void **state)
{
    (void)state;
    kernel all[SUPPORT_COUNT(exact)];
    const int n = exact_kernels(all);
    const kernel reference = kernel_by_name("reference");
    for (int i = 0; i < n; i++) {
        assert_true(check_dimensions(reference, all[i], 1, CHECK_DIM_MAX, train_small() ? 37 : 1,
                                     train_small() ? 3 : 4));
    }
}

static void test_kernel_every_shape(void **state)
{
    (void)state;
    kernel all[SUPPORT_COUNT(exact)];
    const int n = exact_kernels(all);
    const kernel reference = kernel_by_name("reference");
    for (int i = 0; i < n; i++) {
        assert_true(check_shapes(reference, all[i], 5));
        assert_true(train_small() || check_shapes(reference, all[i], 100));
    }
}

static void test_kernel_large_groups(void **state)
{
    (void)state;
    kernel all[SUPPORT_COUNT(exact)];
    const int n = exact_kernels(all);
    const kernel reference = kernel_by_name("reference");
    for (int i = 0; i < n; i++) {
        assert_true(check_large(reference, all[i]));
    }
    assert_true(check_large(reference, reference)); /* keeps within its scratch memory, too */
}

/* Without fused multiply-add the last bits differ, but not more than these. */
static void test_kernel_plain_is_near(void **state)
{
    (void)state;
    const kernel reference = kernel_by_name("reference"), plain = kernel_by_name("plain");
    for (size_t dim = 1; dim <= CHECK_DIM_MAX; dim += train_small() ? 97 : 7) {
        for (uint64_t n = 0; n < 4; n++) {
            const check_shape shape = {dim,
                                       1 + (dim + n) % CHECK_ROWS_MAX,
                                       1 + dim % CHECK_OUTS_MAX,
                                       n % 2 ? 1.0f : 0.05f,
                                       0.025f,
                                       n};
            check_case *a = check_create(shape), *b = check_create(shape);
            float *before = check_floats(a->table_rows * a->stride);
            memcpy(before, a->table, a->table_rows * a->stride * sizeof *before);
            check_step(a, reference);
            check_step(b, plain);
            const char *wrong = check_promises(b, before);
            assert_string_equal(wrong ? wrong : "", "");
            double loss_a = 0.0, loss_b = 0.0;
            for (size_t i = 0; i < a->table_rows * a->stride; i++) {
                assert_true(fabs((double)a->table[i] - (double)b->table[i]) <=
                            1e-5 * fmax((double)shape.scale, fabs((double)a->table[i])));
            }
            for (int l = 0; l < KERNEL_LANES; l++) {
                loss_a += a->loss[l];
                loss_b += b->loss[l];
            }
            assert_true(fabs(loss_a - loss_b) <= 1e-5 * fabs(loss_a));
            free(before);
            check_free(a);
            check_free(b);
        }
    }
}

/* The best is one that this machine has, and an unknown name gives none. */
static void test_kernel_by_name(void **state)
{
    (void)state;
    const kernel best = kernel_best();
    assert_non_null(best.gradients);
    assert_ptr_equal(kernel_by_name(best.name).gradients, best.gradients);
    assert_string_equal(w2v_kernel_name(), best.name);
    assert_null(kernel_by_name("none").gradients);
    assert_non_null(kernel_by_name("plain").gradients);
    kernel all[SUPPORT_COUNT(exact)];
    if (exact_kernels(all) > 0) {
        assert_ptr_equal(best.gradients, all[0].gradients);
    }
}

static void test_kernel_scratch_size_overflow(void **state)
{
    (void)state;
    assert_true(kernel_scratch_size(13, 20) >= 14 * 24);
    assert_int_equal(kernel_scratch_size(SIZE_MAX / 8, 1000), 0);
    assert_int_equal(kernel_scratch_size(1000, SIZE_MAX - 3), 0);
}

/*
 * One dot product of exactly x, as with a negative: its logistic value and its
 * loss as the kernel has them. The true neighbour stands aside at a dot of 90,
 * where it neither moves nor costs anything. The last column adds nothing to
 * the dots, and receives the gradient and nothing else.
 */
static void measure(kernel k, float x, float *logistic, float *loss)
{
    _Alignas(64) float word[KERNEL_LANES] = {x, 1.0f};
    _Alignas(64) float neighbour[KERNEL_LANES] = {0.0f, 90.0f};
    _Alignas(64) float negative[KERNEL_LANES] = {1.0f, 0.0f, 1.0f};
    const float count[2] = {1.0f, 0.0f}, times[KERNEL_OUTS] = {1.0f, 1.0f};
    float *row[2] = {word, word}, *out[2] = {neighbour, negative};
    const kernel_group group = {1, 2, row, out, count, times, true, NULL, 0};
    float *scratch = check_floats(kernel_scratch_size(1, 2));
    double lanes[KERNEL_LANES] = {0};
    kernel_step(&k, &group, KERNEL_LANES, 1.0f, scratch, lanes);
    free(scratch);
    assert_true(fabs(lanes[0]) < 1e-37);
    *logistic = -word[2];
    *loss = (float)lanes[1];
}

static void test_logistic_accuracy(void **state)
{
    (void)state;
    const char *const names[] = {"reference", "plain"};
    for (int n = 0; n < 2; n++) {
        const kernel k = kernel_by_name(names[n]);
        for (int i = -90000; i <= 90000; i += train_small() ? 97 : 3) {
            const float x = (float)i / 1000.0f;
            float s, loss;
            measure(k, x, &s, &loss);
            const double e = exp(-fabs((double)x));
            const double right = x < 0 ? e / (1.0 + e) : 1.0 / (1.0 + e);
            const double right_loss = (x > 0 ? (double)x : 0.0) + log1p(e);
            if (fabs((double)s - right) > 2e-7 ||
                fabs((double)loss - right_loss) > 4e-7 * fmax(1.0, right_loss)) {
                fail_msg("%s at %g: %.9g and %.9g where %.9g and %.9g are right", k.name, (double)x,
                         (double)s, (double)loss, right, right_loss);
            }
        }
    }
}

/* 0 is a half exactly, and far out the function is 0 or 1 without harm. */
static void test_logistic_ends(void **state)
{
    (void)state;
    const kernel k = kernel_best();
    float s, loss;
    measure(k, 0.0f, &s, &loss);
    assert_true(s == 0.5f);
    assert_true(fabs((double)loss - log(2.0)) < 4e-7);
    measure(k, 1e30f, &s, &loss);
    assert_true(s == 1.0f && loss == 1e30f);
    measure(k, -1e30f, &s, &loss);
    assert_true(s >= 0.0f && s < 1e-37f && loss >= 0.0f && loss < 1e-37f);
}

/*
 * A thousand million terms of 1.0: at a dot of -2^k the loss of a true pair is
 * 2^k exactly, since log(1 + exp(x)) is next to nothing there, and a word with
 * a count of n adds n such terms. Lanes are floats within a group only, so that
 * none of them reaches 2^24, and doubles over groups.
 */
static void test_loss_sum_of_many_terms(void **state)
{
    (void)state;
    enum { ROWS = 16, COUNT = 1024, HEIGHT = 128, STEPS = 500 };
    _Alignas(64) static float word[ROWS][KERNEL_LANES], context[KERNEL_LANES];
    float count[ROWS + 1] = {0}, *row[ROWS + 1], *out[1] = {context};
    const float times[KERNEL_OUTS] = {1.0f};
    context[0] = -1.0f;
    for (int i = 0; i < ROWS; i++) {
        word[i][0] = HEIGHT;
        row[i] = word[i];
        count[i] = COUNT;
    }
    row[ROWS] = row[ROWS - 1];
    const kernel_group group = {ROWS, 1, row, out, count, times, true, NULL, 0};
    float *scratch = check_floats(kernel_scratch_size(ROWS, 1));
    const kernel best = kernel_best();
    double lanes[KERNEL_LANES] = {0}, sum = 0.0;
    for (int n = 0; n < STEPS; n++) {
        kernel_step(&best, &group, KERNEL_LANES, 0.0f, scratch, lanes);
    }
    for (int l = 0; l < KERNEL_LANES; l++) {
        sum += lanes[l];
    }
    free(scratch);
    const double right = (double)ROWS * COUNT * HEIGHT * STEPS;
    assert_true(right > 1e9);
    assert_true(sum == right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernel_every_dimension),
        cmocka_unit_test(test_kernel_every_shape),
        cmocka_unit_test(test_kernel_large_groups),
        cmocka_unit_test(test_kernel_plain_is_near),
        cmocka_unit_test(test_kernel_by_name),
        cmocka_unit_test(test_kernel_scratch_size_overflow),
        cmocka_unit_test(test_logistic_accuracy),
        cmocka_unit_test(test_logistic_ends),
        cmocka_unit_test(test_loss_sum_of_many_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
