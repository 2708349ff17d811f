#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "device/diskstats.h"
#include "device/rates.h"

enum { DISKS = 600 };

static struct diskstats row(const char *line)
{
    struct diskstats parsed;
    const char *why;
    assert_true(diskstats_parse_line(line, strlen(line), &parsed, &why));
    return parsed;
}

static void refuse(const char *line)
{
    struct diskstats parsed;
    const char *why = NULL;
    assert_false(diskstats_parse_line(line, strlen(line), &parsed, &why));
    assert_non_null(why);
    assert_string_equal(parsed.name, "");
    assert_int_equal(parsed.present, 0);
}

static void fields_are_present_by_the_line(void **state)
{
    (void)state;
    struct diskstats r = row("8 1 sda1 1 2 3 4");
    assert_int_equal(r.present, 1 << DISK_READS | 1 << DISK_READ_SECTORS | 1 << DISK_WRITES |
                                    1 << DISK_WRITE_SECTORS);
    assert_int_equal(r.value[DISK_WRITE_SECTORS], 4);
    r = row("8 0 sda 1 2 3 4 5 6 7 8 9 10 11");
    assert_false(diskstats_has(&r, DISK_DISCARDS));
    assert_int_equal(r.value[DISK_WEIGHTED_MS], 11);
    r = row("8 0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16");
    assert_true(diskstats_has(&r, DISK_DISCARD_MS));
    assert_false(diskstats_has(&r, DISK_FLUSHES));
    r = row("8 0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 what comes next");
    assert_int_equal(r.value[DISK_FLUSHES], 16);
    assert_int_equal(r.value[DISK_FLUSH_MS], 17);
}

static void lines_that_are_no_rows(void **state)
{
    (void)state;
    refuse("");
    refuse("8 0 sda");
    refuse("8 0 sda 1 2 3");
    refuse("8 0 sda 1 2 3 4 5");
    refuse("8 0 sda 1 2 3 4 5 6 7 8 9 10");
    refuse("8 0 12345 1 2 3 4 5 6 7 8 9 10 11");
    refuse("x 0 sda 1 2 3 4 5 6 7 8 9 10 11");
    refuse("8 4294967296 sda 1 2 3 4 5 6 7 8 9 10 11");
    refuse("8 0 sda 1 2 3 4 -5 6 7 8 9 10 11");
    refuse("8 0 sda 18446744073709551616 2 3 4 5 6 7 8 9 10 11");
    refuse("8 0 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 1 2 3 4");
}

/* From 2^63 on it is a number below 0 without its sign. */
static void a_count_that_no_device_reaches_is_unknown(void **state)
{
    (void)state;
    struct diskstats r = row("8 0 sda 18446744073709551615 2 9223372036854775808 4");
    assert_int_equal(r.present, 1 << DISK_READ_SECTORS | 1 << DISK_WRITE_SECTORS);
    assert_int_equal(r.value[DISK_READS], 0);
    assert_int_equal(row("8 0 sda 9223372036854775807 2 3 4").value[DISK_READS], INT64_MAX);
    struct diskstats a = row("8 0 sda 9 0 8 0 9 0 5 1 0 1 1 0 0 0 0 0 0");
    struct diskstats b =
        row("8 0 sda 9 0 8 0 19 0 18446744073709551608 1 0 1 1 0 0 0 0 18446744073709551615 0");
    struct disk_delta d;
    struct disk_rates rates;
    diskstats_delta(&a, &b, &d);
    assert_int_equal(d.status, DISK_OK);
    assert_int_equal(d.value[DISK_WRITES], 10);
    assert_false((d.present >> DISK_WRITE_SECTORS) & 1);
    assert_false((d.present >> DISK_FLUSHES) & 1);
    diskstats_rates(&a, &b, 10, &rates);
    assert_true(rates.writes.per_s == 1);
    assert_true(isnan(rates.writes.bytes_per_s) && isnan(rates.flushes_per_s));
    diskstats_delta(&b, &a, &d); /* and back again */
    assert_false((d.present >> DISK_FLUSHES) & 1);
    assert_int_equal(d.value[DISK_FLUSHES], 0);
}

static void counts_of_a_32_bit_kernel_slip_below_0_too(void **state)
{
    (void)state;
    struct diskstats a = row("8 0 sda 9 0 8 0 3 0 5 1 0 1 1 0 0 0 0 0 0");
    struct diskstats b =
        row("8 0 sda 9 0 8 0 4294967290 0 4294967000 1 0 1 1 0 0 0 0 4294967295 0");
    struct disk_delta d;
    diskstats_delta(&a, &b, &d);
    assert_int_equal(d.status, DISK_OK);
    assert_true((d.present >> DISK_FLUSHES) & 1);
    assert_int_equal(d.value[DISK_WRITES], 0);
    assert_int_equal(d.value[DISK_WRITE_SECTORS], 0);
    assert_int_equal(d.value[DISK_FLUSHES], 0);
    diskstats_delta(&b, &a, &d); /* and up again: round, not back */
    assert_int_equal(d.status, DISK_WRAPPED);
    assert_int_equal(d.value[DISK_WRITES], 9);
}

static void a_jump_that_no_device_makes_is_unknown(void **state)
{
    (void)state;
    struct diskstats a = row("8 0 sda 9 0 8 0 9 0 5 1 0 1 1 0 0 0 0 4 1");
    struct diskstats b = row("8 0 sda 10 0 16 0 4611686018427387904 0 4611686018427387904 "
                             "4611686018427387904 0 11 2000000000 1 0 20000000000 1 4294900000 2");
    struct disk_rates rates;
    diskstats_rates(&a, &b, 10, &rates);
    assert_int_equal(rates.status, DISK_OK);
    assert_true(rates.reads.per_s == 0.1);
    assert_true(isnan(rates.writes.per_s) && isnan(rates.writes.bytes_per_s));
    assert_true(isnan(rates.writes.await_ms) && isnan(rates.flushes_per_s));
    assert_true(rates.discards.bytes_per_s == 20000000000.0 * 512 / 10); /* a drive at once */
    assert_true(rates.weighted_depth > 199999);
    /* In a day the same flushes are many, but possible. */
    diskstats_rates(&a, &b, 86400, &rates);
    assert_true(rates.flushes_per_s > 49000);
    assert_true(isnan(rates.writes.per_s));
}

static void delta_of_a_plain_interval(void **state)
{
    (void)state;
    struct diskstats a = row("7 0 loop0 1 0 8 0 100 0 800 9 2 50 60 0 0 0 0 50 7");
    struct diskstats b = row("7 0 loop0 1 0 8 0 500 0 2400 29 1 90 99 0 0 0 0 250 17");
    struct disk_delta d;
    diskstats_delta(&a, &b, &d);
    assert_int_equal(d.status, DISK_OK);
    assert_int_equal(d.value[DISK_WRITES], 400);
    assert_int_equal(d.value[DISK_WRITE_SECTORS], 1600);
    assert_int_equal(d.value[DISK_FLUSHES], 200);
    assert_int_equal(d.value[DISK_IN_FLIGHT], 1);
    diskstats_delta(&a, &a, &d);
    assert_int_equal(d.status, DISK_OK);
    assert_int_equal(d.value[DISK_WRITES], 0);
    a.name[0] = 0;
    diskstats_delta(&a, &b, &d);
    assert_int_equal(d.status, DISK_MISSING);
    assert_int_equal(d.present, 0);
}

static void times_wrap_at_32_bits(void **state)
{
    (void)state;
    struct diskstats a = row("8 0 sda 1 0 8 0 100 0 800 4294967290 0 4294967295 60");
    struct diskstats b = row("8 0 sda 1 0 8 0 500 0 2400 2004 1 90 99");
    struct disk_delta d;
    diskstats_delta(&a, &b, &d);
    assert_int_equal(d.status, DISK_WRAPPED);
    assert_int_equal(d.value[DISK_WRITE_MS], 2010);
    assert_int_equal(d.value[DISK_IO_MS], 91);
    assert_int_equal(d.value[DISK_WEIGHTED_MS], 39);
}

static void counts_of_a_32_bit_kernel_wrap_too(void **state)
{
    (void)state;
    struct diskstats a = row("179 0 mmcblk0 9 0 8 0 900 0 4294967000 10 0 10 10");
    struct diskstats b = row("179 0 mmcblk0 9 0 8 0 990 0 704 20 0 20 20");
    struct disk_delta d;
    diskstats_delta(&a, &b, &d);
    assert_int_equal(d.status, DISK_WRAPPED);
    assert_int_equal(d.value[DISK_WRITE_SECTORS], 1000);
}

static void a_replaced_device_has_no_numbers(void **state)
{
    (void)state;
    struct diskstats a = row("253 3 dm-3 9000 0 72000 50 7000 0 56000 90 0 99 99 0 0 0 0 0 0");
    struct diskstats b = row("253 3 dm-3 30 0 240 1 40 0 320 2 0 3 3 5 0 40 0 0 0");
    struct disk_delta d;
    diskstats_delta(&a, &b, &d);
    assert_int_equal(d.status, DISK_RESET);
    assert_int_equal(d.present, 0);
}

static void a_counter_that_slips_gives_0(void **state)
{
    (void)state;
    struct diskstats a = row("8 0 sda 9000 0 72000 50 7000 0 56000 90 0 99 99");
    struct diskstats b = row("8 0 sda 8998 0 71984 50 7100 0 56800 80 0 4294967290 120");
    struct disk_delta d;
    b.value[DISK_IO_MS] = 90;
    diskstats_delta(&a, &b, &d);
    assert_int_equal(d.status, DISK_OK);
    assert_int_equal(d.value[DISK_READS], 0);
    assert_int_equal(d.value[DISK_READ_SECTORS], 0);
    assert_int_equal(d.value[DISK_WRITES], 100);
    assert_int_equal(d.value[DISK_WRITE_MS], 0);
    assert_int_equal(d.value[DISK_IO_MS], 0);
    /* Milliseconds a little below 0. */
    a.value[DISK_IO_MS] = 3, b.value[DISK_IO_MS] = UINT32_MAX - 4;
    diskstats_delta(&a, &b, &d);
    assert_int_equal(d.status, DISK_OK);
    assert_int_equal(d.value[DISK_IO_MS], 0);
}

static void a_time_gone_astray_is_unknown_and_the_rest_is_not(void **state)
{
    (void)state;
    struct diskstats a = row("8 0 sda 9000 0 72000 50 7000 0 56000 90 0 99 9000");
    struct diskstats b = row("8 0 sda 9001 0 72008 50 7100 0 56800 95 0 99 4294963200");
    struct disk_delta d;
    diskstats_delta(&a, &b, &d);
    assert_int_equal(d.status, DISK_OK);
    assert_false((d.present >> DISK_WEIGHTED_MS) & 1);
    assert_int_equal(d.value[DISK_WEIGHTED_MS], 0);
    assert_int_equal(d.value[DISK_WRITES], 100);
}

static void one_count_far_back_spoils_the_interval(void **state)
{
    (void)state;
    struct diskstats a = row("8 0 sda 9000 9 72000 50 7000 9 56000 90 0 99 99");
    struct diskstats b = row("8 0 sda 9001 9 72008 50 5000 9 56008 90 0 99 99");
    struct disk_delta d;
    diskstats_delta(&a, &b, &d);
    assert_int_equal(d.status, DISK_BACKWARDS);
    assert_int_equal(d.present, 0);
}

static void a_total_knows_what_all_parts_know(void **state)
{
    (void)state;
    struct diskstats a = row("8 0 sda 1 0 8 0 10 0 80 1 0 1 1 0 0 0 0 5 1");
    struct diskstats b = row("8 0 sda 1 0 8 0 30 0 240 3 0 3 3 0 0 0 0 15 2");
    struct disk_delta d, total;
    diskstats_delta(&a, &b, &d);
    disk_delta_start(&total);
    disk_delta_add(&total, &d);
    disk_delta_add(&total, &d);
    assert_int_equal(total.value[DISK_FLUSHES], 20);
    assert_int_equal(total.value[DISK_WRITES], 40);
    b.present &= ~(1U << DISK_FLUSHES);
    diskstats_delta(&a, &b, &d);
    disk_delta_add(&total, &d);
    assert_false((total.present >> DISK_FLUSHES) & 1);
    assert_int_equal(total.value[DISK_WRITES], 60);
    disk_delta_add(&total, &(struct disk_delta){.status = DISK_RESET});
    assert_int_equal(total.status, DISK_RESET);
    assert_int_equal(total.present, 0);
}

static char *many_disks(size_t *size)
{
    size_t room = DISKS * 160;
    char *text = malloc(room), *at = text;
    for (int i = 0; i < DISKS; i++)
        at += snprintf(at, room - (size_t)(at - text),
                       "%4d %7d sd%c%c%c 339563 37729 2716504 113187 169781 48509 1358252 339563 0 "
                       "169781 452750 0 0 0 0 67912 %d\n",
                       8 + i / 16, i % 256, 'a' + i / 676, 'a' + i / 26 % 26, 'a' + i % 26, i);
    *size = (size_t)(at - text);
    return text;
}

static void pick_keeps_the_order_of_the_names(void **state)
{
    (void)state;
    size_t size;
    char *text = many_disks(&size);
    const char *const names[] = {"sdaxb", "none", "sdaaa", "sdaxb", "", "sdaa"};
    struct diskstats rows[6];
    diskstats_pick(text, size, names, 6, rows);
    assert_string_equal(rows[0].name, "sdaxb");
    assert_int_equal(rows[0].value[DISK_FLUSH_MS], 23 * 26 + 1);
    assert_string_equal(rows[1].name, "");
    assert_int_equal(rows[1].present, 0);
    assert_string_equal(rows[2].name, "sdaaa");
    assert_int_equal(rows[3].value[DISK_FLUSH_MS], 23 * 26 + 1);
    assert_string_equal(rows[4].name, "");
    assert_string_equal(rows[5].name, "");
    diskstats_pick("", 0, names, 6, rows);
    assert_string_equal(rows[0].name, "");
    /* A NUL where the name should be does not match a name that ends there. */
    diskstats_pick("8 0 sdaxb\0\0 1 2 3 4\n", 21, names, 6, rows);
    assert_string_equal(rows[0].name, "");
    free(text);
}

static void pick_sums_the_paths_of_an_idle_head_only(void **state)
{
    (void)state;
    const char busy[] = "0 0 nvme1c0n1 1 0 8 0 50 0 400 1 0 1 1 0 0 0 0 7 1\n"
                        "259 0 nvme1n1 1 0 8 0 60 0 480 1 0 1 1 0 0 0 0 9 1\n"
                        "259 1 nvme1n2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
                        "0 0 nvme1c0n2 1 0 8 0 2 0 16 1 1 1 1 0 0 0 0 3 1\n"
                        "0 0 nvme1c10n2 1 0 8 0 3 0 24 1 2 1 1\n"
                        "0 0 nvme1c10n22 1 0 8 0 99 0 24 1 2 1 1\n";
    const char *const names[] = {"nvme1n1", "nvme1n2", "nvme1c0n1"};
    struct diskstats rows[3];
    diskstats_pick(busy, sizeof busy - 1, names, 3, rows);
    assert_int_equal(rows[0].value[DISK_WRITES], 60);
    assert_string_equal(rows[1].name, "nvme1n2");
    assert_int_equal(rows[1].major, 259);
    assert_int_equal(rows[1].value[DISK_WRITES], 5);
    assert_int_equal(rows[1].value[DISK_IN_FLIGHT], 3);
    assert_false(diskstats_has(&rows[1], DISK_FLUSHES)); /* one path does not say */
    assert_int_equal(rows[2].value[DISK_WRITES], 50);
}

static void sums_stay_counts(void **state)
{
    (void)state;
    const char text[] = "8 0 sda 9 0 8 0 9223372036854775807 0 9 1 0 1 1\n"
                        "8 16 sdb 9 0 8 0 18446744073709551615 0 9 1 0 1 1\n"
                        "259 1 nvme1n2 18446744073709551615 0 0 0 0 0 0 0 0 0 0\n"
                        "0 0 nvme1c0n2 1 0 8 0 2 0 16 1 1 1 1\n";
    const char *const names[] = {"sda+sda+sda", "sda+sdb", "nvme1n2"};
    struct diskstats rows[3];
    diskstats_pick(text, sizeof text - 1, names, 3, rows);
    assert_false(diskstats_has(&rows[0], DISK_WRITES));
    assert_int_equal(rows[0].value[DISK_WRITES], 0);
    assert_int_equal(rows[0].value[DISK_READS], 27);
    assert_false(diskstats_has(&rows[1], DISK_WRITES));
    assert_int_equal(rows[1].value[DISK_WRITE_SECTORS], 18);
    /* Not known to stand at 0, so not the sum of its paths. */
    assert_int_equal(rows[2].value[DISK_WRITES], 0);
}

/* Every 10 ms a text of hundreds of disks; the limit leaves room for slow and busy machines. */
static void pick_is_cheap(void **state)
{
    (void)state;
    size_t size;
    char *text = many_disks(&size);
    const char *const names[] = {"sdaaa", "sdamm", "sdaxb", "sdawz"};
    struct diskstats rows[4];
    volatile uint64_t sum = 0;
    double pick_ns = INFINITY, parse_ns = INFINITY;
    for (int i = 0; i < 200; i++) { /* the best of many, against a plain parse of every line */
        int64_t start_ns = clock_now_ns();
        diskstats_pick(text, size, names, 4, rows);
        int64_t middle_ns = clock_now_ns();
        const char *why;
        for (const char *line = text; line < text + size;) {
            const char *end = memchr(line, '\n', (size_t)(text + size - line));
            struct diskstats row;
            if (diskstats_parse_line(line, (size_t)(end - line), &row, &why))
                sum += row.value[0];
            line = end + 1;
        }
        parse_ns = fmin(parse_ns, (double)(clock_now_ns() - middle_ns));
        pick_ns = fmin(pick_ns, (double)(middle_ns - start_ns));
    }
    print_message("  %.1f us for 4 of %d disks, %.1f us to parse all\n", pick_ns / 1000, DISKS,
                  parse_ns / 1000);
    assert_true(sum > 0);
    assert_true(pick_ns < parse_ns / 2);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_present_by_the_line),
        cmocka_unit_test(lines_that_are_no_rows),
        cmocka_unit_test(a_count_that_no_device_reaches_is_unknown),
        cmocka_unit_test(counts_of_a_32_bit_kernel_slip_below_0_too),
        cmocka_unit_test(a_jump_that_no_device_makes_is_unknown),
        cmocka_unit_test(sums_stay_counts),
        cmocka_unit_test(delta_of_a_plain_interval),
        cmocka_unit_test(times_wrap_at_32_bits),
        cmocka_unit_test(counts_of_a_32_bit_kernel_wrap_too),
        cmocka_unit_test(a_replaced_device_has_no_numbers),
        cmocka_unit_test(a_counter_that_slips_gives_0),
        cmocka_unit_test(a_time_gone_astray_is_unknown_and_the_rest_is_not),
        cmocka_unit_test(one_count_far_back_spoils_the_interval),
        cmocka_unit_test(a_total_knows_what_all_parts_know),
        cmocka_unit_test(pick_keeps_the_order_of_the_names),
        cmocka_unit_test(pick_sums_the_paths_of_an_idle_head_only),
        cmocka_unit_test(pick_is_cheap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
