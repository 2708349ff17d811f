#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "workload/row.h"

static const struct row_shape shape_100 = {
    .seed = 1, .key_columns = 1, .payload_bytes = 100, .random_bytes = 100};

static void check_payload(const unsigned char *payload, size_t size, const char *hex)
{
    char text[512];
    for (size_t i = 0; i < size; i++)
        snprintf(text + 2 * i, 3, "%02x", payload[i]);
    assert_string_equal(text, hex);
}

/* Computed apart, by a few lines of Python: the same in every version, or old results can
 * no longer be compared. */
static void test_golden_rows(void **state)
{
    unsigned char payload[100];
    int32_t keys[3];
    (void)state;
    row_make(&shape_100, 3, 7, keys, payload);
    assert_int_equal(keys[0], 868652754);
    check_payload(payload, 100,
                  "989eb6f2de81f2db72cc4ea15afbd3088b2b8839f509a2230915c8f9d0e9ae629ee92cb9e925"
                  "97503378c7724b4c3b1152643fcf177aff6f3168c32b7d4e3f216ec45294ce2d2e9de420d1f9"
                  "6cf5b7b4e5d8796b19670bd477bfc35bf9a24dc13c0a2192");
    const struct row_shape last = {
        .seed = 42, .key_columns = 3, .payload_bytes = 13, .random_bytes = 5};
    row_make(&last, 9999, (uint64_t)ROW_SEQUENCE_LIMIT - 1, keys, payload);
    assert_int_equal(keys[0], 170126945);
    assert_int_equal(keys[1], 558102775);
    assert_int_equal(keys[2], 815122990);
    check_payload(payload, 13, "a464dea2c55a5a5a5a5a5a5a5a");
}

static void test_ids(void **state)
{
    (void)state;
    assert_true(row_id(0, 0) == INT64_C(1) << 52);
    assert_true(row_id(9999, (uint64_t)ROW_SEQUENCE_LIMIT - 1) < INT64_C(1) << 53);
    assert_true(row_id(1, 0) == row_id(0, (uint64_t)ROW_SEQUENCE_LIMIT - 1) + 1);
    int64_t id = row_id(1234, 567890);
    assert_int_equal(row_id_stream(id), 1234);
    assert_int_equal(row_id_sequence(id), 567890);
    assert_int_equal(row_bytes(&shape_100), 116);
}

/* A different seed, stream or sequence makes a different row; indexes do not change the payload. */
static void test_rows_differ(void **state)
{
    unsigned char a[100], b[100];
    int32_t keys_a[1], keys_b[16];
    struct row_shape other = shape_100;
    (void)state;
    row_make(&shape_100, 3, 7, keys_a, a);
    row_make(&shape_100, 3, 8, keys_b, b);
    assert_memory_not_equal(a, b, 100);
    row_make(&shape_100, 4, 7, keys_b, b);
    assert_memory_not_equal(a, b, 100);
    other.seed = 2;
    row_make(&other, 3, 7, keys_b, b);
    assert_memory_not_equal(a, b, 100);
    other = shape_100;
    other.key_columns = 16;
    row_make(&other, 3, 7, keys_b, b);
    assert_memory_equal(a, b, 100);
    assert_int_equal(keys_a[0], keys_b[0]);
}

/* All 256 byte values about equally often, all keys in 31 bits. */
static void test_bytes_are_random(void **state)
{
    static unsigned count[256];
    unsigned char payload[100];
    int32_t key;
    (void)state;
    for (uint64_t i = 0; i < 10000; i++) {
        row_make(&shape_100, 0, i, &key, payload);
        assert_true(key >= 0);
        for (size_t j = 0; j < 100; j++)
            count[payload[j]]++;
    }
    for (size_t i = 0; i < 256; i++)
        assert_in_range(count[i], 3906 - 400, 3906 + 400); /* 6 standard deviations */
}

static void test_check_finds_each_change(void **state)
{
    unsigned char payload[100], scratch[100];
    int32_t made;
    int64_t key;
    (void)state;
    row_make(&shape_100, 3, 7, &made, payload);
    key = made;
    struct row row = {
        .id = row_id(3, 7), .stream = 3, .keys = &key, .payload = {payload, sizeof payload}};
    assert_true(row_is_right(&shape_100, &row, scratch));
    row.stream = 4;
    assert_false(row_is_right(&shape_100, &row, scratch));
    row.stream = 3;
    row.id++;
    assert_false(row_is_right(&shape_100, &row, scratch));
    row.id = 12345; /* no id of ours */
    assert_false(row_is_right(&shape_100, &row, scratch));
    row.id = row_id(3, 7);
    key += INT64_C(1) << 32;
    assert_false(row_is_right(&shape_100, &row, scratch));
    key = made;
    payload[99] ^= 1;
    assert_false(row_is_right(&shape_100, &row, scratch));
    payload[99] ^= 1;
    row.payload.size = 99;
    assert_false(row_is_right(&shape_100, &row, scratch));
}

static void test_empty_payload(void **state)
{
    const struct row_shape shape = {.seed = 1, .key_columns = 1};
    int32_t made;
    (void)state;
    row_make(&shape, 0, 0, &made, NULL);
    int64_t key = made;
    struct row row = {.id = row_id(0, 0), .keys = &key};
    assert_true(row_is_right(&shape, &row, NULL));
    struct row_batch *batch = row_batch_create(&shape, 0);
    assert_int_equal(batch->capacity, ROW_BATCH_ROWS);
    row_batch_add(batch, &shape, 0);
    assert_int_equal(row_batch_keys(batch, 0)[0], made);
    row_batch_destroy(batch);
}

static void test_batches(void **state)
{
    static const size_t sizes[][2] = {{100, 256}, {128, 256}, {129, 254},  {4096, 8},
                                      {32768, 1}, {32769, 1}, {1 << 20, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct row_shape shape = {
            .seed = 9, .key_columns = 2, .payload_bytes = sizes[i][0], .random_bytes = sizes[i][0]};
        struct row_batch *batch = row_batch_create(&shape, 5);
        unsigned char *payload = malloc(sizes[i][0]);
        int32_t keys[2];
        assert_non_null(batch);
        assert_int_equal(batch->count, 0);
        assert_int_equal(batch->capacity, sizes[i][1]);
        for (size_t row = 0; row < batch->capacity; row++)
            row_batch_add(batch, &shape, 1000 + row);
        size_t last = batch->capacity - 1;
        row_make(&shape, 5, 1000 + last, keys, payload);
        assert_true(batch->ids[last] == row_id(5, 1000 + last));
        assert_memory_equal(row_batch_payload(batch, last), payload, sizes[i][0]);
        assert_memory_equal(row_batch_keys(batch, last), keys, sizeof keys);
        batch->count = 0;
        row_batch_add_id(batch, 77);
        assert_true(batch->count == 1 && batch->ids[0] == row_id(5, 77));
        free(payload);
        row_batch_destroy(batch);
    }
    row_batch_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_rows),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_rows_differ),
        cmocka_unit_test(test_bytes_are_random),
        cmocka_unit_test(test_check_finds_each_change),
        cmocka_unit_test(test_empty_payload),
        cmocka_unit_test(test_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
