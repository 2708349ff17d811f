#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "measure/base64.h"
#include "measure/hist.h"

static struct hist *h;

static int set_up(void **state)
{
    (void)state;
    h = hist_create();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    hist_destroy(h);
    return 0;
}

static void empty_is_unknown(void **state)
{
    (void)state;
    assert_true(isnan(hist_quantile_ms(h, 0.5)) && isnan(hist_quantile_ms(h, 1)));
    assert_true(isnan(hist_mean_ms(h)) && isnan(hist_max_ms(h)));
    hist_reset(h);
    assert_int_equal(h->count, 0);
}

/* From the layout's own numbers: 8 ns up to 2048 ns, then each bucket half as fine. */
static void buckets_have_the_published_bounds(void **state)
{
    (void)state;
    assert_int_equal(hist_index(0), 0);
    assert_int_equal(hist_index(7), 0);
    assert_int_equal(hist_index(8), 1);
    assert_int_equal(hist_index(2047), 255);
    assert_int_equal(hist_index(2048), 256);
    assert_int_equal(hist_index(2063), 256);
    assert_int_equal(hist_index(2064), 257);
    assert_int_equal(hist_index(4096), 384);
    assert_true(hist_index(HIST_MAX_NS) < HIST_COUNTS);
    for (uint32_t i = 0; i < HIST_COUNTS; i++) {
        int64_t lowest = hist_lowest_ns(i), width = hist_width_ns(i);
        assert_int_equal(hist_index(lowest), i);
        assert_int_equal(hist_index(lowest + width - 1), i);
        if (lowest >= 1000)
            assert_true((double)width <= 0.01 * (double)lowest);
    }
}

static void values_out_of_range_are_clamped(void **state)
{
    (void)state;
    hist_record(h, -5);
    hist_record(h, INT64_MAX);
    assert_int_equal(h->count, 2);
    assert_int_equal(h->min_ns, 0);
    assert_int_equal(h->max_ns, HIST_MAX_NS);
}

static void quantiles_are_highest_equivalent_values(void **state)
{
    (void)state;
    for (int64_t i = 1; i <= 10000; i++)
        hist_record(h, i * 1000); /* 1 us to 10 ms */
    /* The 5000th is 5 ms: bucket from 4,980,736 to 5,013,503 ns (width 32,768). */
    assert_true(hist_quantile_ms(h, 0.5) == 5.013503);
    assert_true(fabs(hist_quantile_ms(h, 0.99) - 9.9) <= 0.099);
    assert_true(hist_quantile_ms(h, 0.999) <= 10);
    assert_true(hist_quantile_ms(h, 1) == 10);
    assert_true(hist_max_ms(h) == 10);
    assert_true(fabs(hist_mean_ms(h) - 5.0005) < 1e-9);
}

static void a_quantile_needs_ten_samples_beyond_it(void **state)
{
    (void)state;
    const struct {
        double q;
        uint64_t least;
    } table[] = {{0.5, 20}, {0.9, 100}, {0.99, 1000}, {0.999, 10000}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        hist_reset(h);
        while (h->count < table[i].least - 1)
            hist_record(h, 5000000);
        assert_true(isnan(hist_quantile_ms(h, table[i].q)));
        hist_record(h, 5000000);
        assert_true(hist_quantile_ms(h, table[i].q) == 5);
        assert_true(hist_quantile_ms(h, 1) == 5);
    }
}

static void never_above_the_maximum(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++)
        hist_record(h, 5000001);
    assert_true(hist_quantile_ms(h, 0.9) == 5.000001);
}

static void fill(struct hist *to, uint64_t seed, int count)
{
    struct rng rng = {seed};
    for (int i = 0; i < count; i++)
        hist_record(to, (int64_t)(rng_next(&rng) >> (20 + rng_below(&rng, 30))));
}

static void assert_same_counts(const struct hist *a, const struct hist *b)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->counts, b->counts, sizeof a->counts);
    assert_int_equal(a->low, b->low);
    assert_int_equal(a->high, b->high);
}

static void adding_is_recording_all(void **state)
{
    (void)state;
    struct hist *a = hist_create(), *b = hist_create(), *none = hist_create();
    fill(a, 1, 500);
    fill(b, 2, 700);
    fill(h, 1, 500);
    fill(h, 2, 700);
    hist_add(a, b);
    hist_add(a, none);
    assert_same_counts(a, h);
    assert_int_equal(a->min_ns, h->min_ns);
    assert_int_equal(a->max_ns, h->max_ns);
    assert_true(fabs(a->sum_ns - h->sum_ns) <= 1e-9 * h->sum_ns);
    hist_reset(a);
    assert_same_counts(a, none);
    hist_destroy(a);
    hist_destroy(b);
    hist_destroy(none);
}

static void decoding_gives_the_counts_back(void **state)
{
    (void)state;
    struct hist *back = hist_create();
    struct err err;
    for (int round = 0; round < 50; round++) {
        hist_reset(h);
        fill(h, (uint64_t)round, round * round);
        if (round == 49)
            h->counts[h->high] += (uint64_t)1 << 62, h->count += (uint64_t)1 << 62;
        char *text = hist_encode(h);
        assert_int_equal(hist_decode(text, back, &err), 0);
        assert_same_counts(h, back);
        free(text);
        if (h->count != 0) {
            assert_true(back->max_ns >= h->max_ns &&
                        back->max_ns < h->max_ns + hist_width_ns(h->high));
            assert_true(back->min_ns <= h->min_ns);
        }
    }
    hist_destroy(back);
}

/* Written by the reference (HdrHistogram 2.1.11 for Java): new Histogram(8, 3600000000000L, 2)
 * with 100 times 1000 ns, 1,000,000 ns, 3 times 1,050,000 ns and 3,600,000,000,000 ns. */
static const char reference[] =
    "HISTFAAAAC94nJNpmSzMwMDAwwABTFCag4GB2c1gxwIG+w8QgZ+MJxhfCzOJss3XZgIAoq4IBw==";

static void reads_what_the_reference_wrote(void **state)
{
    (void)state;
    struct err err = {.kind = ERR_NONE};
    if (hist_decode(reference, h, &err) != 0)
        fail_msg("%s", err.text);
    assert_int_equal(h->count, 105);
    assert_int_equal(h->counts[hist_index(1000)], 100);
    assert_int_equal(h->counts[hist_index(1000000)], 1);
    assert_int_equal(h->counts[hist_index(1050000)], 3);
    assert_int_equal(h->counts[hist_index(HIST_MAX_NS)], 1);
}

/* The same by new Histogram(1, 3600000000000L, 3). */
static const char finer[] =
    "HISTFAAAADF4nJNpmSzMwMDAzwABzFCaEch0M9ixgMH+A0TgPP8JxvfzGJn2MrJNvsXEBADDTgnG";

static void another_layout_is_refused(void **state)
{
    (void)state;
    struct err err;
    assert_int_equal(hist_decode(finer, h, &err), -1);
    assert_non_null(strstr(err.text, "another range"));
    assert_int_equal(h->count, 0);
}

static void damaged_text_is_refused(void **state)
{
    (void)state;
    struct err err;
    fill(h, 7, 300);
    char *text = hist_encode(h);
    size_t size = strlen(text);
    struct hist *back = hist_create();
    for (size_t i = 0; i < size; i++) {
        char kept = text[i];
        text[i] = kept == 'A' ? 'B' : 'A';
        if (hist_decode(text, back, &err) != 0) {
            assert_int_equal(back->count, 0);
            assert_true(back->low > back->high);
        }
        text[i] = 0;
        assert_int_equal(hist_decode(text, back, &err), -1);
        text[i] = kept;
    }
    const char *const wrong[] = {"", "AAAA", "====", "not base64", "HISTFAAAAA==", "HISTFAAAAAA="};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(hist_decode(wrong[i], back, &err), -1);
        assert_int_equal(err.kind, ERR_FAILED);
    }
    hist_destroy(back);
    free(text);
}

/* RFC 4648, section 10. */
static void base64_of_the_standard(void **state)
{
    (void)state;
    const char *const table[][2] = {{"", ""},
                                    {"f", "Zg=="},
                                    {"fo", "Zm8="},
                                    {"foo", "Zm9v"},
                                    {"foob", "Zm9vYg=="},
                                    {"fooba", "Zm9vYmE="},
                                    {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[32];
        unsigned char data[32];
        size_t size = sizeof data, plain = strlen(table[i][0]);
        base64_encode((const unsigned char *)table[i][0], plain, text);
        assert_string_equal(text, table[i][1]);
        assert_int_equal(base64_decode(text, data, &size), 0);
        assert_int_equal(size, plain);
        assert_memory_equal(data, table[i][0], plain);
    }
    unsigned char data[2];
    size_t size = sizeof data;
    assert_int_equal(base64_decode("Zm9v", data, &size), -1); /* no room */
    size = sizeof data;
    assert_int_equal(base64_decode("Zg==Zg==", data, &size), -1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(empty_is_unknown),
        TEST(buckets_have_the_published_bounds),
        TEST(values_out_of_range_are_clamped),
        TEST(quantiles_are_highest_equivalent_values),
        TEST(a_quantile_needs_ten_samples_beyond_it),
        TEST(never_above_the_maximum),
        TEST(adding_is_recording_all),
        TEST(decoding_gives_the_counts_back),
        TEST(reads_what_the_reference_wrote),
        TEST(another_layout_is_refused),
        TEST(damaged_text_is_refused),
        TEST(base64_of_the_standard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
