/* The page of a map; what it holds is looked at by cases of the command line and in a browser. */
#include "query/tables.h"

#include "cli/map_page.h"
#include "os/signals.h"

#include <signal.h>

/* Neighbours in a table of millions take minutes: a signal is heard before all are found. */
static void test_map_page_stopped(void **state)
{
    (void)state;
    char folder[SUPPORT_PATH];
    w2v_error err = {0};
    support_folder(folder);
    table t = table_make(folder, 3, 2);
    memcpy(t.values, (float[]){1, 0, 0, 1, 1, 1}, 6 * sizeof(float));
    table_write(&t);
    w2v_vectors *vectors = NULL;
    assert_int_equal(w2v_vectors_open(t.path, NULL, &vectors, &err), W2V_OK);
    assert_int_equal(w2v_vectors_load(vectors, &err), W2V_OK);
    w2v_map_options o = w2v_map_options_default();
    w2v_map map;
    assert_int_equal(w2v_map_rows(t.values, 3, 2, &o, NULL, NULL, &map, &err), W2V_OK);

    uint32_t ids[] = {0, 1, 2};
    size_t groups[] = {PICTURE_NO_GROUP, PICTURE_NO_GROUP, PICTURE_NO_GROUP};
    const map_words three = {.ids = ids, .groups = groups, .count = 3};
    const map_sheet sheet = {.vectors = vectors,
                             .path = t.path,
                             .words = &three,
                             .map = &map,
                             .plain = &map,
                             .options = &o,
                             .threads = 1};
    buf out = {0};
    assert_int_equal(map_page(&sheet, &out, &err), W2V_OK);
    assert_true(out.size > 0);
    out.size = 0;
    signals_catch();
    assert_int_equal(raise(SIGINT), 0);
    assert_int_equal(map_page(&sheet, &out, &err), W2V_ERR_INTERRUPTED);
    assert_int_equal(out.size, 0);

    buf_clear(&out);
    w2v_map_clear(&map);
    w2v_vectors_free(vectors);
    table_free(&t);
    support_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_page_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
