#include "support.h"

#include "os/library.h"

/* What is there, is what the program is linked with as well. */
static void test_library_find(void **state)
{
    (void)state;
    library_function *found = library_find("libz.so.1", "zlibVersion");
    if (!found) {
        skip(); /* zlib has another name here */
    }
    const char *(*version)(void);
    memcpy(&version, &found, sizeof version);
    assert_true(version()[0] >= '1' && version()[0] <= '9');
    assert_null(library_find("libz.so.1", "no_such_function"));
    assert_null(library_find("no-such-library.so.9", "zlibVersion"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_library_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
