/* The bytes as PostgreSQL's own binary output has them: psql -c "COPY (SELECT ..) TO STDOUT
 * (FORMAT binary)" | xxd, array_send(ARRAY[..]). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "postgres/encode.h"

#define ID0 INT64_C(0x0123456789abcdef)

static int64_t ids[3] = {ID0, -2, 5};
static int32_t keys[6] = {1, -1, 0x01020304, 7, 8, 9};
static unsigned char payloads[] = "abcdef";
static const struct row_shape shape = {.key_columns = 2, .payload_bytes = 2};
static const struct row_batch batch = {.count = 3,
                                       .capacity = 3,
                                       .stream = 258,
                                       .key_columns = 2,
                                       .payload_bytes = 2,
                                       .ids = ids,
                                       .keys = keys,
                                       .payloads = payloads};

static void expect_parameter(const struct postgres_encode *encode, int i, const void *bytes,
                             size_t size)
{
    assert_true(i < encode->count);
    assert_int_equal(encode->lengths[i], size);
    assert_int_equal(encode->formats[i], 1);
    assert_memory_equal(encode->values[i], bytes, size);
}
#define EXPECT(encode, i, text) expect_parameter(encode, i, text, sizeof(text) - 1)

static void test_row(void **state)
{
    struct postgres_encode *encode = postgres_encode_create(&shape, POSTGRES_ENCODE_KEEP);
    (void)state;
    postgres_encode_row(encode, &batch, 0);
    assert_int_equal(encode->count, 5);
    EXPECT(encode, 0, "\x01\x23\x45\x67\x89\xab\xcd\xef");
    EXPECT(encode, 1, "\0\0\1\2");
    EXPECT(encode, 2, "\0\0\0\1");
    EXPECT(encode, 3, "\xff\xff\xff\xff");
    EXPECT(encode, 4, "ab");
    assert_ptr_equal(encode->values[4], payloads);
    postgres_encode_keep(encode, &batch, 1);
    assert_int_equal(encode->count, 5);
    EXPECT(encode, 0, "\xff\xff\xff\xff\xff\xff\xff\xfe");
    EXPECT(encode, 2, "\1\2\3\4");
    EXPECT(encode, 4, "cd");
    assert_ptr_equal(encode->values[4], encode->kept);
    postgres_encode_id(encode, 5);
    assert_int_equal(encode->count, 1);
    EXPECT(encode, 0, "\0\0\0\0\0\0\0\5");
    postgres_encode_range(encode, -1, 256);
    assert_int_equal(encode->count, 2);
    EXPECT(encode, 0, "\xff\xff\xff\xff\xff\xff\xff\xff");
    EXPECT(encode, 1, "\0\0\0\0\0\0\1\0");
    postgres_encode_destroy(encode);
}

/* One dimension, no NULLs, element type 20, 23 or 17, `n` elements from 1 on. */
#define HEAD(type, n) "\0\0\0\1\0\0\0\0\0\0\0" type "\0\0\0" n "\0\0\0\1"

static void test_arrays(void **state)
{
    struct postgres_encode *encode =
        postgres_encode_create(&shape, POSTGRES_ENCODE_ROW_ARRAYS | POSTGRES_ENCODE_ID_ARRAY);
    (void)state;
    assert_int_equal(encode->capacity, POSTGRES_ARRAY_ROWS);
    assert_int_equal(postgres_encode_add_rows(encode, &batch, 1), 2);
    assert_int_equal(encode->rows, 2);
    postgres_encode_row_arrays(encode);
    assert_int_equal(encode->count, 5);
    EXPECT(encode, 0,
           HEAD("\x14", "\2") "\0\0\0\x8\xff\xff\xff\xff\xff\xff\xff\xfe"
                              "\0\0\0\x8\0\0\0\0\0\0\0\5");
    EXPECT(encode, 1, "\0\0\1\2");
    EXPECT(encode, 2, HEAD("\x17", "\2") "\0\0\0\4\1\2\3\4\0\0\0\4\0\0\0\x8");
    EXPECT(encode, 3, HEAD("\x17", "\2") "\0\0\0\4\0\0\0\7\0\0\0\4\0\0\0\x9");
    EXPECT(encode, 4, HEAD("\x11", "\2") "\0\0\0\2cd\0\0\0\2ef");
    assert_int_equal(encode->rows, 0);
    assert_int_equal(postgres_encode_add_ids(encode, &batch, 2), 1);
    postgres_encode_id_array(encode);
    assert_int_equal(encode->count, 1);
    EXPECT(encode, 0, HEAD("\x14", "\1") "\0\0\0\x8\0\0\0\0\0\0\0\5");
    postgres_encode_destroy(encode);
}

/* Full arrays take no more; large payloads make them shorter, down to one row. */
static void test_capacity(void **state)
{
    static const struct {
        size_t payload_bytes, rows;
    } cases[] = {{0, 1000},    {100, 1000},  {1044, 1000}, {1045, 999},
                 {100000, 10}, {1048572, 1}, {10000000, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct row_shape one = {.key_columns = 1, .payload_bytes = cases[i].payload_bytes};
        struct postgres_encode *encode = postgres_encode_create(&one, POSTGRES_ENCODE_ROW_ARRAYS);
        assert_int_equal(encode->capacity, cases[i].rows);
        struct row_batch *rows = row_batch_create(&one, 1);
        row_batch_add(rows, &one, 1);
        for (size_t k = 0; k < cases[i].rows; k++)
            assert_int_equal(postgres_encode_add_rows(encode, rows, 0), 1);
        assert_int_equal(postgres_encode_add_rows(encode, rows, 0), 0);
        postgres_encode_row_arrays(encode);
        assert_int_equal(encode->lengths[3], 20 + cases[i].rows * (4 + one.payload_bytes));
        row_batch_destroy(rows);
        postgres_encode_destroy(encode);
    }
}

static void test_copy(void **state)
{
    static const char wanted[] =
        "PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0"
        "\0\5\0\0\0\x8\x01\x23\x45\x67\x89\xab\xcd\xef\0\0\0\4\0\0\1\2\0\0\0\4\0\0\0\1\0\0\0\4"
        "\xff\xff\xff\xff\0\0\0\2ab"
        "\0\5\0\0\0\x8\xff\xff\xff\xff\xff\xff\xff\xfe\0\0\0\4\0\0\1\2\0\0\0\4\1\2\3\4\0\0\0\4"
        "\0\0\0\7\0\0\0\2"
        "\xff\xff";
    struct postgres_encode *encode = postgres_encode_create(&shape, POSTGRES_ENCODE_COPY);
    (void)state;
    postgres_encode_copy_begin(encode);
    assert_false(postgres_encode_copy_is_large(encode));
    assert_true(postgres_encode_copy_row(encode, &batch, 0));
    assert_true(postgres_encode_copy_head(encode, &batch, 1)); /* its payload goes another way */
    assert_true(postgres_encode_copy_end(encode));
    assert_int_equal(encode->copied, sizeof wanted - 1);
    assert_memory_equal(encode->copy, wanted, sizeof wanted - 1);
    postgres_encode_destroy(encode);
}

/* The buffer is filled to its last byte, and nothing is written behind it. */
static void test_copy_full(void **state)
{
    static const size_t row_bytes = 2 + 12 + 8 + 2 * 8 + 4 + 2;
    struct postgres_encode *encode = postgres_encode_create(&shape, POSTGRES_ENCODE_COPY);
    size_t rows = 0;
    (void)state;
    encode->copied = POSTGRES_COPY_BYTES % row_bytes;
    while (postgres_encode_copy_row(encode, &batch, 0))
        rows++;
    assert_int_equal(rows, POSTGRES_COPY_BYTES / row_bytes);
    assert_int_equal(encode->copied, POSTGRES_COPY_BYTES);
    assert_false(postgres_encode_copy_head(encode, &batch, 0));
    assert_false(postgres_encode_copy_end(encode));
    assert_int_equal(encode->copied, POSTGRES_COPY_BYTES);
    postgres_encode_destroy(encode);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row),       cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_capacity),  cmocka_unit_test(test_copy),
        cmocka_unit_test(test_copy_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
