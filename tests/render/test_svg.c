/* The drawing as text; that it is XML is proved by a parser in the cases of the command line. */
#include "support.h"

#include "base/mem.h"
#include "render/picture.h"

static const picture_group groups[] = {{"a & b", 5}, {"c", 1}};
static const picture_word two[] = {{"<i>", 3, 0, -1.0, 0.0}, {"\"q\"", 3, 1, 1.0, 0.5}};

static char *draw(const picture *p)
{
    buf out = {0};
    assert_true(picture_svg(p, &out));
    char *text = mem_strndup(out.data, out.size);
    assert_non_null(text);
    buf_clear(&out);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    return text;
}

static size_t times(const char *text, const char *what)
{
    size_t n = 0;
    for (; (text = strstr(text, what)); text += strlen(what)) {
        n++;
    }
    return n;
}

static void test_picture_svg_escapes(void **state)
{
    (void)state;
    const picture p = {two, 2, groups, 2, true, {0.5, 0.25}};
    char *text = draw(&p);
    assert_int_equal(times(text, "<title>&lt;i&gt; (a &amp; b)</title>"), 1);
    assert_int_equal(times(text, "&quot;q&quot;"), 2); /* title and label */
    assert_int_equal(times(text, "<i>"), 0);
    assert_int_equal(times(text, "Groups: a &amp; b, c."), 1);
    assert_int_equal(times(text, " class=\"mark\"/>"), 4); /* of words and groups, all outlined */
    assert_int_equal(times(text, ".mark { stroke: #"), 1);
    mem_free(text);
}

static void test_picture_svg_axes(void **state)
{
    (void)state;
    picture p = {two, 2, NULL, 0, true, {0.5, 0.25}};
    picture_word plain[] = {two[0], two[1]};
    plain[0].group = plain[1].group = PICTURE_NO_GROUP;
    p.words = plain;
    char *text = draw(&p);
    assert_int_equal(times(text, "first principal axis: 50.0 % of the variance"), 1);
    assert_int_equal(times(text, "second principal axis: 25.0 % of the variance"), 1);
    assert_int_equal(times(text, ">-0.5</text>"), 2); /* one scale for both axes */
    mem_free(text);
    p.axes = false;
    text = draw(&p);
    assert_int_equal(times(text, "principal axis"), 0);
    assert_int_equal(times(text, "mean nothing"), 1);
    mem_free(text);
}

static void test_picture_svg_one_spot(void **state)
{
    (void)state;
    static const double spots[] = {0.0, 1e300, -1e-300, 5e-324};
    for (size_t s = 0; s < SUPPORT_COUNT(spots); s++) {
        picture_word same[3];
        for (size_t i = 0; i < 3; i++) {
            same[i] = (picture_word){"w", 1, PICTURE_NO_GROUP, spots[s], spots[s]};
        }
        const picture p = {same, 3, NULL, 0, false, {0.0, 0.0}};
        char *text = draw(&p);
        assert_int_equal(times(text, "<title>w</title>"), 3);
        mem_free(text);
    }
}

/* However wide a font is, a label begins, or ends, as far from its point as another. */
static void test_picture_svg_labels_begin_beside_points(void **state)
{
    (void)state;
    const picture_word words[] = {{"west", 4, PICTURE_NO_GROUP, 0.0, 0.0},
                                  {"a longer one", 12, PICTURE_NO_GROUP, 1.0, 0.0}};
    const picture p = {words, 2, NULL, 0, false, {0.0, 0.0}};
    char *text = draw(&p); /* points stand 40 inside a plot of 860 that begins at 60 */
    assert_int_equal(times(text, "M100 350"), 1);
    assert_int_equal(times(text, "<text x=\"106\" y=\"354\">west</text>"), 1);
    assert_int_equal(times(text, "M880 350"), 1);
    assert_int_equal(times(text, "<text x=\"874\" y=\"354\" text-anchor=\"end\">a longer"), 1);
    mem_free(text);
}

static void test_picture_svg_colours_differ(void **state)
{
    (void)state;
    for (size_t i = 0; i < 7; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(picture_colour(i), picture_colour(j));
        }
    }
}

static void test_picture_svg_out_of_memory(void **state)
{
    (void)state;
    const picture p = {two, 2, groups, 2, true, {0.5, 0.25}};
    bool done = false;
    for (uint64_t n = 1; !done; n++) {
        buf out = {0};
        mem_fail_at(n, false);
        const bool ok = picture_svg(&p, &out);
        done = mem_tries() < n;
        mem_fail_at(0, false);
        assert_int_equal(ok, done);
        buf_clear(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_picture_svg_escapes),
        cmocka_unit_test(test_picture_svg_axes),
        cmocka_unit_test(test_picture_svg_one_spot),
        cmocka_unit_test(test_picture_svg_labels_begin_beside_points),
        cmocka_unit_test(test_picture_svg_colours_differ),
        cmocka_unit_test(test_picture_svg_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
