/* Columns and texts of a page, unpacked as a browser does it. */
#include "page_common.h"

static void round_trip(const double *values, size_t count, enum packed_kind kind, double scale,
                       double *back)
{
    struct packed packed = {0};
    size_t size = packed_column(&packed, values, count, kind, scale), unpacked;
    assert_int_equal(size, packed.size);
    char *text = packed_text(&packed);
    unsigned char *bytes = common_unpack(text, &unpacked);
    assert_int_equal(unpacked, size);
    common_column(bytes, bytes + unpacked, count, kind, scale, back);
    free(bytes);
    free(text);
    packed_release(&packed);
}

static void test_bytes_of_a_column(void **state)
{
    /* 5: zigzag 10, +1; unknown; 3: -2 is 3, +1; 203: +200 is 400, +1 = 401 = 0x191 */
    const double values[] = {5, NAN, 3, 203};
    const unsigned char expected[] = {11, 0, 4, 0x91, 0x03};
    struct packed packed = {0};
    (void)state;
    assert_int_equal(packed_column(&packed, values, 4, PACKED_LINEAR, 1), sizeof expected);
    assert_memory_equal(packed.data, expected, sizeof expected);
    packed_release(&packed);
}

static void test_whole_numbers_are_exact(void **state)
{
    const double values[] = {0, 1, -1, 4096, 1e15, -1e15, 1e15, NAN, 7};
    double back[9];
    (void)state;
    round_trip(values, 9, PACKED_LINEAR, 1, back);
    for (size_t i = 0; i < 9; i++)
        if (isnan(values[i]))
            assert_true(isnan(back[i]));
        else
            assert_true(back[i] == values[i]);
}

static void test_what_cannot_be_packed_is_unknown(void **state)
{
    const double values[] = {INFINITY, -INFINITY, 1e300, NAN, 2};
    double back[5];
    (void)state;
    round_trip(values, 5, PACKED_LINEAR, 1, back);
    for (size_t i = 0; i < 4; i++)
        assert_true(isnan(back[i]));
    assert_true(back[4] == 2);
}

static void test_logarithms_keep_the_ratio(void **state)
{
    const double values[] = {0.001, 1, 12345.6, 0, -1, 3.5};
    double back[6];
    (void)state;
    round_trip(values, 6, PACKED_LOG, 0.002, back);
    assert_true(isnan(back[3]) && isnan(back[4]));
    for (size_t i = 0; i < 6; i++)
        if (values[i] > 0)
            assert_true(fabs(back[i] / values[i] - 1) <= 0.00101);
}

static void test_an_empty_text(void **state)
{
    struct packed packed = {0};
    size_t size;
    (void)state;
    char *text = packed_text(&packed);
    unsigned char *bytes = common_unpack(text, &size);
    assert_int_equal(size, 0);
    free(bytes);
    free(text);
}

static void test_bytes_stay(void **state)
{
    struct packed packed = {0};
    size_t size;
    (void)state;
    packed_bytes(&packed, "a\0b", 3);
    packed_bytes(&packed, "", 0);
    packed_bytes(&packed, "\xff", 1);
    char *text = packed_text(&packed);
    unsigned char *bytes = common_unpack(text, &size);
    assert_int_equal(size, 4);
    assert_memory_equal(bytes, "a\0b\xff", 4);
    free(bytes);
    free(text);
    packed_release(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_of_a_column),
        cmocka_unit_test(test_whole_numbers_are_exact),
        cmocka_unit_test(test_what_cannot_be_packed_is_unknown),
        cmocka_unit_test(test_logarithms_keep_the_ratio),
        cmocka_unit_test(test_an_empty_text),
        cmocka_unit_test(test_bytes_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
