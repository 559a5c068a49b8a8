#include "vec_files.h"

static w2v_load_options with_labels(const char *labels, const char *tensor)
{
    w2v_load_options options = w2v_load_options_default();
    options.labels = labels;
    options.tensor = tensor;
    return options;
}

/* --------------------------------------------------------------------- npy */

static size_t make_npy(char *out, int version, const char *dictionary, const void *data, size_t n)
{
    const size_t length = strlen(dictionary);
    size_t at = 0;
    memcpy(out, "\x93NUMPY", 6);
    out[6] = (char)version;
    out[7] = 0;
    out[8] = (char)(length & 0xff);
    out[9] = (char)(length >> 8);
    at = 10;
    if (version > 1) {
        out[at++] = 0;
        out[at++] = 0;
    }
    memcpy(out + at, dictionary, length);
    memcpy(out + at + length, data, n);
    return at + length + n;
}

static const float two_by_two[] = {1, 2, -3, 0.5F};
#define TWO_BY_TWO "'fortran_order': False, 'shape': (2, 2), }\n"

static void test_read_npy_versions_and_types(void **state)
{
    (void)state;
    support_write_text(in_folder("words"), "cat\r\nnew york\n");
    char labels[SUPPORT_PATH];
    support_path(folder, "words", labels);
    const w2v_load_options options = with_labels(labels, NULL);
    const double wide[] = {1, 2, -3, 0.5};
    const unsigned char half[] = {0, 0x3c, 0, 0x40, 0, 0xc2, 0, 0x38};
    const struct {
        int version;
        const char *dictionary;
        const void *data;
        size_t n;
    } cases[] = {
        {1, "{'descr': '<f4', " TWO_BY_TWO, two_by_two, sizeof two_by_two},
        {2, "{'descr': '<f8', " TWO_BY_TWO, wide, sizeof wide},
        {3, "{\"descr\":\"<f2\"," TWO_BY_TWO, half, sizeof half},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        char bytes[512];
        const size_t n =
            make_npy(bytes, cases[i].version, cases[i].dictionary, cases[i].data, cases[i].n);
        support_write(in_folder("x.npy"), bytes, n);
        w2v_vectors *v = load_well(in_folder("x.npy"), &options);
        assert_int_equal(w2v_vectors_report(v)->format, W2V_FORMAT_NPY);
        assert_int_equal(w2v_vectors_size(v), 2);
        assert_row(v, 0, "cat", two_by_two);
        assert_row(v, 1, "new york", two_by_two + 2);
        w2v_vectors_free(v);
    }
}

static void refuse_npy(const char *dictionary, size_t data, const char *part)
{
    char bytes[512], labels[SUPPORT_PATH];
    support_write_text(support_path(folder, "words", labels), "a\nb\n");
    const w2v_load_options options = with_labels(labels, NULL);
    refuse_bytes(bytes, make_npy(bytes, 1, dictionary, two_by_two, data), &options, part);
}

static void test_read_npy_refusals(void **state)
{
    (void)state;
    refuse_npy("{'descr': '>f4', " TWO_BY_TWO, 16, "elements of type '>f4'");
    refuse_npy("{'descr': '|O', " TWO_BY_TWO, 16, "elements of type '|O'");
    refuse_npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }", 16,
               "column by column (Fortran order)");
    refuse_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }", 16,
               "an array of 1 dimension, not of 2");
    refuse_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 2), }", 16, "is no table");
    refuse_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, ", 16, "is damaged at byte");
    refuse_npy("{'descr': '<f4', " TWO_BY_TWO, 15, "promises 2 rows of 8 bytes and ends after 1");
    refuse_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 2), }", 16,
               "promises 99999999999 rows");
    refuse_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }", 8, "has 1 rows");
}

static void test_read_npy_labels(void **state)
{
    (void)state;
    char bytes[512];
    const size_t n =
        make_npy(bytes, 1, "{'descr': '<f4', " TWO_BY_TWO, two_by_two, sizeof two_by_two);
    support_write(in_folder("alone.npy"), bytes, n);
    w2v_error err;
    assert_null(load_with(in_folder("alone.npy"), NULL, &err));
    assert_non_null(strstr(err.text, "holds numbers without words"));
    assert_non_null(strstr(err.hint, "--labels FILE"));
    support_write_text(in_folder("alone.npy.labels.txt"), "a\nb\n"); /* found beside it */
    w2v_vectors *v = load_well(in_folder("alone.npy"), NULL);
    assert_row(v, 1, "b", two_by_two + 2);
    w2v_vectors_free(v);
    support_write_text(in_folder("alone.npy.labels.txt"), "a\nb\nc\n");
    assert_null(load_with(in_folder("alone.npy"), NULL, &err));
    assert_non_null(strstr(err.text, "names 3 words, but"));
    const w2v_load_options missing = with_labels("/nowhere/at/all", NULL);
    assert_null(load_with(in_folder("alone.npy"), &missing, &err));
    assert_int_equal(err.code, W2V_ERR_INPUT);
}

/* ------------------------------------------------------------- safetensors */

static size_t make_tensors(char *out, const char *header, const void *data, size_t n)
{
    const size_t length = strlen(header);
    memset(out, 0, 8);
    out[0] = (char)(length & 0xff);
    out[1] = (char)(length >> 8);
    memcpy(out + 8, header, length);
    memcpy(out + 8 + length, data, n);
    return 8 + length + n;
}

#define ONE(type, bytes)                                                                           \
    "{\"wte\":{\"dtype\":\"" type "\",\"shape\":[2,2],\"data_offsets\":[0," bytes "]}}"

static void test_read_safetensors_types(void **state)
{
    (void)state;
    support_write_text(in_folder("words"), "a\nb\n");
    char labels[SUPPORT_PATH];
    support_path(folder, "words", labels);
    const w2v_load_options options = with_labels(labels, NULL);
    const double wide[] = {1, 2, -3, 0.5};
    const unsigned char half[] = {0, 0x3c, 0, 0x40, 0, 0xc2, 0, 0x38};
    const unsigned char brain[] = {0x80, 0x3f, 0, 0x40, 0x40, 0xc0, 0, 0x3f};
    const struct {
        const char *header;
        const void *data;
        size_t n;
    } cases[] = {{ONE("F32", "16"), two_by_two, 16},
                 {ONE("F64", "32"), wide, 32},
                 {ONE("F16", "8"), half, 8},
                 {ONE("BF16", "8"), brain, 8}};
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        char bytes[512];
        support_write(in_folder("x.safetensors"), bytes,
                      make_tensors(bytes, cases[i].header, cases[i].data, cases[i].n));
        w2v_vectors *v = load_well(in_folder("x.safetensors"), &options);
        assert_int_equal(w2v_vectors_report(v)->format, W2V_FORMAT_SAFETENSORS);
        assert_row(v, 0, "a", two_by_two);
        assert_row(v, 1, "b", two_by_two + 2);
        w2v_vectors_free(v);
    }
}

static const char two_tensors[] =
    "{\"__metadata__\":{\"format\":\"pt\"},"
    "\"bias\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
    "\"wte\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[8,16]},"
    "\"wpe\":{\"dtype\":\"I64\",\"shape\":[1,1],\"data_offsets\":[8,16]}}";

static void test_read_safetensors_tensor_by_name(void **state)
{
    (void)state;
    char bytes[1024], labels[SUPPORT_PATH];
    support_write_text(support_path(folder, "words", labels), "a\n");
    const size_t n = make_tensors(bytes, two_tensors, two_by_two, 16);
    support_write(in_folder("x.safetensors"), bytes, n);
    w2v_load_options options = with_labels(labels, "wte");
    w2v_vectors *v = load_well(in_folder("x.safetensors"), &options);
    assert_row(v, 0, "a", two_by_two + 2);
    w2v_vectors_free(v);
    options.tensor = NULL;
    w2v_error err;
    assert_null(load_with(in_folder("x.safetensors"), &options, &err));
    assert_non_null(strstr(err.text, "has 2 tensors of two dimensions"));
    assert_non_null(strstr(err.hint, "wte") ? strstr(err.hint, "wpe") : NULL);
    static const struct {
        const char *tensor, *part;
    } cases[] = {{"none", "has no tensor 'none'"},
                 {"bias", "tensor 'bias' has 1 dimension, not 2"},
                 {"wpe", "is of type 'I64'"}};
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        options.tensor = cases[i].tensor;
        refuse_bytes(bytes, n, &options, cases[i].part);
    }
}

static void test_read_safetensors_damage(void **state)
{
    (void)state;
    char bytes[1024];
    size_t n = make_tensors(bytes, ONE("F32", "16"), two_by_two, 16);
    refuse_bytes(bytes, n - 1, NULL, "promises 2 rows of 8 bytes and ends after 1");
    refuse_bytes(bytes, 30, NULL, "is not that of a safetensors file");
    bytes[10] = '\x01';
    refuse_bytes(bytes, n, NULL, "its header is no JSON");
    n = make_tensors(bytes, ONE("F32", "12"), two_by_two, 16);
    refuse_bytes(bytes, n, NULL, "tensor 'wte' of 2 x 2 numbers has 12 bytes");
    n = make_tensors(bytes,
                     "{\"wte\":{\"dtype\":\"F32\",\"shape\":[2,-2],\"data_offsets\":[0,16]}}",
                     two_by_two, 16);
    refuse_bytes(bytes, n, NULL, "says nothing sound about tensor 'wte'");
}

/* ------------------------------------------------------------------ labels */

static void test_vec_byte_level_characters(void **state)
{
    (void)state;
    static const struct {
        const char *text, *bytes; /* NULL: no byte-level text */
    } cases[] = {{"\xc4\xa0"
                  "cat",
                  " cat"},
                 {"\xc3\x83\xc2\xa9", "\xc3\xa9"},
                 {"\xc4\x8a", "\n"},
                 {"\xc5\x83", "\xad"}, /* U+0143, the last of the 256 */
                 {"\xc4\x80", NULL},   /* NUL */
                 {"\xc5\x84", NULL},
                 {" ", NULL},
                 {"\xff", NULL}};
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        char out[16];
        size_t n;
        const bool is = vec_byte_level(cases[i].text, strlen(cases[i].text), out, &n);
        assert_int_equal(is, cases[i].bytes != NULL);
        if (is) {
            assert_int_equal(n, strlen(cases[i].bytes));
            assert_memory_equal(out, cases[i].bytes, n);
        }
    }
}

static void load_json(const char *json, const char *first, const char *second)
{
    char bytes[512], labels[SUPPORT_PATH];
    support_write_text(support_path(folder, "vocab.json", labels), json);
    const w2v_load_options options = with_labels(labels, NULL);
    support_write(in_folder("x.safetensors"), bytes,
                  make_tensors(bytes, ONE("F32", "16"), two_by_two, 16));
    w2v_error err;
    w2v_vectors *v = load_with(in_folder("x.safetensors"), &options, &err);
    if (!second) { /* an error */
        assert_null(v);
        assert_non_null(strstr(err.text, first));
        return;
    }
    assert_non_null(v);
    assert_row(v, 0, first, two_by_two);
    if (*second) {
        assert_row(v, 1, second, two_by_two + 2);
    } else {
        assert_int_equal(w2v_vectors_size(v), 1);
        assert_int_equal(w2v_vectors_report(v)->rows_left_out, 1);
    }
    w2v_vectors_free(v);
}

static void test_vec_read_labels_json(void **state)
{
    (void)state;
    load_json("{\"\xc4\xa0"
              "cat\": 1, \"cat\": 0}",
              "cat", " cat");
    load_json("{\"\xc4\x80\": 1, \"\xc4\xa0\": 0}", " ", "\xc4\x80"); /* NUL stays as it is spelt */
    load_json("{\"##ing\": 1, \"caf\xc3\xa9\": 0}", "caf\xc3\xa9", "##ing"); /* not byte-level */
    load_json("[\"one\", \"two\"]", "one", "two");
    load_json("{\"model\": {\"vocab\": {\"x\": 0, \"y\": 1}}}", "x", "y");
    load_json("{\"\xe6\x97\xa5\": 1, \"\xc4\xa0\": 0}", "\xc4\xa0", "\xe6\x97\xa5");
    load_json("{\"only\": 0}", "only", "");
    load_json("[\"one\", 2]", "entry 2 of the list is no text", NULL);
    load_json("[\"one\"]", "names 1 words, but", NULL);
    load_json("{\"x\": 0, \"y\": -1}", "token 'y' has no row number", NULL);
    load_json(" \n{\n\"x\": 0, \"y\" 1}", "damaged at line 3", NULL);
    load_json("{\"x\": 0, \"y\": 2}", "token 'y' stands for row 2", NULL);
    load_json("{\"x\": 0, \"y\": 0}", "both stand for row 0", NULL);
    load_json("{\"x\": 0, \"y\": \"1\"}", "token 'y' has no row number", NULL);
    load_json("{\nno JSON, a list\n", "{", "no JSON, a list"); /* then it is a list of lines */
    load_json("{\"a\n[c\n", "{\"a", "[c");
    load_json("{\"x\": 0, \"y\": 1", "damaged at line 1", NULL);
    load_json("{\n\n\"x\": 0, \"y\\u0000\": 1}\n", "damaged at line 3", NULL);
    load_json("{\"x\": 0, \"x\": 1}", "damaged at line 1", NULL);
}

static void test_vec_read_labels_that_are_none(void **state)
{
    (void)state;
    char bytes[512], labels[SUPPORT_PATH];
    float many[8] = {0};
    const w2v_load_options options = with_labels(support_path(folder, "odd", labels), NULL);
    support_write(in_folder("x.safetensors"), bytes,
                  make_tensors(bytes,
                               "{\"t\":{\"dtype\":\"F32\",\"shape\":[8,1],"
                               "\"data_offsets\":[0,32]}}",
                               many, sizeof many));
    w2v_error err;
    support_write(labels, "a\0b\n", 4);
    assert_null(load_with(in_folder("x.safetensors"), &options, &err));
    assert_non_null(strstr(err.text, "holds NUL bytes: it is no list of words"));
    support_write_text(labels, "{\"x\": 0}"); /* of a much smaller table */
    assert_null(load_with(in_folder("x.safetensors"), &options, &err));
    assert_non_null(strstr(err.text, "names 1 words, but"));
    assert_non_null(strstr(err.text, "has 8 rows"));
}

/* ------------------------------------------------------------- words of a checkpoint */

#define CHECKPOINT(offsets, letters)                                                               \
    "{\"__metadata__\":{\"format\":\"w2v-checkpoint\"},"                                           \
    "\"offsets\":{\"dtype\":\"U64\",\"shape\":[3],\"data_offsets\":[" offsets "]},"                \
    "\"words\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[" letters "]},"                   \
    "\"word\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[32,48]}}"
#define CHECKPOINT_OFFSETS 24 /* bytes of them */

/* With the offsets, little-endian, and eight letters; NULL for what is sound. */
static void load_checkpoint(const char *header, const unsigned char offsets[3], const char *letters,
                            const char *fault)
{
    char data[48] = {0}, bytes[1024];
    for (size_t i = 0; i < 3; i++) {
        data[8 * i] = (char)offsets[i];
    }
    memcpy(data + CHECKPOINT_OFFSETS, letters, 8);
    memcpy(data + 32, two_by_two, sizeof two_by_two);
    support_write(in_folder("c.safetensors"), bytes, make_tensors(bytes, header, data, 48));
    w2v_error err;
    w2v_vectors *v = load_with(in_folder("c.safetensors"), NULL, &err);
    if (fault) {
        assert_null(v);
        assert_int_equal(err.code, W2V_ERR_INPUT);
        if (!strstr(err.text, fault)) {
            fail_msg("'%s' is not in: %s", fault, err.text);
        }
        return;
    }
    assert_non_null(v);
    assert_row(v, 0, "cat", two_by_two);
    assert_row(v, 1, "mouse", two_by_two + 2);
    w2v_vectors_free(v);
}

static void test_read_safetensors_words_of_a_checkpoint(void **state)
{
    (void)state;
    static const char sound[] = CHECKPOINT("0,24", "24,32");
    static const unsigned char right[] = {0, 3, 8};
    load_checkpoint(sound, right, "catmouse", NULL);
    static const char unsound[] = "its words are not sound at byte";
    load_checkpoint(sound, right, "cat\0ouse", unsound);
    load_checkpoint(sound, (const unsigned char[]){1, 3, 8}, "catmouse", unsound);
    load_checkpoint(sound, (const unsigned char[]){0, 9, 8}, "catmouse", unsound);
    load_checkpoint(sound, (const unsigned char[]){0, 3, 3}, "catmouse", unsound);
    load_checkpoint(sound, (const unsigned char[]){0, 3, 9}, "catmouse", unsound);
    static const char misplaced[] = "its words are not where they should be";
    load_checkpoint(CHECKPOINT("8,32", "0,8"), right, "catmouse", misplaced);
    load_checkpoint(CHECKPOINT("0,16", "24,32"), right, "catmouse", misplaced);
    load_checkpoint(CHECKPOINT("0,24", "48,56"), right, "catmouse", misplaced);
}

static void test_vec_read_list_lines(void **state)
{
    (void)state;
    support_write_text(in_folder("list"), "\xef\xbb\xbf"
                                          "a\r\n\nnew york\nb");
    words list;
    w2v_error err = {0};
    assert_int_equal(vec_read_list(in_folder("list"), &list, &err), W2V_OK);
    assert_int_equal(list.count, 3);
    assert_string_equal(words_get(&list, 0, NULL), "a");
    assert_string_equal(words_get(&list, 1, NULL), "new york");
    words_clear(&list);
    support_write_text(in_folder("list"), "\n\n");
    assert_int_equal(vec_read_list(in_folder("list"), &list, &err), W2V_ERR_INPUT);
    assert_non_null(strstr(err.text, "holds no words"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_npy_versions_and_types),
        cmocka_unit_test(test_read_npy_refusals),
        cmocka_unit_test(test_read_npy_labels),
        cmocka_unit_test(test_read_safetensors_types),
        cmocka_unit_test(test_read_safetensors_tensor_by_name),
        cmocka_unit_test(test_read_safetensors_damage),
        cmocka_unit_test(test_vec_byte_level_characters),
        cmocka_unit_test(test_vec_read_labels_json),
        cmocka_unit_test(test_vec_read_labels_that_are_none),
        cmocka_unit_test(test_read_safetensors_words_of_a_checkpoint),
        cmocka_unit_test(test_vec_read_list_lines),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
