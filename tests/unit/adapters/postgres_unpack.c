/* Rows out of a binary COPY: known bytes, cut anywhere, and bytes that are wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "postgres/unpack.h"

#define HEADER  "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0"
#define TRAILER "\377\377"
/* id 72057594037927937 = 2^56 + 1, stream 7, k1 258, payload "abc" */
#define ROW_A                                                                                      \
    "\0\4\0\0\0\10\1\0\0\0\0\0\0\1\0\0\0\4\0\0\0\7\0\0\0\4\0\0\1\2\0\0\0\3"                        \
    "abc"
/* id -2, stream -3, k1 2147483647, payload "" */
#define ROW_B                                                                                      \
    "\0\4\0\0\0\10\377\377\377\377\377\377\377\376\0\0\0\4\377\377\377\375\0\0\0\4\177\377\377"    \
    "\377\0\0\0\0"

struct bytes_of {
    const char *text;
    size_t size;
};
#define BYTES(text) ((struct bytes_of){text, sizeof(text) - 1})

struct seen {
    size_t count, stop_after; /* 0: never */
    int64_t ids[4], streams[4], keys[4];
    char payloads[4][8];
    size_t sizes[4];
};

static bool see(void *ctx, const struct row *row)
{
    struct seen *seen = ctx;
    if (seen->count < 4) {
        size_t i = seen->count;
        seen->ids[i] = row->id;
        seen->streams[i] = row->stream;
        seen->keys[i] = row->keys[0];
        seen->sizes[i] = row->payload.size;
        if (row->payload.size < 8 && row->payload.size > 0)
            memcpy(seen->payloads[i], row->payload.data, row->payload.size);
    }
    seen->count++;
    return seen->count != seen->stop_after;
}

/* In pieces of `piece` bytes, each in a block of its own so that a sanitizer sees who reads over
 * its end. */
static enum postgres_unpack_end feed(struct bytes_of bytes, size_t piece, struct seen *seen,
                                     char problem[128])
{
    struct postgres_unpack unpack;
    struct row_visitor visit = {.ctx = seen, .row = see};
    enum postgres_unpack_end end = POSTGRES_UNPACK_MORE;
    postgres_unpack_init(&unpack, 1);
    for (size_t at = 0; at < bytes.size; at += piece) {
        size_t size = bytes.size - at < piece ? bytes.size - at : piece;
        unsigned char *copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, bytes.text + at, size);
        end = postgres_unpack_feed(&unpack, copy, size, &visit);
        free(copy);
        if (end == POSTGRES_UNPACK_BROKEN || end == POSTGRES_UNPACK_STOPPED)
            break;
    }
    memcpy(problem, unpack.problem, sizeof unpack.problem);
    postgres_unpack_release(&unpack);
    return end;
}

static void test_rows_cut_anywhere(void **state)
{
    (void)state;
    struct bytes_of bytes = BYTES(HEADER ROW_A ROW_B ROW_A TRAILER);
    for (size_t piece = 1; piece <= bytes.size; piece++) {
        struct seen seen = {.count = 0};
        char problem[128];
        assert_int_equal(feed(bytes, piece, &seen, problem), POSTGRES_UNPACK_DONE);
        assert_int_equal(seen.count, 3);
        assert_true(seen.ids[0] == INT64_C(72057594037927937));
        assert_int_equal(seen.streams[0], 7);
        assert_int_equal(seen.keys[0], 258);
        assert_int_equal(seen.sizes[0], 3);
        assert_memory_equal(seen.payloads[0], "abc", 3);
        assert_true(seen.ids[1] == -2);
        assert_true(seen.streams[1] == -3);
        assert_true(seen.keys[1] == 2147483647);
        assert_int_equal(seen.sizes[1], 0);
        assert_true(seen.ids[2] == seen.ids[0]);
    }
}

static void test_no_rows(void **state)
{
    (void)state;
    struct seen seen = {.count = 0};
    char problem[128];
    assert_int_equal(feed(BYTES(HEADER TRAILER), 100, &seen, problem), POSTGRES_UNPACK_DONE);
    assert_int_equal(seen.count, 0);
    assert_int_equal(feed(BYTES(HEADER), 100, &seen, problem), POSTGRES_UNPACK_MORE);
    assert_int_equal(feed(BYTES(HEADER ROW_A), 100, &seen, problem), POSTGRES_UNPACK_MORE);
}

static void test_extension_of_the_header_is_passed_over(void **state)
{
    (void)state;
    struct seen seen = {.count = 0};
    char problem[128];
    assert_int_equal(
        feed(BYTES("PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\3xyz" ROW_A TRAILER), 5, &seen, problem),
        POSTGRES_UNPACK_DONE);
    assert_int_equal(seen.count, 1);
}

static void test_visitor_stops(void **state)
{
    (void)state;
    struct seen seen = {.stop_after = 2};
    char problem[128];
    assert_int_equal(feed(BYTES(HEADER ROW_A ROW_B ROW_A TRAILER), 1000, &seen, problem),
                     POSTGRES_UNPACK_STOPPED);
    assert_int_equal(seen.count, 2);
}

static void test_null_is_a_wrong_row(void **state)
{
    (void)state;
    struct seen seen = {.count = 0};
    char problem[128];
    /* payload NULL, then k1 NULL */
    struct bytes_of bytes = BYTES(
        HEADER "\0\4\0\0\0\10\1\0\0\0\0\0\0\1\0\0\0\4\0\0\0\7\0\0\0\4\0\0\1\2\377\377\377\377"
               "\0\4\0\0\0\10\1\0\0\0\0\0\0\2\0\0\0\4\0\0\0\7\377\377\377\377\0\0\0\1x" TRAILER);
    assert_int_equal(feed(bytes, 7, &seen, problem), POSTGRES_UNPACK_DONE);
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.streams[0], -1);
    assert_int_equal(seen.sizes[0], 0);
    assert_int_equal(seen.streams[1], -1);
    assert_int_equal(seen.keys[1], -1);
}

static void test_wrong_bytes_are_told(void **state)
{
    (void)state;
    const struct {
        struct bytes_of bytes;
        const char *words;
    } wrong[] = {
        {BYTES("PGCOPY\n\377\n\n\0\0\0\0\0\0\0\0\0"), "signature"},
        {BYTES("x"), "signature"},
        {BYTES("PGCOPY\n\377\r\n\0\0\1\0\0\0\0\0\0"), "flags"},
        {BYTES("PGCOPY\n\377\r\n\0\0\0\0\0\377\377\377\377"), "header"},
        {BYTES("PGCOPY\n\377\r\n\0\0\0\0\0\177\377\377\377"), "header"},
        {BYTES(HEADER "\0\3"), "3 fields"},
        {BYTES(HEADER "\377\376"), "-2 fields"},
        {BYTES(HEADER "\0\4\0\0\0\4\0\0\0\1"), "4 bytes where 8"},
        {BYTES(HEADER "\0\4\377\377\377\376"), "-2 bytes where 8"},
        {BYTES(HEADER "\0\4\177\377\377\377"), "2147483647 bytes where 8"},
        {BYTES(HEADER "\0\4\0\0\0\10\0\0\0\0\0\0\0\1\0\0\0\10"), "8 bytes where 4"},
        {BYTES(HEADER "\0\4\0\0\0\10\1\0\0\0\0\0\0\1\0\0\0\4\0\0\0\7\0\0\0\4\0\0\1\2\200\0\0\0"),
         "a payload of -2147483648"},
        {BYTES(HEADER ROW_A TRAILER "x"), "1 bytes behind"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        for (size_t piece = 1; piece <= wrong[i].bytes.size; piece++) {
            struct seen seen = {.count = 0};
            char problem[128];
            assert_int_equal(feed(wrong[i].bytes, piece, &seen, problem), POSTGRES_UNPACK_BROKEN);
            if (strstr(problem, wrong[i].words) == NULL)
                fail_msg("case %zu: \"%s\" does not say \"%s\"", i, problem, wrong[i].words);
        }
}

/* No crash and no read over an end, whatever comes. */
static void test_spoiled_bytes(void **state)
{
    (void)state;
    struct bytes_of bytes = BYTES(HEADER ROW_A ROW_B ROW_A TRAILER);
    struct rng rng = {.state = 11};
    for (unsigned round = 0; round < 20000; round++) {
        char spoiled[sizeof(HEADER ROW_A ROW_B ROW_A TRAILER)];
        char problem[128];
        struct seen seen = {.count = 0};
        memcpy(spoiled, bytes.text, bytes.size);
        for (unsigned i = 0; i < 1 + round % 3; i++)
            spoiled[rng_below(&rng, bytes.size)] = (char)rng_below(&rng, 256);
        struct bytes_of cut = {spoiled, rng_below(&rng, bytes.size + 1)};
        feed(cut, 1 + rng_below(&rng, bytes.size), &seen, problem);
        assert_true(seen.count <= 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_cut_anywhere),
        cmocka_unit_test(test_no_rows),
        cmocka_unit_test(test_extension_of_the_header_is_passed_over),
        cmocka_unit_test(test_visitor_stops),
        cmocka_unit_test(test_null_is_a_wrong_row),
        cmocka_unit_test(test_wrong_bytes_are_told),
        cmocka_unit_test(test_spoiled_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
