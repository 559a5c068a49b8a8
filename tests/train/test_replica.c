/* Copies of frequent rows: what a thread changes in its copy is never lost, and soon comes home. */
#include "train_support.h"

#include "base/mem.h"
#include "os/thread.h"
#include "train/replica.h"

enum { ROWS = 40, HOT = 24, STRIDE = 32, THREADS = 8 };

/* Whole numbers, so that sums are exact. */
typedef struct work {
    float *shared;
    replica replicas[THREADS];
    uint64_t added[THREADS][HOT][STRIDE];
    uint32_t limit;
    uint32_t steps;
} work;

static void work_init(work *w, replica_locks *locks, uint32_t limit, uint32_t steps)
{
    memset(w, 0, sizeof *w);
    w->shared = mem_alloc_aligned(ROWS * STRIDE * sizeof *w->shared);
    assert_non_null(w->shared);
    for (int i = 0; i < ROWS * STRIDE; i++) {
        w->shared[i] = (float)(i % 7);
    }
    for (int t = 0; t < THREADS; t++) {
        assert_int_equal(replica_init(&w->replicas[t], w->shared, STRIDE, HOT, locks, NULL),
                         W2V_OK);
    }
    w->limit = limit;
    w->steps = steps;
}

static void work_clear(work *w)
{
    for (int t = 0; t < THREADS; t++) {
        replica_clear(&w->replicas[t]);
    }
    mem_free(w->shared);
}

static float *use_row(replica *r, uint32_t id, uint32_t limit)
{
    replica_use(r, &id, 1, limit);
    return replica_row(r, id);
}

/* Adds 1 or 2 to random numbers of hot rows; some uses only look, some add after others were found.
 */
static void add_at_random(void *arg, int thread, int team)
{
    work *w = arg;
    (void)team;
    replica *r = &w->replicas[thread];
    rng random = rng_stream((uint64_t)thread, RNG_INIT, w->limit, 0);
    replica_take(r, true);
    for (uint32_t n = 0; n < w->steps; n++) {
        const uint32_t first = rng_below(&random, HOT), second = rng_below(&random, HOT);
        const uint32_t column = rng_below(&random, STRIDE);
        float *a = use_row(r, first, w->limit), *b = use_row(r, second, w->limit);
        a[column] += 1.0f;
        b[column] += 2.0f;
        w->added[thread][first][column] += 1;
        w->added[thread][second][column] += 2;
    }
    replica_merge_all(r);
}

static void test_replica_merge_loses_nothing(void **state)
{
    (void)state;
    const uint32_t limits[] = {1, 2, 7, 1000000};
    replica_locks *locks = replica_locks_create();
    assert_non_null(locks);
    for (size_t l = 0; l < SUPPORT_COUNT(limits); l++) {
        static work w;
        work_init(&w, locks, limits[l], train_small() ? 2000 : 20000);
        thread_team(THREADS, add_at_random, &w);
        for (uint32_t id = 0; id < ROWS; id++) {
            for (uint32_t c = 0; c < STRIDE; c++) {
                uint64_t right = (id * STRIDE + c) % 7;
                for (int t = 0; t < THREADS && id < HOT; t++) {
                    right += w.added[t][id][c];
                }
                assert_true((uint64_t)w.shared[id * STRIDE + c] == right);
            }
        }
        work_clear(&w);
    }
    replica_locks_free(locks);
}

/* The use that brings a copy home is itself followed by a change: that one must come home, too. */
static void test_replica_row_change_after_merge_is_kept(void **state)
{
    (void)state;
    replica_locks *locks = replica_locks_create();
    assert_non_null(locks);
    for (uint32_t uses = 1; uses <= 9; uses++) {
        static work w;
        work_init(&w, locks, 3, 0);
        replica_take(&w.replicas[0], true);
        for (uint32_t n = 0; n < uses; n++) {
            use_row(&w.replicas[0], 5, w.limit)[2] += 1.0f;
        }
        replica_merge_all(&w.replicas[0]);
        assert_true(w.shared[5 * STRIDE + 2] == (float)((5 * STRIDE + 2) % 7 + uses));
        work_clear(&w);
    }
    replica_locks_free(locks);
}

/* Rows are counted one by one where many are used at once, with copies and without; rows without
   copies, however many, bring none home. */
static void test_replica_use_many_rows(void **state)
{
    (void)state;
    replica_locks *locks = replica_locks_create();
    assert_non_null(locks);
    static work w;
    work_init(&w, locks, 3, 0);
    replica *r = &w.replicas[0];
    replica_take(r, true);
    const uint32_t often[4] = {2, HOT, HOT - 1, ROWS - 1}, once[2] = {HOT, 7};
    const float start = w.shared[2 * STRIDE];
    replica_use(r, once, 2, w.limit);
    for (uint32_t n = 1; n <= w.limit + 1; n++) {
        replica_use(r, often, 4, w.limit);
        assert_int_equal(r->uses[2], n <= w.limit ? n : 1);
        assert_int_equal(r->uses[HOT - 1], n <= w.limit ? n : 1);
        assert_int_equal(r->uses[7], 1);
        assert_true(w.shared[2 * STRIDE] == start + (n > w.limit ? (float)w.limit : 0.0f));
        replica_row(r, 2)[0] += 1.0f;
    }
    assert_ptr_equal(replica_row(r, often[3]), w.shared + often[3] * STRIDE);
    assert_ptr_equal(replica_row(r, often[2]), r->copy + often[2] * STRIDE);
    work_clear(&w);
    replica_locks_free(locks);
}

/* Not more than `limit` uses before others see the change. */
static void test_replica_row_comes_home_within_the_limit(void **state)
{
    (void)state;
    replica_locks *locks = replica_locks_create();
    assert_non_null(locks);
    static work w;
    work_init(&w, locks, 4, 0);
    replica *r = &w.replicas[0];
    replica_take(r, true);
    float changed = 0.0f;
    for (uint32_t n = 0; n < 100; n++) {
        float *row = use_row(r, 3, w.limit);
        assert_true(row != w.shared + 3 * STRIDE);
        row[0] += 1.0f;
        changed += 1.0f;
        assert_true(changed - (w.shared[3 * STRIDE] - (float)(3 * STRIDE % 7)) <=
                    (float)w.limit + 1.0f);
    }
    work_clear(&w);
    replica_locks_free(locks);
}

/* A merge brings others' changes as well as its own; a row beyond the copies is the shared one. */
static void test_replica_merge_takes_others_changes(void **state)
{
    (void)state;
    replica_locks *locks = replica_locks_create();
    assert_non_null(locks);
    static work w;
    work_init(&w, locks, 1000, 0);
    replica *a = &w.replicas[0], *b = &w.replicas[1];
    replica_take(a, true);
    replica_take(b, true);
    const float start = w.shared[0];
    use_row(a, 0, w.limit)[0] += 5.0f;
    use_row(b, 0, w.limit)[0] += 7.0f;
    assert_true(replica_row(b, 0)[0] == start + 7.0f);
    replica_merge(a, 0);
    assert_true(w.shared[0] == start + 5.0f);
    replica_merge(b, 0);
    assert_true(w.shared[0] == start + 12.0f);
    assert_true(replica_row(b, 0)[0] == start + 12.0f);
    assert_true(replica_row(a, 0)[0] == start + 5.0f);
    replica_take(a, true);
    assert_true(replica_row(a, 0)[0] == start + 12.0f);
    assert_ptr_equal(use_row(a, HOT, w.limit), w.shared + HOT * STRIDE);
    assert_ptr_equal(replica_row(a, ROWS - 1), w.shared + (ROWS - 1) * STRIDE);
    work_clear(&w);
    replica_locks_free(locks);
}

/* Without copies every row is the shared one. */
static void test_replica_init_no_copies(void **state)
{
    (void)state;
    float shared[4 * 16] = {0};
    replica r;
    assert_int_equal(replica_init(&r, shared, 16, 0, NULL, NULL), W2V_OK);
    assert_ptr_equal(use_row(&r, 0, 0), shared);
    assert_ptr_equal(use_row(&r, 3, 0), shared + 48);
    replica_take(&r, true);
    replica_merge_all(&r);
    replica_clear(&r);
}

/*
 * What keeps many threads from overshooting together: what a thread may not have
 * seen of the others, (threads - 1) x uses x rate, is bounded, whatever the number of threads and
 * the rate.
 */
static void test_replica_use_limit_bounds_changes_in_flight(void **state)
{
    (void)state;
    const double usual = 0.025, bound = replica_use_limit(1, usual) * usual;
    const double rates[] = {1e-300, 1e-9, 0.001, 0.025, 0.05, 0.5, 1.0, 1000.0, 1e300};
    assert_true(bound > 0.0);
    for (size_t k = 0; k < SUPPORT_COUNT(rates); k++) {
        uint32_t last = UINT32_MAX;
        for (int threads = 1; threads <= 4096; threads = threads * 3 / 2 + 1) {
            const uint32_t limit = replica_use_limit(threads, rates[k]);
            assert_true((threads - 1) * (double)limit * rates[k] <= bound * (1 + 1e-9));
            assert_true(limit <= last); /* never more for more threads */
            last = limit;
        }
    }
    assert_int_equal(replica_use_limit(64, 1000.0), 0);
    assert_true(replica_use_limit(2, 0.025) > 1);
}

static void test_replica_hot_rows(void **state)
{
    (void)state;
    assert_int_equal(replica_hot_rows(1000000, 448, 1), 0); /* nobody to share with */
    assert_int_equal(replica_hot_rows(2, 448, 2), 2);
    assert_true(replica_hot_rows(1000000, 448, 2) > 1);
    assert_true(replica_hot_rows(1000000, 1216, 64) * (uint64_t)(4 * 1216 * 64) <= (24u << 20));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replica_merge_loses_nothing),
        cmocka_unit_test(test_replica_row_change_after_merge_is_kept),
        cmocka_unit_test(test_replica_use_many_rows),
        cmocka_unit_test(test_replica_row_comes_home_within_the_limit),
        cmocka_unit_test(test_replica_merge_takes_others_changes),
        cmocka_unit_test(test_replica_init_no_copies),
        cmocka_unit_test(test_replica_use_limit_bounds_changes_in_flight),
        cmocka_unit_test(test_replica_hot_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
