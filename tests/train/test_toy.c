/* Eight sentences of two words: what shares its neighbours ends up alike, what does not, apart. */
#include "train_support.h"

#include "train/model.h"

enum { SEEDS = 20 };

static double cosine(const w2v_model *m, const w2v_vocab *v, const char *a, const char *b)
{
    const uint32_t i = w2v_vocab_find(v, a, strlen(a)), j = w2v_vocab_find(v, b, strlen(b));
    assert_true(i != UINT32_MAX && j != UINT32_MAX);
    const float *x = w2v_model_row(m, false, i), *y = w2v_model_row(m, false, j);
    double xy = 0.0, xx = 0.0, yy = 0.0;
    for (uint32_t k = 0; k < w2v_model_dim(m); k++) {
        xy += (double)x[k] * (double)y[k];
        xx += (double)x[k] * (double)x[k];
        yy += (double)y[k] * (double)y[k];
    }
    return xy / sqrt(xx * yy);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double values[SEEDS])
{
    qsort(values, SEEDS, sizeof *values, ascending);
    return (values[SEEDS / 2 - 1] + values[SEEDS / 2]) / 2.0;
}

static void assert_toy(const char *folder, w2v_share share)
{
    char path[SUPPORT_PATH];
    support_write_text(
        support_path(folder, "toy.txt", path),
        "cat milk\ndog milk\ncat ball\ndog ball\ncar fuel\nbus fuel\ncar road\nbus road\n");
    const char *paths[1] = {path};
    w2v_corpus *c = text_read(paths, 1, true);
    double cat_dog[SEEDS], car_bus[SEEDS], cat_car[SEEDS];
    for (int seed = 0; seed < SEEDS; seed++) {
        w2v_train_options o = w2v_train_options_default();
        o.dim = 2;
        o.negative = 2;
        o.epochs = 50;
        o.sample = 0.0;
        o.window = 1;
        o.lr = 0.2;
        o.share = share;
        o.seed = (uint64_t)seed + 1;
        w2v_model *m = NULL;
        assert_int_equal(w2v_train(c, &o, NULL, NULL, &m, NULL), W2V_OK);
        assert_int_equal(w2v_model_result(m)->pairs, 16 * 50);
        const w2v_vocab *v = w2v_corpus_vocab(c);
        cat_dog[seed] = cosine(m, v, "cat", "dog");
        car_bus[seed] = cosine(m, v, "car", "bus");
        cat_car[seed] = cosine(m, v, "cat", "car");
        w2v_model_free(m);
    }
    w2v_corpus_free(c);
    const double alike = median(cat_dog), alike_too = median(car_bus), apart = median(cat_car);
    if (!(alike > 0.97 && alike_too > 0.97 && apart < 0.5)) {
        fail_msg("medians: cat-dog %.3f, car-bus %.3f, cat-car %.3f", alike, alike_too, apart);
    }
}

static void test_toy_share_window(void **state)
{
    assert_toy(*state, W2V_SHARE_WINDOW);
}

static void test_toy_share_none(void **state)
{
    assert_toy(*state, W2V_SHARE_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_toy_share_window, support_setup, support_teardown),
        cmocka_unit_test_setup_teardown(test_toy_share_none, support_setup, support_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
